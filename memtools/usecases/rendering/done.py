"""What a rendering did to each file, and how it writes one.

Must not know what is written.
"""

from __future__ import annotations

from memtools.core.problem import Problem
from memtools.core.wording import say
from memtools.errors import GitError, RefusedError
from memtools.git.worktree import FOLLOWED, write_new, write_over
from memtools.usecases.outcome import code_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.wording import Said
    from memtools.usecases.reading.unapproved import Withheld
    from memtools.usecases.reading.view import View

WRITTEN, CURRENT, STALE, REMOVED = "written", "current", "stale", "removed"


class Done(NamedTuple):
    """One file: `state` is `written`, `current`, `stale` (it was only looked at) or `removed`."""

    path: str
    state: str


class Rendering(NamedTuple):
    """What `render` found and did; `withheld` is what only this work tree keeps out."""

    files: tuple[Done, ...]
    problems: tuple[Problem, ...]
    withheld: tuple[Withheld, ...] = ()
    notices: tuple[Said, ...] = ()

    @property
    def code(self) -> int:
        """The exit code."""
        return code_of(self.problems)


def refuse_memory(view: View, path: str) -> None:
    """A rendered file must not be taken for a memory.

    Raises:
        RefusedError: it would be.
    """
    if view.settings.config.selection.holds(path):
        raise RefusedError(
            say("{path} is a memory; memories are not rendered into one another", path=path),
            say("choose AGENTS.md at the top, or a folder whose name begins with a dot"),
        )


def write_bytes(top: str, path: str, before: bytes | None, after: bytes) -> None:
    """Write a file of the work tree that holds `before` (None: there is none yet).

    Raises:
        GitError: it cannot be written, or another program wrote it meanwhile.
    """
    word = FOLLOWED
    try:
        if before is None:
            write_new(top, path, after)
        else:
            word = write_over(top, path, before, after)
    except OSError as error:
        raise GitError(
            say("{path} cannot be written: {reason}", path=path, reason=error.strerror or "?")
        ) from error
    if word != FOLLOWED:
        raise GitError(
            say("another program wrote {path} meanwhile", path=path), say("type the command again")
        )
