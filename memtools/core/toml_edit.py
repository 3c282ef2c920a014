"""Our block at the end of a TOML text, and the proof that all else means what it meant.

Must not know whose file it is. Nothing is ever reformatted.
"""

from __future__ import annotations

import json
import re
import tomllib

from memtools.core.json_edit import Fault
from memtools.core.marked_block import with_block, without_block
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def read_toml(text: str) -> dict[str, object] | Fault:
    """The values of a text, or why it is not edited."""
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except RecursionError:
        return Fault(1, say("it is nested too deeply, or holds too large a number"))
    except ValueError as error:
        found = _PLACE.search(str(error))
        line = int(found[1]) if found and found[1] else text.rstrip().count("\n") + 1
        return Fault(line, say("it is no TOML ({why})", why=_PLACE.sub("", str(error))))


def with_toml(text: str, lines: str) -> tuple[str, str] | Fault:
    """The text with our block (see `with_block`); a Fault when the two cannot stand together."""
    before = read_toml(without_block(text))
    if isinstance(before, Fault):
        return before
    made, joint = with_block(text, lines)
    after = read_toml(made)
    if isinstance(after, Fault):
        return after
    if not _holds(after, before):
        return Fault(1, say("with our lines it would mean something else"))
    return made, joint


def toml_lines(where: Sequence[str], value: object, *, is_item: bool) -> str:
    """A value as TOML lines: an item of an array of tables, a table, or one key of a table."""
    if isinstance(value, dict):
        return "\n".join(_table(where, value, is_item=is_item)) + "\n"
    return f"[{_name(where[:-1])}]\n{_name(where[-1:])} = {_value(value)}\n"


def _table(where: Sequence[str], table: Mapping[str, object], *, is_item: bool) -> Iterator[str]:
    yield f"[[{_name(where)}]]" if is_item else f"[{_name(where)}]"
    nested = {}
    for key, value in table.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            nested[key] = value
        else:
            yield f"{_name([key])} = {_value(value)}"
    for key, items in nested.items():
        for item in items:
            yield ""
            yield from _table([*where, key], item, is_item=True)


def _name(keys: Sequence[str]) -> str:
    return ".".join(key if _BARE.fullmatch(key) else _value(key) for key in keys)


def _value(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{_name([key])} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _holds(after: object, before: object) -> bool:
    """Is everything of `before` in `after` as it was, with nothing put between?"""
    if isinstance(before, dict):
        return isinstance(after, dict) and all(
            key in after and _holds(after[key], value) for key, value in before.items()
        )
    if isinstance(before, list):
        return isinstance(after, list) and after[: len(before)] == before
    return after == before
