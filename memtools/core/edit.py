"""Change named front-matter fields of a whole file as a byte splice, and prove the change.

Must not know why a field changes, nor write anything: bytes in, bytes or a Problem out.
"""

from __future__ import annotations

from memtools.core.header import MAX_HEADER, Parts, read_header, refusal, split
from memtools.core.header_lines import read_simple
from memtools.core.header_value import rendered
from memtools.core.layout import Layout, Slot, lay_out_lines, lay_out_yaml
from memtools.core.problem import Problem, problem
from memtools.core.wording import say
from memtools.values import NamedTuple


class Set(NamedTuple):
    """Give a key this text: plain where it reads back as the same text, else double-quoted."""

    key: str
    text: str


class SetRaw(NamedTuple):
    """Give a key these value bytes, as `raw_value` once returned them."""

    key: str
    raw: bytes


class Remove(NamedTuple):
    """Take the whole lines of a key out; a key that is not there is no trouble."""

    key: str


Change = Set | SetRaw | Remove


class Edited(NamedTuple):
    """The whole new file, and what is worth a warning about it."""

    data: bytes
    problems: tuple[Problem, ...]


def change(path: str, raw: bytes, changes: tuple[Change, ...] | list[Change]) -> Edited | Problem:
    """Apply the changes in order to a whole file; a Problem means that no byte changed.

    Body, BOM, line ends, comments, key order and every other field stay as they are; this is
    proved by reading the result again, and what cannot be proved is refused.
    """
    parts = split(raw)
    warnings = read_header(parts, path).problems if parts.kind == "yaml" else ()
    data = raw
    for one in changes:
        result = _change_one(path, data, one)
        if isinstance(result, Problem):
            return result
        data = result
    return Edited(data, tuple(found for found in warnings if not found.is_error))


def raw_value(raw: bytes, key: str) -> bytes | None:
    """The bytes of a key's value (of its first occurrence), or None when the key is not there."""
    parts = split(raw)
    if parts.kind != "yaml" or refusal(parts) is not None:
        return None
    text = parts.header.decode()
    layout = _lay_out(text)
    slots = layout.named(key) if layout is not None else []
    return text[slots[0].start : slots[0].end].encode() if slots else None


def _change_one(path: str, raw: bytes, one: Change) -> bytes | Problem:
    parts = split(raw)
    refused = _refuse(path, parts)
    if refused is not None:
        return refused
    line_end = _line_end(parts, raw)
    added = _add_header(path, parts, one, line_end)
    if added is not None:
        return added
    text = parts.header.decode()
    layout = _lay_out(text)
    if layout is None:
        return _unproved(path, parts)
    slots = layout.named(one.key)
    held = next((slot for slot in slots if slot.is_held and not _is_done(text, slot, one)), None)
    if held is not None:
        return _held(path, parts.header_line + text.count("\n", 0, held.start), one.key)
    try:
        changed = _splice(text, layout, one, line_end)
        header = changed.encode()
    except UnicodeError:
        return _unwritable(path, one.key)
    if header == parts.header:
        return raw
    data = parts.bom + parts.opening + header + parts.closing + parts.body
    if len(header) > MAX_HEADER:
        return refusal(parts._replace(header=header), path) or _unproved(path, parts)
    return data if _is_proved(parts, text, data, changed, one) else _unproved(path, parts)


def _refuse(path: str, parts: Parts) -> Problem | None:
    refused = refusal(parts, path)
    if refused is not None:
        return refused
    if parts.kind == "toml":
        message = say("the header is TOML, which memtools does not edit")
        hint = say("write the header as YAML between two lines of three dashes")
        return problem(path, 1, "header-toml", message, hint, severity="error")
    return None


def _line_end(parts: Parts, raw: bytes) -> str:
    """That of the opening delimiter; without a header the one most lines have, LF when none."""
    if parts.kind == "yaml":
        return "\r\n" if parts.opening.endswith(b"\r\n") else "\n"
    crlf = raw.count(b"\r\n")
    return "\r\n" if crlf > raw.count(b"\n") - crlf else "\n"


def _add_header(path: str, parts: Parts, one: Change, end: str) -> bytes | Problem | None:
    """A file without header gets one in front; None when there is a header to edit."""
    if parts.kind != "none":
        return None
    if isinstance(one, Remove):
        return parts.bom + parts.body
    try:
        header = (_new_line("", one, end)).encode()
    except UnicodeError:
        return _unwritable(path, one.key)
    fence = b"---" + end.encode()
    data = parts.bom + fence + header + fence + parts.body
    after = split(data)
    if len(header) > MAX_HEADER or after.body != parts.body or after.header != header:
        return _unproved(path, parts)
    read = [(entry.key, entry.value) for entry in read_header(after).entries]
    if len(read) != 1 or (isinstance(one, Set) and read != [(one.key, one.text)]):
        return _unproved(path, parts)
    return data


def _lay_out(text: str) -> Layout | None:
    """The layout by lines for the simplest headers and those no parser accepts, else by YAML."""
    if read_simple(text) is not None:
        return lay_out_lines(text)
    from memtools.core.header_yaml import read_yaml

    read = read_yaml(text)
    if read.entries is not None:
        return lay_out_yaml(text)
    return lay_out_lines(text) if read.fault == "unreadable" else None


def _is_done(text: str, slot: Slot, one: Change) -> bool:
    if isinstance(one, Set):
        return slot.plain == one.text
    return isinstance(one, SetRaw) and text[slot.start : slot.end].encode() == one.raw


def _splice(text: str, layout: Layout, one: Change, line_end: str) -> str:
    """The header's text with the change made in every occurrence of the key, or added."""
    slots = layout.named(one.key)
    if not slots and not isinstance(one, Remove):
        if layout.is_flow:
            at = layout.insert_at
            return text[:at] + layout.comma + _new_line("", one, "", True) + text[at:]
        return text + _new_line(layout.indent, one, line_end)
    for slot in reversed(slots):
        if isinstance(one, Remove):
            text = text[: slot.begin] + text[slot.stop :]
        elif not _is_done(text, slot, one):
            start, value = _placed(text, slot, one, layout.is_flow)
            text = text[:start] + value + text[slot.end :]
    return text


def _placed(text: str, slot: Slot, one: Set | SetRaw, is_flow: bool) -> tuple[int, str]:
    """Where the new value begins and what is written there, blanks behind the colon included."""
    value = rendered(one.text, is_flow) if isinstance(one, Set) else one.raw.decode()
    start = slot.start
    if isinstance(one, SetRaw) and (not value or value[0] in "\r\n"):
        while start and text[start - 1] in " \t":
            start -= 1
    elif text[start - 1 : start] == ":":
        value = " " + value
    return start, value


def _new_line(indent: str, one: Set | SetRaw, line_end: str, is_flow: bool = False) -> str:
    value = rendered(one.text, is_flow) if isinstance(one, Set) else one.raw.decode()
    gap = "" if not value or value[0] in "\r\n" else " "
    return f"{indent}{one.key}:{gap}{value}{line_end}"


def _is_proved(parts: Parts, before: str, data: bytes, after: str, one: Change) -> bool:
    """Does the new file differ in the named field alone, and would a second run change nothing?"""
    again = split(data)
    if (again.bom, again.opening, again.header, again.closing, again.body) != (
        parts.bom, parts.opening, after.encode(), parts.closing, parts.body,
    ):  # fmt: skip
        return False
    old, new = _comparable(before, after)
    if old is None or new is None:
        return False
    kept = [slot.meaning for slot in old.slots if slot.key != one.key]
    if kept != [slot.meaning for slot in new.slots if slot.key != one.key]:
        return False
    slots = new.named(one.key)
    if isinstance(one, Remove):
        return not slots
    if not slots or not all(_is_done(after, slot, one) for slot in slots):
        return False
    read = [entry.value for entry in read_header(again).entries if entry.key == one.key]
    return len(read) == len(slots) and (isinstance(one, SetRaw) or set(read) == {one.text})


def _comparable(before: str, after: str) -> tuple[Layout | None, Layout | None]:
    """Both headers laid out the same way: by YAML when one needs it and it reads both."""
    if read_simple(before) is None or read_simple(after) is None:
        from memtools.core.header_yaml import read_yaml

        if read_yaml(before).entries is not None:
            readable = read_yaml(after).entries is not None
            return lay_out_yaml(before), lay_out_yaml(after) if readable else None
    return lay_out_lines(before), lay_out_lines(after)


def _held(path: str, line: int, key: str) -> Problem:
    message = say("the value of `{key}` is anchored and used by an alias elsewhere", key=key)
    hint = say("write the value out where the alias stands")
    return problem(path, line, "header-anchored-value", message, hint)


def _unwritable(path: str, key: str) -> Problem:
    message = say("the new value of `{key}` cannot be written as UTF-8", key=key)
    hint = say("rename the file that the value names")
    return problem(path, 1, "field-invalid", message, hint, severity="error")


def _unproved(path: str, parts: Parts) -> Problem:
    found = read_header(parts, path).problems
    not_mapping = next((one for one in found if one.rule == "header-not-mapping"), None)
    message = say("the header cannot be changed without touching other fields")
    hint = say("change the field by hand")
    return not_mapping or problem(path, parts.header_line, "header-unprovable", message, hint)
