"""Japanese twins: what render, export and the blocks of AGENTS.md and the like say."""

from __future__ import annotations

JA = {
    # comments of a block
    "this memtools comment cannot be read": "この memtools コメントは読めません",
    "the end comment has no begin comment above it": "終わりのコメントより上に、始まりのコメントがありません",
    "the begin comment has no end comment below it": "始まりのコメントより下に、終わりのコメントがありません",
    "a second memtools comment of the same kind stands here": "同じ種類の memtools コメントが 2 つ目です",
    "leave one line <!-- memtools:begin --> and, below it, one line <!-- memtools:end -->": "<!-- memtools:begin --> の行を 1 つ、その下に <!-- memtools:end --> の行を 1 つだけ残してください",
    "this is no UTF-8 text with usual line ends, so no block can be added": "通常の改行の UTF-8 テキストではないため、ブロックを追加できません",
    "save it as UTF-8 with LF line ends": "改行 LF の UTF-8 で保存してください",
    # commits
    "{path}: its block of memories changes in this commit": "{path}: メモリーのブロックもこのコミットで変わります",
    # check
    "type: memtools render; then commit {path}": "次を実行してください: memtools render。その後 {path} をコミットしてください",
    'no memory says this line of the block: "{text}"': "ブロックのこの行は、どのメモリーにもありません: 「{text}」",
    "no memory says {count} more lines of this block": "このブロックには、どのメモリーにもない行がほかに {count} 行あります",
    "this block leaves out, or puts in another order, what the memories say": "このブロックは、メモリーの内容を省いているか、順序を変えています",
    # render
    "{path}: up to date": "{path}: 最新です",
    "{path}: stale": "{path}: 古くなっています",
    "{path}: taken away": "{path}: 取り除きました",
    "{path}: written": "{path}: 書き込みました",
    "no comment can name the scope {scope}": "スコープ {scope} はコメントに書けません",
    "use a scope without quotation marks, < and >": "引用符、< と > を含まないスコープを使ってください",
    "no file here holds the two comments of a block of memories": "メモリーのブロックを示す 2 つのコメントを持つファイルがありません",
    "type: memtools render --to AGENTS.md (or CLAUDE.md, GEMINI.md, a folder/)": "次を実行してください: memtools render --to AGENTS.md (CLAUDE.md、GEMINI.md、フォルダー/ も可)",
    "{path} is not inside this work tree": "{path} はこの作業ツリーの中にありません",
    "type: memtools render --to AGENTS.md": "次を実行してください: memtools render --to AGENTS.md",
    "{path} is no plain file; nothing was written": "{path} は通常のファイルではありません。何も書き込んでいません",
    "name the file itself, not a link to it": "リンクではなくファイル自身を指定してください",
    "{path} is no plain folder; nothing was written": "{path} は通常のフォルダーではありません。何も書き込んでいません",
    "name the folder itself, not a link to it": "リンクではなくフォルダー自身を指定してください",
    "{path} is a memory; memories are not rendered into one another": "{path} はメモリーです。メモリーを別のメモリーに書き出すことはできません",
    "choose AGENTS.md at the top, or a folder whose name begins with a dot": "最上位の AGENTS.md か、名前がドットで始まるフォルダーを選んでください",
    "another program wrote {path} meanwhile": "その間に別のプログラムが {path} を書き換えました",
    "it does not say what the memories say": "メモリーの内容と一致していません",
    "it is not what the memories say": "メモリーの内容と一致していません",
    "type: {command}": "次を実行してください: {command}",
    "commits do not keep {path} current; type memtools render --to {word} after them": "{path} はコミットでは更新されません。コミットの後に memtools render --to {word} を実行してください",
    "memtools did not write this file, or somebody changed it since; it stays": "memtools が書いたファイルではないか、後から変更されたため、そのままにします",
    "look at it, take it away, and type the command again": "内容を確かめて取り除き、もう一度コマンドを実行してください",
    # doctor
    "every block of memories says what the memories say": "メモリーのブロックはすべて最新です",
    "blocks of memories are not what the memories say: {places}": "メモリーの内容と一致しないブロック: {places}",
}
