"""What keeps two commits of our own apart, and ours from what git is in the middle of.

Must not know what is committed. Git's own locks are waited for and named, never broken.
"""

from __future__ import annotations

import contextlib
import os
import time

from memtools.core.wording import say
from memtools.errors import GitError
from memtools.files import take_lock
from memtools.git.inprogress import MERGE, merge_heads, under_way
from memtools.git.staging import index_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.repository import Repository


_UNDER_WAY = {
    MERGE: say("a merge"),
    "CHERRY_PICK_HEAD": say("a cherry-pick"),
    "REVERT_HEAD": say("a revert"),
    "rebase-merge": say("a rebase"),
    "rebase-apply": say("a rebase or git am"),
    "sequencer": say("a cherry-pick or revert"),
}


@contextlib.contextmanager
def alone(repository: Repository) -> Iterator[None]:
    """Of several memtools in one work tree, one commits at a time; the others wait.

    Raises:
        GitError: another one takes more than a minute.
    """
    name = os.path.join(repository.state_dir, "commit-lock")
    try:
        descriptor = take_lock(name, 60.0)
    except BlockingIOError as error:
        raise _held(name) from error
    try:
        yield
    finally:
        os.close(descriptor)


def refuse_locked(repository: Repository) -> None:
    """Staging could not follow while somebody holds its lock: then there is no commit either.

    Raises:
        GitError: somebody holds it for more than a second.
    """
    lock = index_file(repository.git, repository.git_dir) + ".lock"
    until = time.monotonic() + 1.0
    while os.path.lexists(lock):
        if time.monotonic() > until:
            raise _held(lock)
        time.sleep(0.02)


def refuse_under_way(repository: Repository) -> None:
    """A commit of ours has no place inside a merge, rebase, cherry-pick or revert.

    Raises:
        GitError: one is under way.
    """
    for name in under_way(repository.git_dir):
        if name in _UNDER_WAY and not (name == MERGE and _is_merged(repository)):
            raise GitError(
                say("{what} is under way here; nothing was changed", what=_UNDER_WAY[name]),
                say("finish it or give it up first (git status says how)"),
            )


def _is_merged(repository: Repository) -> bool:
    """Is MERGE_HEAD a parent of HEAD? So it is in post-merge: git clears its notes after it."""
    code, out, _ = repository.git.call("rev-parse", "HEAD^@")
    return code == 0 and set(merge_heads(repository.git_dir)) <= set(out.decode().split())


def forget_finished_merge(repository: Repository) -> None:
    """Do what git does right after post-merge; else our commit would become a second merge."""
    if MERGE not in under_way(repository.git_dir):
        return
    for name in (MERGE, "MERGE_MODE", "MERGE_MSG"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(repository.git_dir, name))


def _held(name: str) -> GitError:
    return GitError(
        say("another git process is running here: {path} exists", path=name),
        say("try again when it has ended; if none runs, remove that file yourself"),
        is_lock=True,
    )
