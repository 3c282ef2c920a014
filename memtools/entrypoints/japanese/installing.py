"""Japanese twins: what init, uninstall and git itself have to say."""

from __future__ import annotations

JA = {
    # install
    "{folder} lies inside the repository {top}": "{folder} はリポジトリ {top} の中にあります",
    "type `memtools init {top}` to adopt that one, or `git init {folder}` first to give these notes one of their own": "そのリポジトリを使うなら `memtools init {top}` を、このノート専用のものを作るなら先に `git init {folder}` を実行してください",
    "The obsidian-git plugin commits on its own here. May such a commit go through although a marker in it is refused (the marker stays open and is reported)?": "ここでは obsidian-git プラグインが自動でコミットします。マーカーが拒否されても、そのコミットを通しますか? (マーカーは未解決のまま報告されます)",
    "the obsidian-git plugin commits on its own here; so that a refused marker never stops its backup, type: git config {key} true": "ここでは obsidian-git プラグインが自動でコミットします。拒否されたマーカーがバックアップを止めないようにするには、次を実行してください: git config {key} true",
    "{path} cannot be written: {why}": "{path} を書けません: {why}",
    "mend that and type `memtools init` again; it goes on where it stopped": "それを直してもう一度 `memtools init` を実行してください。止まった所から続けます",
    "the search index could not be built ({why}); type `memtools index --rebuild`": "検索インデックスを作れませんでした ({why})。`memtools index --rebuild` を実行してください",
    # install_config
    "your attributes set merge={value} for *.md, so the merge driver stays unused; to use it, write `*.md merge=memtools` there": "attributes が *.md に merge={value} を指定しているため、マージドライバーは使われません。使うには、そこに `*.md merge=memtools` と書いてください",
    # install_hooks
    "core.hooksPath is {path}, so git runs no hook here and no commit retracts; to change that, type `git config --unset core.hooksPath` and `memtools init` again": "core.hooksPath が {path} なので git はフックを実行せず、コミットしても撤回されません。変えるには `git config --unset core.hooksPath` の後でもう一度 `memtools init` を実行してください",
    "{hook} was there before: it is kept as {kept} and runs after ours": "{hook} は以前からありました。{kept} として残し、memtools の後に実行します",
    "`lefthook install` takes these hooks away: type `memtools init` after it, or let lefthook call memtools (it then hides unstaged edits meanwhile) by these lines of lefthook.yml:\n{lines}": "`lefthook install` はこれらのフックを外します。その後で `memtools init` を実行するか、lefthook.yml の次の行で lefthook から memtools を呼んでください (その間、未ステージの編集は隠されます):\n{lines}",
    "husky runs the hooks of this repository, from {home}": "このリポジトリのフックは husky が {home} から実行します",
    "core.hooksPath of your own git config is {home}, which serves all your repositories; `memtools init --into-hooks-path` writes there all the same": "個人の git 設定の core.hooksPath は {home} で、すべてのリポジトリに効きます。それでもそこへ書き込むには `memtools init --into-hooks-path` を実行してください",
    "core.hooksPath is {home}, inside the work tree; `memtools init --into-hooks-path` writes there all the same": "core.hooksPath は作業ツリー内の {home} です。それでもそこへ書き込むには `memtools init --into-hooks-path` を実行してください",
    "add to {file}: {line}": "{file} に加えてください: {line}",
    # uninstall
    "{hook} still calls `memtools hook {stage}`: take that line out where it stands": "{hook} がまだ `memtools hook {stage}` を呼んでいます。その行を消してください",
    "{kept} stays: it was the hook before memtools, and another one has been installed since": "{kept} は残します。memtools より前からあったフックですが、その後に別のフックが入っています",
    "{path} stays: it is part of your notes now": "{path} は残します。すでにノートの一部になっています",
    # init
    "would write {path}": "{path} を書き込みます (ドライラン)",
    "wrote {path}": "{path} を書き込みました",
    "kept {path}": "{path} はそのまま残しました",
    "removed {path}": "{path} を削除しました",
    "nothing to change in {top}": "{top} で変更するものはありません",
    "nothing is committed here yet: git add your notes, then git commit": "まだ何もコミットされていません。ノートを git add してから git commit してください",
    # place
    "name a folder of notes": "ノートのフォルダーを指定してください",
    "{path} is not a folder": "{path} はフォルダーではありません",
    "{path} is a bare repository: it has no work tree, so nobody commits notes in it": "{path} はベアリポジトリです。作業ツリーがないため、ノートをコミットできません",
    "run this in a clone or in a linked worktree of it": "そのクローンか、リンクされた作業ツリーで実行してください",
    "{path} is inside a git dir": "{path} は .git ディレクトリの中です",
    "run this at the top of the work tree": "作業ツリーの最上位で実行してください",
    "{path} is not in a git repository": "{path} は git リポジトリの中にありません",
    "type `memtools init DIR` to make one": "作るには `memtools init DIR` を実行してください",
    # run
    "another git process is running here: {what}": "別の git プロセスがここで動いています: {what}",
    "try again when it has ended; if none runs, remove the named lock file yourself": "終わってからもう一度試してください。動いていなければ、示されたロックファイルを自分で消してください",
    "git {verb} failed: {reason}": "git {verb} が失敗しました: {reason}",
    "the path of {folder} holds a line break": "{folder} のパスに改行が含まれています",
    "rename that folder": "そのフォルダーの名前を変えてください",
    "git is not installed, or not on PATH": "git が入っていないか、PATH にありません",
    "install git 2.39 or later": "git 2.39 以降を入れてください",
    # shims
    "the hook sources are missing from the installation in {package}": "インストール先 {package} にフックの元ファイルがありません",
    "install memtools again": "memtools を入れ直してください",
    # objects
    "the repository lacks the object {blob}": "リポジトリにオブジェクト {blob} がありません",
    # worktree
    "not-regular": "通常のファイルではありません",
    "changed": "別のプログラムが書き換えました",
    "left": "この内容には同じ編集を適用できません",
    "unwritable": "書き込めません",
    # repository
    "{path} has no work tree here": "{path} には作業ツリーがありません",
    "run this in a work tree of the repository": "リポジトリの作業ツリーで実行してください",
    "cannot be read as a file: {reason}": "ファイルとして読めません: {reason}",
    "not a regular file": "通常のファイルではありません",
    "type: git config --global --add safe.directory {path}": "次を実行してください: git config --global --add safe.directory {path}",
    "GIT_DIR names no git repository: {path}": "GIT_DIR が git リポジトリを指していません: {path}",
    "type: unset GIT_DIR": "次を実行してください: unset GIT_DIR",
    # doctor_setup
    "git is at work here, or was killed: {paths}": "git が作業中か、強制終了されました: {paths}",
    "if no git runs here, remove these files yourself": "git が動いていなければ、これらのファイルを自分で削除してください",
    "git holds no lock": "git のロックはありません",
    "{version}": "{version}",
    "{version} is too old": "{version} は古すぎます",
    "PyYAML has libyaml": "PyYAML に libyaml があります",
    "type: pip install --force-reinstall --only-binary :all: PyYAML": "次を実行してください: pip install --force-reinstall --only-binary :all: PyYAML",
    "PyYAML lacks libyaml: no header is read here": "PyYAML に libyaml がないため、ここではヘッダーを読めません",
    "hooks of another version are installed: {stages}": "別のバージョンのフックが入っています: {stages}",
    "type: memtools init": "次を実行してください: memtools init",
    "the installed hooks are of this version": "入っているフックはこのバージョンのものです",
    "hooks can start {program}": "フックは {program} を起動できます",
    "no interpreter for the hooks: {names}": "フックが使うインタープリターがありません: {names}",
    "notes are merged field by field: retracted wins": "ノートは項目ごとにマージされ、撤回が優先されます",
    "your attributes merge notes with {value}, not with memtools": "attributes の設定により、ノートは memtools ではなく {value} でマージされます",
    "git attributes: *.md merge=memtools": "git の attributes: *.md merge=memtools",
    "the merge driver is not registered in this clone": "このクローンにはマージドライバーが登録されていません",
    "installed again: {paths}": "入れ直しました: {paths}",
}
