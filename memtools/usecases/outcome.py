"""What a hook or a command has to say: problems, notices, and the exit code that follows."""

from __future__ import annotations

from memtools.core.problem import Problem
from memtools.errors import DONE, FINDINGS
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def code_of(problems: Iterable[Problem]) -> int:
    """The exit code that follows from problems: 1 when one of them is an error."""
    return FINDINGS if any(found.is_error for found in problems) else DONE


class Outcome(NamedTuple):
    """`code` is the exit code; `notices` are finished sentences, in order; `retracted`: paths.

    `rendered`: files whose block of memories is staged anew.
    """

    code: int = 0
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
    rendered: tuple[str, ...] = ()
