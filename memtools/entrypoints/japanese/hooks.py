"""Japanese twins: what the hooks of git report."""

from __future__ import annotations

JA = {
    "all {count} memories were read once, for there was no ledger of this clone yet; the next commits read only what changes": "このクローンにはまだ台帳がないため、{count} 件のメモリーをすべて一度読みました。次のコミットからは変更分だけを読みます",
    # precommit
    "the file {path} was left as it is ({why}); the commit is right": "ファイル {path} はそのままにしました ({why})。コミットの内容は正しいです",
    "kept out of this commit: {path}": "このコミットから外しました: {path}",
    "{count} more memories wait for markers of earlier commits: memtools sweep --apply": "以前のコミットのマーカーで撤回待ちのメモリーがあと {count} 件あります: memtools sweep --apply",
    "nothing else is staged: if git finds nothing to commit, run git commit once more": "ほかにステージされた変更はありません。コミットするものがないと git が言うときは、もう一度 git commit してください",
    'undo: git revert of this commit, or memtools restore {path} --why "…" --drop-marker --apply': '取り消すには、このコミットを git revert するか、memtools restore {path} --why "…" --drop-marker --apply を実行してください',
    'undo: git revert -m 1 of this merge commit, or memtools restore {path} --why "…" --drop-marker --apply': '取り消すには、このマージコミットを git revert -m 1 するか、memtools restore {path} --why "…" --drop-marker --apply を実行してください',
    # premerge
    "the merge stops here so that this gets into its commit; finish it with: git commit --no-edit (or git merge --abort)": "次の変更をマージのコミットに入れるため、ここで止めました。次で完了します: git commit --no-edit (中止は git merge --abort)",
    # prepush
    "this marker is not applied at {tip}: {victims} has no tombstone": "このマーカーは {tip} で未適用です: {victims} に墓標がありません",
    "memtools sweep --apply, then push again": "memtools sweep --apply の後で、もう一度 push してください",
    # unattended
    "left open by an unattended commit: {line}": "自動コミットが未解決のまま残しました: {line}",
    # merge
    "cannot merge {path}: {reason}": "{path} をマージできません: {reason}",
    # afterwards
    "the file {path} could not follow; its new block of memories is in the commit": "ファイル {path} を更新できませんでした。新しいメモリーのブロックはコミットに入っています",
    "the file {path} could not follow; its tombstone is in the commit": "ファイル {path} を更新できませんでした。墓標はコミットに入っています",
    "the search index stays behind ({reason}); search catches up": "検索インデックスが遅れています ({reason})。検索時に追い付きます",
    "restored {path}: no longer retracted": "{path} を復元しました。もう撤回されていません",
    "{path}:{line} is not applied yet: {victims} is hidden, but has no tombstone": "{path}:{line} は未適用です: {victims} は隠されていますが、墓標がありません",
    "to write the missing tombstones: memtools sweep --apply": "足りない墓標を書くには: memtools sweep --apply",
    # matchlog
    "{by}:{at}": "{by}:{at}",
    "retracted {path}, derived from {source} (by {by})": "{source} から派生した {path} を撤回しました ({by} による)",
    "{path}:{line}{id}": "{path}:{line}{id}",
    'retracted {place} "{phrase}" (by {by})': "{place} 「{phrase}」を撤回しました ({by} による)",
    'retracted {place} "{phrase}" (by {by}, a marker of an earlier commit)': "{place} 「{phrase}」を撤回しました (以前のコミットのマーカー {by} による)",
}
