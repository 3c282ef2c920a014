"""What git calls to merge a memory: `memtools merge-driver BASE OURS THEIRS SIZE PATH`.

Must stay light: a merge may call it for many files.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ARGUMENTS = 5


def run(args: Sequence[str]) -> int:
    """Merge into OURS; 0 is clean, 1 a conflict, and from anything above git's own merge follows.

    Raises:
        UsageError: these are not the arguments git gives.
        GitError: a file cannot be read or written.
    """
    if len(args) != _ARGUMENTS:
        raise UsageError(
            say("merge-driver takes BASE OURS THEIRS SIZE PATH"),
            say("git calls it by itself; type: memtools init"),
        )
    from memtools.usecases.merge import merge_files

    base, ours, theirs, size, _path = args
    return merge_files(base, ours, theirs, size)
