"""What keeps two commits of our own apart, and ours from git's.

Must not know what is committed. Git's own locks are waited for and named, never broken.
"""

from __future__ import annotations

import contextlib
import os
import time

from memtools.core.wording import say
from memtools.errors import GitError
from memtools.files import take_lock
from memtools.git.staging import index_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.repository import Repository


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


def _held(name: str) -> GitError:
    return GitError(
        say("another git process is running here: {path} exists", path=name),
        say("try again when it has ended; if none runs, remove that file yourself"),
        is_lock=True,
    )
