"""Leftover marks of a merge conflict in a memory.

Must not know where the memory comes from.
"""

from __future__ import annotations

from memtools.core.memory import Memory, numbered_lines
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.wording import say

_FENCE = lazy(r" {0,3}(?:```|~~~)")


def find_conflict_marks(memory: Memory) -> list[Problem]:
    """The first leftover conflict mark outside fenced code: `<<<<<<< ` with its `>>>>>>> `."""
    if "<<<<<<< " not in memory.body and "<<<<<<< " not in memory.header_text:
        return []
    opened = 0
    fenced = False
    for number, line in numbered_lines(memory):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if line.startswith("<<<<<<< "):
            opened = opened or number
        elif opened and line.startswith(">>>>>>> "):
            what = say("a conflict was left unresolved here; resolve it, git add, commit")
            return [problem(memory.path, opened, "conflict-marks", what)]
    return []
