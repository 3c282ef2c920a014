"""Japanese twins: what backup, daily and report say."""

from __future__ import annotations

JA = {
    # backup
    "make it first, or connect the disk it is on": "先に作成するか、そのディスクを接続してください",
    "{path} is inside of the repository it would back up": "{path} はバックアップ対象のリポジトリの中にあります",
    "name a folder outside of it, best on another disk": "リポジトリの外のフォルダー (できれば別のディスク) を指定してください",
    "this is a partial clone: {count} objects are only at its remote, so a backup of it could not be restored": "部分クローンです。{count} 個のオブジェクトがリモートにしかないので、バックアップしても復元できません",
    "type: git fetch --refetch --no-filter": "次を実行してください: git fetch --refetch --no-filter",
    "this is a shallow clone: what came before {count} of its commits is not in the backup": "浅いクローンです。{count} 個のコミットより前の履歴はバックアップに含まれません",
    "another memtools backup is at work here: it holds {path}": "別の memtools backup が実行中です ({path} を使用中)",
    "try again when it has ended": "終わってからもう一度実行してください",
    "what only the reflogs name is not in the backup: git has lost some of it": "reflog だけに残るものはバックアップに含まれません。git がその一部を失っています",
    "a clone of the backup has other refs than the backup: {path}": "バックアップを復元すると ref が一致しません: {path}",
    "nothing to back up: nothing is committed yet": "バックアップするものがありません。まだ何もコミットされていません",
    "nothing new since {path}": "{path} 以降に新しいものはありません",
    "would back up {refs} refs into {folder}": "{refs} 個の ref を {folder} にバックアップします",
    "backed up: {path} ({refs} refs, {size} bytes; restored once to prove it)": "バックアップしました: {path} (ref {refs} 個、{size} バイト。実際に復元して確認済み)",
    "  not in it: {what}": "  含まれないもの: {what}",
    "  made way: {path}": "  古いものを削除: {path}",
    "(nothing written; memtools backup --apply writes the bundle)": "(何も書き込んでいません。memtools backup --apply で書き込みます)",
}
