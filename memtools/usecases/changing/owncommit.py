"""A commit of our own (`retract`, `restore`, `sweep` with --apply), made beside the person's work.

`git commit` runs with a private index that starts as HEAD, so that signing and the person's hooks
work and nothing they have staged gets in. Then index and work tree follow, as after a partial one.
"""

from __future__ import annotations

import contextlib
import os
import time

from memtools.core.wording import say
from memtools.errors import GitError, MemtoolsError, PolicyError
from memtools.git.objects import blobs_at, tree_id, write_blobs
from memtools.git.staging import Entry, Staging
from memtools.usecases.changing.blocks import blocks_beside
from memtools.usecases.changing.locks import (
    alone,
    forget_finished_merge,
    refuse_locked,
    refuse_under_way,
)
from memtools.usecases.changing.meanwhile import (
    MeanwhileError,
    head_commit,
    head_moved_meanwhile,
    take_back_overtaking,
)
from memtools.usecases.committing.afterwards import head_moved
from memtools.usecases.committing.journal import NOTHING, finish
from memtools.usecases.committing.tombstones import BACKUP_REF
from memtools.usecases.committing.underway import PRIVATE
from memtools.usecases.signing import require_signed, write_signed
from memtools.usecases.state import JournalRow, change_journal, read_journal
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.wording import Said
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository
    from memtools.usecases.signing import Signers


class NewBytes(NamedTuple):
    """A file of HEAD as it shall be; `path` need not exist in HEAD (then it is created).

    `data` None: the file is taken out.
    """

    path: str
    data: bytes | None


class Committed(NamedTuple):
    """The repository with its new HEAD; `left` are the person's files that could not follow."""

    repository: Repository
    left: tuple[str, ...] = ()

    @property
    def notices(self) -> tuple[Said, ...]:
        """What to tell of the files that were left."""
        return tuple(
            say("the file {path} was left as it is; the commit is right", path=path)
            for path in self.left
        )


def commit_files(
    repository: Repository,
    files: Sequence[NewBytes],
    message: str,
    date: str = "",
    *,
    signers: Signers | None = None,
) -> Committed:
    """Commit these files, the blocks of AGENTS.md and the like that change with them, no more.

    `date`: author date (ISO), so that what the bytes say and what the commit says agree. `signers`:
    one of them has to sign it.

    Raises:
        PolicyError: nobody of the signers signed it; nothing was changed.
        MeanwhileError: somebody else changed one of these files, or moved HEAD just now.
        GitError: something is under way, a hook of the person refused, or a lock is held; no file
            of the person was changed.
    """
    refuse_under_way(repository)
    os.makedirs(repository.state_dir, mode=0o700, exist_ok=True)
    with alone(repository):
        refuse_locked(repository)
        start = _at_new_head(repository, files)
        beside = blocks_beside(start, {file.path: file.data for file in files})
        everything = [*files, *(NewBytes(path, data) for path, data in beside.items())]
        if not _commit_files(start, everything, message, date, signers):
            return Committed(repository)
        from memtools.usecases.repository import open_repository

        moved = open_repository(repository.top)
        left = _bring_along(moved)
        with contextlib.suppress(MemtoolsError):  # ledger and search index: the next reader does it
            head_moved(moved)
        return Committed(moved, left)


def _commit_files(
    repository: Repository,
    files: Sequence[NewBytes],
    message: str,
    date: str,
    signers: Signers | None,
) -> bool:
    """Make the commit; False when HEAD holds these bytes already."""
    git = repository.git
    head = (
        blobs_at(git, repository.head_tree, [f.path for f in files]) if repository.head_tree else {}
    )
    gone = [file.path for file in files if file.data is None and file.path in head]
    rows = [JournalRow(path, head[path].blob, NOTHING) for path in gone]
    entries = []
    kept = [(file, file.data) for file in files if file.data is not None]
    blobs = write_blobs(git, [data for _, data in kept], repository.state_dir)
    for (file, _), blob in zip(kept, blobs, strict=True):
        held = head.get(file.path)
        if held is not None and held.blob == blob:
            continue
        rows.append(JournalRow(file.path, held.blob if held else NOTHING, blob))
        entries.append(Entry(file.path, held.mode if held else "100644", blob, "H"))
    if not rows:
        return False
    if repository.head_tree:
        git.run("update-ref", BACKUP_REF, repository.head_tree)
    _commit(repository, rows, entries, _Note(message, date, signers))
    return True


def _at_new_head(repository: Repository, files: Sequence[NewBytes]) -> Repository:
    """HEAD as it is by now: somebody else may have committed since these bytes were worked out.

    Raises:
        GitError: that commit changed one of our files.
    """
    tree = tree_id(repository.git, "HEAD") or ""
    if tree == repository.head_tree:
        return repository
    paths = [file.path for file in files]
    before = blobs_at(repository.git, repository.head_tree, paths) if repository.head_tree else {}
    if not tree or blobs_at(repository.git, tree, paths) != before:
        raise MeanwhileError(
            say("another commit changed the same memories meanwhile; nothing was changed"),
            say("type the command again"),
        )
    return repository._replace(head_tree=tree)


def _bring_along(moved: Repository) -> tuple[str, ...]:
    """Staging and files follow; what a lock keeps from following is left to the next hook."""
    for _ in range(100):
        try:
            return finish(moved, Staging(moved.git, moved.git_dir))
        except GitError as error:
            if not error.is_lock:
                raise
            time.sleep(0.02)
    return tuple(row.path for row in read_journal(moved.state_dir))


class _Note(NamedTuple):
    """What a commit says beside its files: message, author date, and whose signature it needs."""

    message: str
    date: str
    signers: Signers | None


def _commit(
    repository: Repository, rows: Sequence[JournalRow], entries: Sequence[Entry], note: _Note
) -> None:
    """Make the commit; its private index stands as long as its rows may be of no commit yet."""
    _remove_leftovers(repository.state_dir)
    private = os.path.join(repository.state_dir, f"{PRIVATE}{os.getpid()}")
    git = repository.git.with_env(GIT_INDEX_FILE=private, MEMTOOLS_IN_HOOK="1")
    before = head_commit(git)
    try:
        if repository.head_tree:
            git.run("read-tree", repository.head_tree)
        staging = Staging(git, repository.git_dir)
        staging.write(entries)
        staging.drop([row.path for row in rows if row.new == NOTHING])
        if (tree_id(git, "HEAD") or "") != repository.head_tree:
            raise head_moved_meanwhile()
        forget_finished_merge(repository)
        change_journal(repository.state_dir, add=rows)
        _write_commit(git, note, before)
        take_back_overtaking(git, before)
    except PolicyError:
        change_journal(repository.state_dir, drop=rows)
        raise
    except GitError as error:
        change_journal(repository.state_dir, drop=rows)
        if error.is_lock or isinstance(error, MeanwhileError):
            raise
        if error.is_overtaken or head_commit(git) != before:  # git found that out itself
            raise head_moved_meanwhile() from error
        raise GitError(
            say("git did not make the commit: {reason}; nothing was changed", reason=error.message),
            error.hint,
        ) from error
    finally:
        _remove_leftovers(repository.state_dir)


def _write_commit(git: Git, note: _Note, before: str) -> None:
    """Let git commit the private index; what the signers did not sign is taken back at once."""
    dated = (f"--date={note.date}",) if note.date else ()
    if note.signers is None:
        git.run("commit", "--quiet", *dated, "-F", "-", stdin=os.fsencode(note.message))
        return
    write_signed(git, ("commit", "--quiet", *dated, "-F", "-"), os.fsencode(note.message))
    made = git.line("rev-parse", "HEAD")
    try:
        require_signed(git, made, note.signers)
    except PolicyError:
        back = ("HEAD", before, made) if before else ("-d", "HEAD", made)
        git.run("update-ref", *back)
        raise


def _remove_leftovers(folder: str) -> None:
    """Take private indexes away, those of killed runs too: nobody else is at work (`alone`)."""
    for name in os.listdir(folder):
        if name.startswith(PRIVATE):
            os.unlink(os.path.join(folder, name))
