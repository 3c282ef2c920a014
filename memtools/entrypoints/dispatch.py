"""What git and agents call many times a day: reached before anything of the command line is loaded.

Must not import click, nor the module of another verb.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# verb -> "module:function" that takes the arguments and returns the exit code
EARLY: dict[str, str] = {
    "hook": "memtools.entrypoints.dispatch:hook",
    "turn": "memtools.entrypoints.turn:turn",
    "merge-driver": "memtools.entrypoints.dispatch:merge",
}


def hook(args: Sequence[str]) -> int:
    """`memtools hook STAGE ARGUMENTS`.

    Raises:
        UsageError: no such stage.
    """
    from memtools.entrypoints.hooks import STAGES, run_hook

    if not args or args[0] not in STAGES:
        raise UsageError(
            say("a stage of git is missing: {stages}", stages=", ".join(STAGES)),
            say("git calls this by itself after: memtools init"),
        )
    return run_hook(args[0], list(args[1:]))


def merge(args: Sequence[str]) -> int:
    """`memtools merge-driver BASE OURS THEIRS SIZE PATH`: 0 clean, 1 conflict, as git expects.

    Raises:
        UsageError: not the five arguments git gives.
    """
    if len(args) != 5:
        raise UsageError(
            say("a merge driver gets five arguments: BASE OURS THEIRS SIZE PATH"),
            say("git calls this by itself after: memtools init"),
        )
    from memtools.usecases.merge import merge_files

    base, ours, theirs, size, path = args
    return merge_files(base, ours, theirs, size, path)
