"""Put a value into a JSON text, or take it out, and leave every other character as it is.

Must not know whose file it is. A text is a whole file that `read_json` accepts; an address
(`where`) is the keys from the outside in. What was put in last is taken out without a trace.
"""

from __future__ import annotations

import json

from memtools.core.wording import Said, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_DECODER = json.JSONDecoder()
_BLANKS = " \t\r\n"
_UNIT = "  "


class Fault(NamedTuple):
    """Why a text is not edited: the line (from 1) and what is wrong there."""

    line: int
    message: Said


class Child(NamedTuple):
    """A member or an item: its key ("" of an item), and where it, its value and its end are."""

    key: str
    begin: int
    start: int
    end: int


def read_json(text: str) -> dict[str, object] | Fault:
    """The object a text holds, or why it is not edited."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        why = say("it holds comments, or is no JSON ({why})", why=error.msg)
        return Fault(error.lineno, why)
    except (RecursionError, ValueError):
        return Fault(1, say("it is nested too deeply, or holds too large a number"))
    if not isinstance(values, dict):
        return Fault(1, say("it is no JSON object"))
    return values


def value_at(text: str, where: Sequence[str]) -> object:
    """The value there; None when there is none."""
    at = _place(text, where)
    return None if at is None else _DECODER.raw_decode(text, at)[0]


def is_null(text: str, where: Sequence[str]) -> bool:
    """Does `null` stand there?"""
    at = _place(text, where)
    return at is not None and _DECODER.raw_decode(text, at)[0] is None


def line_at(text: str, where: Sequence[str]) -> int:
    """The line (from 1) in which the innermost value on the way to `where` begins."""
    for length in range(len(where), -1, -1):
        at = _place(text, where[:length])
        if at is not None:
            return text.count("\n", 0, at) + 1
    return 1


def with_child(text: str, where: Sequence[str], key: str, value: object) -> tuple[str, str]:
    """The text with one member (or item: key "") more at the end of the container at `where`.

    Second: what stood in the container when it was empty, for `without_child`.
    """
    at = _place(text, where)
    assert at is not None and text[at] in "{["  # the caller has looked
    children, close = _children(text, at)
    inner = _inner_indent(text, at, children)
    label = f"{json.dumps(key, ensure_ascii=False)}: " if text[at] == "{" else ""
    if inner is None:
        member = label + json.dumps(value, ensure_ascii=False)
        if children:
            return f"{text[: children[-1].end]}, {member}{text[children[-1].end :]}", ""
        return f"{text[: at + 1]}{member}{text[close:]}", text[at + 1 : close]
    line_end = "\r\n" if "\r\n" in text else "\n"
    rendered = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    start = line_end + inner
    member = start + label + rendered.replace("\n", start)
    if children:
        return f"{text[: children[-1].end]},{member}{text[children[-1].end :]}", ""
    outer = line_end + _line_indent(text, at)
    return f"{text[: at + 1]}{member}{outer}{text[close:]}", text[at + 1 : close]


def without_child(
    text: str, where: Sequence[str], key: str, value: object, blank: str = ""
) -> str | None:
    """The text without this member or item; None when it is not there (any more).

    `blank` is what an emptied container holds then.
    """
    at = _place(text, where)
    if at is None or text[at] not in "{[":
        return None
    children, close = _children(text, at)
    mine = [
        number
        for number, child in enumerate(children)
        if child.key == key and _DECODER.raw_decode(text, child.start)[0] == value
    ]
    if not mine:
        return None
    number = mine[-1]
    if len(children) == 1:
        return text[: at + 1] + blank + text[close:]
    if number == len(children) - 1:
        return text[: children[number - 1].end] + text[children[number].end :]
    return text[: children[number].begin] + text[children[number + 1].begin :]


def _place(text: str, where: Sequence[str]) -> int | None:
    """Where the value at an address begins; of a key that is there twice the last one counts."""
    at = _skip(text, 0)
    for key in where:
        if text[at] != "{":
            return None
        found = [child for child in _children(text, at)[0] if child.key == key]
        if not found:
            return None
        at = found[-1].start
    return at


def _children(text: str, at: int) -> tuple[list[Child], int]:
    """The children of the container that begins at `at`, and where its closing bracket is."""
    children = []
    place = _skip(text, at + 1)
    while text[place] not in "}]":
        begin, key = place, ""
        if text[at] == "{":
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        _, end = _DECODER.raw_decode(text, place)
        children.append(Child(key, begin, place, end))
        place = _skip(text, end)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return children, place


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _inner_indent(text: str, at: int, children: Sequence[Child]) -> str | None:
    """The indentation of the children of a container; None: they stand in its line."""
    if children:
        gap = text[at + 1 : children[0].begin]
        return gap.rpartition("\n")[2] if "\n" in gap else None
    root = _skip(text, 0)
    if at != root and "\n" not in text[root:].rstrip(_BLANKS):
        return None
    return _line_indent(text, at) + _unit(text)


def _line_indent(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[start : _skip_blanks(text, start)]


def _skip_blanks(text: str, at: int) -> int:
    while text[at] in " \t":
        at += 1
    return at


def _unit(text: str) -> str:
    """One step of indentation of this text."""
    root = _skip(text, 0)
    children, _ = _children(text, root)
    gap = text[root + 1 : children[0].begin] if children else ""
    return gap.rpartition("\n")[2] if "\n" in gap and gap[-1:] in " \t" else _UNIT
