"""Workflow annotations: one line for a problem, shown by GitHub and Forgejo beside the file.

Must not know the summary.
"""

from __future__ import annotations

from memtools.core.invisible import escape_for_terminal
from memtools.entrypoints.text import sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.problem import Problem

MOST = 10  # a step shows no more of each kind
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def annotation_lines(problems: Iterable[Problem]) -> list[str]:
    """The commands for the first problems, errors first."""
    ordered = sorted(problems, key=lambda problem: not problem.is_error)
    return [_annotation(problem) for problem in ordered[:MOST]]


def _annotation(problem: Problem) -> str:
    place = {"title": f"memtools {problem.rule}"}
    if problem.path:
        place = {"file": problem.path, "line": str(max(problem.line, 1)), **place}
    properties = ",".join(f"{name}={_escaped(text, _PROPERTY)}" for name, text in place.items())
    message = " — ".join(map(sentence, filter(None, (problem.message, problem.hint))))
    return f"::{problem.severity} {properties}::{_escaped(message, _DATA)}"


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(ch, ch) for ch in escape_for_terminal(text))
