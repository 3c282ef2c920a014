"""What an agent's settings file should hold of ours: put in, known again, and taken out.

Must not know which agent it is, nor where the file is. Text in, text out.
"""

from __future__ import annotations

import difflib
import json
import re

from memtools.core.json_edit import (
    Fault,
    is_null,
    line_at,
    read_json,
    value_at,
    with_child,
    without_child,
)
from memtools.core.marked_block import block_in, with_block, without_block
from memtools.core.toml_edit import toml_lines, with_toml
from memtools.core.wording import say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MEMBER, ITEM, CONTAINER, BLOCK = "member", "item", "container", "block"
_OUR_PROGRAM = re.compile(r"memtools[/\\]start\.py\b")


class Entry(NamedTuple):
    """One thing a file should hold: a member at `where`, or an item of the list there.

    `any_value`: a member that is there already stays as it is, whatever it says.
    """

    where: tuple[str, ...]
    value: object
    is_item: bool = False
    any_value: bool = False


class Written(NamedTuple):
    """One thing that was put into a file, as `taken_out` needs it to find it again.

    `value` is JSON text (of a block: its text). `blank`: what a container that gets empty holds
    then; of a block what joined it to the text before.
    """

    kind: str
    where: tuple[str, ...]
    value: str
    blank: str = ""


class Edited(NamedTuple):
    """A text with our entries, and what was put into it (nothing: they were there)."""

    text: str
    written: tuple[Written, ...] = ()


def entered(text: str, entries: Sequence[Entry]) -> Edited | Fault:
    """A JSON text that holds the entries; ours of an earlier time are replaced."""
    found = read_json(text)
    if isinstance(found, Fault):
        return found
    written: list[Written] = []
    for entry in entries:
        fault = _misfit(text, entry)
        if fault is not None:
            return fault
        text, new = _put(text, entry)
        written += new
    return Edited(text, tuple(written))


def entered_as_toml(text: str, entries: Sequence[Entry]) -> Edited | Fault:
    """A TOML text with a block of ours that says the entries."""
    made = with_toml(text, as_toml(entries))
    if isinstance(made, Fault):
        return made
    return _edited_block(text, *made)


def entered_as_lines(text: str, lines: str) -> Edited:
    """A text with a block of ours that holds these lines."""
    return _edited_block(text, *with_block(text, lines))


def as_toml(entries: Sequence[Entry]) -> str:
    """The entries as TOML lines."""
    return "\n".join(toml_lines(e.where, e.value, is_item=e.is_item) for e in entries)


def as_json(entries: Sequence[Entry]) -> str:
    """The entries as a JSON file of their own, for a person to paste from."""
    made = entered("{}", entries)
    assert isinstance(made, Edited)
    return made.text


def taken_out(text: str, written: Sequence[Written]) -> str | None:
    """The text without what was put in; what somebody changed since stays. None: unreadable."""
    if all(one.kind == BLOCK for one in written):
        for one in written:
            if block_in(text) == one.value:
                text = without_block(text, one.blank)
        return text
    if isinstance(read_json(text), Fault):
        return None
    for one in reversed(written):
        where, key = list(one.where), ""
        if one.kind != ITEM:
            key = where.pop()
        value = json.loads(one.value)
        left = without_child(text, where, key, value, one.blank)
        text = text if left is None else left
    return text


def holds(text: str, written: Sequence[Written]) -> bool:
    """Is any of our commands still in the text?"""
    left = taken_out(text, [one for one in written if one.kind in (ITEM, BLOCK)])
    return left is not None and left != text


def unified(name: str, before: str | None, after: str) -> Iterator[str]:
    """The lines of the diff of a file, as `patch` takes them; None: there was no file."""
    lines = difflib.unified_diff(
        _lines(before or ""),
        _lines(after),
        "/dev/null" if before is None else f"a/{name}",
        f"b/{name}",
    )
    for line in lines:
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _edited_block(before: str, text: str, joint: str) -> Edited:
    if text == before:
        return Edited(text)
    return Edited(text, (Written(BLOCK, (), block_in(text), joint),))


def _misfit(text: str, entry: Entry) -> Fault | None:
    """What on the way to an entry is of another kind than it should be, or not ours."""
    where = entry.where if entry.is_item else entry.where[:-1]
    for length in range(len(where) + 1):
        found = value_at(text, where[:length])
        wanted = list if entry.is_item and length == len(where) else dict
        if found is not None and not isinstance(found, wanted):
            return _another_kind(text, where[:length])
    for length in range(1, len(entry.where) + 1):  # a second key of that name would stand beside it
        if is_null(text, entry.where[:length]):
            return _another_kind(text, entry.where[:length])
    if entry.is_item or entry.any_value:
        return None
    found = value_at(text, entry.where)
    if found is None or _is_ours(found):
        return None
    name = ".".join(entry.where)
    return Fault(line_at(text, entry.where), say("{name} is there, and not ours", name=name))


def _another_kind(text: str, where: Sequence[str]) -> Fault:
    return Fault(line_at(text, where), say("{name} is of another kind", name=".".join(where)))


def _is_ours(value: object) -> bool:
    """Does every command in this value start memtools?"""
    commands = list(_commands(value))
    return bool(commands) and all(_OUR_PROGRAM.search(command) for command in commands)


def _commands(value: object) -> Iterator[str]:
    """The command lines in a hook or server entry of any agent's format."""
    if isinstance(value, list):
        for item in value:
            yield from _commands(item)
    if not isinstance(value, dict):
        return
    yield from _commands(value.get("hooks"))
    arguments = value.get("args")
    rest = map(str, arguments) if isinstance(arguments, list) else ()
    for key in ("command", "bash", "powershell"):
        if isinstance(value.get(key), str):
            yield " ".join([value[key], *rest])


def _put(text: str, entry: Entry) -> tuple[str, list[Written]]:
    found = value_at(text, entry.where)
    if entry.is_item:
        mine = [one for one in found if _is_ours(one)] if isinstance(found, list) else []
        if mine == [entry.value]:
            return text, []
        for one in mine:
            text = without_child(text, entry.where, "", one) or text
    elif found is not None:
        if entry.any_value or found == entry.value:
            return text, []
        text = without_child(text, entry.where[:-1], entry.where[-1], found) or text
    return _inserted(text, entry)


def _inserted(text: str, entry: Entry) -> tuple[str, list[Written]]:
    """Put an entry in; the containers it needs and that are not there are made with it."""
    kind = ITEM if entry.is_item else MEMBER
    last = Written(kind, entry.where, json.dumps(entry.value))
    parents = entry.where if entry.is_item else entry.where[:-1]
    have = len(parents)
    while have and value_at(text, parents[:have]) is None:
        have -= 1
    if have == len(parents):
        key = "" if entry.is_item else entry.where[-1]
        text, blank = with_child(text, parents, key, entry.value)
        return text, [last._replace(blank=blank)]
    value = [entry.value] if entry.is_item else {entry.where[-1]: entry.value}
    for key in reversed(parents[have + 1 :]):
        value = {key: value}
    text, blank = with_child(text, parents[:have], parents[have], value)
    made = []
    for length in range(have + 1, len(parents) + 1):
        is_list = entry.is_item and length == len(parents)
        made.append(Written(CONTAINER, parents[:length], "[]" if is_list else "{}"))
    made[0] = made[0]._replace(blank=blank)
    return text, [*made, last]
