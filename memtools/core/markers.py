"""Markers: the `RETRACTS:` lines of a memory, and what is nearly one (rules 1 and 2).

Must not know what a phrase hits; that is `phrase.py` and `retraction.py`.
"""

from __future__ import annotations

import re

from memtools.core.header import BOM
from memtools.core.invisible import escape_for_terminal, strip_invisible
from memtools.core.lookalike import MARK, Lookalike, find_lookalikes
from memtools.core.pattern import lazy
from memtools.core.phrase import MAX_CHARACTERS, normalise
from memtools.core.problem import Problem, problem
from memtools.core.visible import Head, Sight, judge
from memtools.core.wording import Said, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtools.core.memory import Memory

_HEADER_KEY = lazy(r"""^[ \t]*(["']?)RETRACTS\1[ \t]*:(.*)$""", re.MULTILINE)


_LINE = lazy(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class Marker(NamedTuple):
    """A line that retracts; `line` counts from 1 over the file, `phrase` is trimmed."""

    path: str
    line: int
    phrase: str


class Found(NamedTuple):
    """What the body of one memory declares, in the order of its lines."""

    markers: tuple[Marker, ...]
    problems: tuple[Problem, ...]


NOTHING = Found((), ())


def find_markers(memory: Memory) -> Found:
    """The markers of a memory, its near misses, and a `RETRACTS:` key in its front matter."""
    key = header_marker_problem(memory.path, memory.header_text, memory.header_line)
    body = _readable(memory.body)
    lookalikes = {near.row: near for near in find_lookalikes(body)}
    if not lookalikes and MARK not in body:
        return Found((), (key,)) if key else NOTHING
    lines = body.split("\n")
    rows = _marked_rows(lines)
    heads = [Head(row, len(MARK)) for row in rows]
    heads += [Head(near.row, near.width if near.refuses else 0) for near in lookalikes.values()]
    sights = judge(lines, heads)
    markers: dict[str, Marker] = {}
    problems: list[Problem] = [key] if key else []
    for row in sorted(sights):
        line = memory.body_line + row
        if row in lookalikes:
            problems += _near(memory.path, line, lookalikes[row], sights[row])
            continue
        marker = Marker(memory.path, line, _phrase(lines[row]))
        if sights[row] is not Sight.TEXT:
            problems += _inert(marker, sights[row])
            continue
        first = markers.setdefault(normalise(marker.phrase), marker)
        if first is not marker:
            problems.append(_duplicate(marker, first))
    return Found(tuple(markers.values()), tuple(problems))


def without_markers(body: str, keep_lines: bool = False) -> str:
    """`body` without its valid marker lines; `keep_lines` leaves an empty line for each instead."""
    if MARK not in body:
        return body
    lines = _readable(body).split("\n")
    sights = judge(lines, [Head(row, len(MARK)) for row in _marked_rows(lines)])
    acting = {row for row, sight in sights.items() if sight is Sight.TEXT}
    if not acting:
        return body
    if keep_lines:
        return "\n".join("" if row in acting else line for row, line in enumerate(lines))
    return "\n".join(line for row, line in enumerate(lines) if row not in acting)


def without_line(raw: bytes, line: int) -> bytes | None:
    """A whole file without one physical line (from 1); None when no marker begins there."""
    bom = raw[:3] if raw.startswith(BOM) else b""
    lines = _LINE.findall(raw[len(bom) :])
    if not lines[line - 1].lstrip(BOM).startswith(MARK.encode()):
        return None
    return bom + b"".join(lines[: line - 1] + lines[line:])


def header_marker_problem(path: str, header_text: str, first_line: int) -> Problem | None:
    """The warning for a `RETRACTS:` key in front matter, whose text begins in line `first_line`."""
    match = _HEADER_KEY.search(header_text) if "RETRACTS" in header_text else None
    if match is None:
        return None
    line = first_line + header_text.count("\n", 0, match.start())
    message = say("RETRACTS: in the front matter retracts nothing: only a line of the body does")
    return problem(path, line, "marker-inert", message, _put_in_body(match[2]))


def _readable(body: str) -> str:
    """`body` as lines are counted: a BOM at its start is not text, only LF ends a line."""
    text = body.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _marked_rows(lines: Iterable[str]) -> list[int]:
    return [row for row, line in enumerate(lines) if line.startswith(MARK)]


def _phrase(line: str) -> str:
    return line[len(MARK) :].strip()


def _near(path: str, line: int, near: Lookalike, sight: Sight) -> Iterator[Problem]:
    if sight in (Sight.CODE, Sight.UNCLOSED):
        return
    refuses = near.refuses and sight is Sight.TEXT
    rule = "marker-lookalike" if refuses else "marker-near-miss"
    yield problem(path, line, rule, near.message, _type_it(near.phrase))


def _inert(marker: Marker, sight: Sight) -> Iterator[Problem]:
    if sight is Sight.CODE:
        return
    if sight is Sight.UNCLOSED:
        message = say("this marker retracts nothing: a code fence above it is never closed")
        hint = say("close the fence above this line")
    elif sight is Sight.UNSURE:
        message = say("this marker retracts nothing: the text around it is too tangled to judge")
        hint = say("put it into a paragraph of its own, or into a memory of its own")
    else:
        message = say(
            "this marker retracts nothing: it stands in HTML, a comment, code, a link or an image"
        )
        hint = _own_paragraph(marker.phrase)
    yield problem(marker.path, marker.line, "marker-inert", message, hint)


def _duplicate(marker: Marker, first: Marker) -> Problem:
    message = say("the same marker stands in line {line} already", line=first.line)
    return problem(marker.path, marker.line, "marker-duplicate", message, say("delete this line"))


def _type_it(phrase: str) -> Said:
    return say(
        "to retract, type at the start of a line, with an ASCII colon: RETRACTS: {phrase}",
        phrase=_shown(phrase),
    )


def _own_paragraph(phrase: str) -> Said:
    return say(
        "to retract, put it between two empty lines outside of them: RETRACTS: {phrase}",
        phrase=_shown(phrase),
    )


def _put_in_body(phrase: str) -> Said:
    return say(
        "put it in the body, at the start of a line: RETRACTS: {phrase}", phrase=_shown(phrase)
    )


def _shown(phrase: str) -> str:
    return escape_for_terminal(strip_invisible(phrase).strip()[:MAX_CHARACTERS]) or "…"
