"""Tombstones that vanished from HEAD, remembered so that a rewrite of history is noticed.

A force-push, a `reset --hard` or a branch rebuilt elsewhere takes a tombstone away without any hook
of ours (https://github.com/letta-ai/letta-code/issues/2203). Must not judge memories by their text.
"""

from __future__ import annotations

from memtools.core.vocabulary import Status
from memtools.usecases.state import Standing, read_checked, write_checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.git.run import Git
    from memtools.usecases.checkedtree import Tree
    from memtools.usecases.repository import Repository
    from memtools.usecases.standing import Reader

_FILE = "lost"
_MOST = 1000  # tombstones remembered, the youngest


def remember_lost(repository: Repository, before: Standing, after: Ledger) -> None:
    """Keep the tombstones of `before` that `after` lacks, whatever became of their memories."""
    gone = _gone(repository.git, before.ledger, after)
    if gone:
        known = _remembered(repository)
        known.update(gone)
        rows = [list(item) for item in known.items()]
        write_checked(repository.state_dir, _FILE, rows[-_MOST:])


def lost_tombstones(
    repository: Repository, kept: Standing | None, tree: Tree, reader: Reader
) -> list[str]:
    """Active memories of HEAD that were retracted here, and that nobody brought back on purpose.

    A tombstone on another branch is not lost, nor one that a `git revert` took out.
    """
    known = _remembered(repository)
    if kept is not None:
        known.update(_gone(repository.git, kept.ledger, tree.ledger))
    lost = []
    for path, blob in sorted(known.items()):
        held = tree.files.memories.get(path)
        if held is None or held == blob or tree.seen[path].status != Status.ACTIVE:
            continue
        memory = reader.one(path, held).memory
        old = reader.one(path, blob).memory
        said = (memory.restored_at, memory.restored_reason)
        if memory.restored_reason and said != (old.restored_at, old.restored_reason):
            continue
        if not _is_explained(repository.git, path, blob):
            lost.append(path)
    return lost


def _gone(git: Git, before: Ledger, after: Ledger) -> dict[str, str]:
    """Path -> blob of the committed tombstones only `before` has."""
    return {
        path: row.blob
        for path, row in before.rows.items()
        if row.status == Status.RETRACTED
        and ((now := after.rows.get(path)) is None or now.status != Status.RETRACTED)
        and _was_committed(git, path, row.blob)
    }


def _was_committed(git: Git, path: str, blob: str) -> bool:
    """Was this the file at any commit HEAD has been at?

    A ledger may have run ahead of a commit nobody made. Asked when the tombstone vanishes, so that
    the reflog still knows; without any reflog the answer is yes.
    """
    found = f"--find-object={blob}"
    code, out, _ = git.call("log", "-1", "--format=%H", "--reflog", found, "--", path)
    if code == 0 and out.strip():
        return True
    code, out, _ = git.call("log", "-g", "-1", "--format=%H")
    return code != 0 or not out.strip()


def _remembered(repository: Repository) -> dict[str, str]:
    rows = read_checked(repository.state_dir, _FILE)
    return {str(path): str(blob) for path, blob in rows} if isinstance(rows, list) else {}


def _is_explained(git: Git, path: str, blob: str) -> bool:
    """Does history say why the tombstone is not in HEAD?"""
    code, here, _ = git.call("log", "--format=%B", f"--find-object={blob}", "HEAD", "--", path)
    if code == 0 and here.strip():
        return b"This reverts commit " in here
    code, elsewhere, _ = git.call(
        "log", "-1", "--format=%H", f"--find-object={blob}", "--branches", "--tags", "--", path
    )
    return code == 0 and bool(elsewhere.strip())
