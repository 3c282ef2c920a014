"""What a hook or a command has to say: problems, notices, and the exit code that follows."""

from __future__ import annotations

from memtools.core.problem import Problem
from memtools.values import NamedTuple


class Outcome(NamedTuple):
    """`code` is the exit code; `notices` are finished sentences, in order; `retracted`: paths."""

    code: int = 0
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()
    retracted: tuple[str, ...] = ()
