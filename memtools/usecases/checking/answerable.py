"""Which problems a change answers for, and which stood there before and were not touched.

Must not know how a problem was found.
"""

from __future__ import annotations

from memtools.core.problem import WARNING, Problem
from memtools.core.wording import say
from memtools.usecases.checking.sides import RANGE, STAGED, Sides, touched_paths


def key(problem: Problem) -> tuple[str, str, str]:
    """What makes two problems of two trees the same one; the line may move."""
    return problem.path, problem.rule, str(problem.message)


def sorted_out(
    sides: Sides, found: list[Problem], known: set[tuple[str, str, str]]
) -> tuple[list[Problem], int]:
    """The problems a change answers for, and the number of the others.

    A range answers for all it touches, a commit being made for what it brings in (a marker that
    stood before never stops one); a standing marker without tombstone is told all the same.
    """
    touched = touched_paths(sides) if sides.kind == RANGE else frozenset()
    kept, older = [], 0
    for problem in found:
        if key(problem) not in known:
            is_new_marker = problem.rule == "retract-unapplied" and sides.kind == STAGED
            kept.append(problem._replace(hint=_install_hint()) if is_new_marker else problem)
        elif problem.path in touched:
            kept.append(problem)
        elif problem.rule == "retract-unapplied" and sides.kind == STAGED:
            kept.append(problem._replace(severity=WARNING))
        else:
            older += 1
    return kept, older


def _install_hint() -> str:
    return say(
        "type: memtools init; then commit again: its hook writes the tombstone into the same commit"
    )
