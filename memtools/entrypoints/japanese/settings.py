"""Japanese twins: what is said of settings and of words of a vocabulary."""

from __future__ import annotations

JA = {
    # config
    "mend the file; until then no file counts as a memory": "ファイルを直してください。それまではどのファイルもメモリーとして扱われません",
    "{name} must be a table": "{name} はテーブルでなければなりません",
    "there is no setting {name}": "{name} という設定はありません",
    "`memtools config` lists the settings there are": "設定の一覧は `memtools config` で見られます",
    "did you mean {name}?": "{name} のことですか?",
    "{name} {fault}": "{name}: {fault}",
    # settings
    "must be a whole number from {low} to {high}": "{low} から {high} までの整数でなければなりません",
    "must be one of: {words}": "次のどれかでなければなりません: {words}",
    "must be a number from 0 to 1": "0 から 1 までの数でなければなりません",
    "must be true or false": "true か false でなければなりません",
    'must be a path in the repository, "." for its top': 'リポジトリ内のパス (最上位は ".") でなければなりません',
    '"{value}" leads out of the repository': '"{value}" はリポジトリの外を指しています',
    '"{value}": a glob cannot be negated here': '"{value}": ここでは glob を否定できません',
    '"{value}": ** must stand alone between slashes': '"{value}": ** はスラッシュの間に単独で書いてください',
    "must be a glob over repo paths": "リポジトリ内のパスに対する glob でなければなりません",
    'must be the name of a branch, as in "origin/main"': '"origin/main" のようなブランチ名でなければなりません',
    'must be the name of a branch, as in "main"': '"main" のようなブランチ名でなければなりません',
    'must be a version requirement, as in ">=1.4"': '">=1.4" のようなバージョン条件でなければなりません',
    'must be a folder or a remote, as in "github.com/acme/alpha"': '"github.com/acme/alpha" のような、フォルダーかリモートでなければなりません',
    "must be a list, as in [{value}]": "[{value}] のようなリストでなければなりません",
    'gives "{word}" another meaning, which no file may': '"{word}" に別の意味を与えています。これはどのファイルにも許されません',
    # settings_file
    "the settings are larger than {size} bytes": "設定ファイルが {size} バイトを超えています",
    "the settings are not UTF-8": "設定ファイルが UTF-8 ではありません",
    "the settings are nested too deeply": "設定ファイルの入れ子が深すぎます",
    "the settings are not valid TOML: {reason}": "設定ファイルが正しい TOML ではありません: {reason}",
    # unknown_words
    'the status `{word}` is not in the vocabulary, so memories with it stay hidden (here: {count}); to map it, put below a line [vocabulary.status] (without a #) in .memtools.toml, and commit that: {key} = "active" (or "candidate", or "retracted")': 'status `{word}` は語彙にないので、そのメモリー (ここでは {count} 件) は隠されたままです。対応付けるには .memtools.toml の [vocabulary.status] の行 (# なし) の下に次を書いてコミットしてください: {key} = "active" (または "candidate"、"retracted")',
    "further status words outside the vocabulary: {count}": "語彙にない status の値がほかに {count} 個あります",
}
