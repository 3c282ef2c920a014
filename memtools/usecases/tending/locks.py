"""What keeps two runs of one verb apart, whatever work tree of the repository they start in.

Must not know what the verb does.
"""

from __future__ import annotations

import contextlib
import os

from memtools.core.wording import say
from memtools.errors import GitError
from memtools.files import make_folder, take_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.repository import Repository


@contextlib.contextmanager
def alone(repository: Repository, verb: str) -> Iterator[None]:
    """One run at a time; nobody is waited for.

    Raises:
        GitError: another one is at work.
    """
    name = os.path.join(repository.common_dir, "memtools", f"{verb}-lock")
    make_folder(os.path.dirname(name))
    try:
        descriptor = take_lock(name, 0.0)
    except BlockingIOError as error:
        raise GitError(
            say("another memtools {verb} is at work here: it holds {path}", verb=verb, path=name),
            say("try again when it has ended"),
            is_lock=True,
        ) from error
    try:
        yield
    finally:
        os.close(descriptor)
