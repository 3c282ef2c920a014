"""A hit as it is shown: everything from the work-tree file, with the line that speaks to the query.

Must not know where the hit was proposed.
"""

from __future__ import annotations

from memtools.core.invisible import strip_invisible
from memtools.core.markers import without_markers
from memtools.core.problem import Problem
from memtools.core.screen_secrets import find_sensitive
from memtools.core.vocabulary import Status
from memtools.search.words import Words, best_line
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.memory import Memory

_SNIPPET = 200  # characters
_BEFORE = 60  # of them at most before the first word


class Hit(NamedTuple):
    """One memory that answers.

    `status` is the effective one; `by` and `at` say who retracted it and when ("" otherwise): `by`
    is a link for a tombstone, path:line for a marker nobody has applied yet. `is_changed`: the
    file is not what HEAD holds. `is_withheld`: a candidate with a secret or personal data in it,
    whose words are not handed on.
    """

    path: str
    id: str
    title: str
    status: str
    priority: str
    scope: str
    score: float
    line: int
    snippet: str
    by: str = ""
    at: str = ""
    is_changed: bool = False
    problems: tuple[Problem, ...] = ()
    is_withheld: bool = False


def searched_text(memory: Memory) -> str:
    """Title and body as they are searched: marker lines are machine text (rule 15b)."""
    return f"{memory.title}\n{without_markers(memory.body)}"


def must_withhold(memory: Memory, status: str) -> bool:
    """Is it a candidate with a secret or personal data, of which no word may be handed on?"""
    return status == Status.CANDIDATE and bool(find_sensitive(memory)[0])


def make_hit(
    memory: Memory, words: Words, score: float, status: str, by: str, is_changed: bool
) -> Hit:
    """The hit for a memory read from its file."""
    if must_withhold(memory, status):
        rank = str(memory.priority), "", round(score, 4), 1, ""
        return Hit(memory.path, "", "", status, *rank, is_changed=is_changed, is_withheld=True)
    rows = without_markers(memory.body, keep_lines=True).split("\n")
    row = _chosen(words, rows)
    return Hit(
        memory.path,
        memory.id,
        memory.title,
        status,
        str(memory.priority),
        memory.scope,
        round(score, 4),
        memory.body_line + row if row >= 0 else 1,
        _snippet(words, rows[row]) if row >= 0 else "",
        by or memory.retracted_by,
        memory.retracted_at,
        is_changed,
        memory.problems,
    )


def _chosen(words: Words, rows: Sequence[str]) -> int:
    """The best line; without one (a title in the header, a link's target) the first with text."""
    row = best_line(words, rows).row
    if row >= 0:
        return row
    return next((number for number, line in enumerate(rows) if line.strip()), -1)


def _snippet(words: Words, line: str) -> str:
    """The line, or its part around the first word when it is long."""
    text = " ".join(strip_invisible(line).split())
    if len(text) <= _SNIPPET:
        return text
    pieces = text.split(" ")
    at = 0
    if len(pieces) > 1 and max(map(len, pieces)) <= _SNIPPET:
        row = best_line(words, pieces).row
        at = len(" ".join(pieces[:row])) if row > 0 else 0
    else:
        parts = [text[start : start + _BEFORE] for start in range(0, len(text), _BEFORE)]
        at = max(best_line(words, parts).row, 0) * _BEFORE
    start = max(0, at - _BEFORE)
    cut = text[start : start + _SNIPPET].strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _SNIPPET < len(text) else ''}"
