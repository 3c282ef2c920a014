"""A commit of our own (`retract --apply`, `restore`, `sweep --apply`): made beside the person's work.

`git commit` runs with a private index that starts as HEAD, so that signing and the person's hooks work
and nothing they have staged gets in; then index and work tree follow as after a partial commit.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from memtools.core.wording import say
from memtools.errors import GitError
from memtools.git.objects import blobs_at, write_blobs
from memtools.git.staging import Entry, Staging
from memtools.usecases.journal import NOTHING, finish
from memtools.usecases.state import JournalRow, read_journal, write_journal
from memtools.usecases.tombstones import BACKUP_REF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.usecases.repository import Repository

_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase or git am",
    "sequencer": "a cherry-pick or revert",
}


class NewBytes(NamedTuple):
    """A file of HEAD as it shall be; `path` need not exist in HEAD (then it is created)."""

    path: str
    data: bytes


def refuse_under_way(repository: Repository) -> None:
    """A commit of ours has no place inside a merge, rebase, cherry-pick or revert.

    Raises:
        GitError: one is under way.
    """
    for name, what in _UNDER_WAY.items():
        if os.path.exists(os.path.join(repository.git_dir, name)):
            raise GitError(
                say("{what} is under way here; nothing was changed", what=what),
                say("finish it or give it up first (git status says how)"),
            )


def commit_files(
    repository: Repository, files: Sequence[NewBytes], message: str, date: str = ""
) -> Repository:
    """Commit these files and nothing else; returns the repository with its new HEAD.

    `date`: author date (ISO), so that what the bytes say and what the commit says agree.

    Raises:
        GitError: something is under way, a hook of the person refused, or a lock is held; no file of
            the person was changed.
    """
    refuse_under_way(repository)
    git = repository.git
    os.makedirs(repository.state_dir, mode=0o700, exist_ok=True)
    head = (
        blobs_at(git, repository.head_tree, [f.path for f in files]) if repository.head_tree else {}
    )
    blobs = write_blobs(git, [file.data for file in files], repository.state_dir)
    rows, entries = [], []
    for file, blob in zip(files, blobs, strict=True):
        held = head.get(file.path)
        if held is not None and held.blob == blob:
            continue
        rows.append(JournalRow(file.path, held.blob if held else NOTHING, blob))
        entries.append(Entry(file.path, held.mode if held else "100644", blob, "H"))
    if not rows:
        return repository
    if repository.head_tree:
        git.run("update-ref", BACKUP_REF, repository.head_tree)
    taken = {row.path for row in rows}
    kept = [row for row in read_journal(repository.state_dir) if row.path not in taken]
    write_journal(repository.state_dir, (*kept, *rows))
    _commit(repository, entries, message, date)
    from memtools.usecases.repository import open_repository

    moved = open_repository(repository.top)
    finish(moved, Staging(moved.git, moved.git_dir))
    return moved


def _commit(repository: Repository, entries: Sequence[Entry], message: str, date: str) -> None:
    private = os.path.join(repository.state_dir, f"private-index-{os.getpid()}")
    git = repository.git.with_env(GIT_INDEX_FILE=private, MEMTOOLS_IN_HOOK="1")
    try:
        if repository.head_tree:
            git.run("read-tree", repository.head_tree)
        Staging(git, repository.git_dir).write(entries)
        dated = (f"--date={date}",) if date else ()
        git.run("commit", "--quiet", *dated, "-F", "-", stdin=os.fsencode(message))
    except GitError as error:
        taken = {entry.path for entry in entries}
        rows = [row for row in read_journal(repository.state_dir) if row.path not in taken]
        write_journal(repository.state_dir, tuple(rows))
        if error.is_lock:
            raise
        raise GitError(
            say("git did not make the commit: {reason}; nothing was changed", reason=error.message),
            error.hint,
        ) from error
    finally:
        for name in (private, private + ".lock"):
            if os.path.lexists(name):
                os.unlink(name)
