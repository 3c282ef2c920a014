"""What keeps two commits of our own apart, and ours from git's.

Must not know what is committed. Git's own locks are waited for and named, never broken.
"""

from __future__ import annotations

import contextlib
import os
import time

from memtools.core.wording import say
from memtools.errors import GitError
from memtools.git.staging import index_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtools.usecases.repository import Repository


@contextlib.contextmanager
def alone(repository: Repository) -> Iterator[None]:
    """Of several memtools in one work tree, one commits at a time; the others wait.

    Raises:
        GitError: another one takes more than a minute.
    """
    try:
        import fcntl
    except ImportError:  # Windows: git's own locks are all there is
        yield
        return
    name = os.path.join(repository.state_dir, "commit-lock")
    descriptor = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _wait(lambda: _is_taken(fcntl.flock, descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB), 60.0, name)
        yield
    finally:
        os.close(descriptor)


def _is_taken(lock: Callable[[int, int], None], descriptor: int, how: int) -> bool:
    try:
        lock(descriptor, how)
    except OSError:
        return True
    return False


def refuse_locked(repository: Repository) -> None:
    """Staging could not follow while somebody holds its lock: then there is no commit either.

    Raises:
        GitError: somebody holds it for more than a second.
    """
    lock = index_file(repository.git, repository.git_dir) + ".lock"
    _wait(lambda: os.path.lexists(lock), 1.0, lock)


def _wait(is_held: Callable[[], bool], seconds: float, name: str) -> None:
    until = time.monotonic() + seconds
    while is_held():
        if time.monotonic() > until:
            raise GitError(
                say("another git process is running here: {path} exists", path=name),
                say("try again when it has ended; if none runs, remove that file yourself"),
                is_lock=True,
            )
        time.sleep(0.02)
