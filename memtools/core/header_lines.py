"""Reading a header without a YAML parser: the simple lane, and the line-by-line lane.

Must not know the file around the header: it gets the header's text, and its line numbers count
from 0 at the header's first line.
"""

from __future__ import annotations

import enum
import re

from memtools.core.header_scalar import NOT_PRINTABLE, scalar, unquoted
from memtools.core.pattern import lazy
from memtools.values import NamedTuple


class Other(enum.Enum):
    """The kinds of value that are neither text nor a list of texts."""

    OTHER = "other"


OTHER = Other.OTHER
Value = str | tuple[str, ...] | Other


class Entry(NamedTuple):
    """One top-level key as it stands: an empty text is a key without a value."""

    key: str
    value: Value
    line: int


_KEY = lazy(r"([^\W\d][\w.-]{0,63}(?: [\w.-]{1,40}){0,8}) *:(?: +(.*))?$")
_EASY = lazy(r"([A-Za-z_][\w-]{0,63}): +([^\W\d][\w./() -]*)$")
_NOT_SIMPLE = -2
_BREAK = lazy("\r\n|[\n\r\x85\u2028\u2029]")
_TOP_KEY = lazy(r"""(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s"'#\[\]{}&*!|>%@`,?:-][^:#]*)):""")
_STATUS_CLAIM = lazy(r"""["']?status["']?\s*[:\uff1a]""", re.IGNORECASE)


def read_simple(text: str) -> list[Entry] | None:
    """Entries of a header whose every line is provably plain, or None: then a parser must look.

    What it accepts, YAML reads the same way (a property test compares the two).
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    is_printable = text.replace("\n", "").isprintable()  # the quick way for most
    if not is_printable and NOT_PRINTABLE.search(text):
        return None
    entries: list[Entry] = []
    indent: int | None = None  # of the block list that may go on: -1 before its first item
    for number, line in enumerate(text.split("\n")):
        if not line or line[0] == "#":
            continue
        easy = _EASY.match(line)
        match = easy or _KEY.match(line)
        if match is None:
            indent = _simple_item(line, entries, indent)
            if indent == _NOT_SIMPLE:
                return None
            continue
        key, rest = match.groups()
        rest = rest.rstrip(" ") if rest else ""
        value = rest if easy else scalar(rest)
        if value is None:
            return None
        indent = None if rest else -1
        entries.append(Entry(key, value, number))
    return entries


def _simple_item(line: str, entries: list[Entry], indent: int | None) -> int | None:
    """Add a block list's item to the last entry; the list's indent, which all items share."""
    bare = line.lstrip(" ")
    if not bare or bare[0] == "#":
        return indent
    item = _list_item(bare)
    own = len(line) - len(bare)
    if item is None or indent is None or indent not in (-1, own):
        return _NOT_SIMPLE
    last = entries[-1]
    items = last.value if isinstance(last.value, tuple) else ()
    entries[-1] = last._replace(value=(*items, item))
    return own


def _list_item(bare: str) -> str | None:
    if bare[:2] != "- ":
        return None
    item = scalar(bare[2:].strip(" "))
    return item if isinstance(item, str) and item else None


class Line(NamedTuple):
    """A top-level `key:` line with the deeper lines that belong to it; offsets into the text."""

    key: str
    begin: int
    colon_end: int  # just behind the colon
    start: int  # first character of the value; colon_end when the value starts on a later line
    end: int  # behind the value's last character; a comment behind it stays outside
    below: bool  # has deeper lines
    number: int


def split_lines(text: str) -> tuple[list[Line], str, bool]:
    """Top-level lines of any header, the root indent, and whether each line has a clear owner."""
    lines: list[Line] = []
    root: str | None = None
    sure = True
    for begin, stop in _spans(text):
        line = text[begin:stop]
        bare = line.lstrip(" \t")
        if not bare or bare[0] == "#":
            continue
        lead = line[: len(line) - len(bare)]
        if root is None:
            root = lead
        key = _TOP_KEY.match(bare) if lead == root else None
        if key is not None and (key.end() == len(bare) or bare[key.end()] in " \t"):
            name = next(group for group in key.groups() if group is not None).rstrip(" \t")
            lines.append(_line(text, name, begin, begin + len(lead) + key.end(), stop))
        elif lines and (len(lead) > len(root) or _goes_on(lines[-1], bare)):
            lines[-1] = lines[-1]._replace(
                start=lines[-1].start if lines[-1].end > lines[-1].start else lines[-1].colon_end,
                end=value_end(text, begin + len(lead) + 2 * (bare[:2] == "- "), stop),
                below=True,
            )
        else:
            sure = sure and bool(lines) and bare[0] not in "{[?-" and not _STATUS_CLAIM.match(bare)
    return lines, root or "", sure


def _goes_on(last: Line, bare: str) -> bool:
    """Is a line at the root indent an item of the list below the last key?"""
    return bare[:2] in ("- ", "-") and (last.below or last.start == last.end)


def _spans(text: str) -> list[tuple[int, int]]:
    spans, begin = [], 0
    if text.isascii() and "\r" not in text:  # the quick way for most
        for line in text.split("\n"):
            spans.append((begin, begin + len(line)))
            begin += len(line) + 1
        return spans
    for match in _BREAK.finditer(text):
        spans.append((begin, match.start()))
        begin = match.end()
    spans.append((begin, len(text)))
    return spans


def _line(text: str, key: str, begin: int, colon_end: int, stop: int) -> Line:
    start = colon_end
    while start < stop and text[start] in " \t":
        start += 1
    if start == stop or text[start] == "#":
        return Line(key, begin, colon_end, colon_end, colon_end, False, text.count("\n", 0, begin))
    end = value_end(text, start, stop)
    return Line(key, begin, colon_end, start, end, False, text.count("\n", 0, begin))


def value_end(text: str, start: int, stop: int) -> int:
    """Where the value that starts at `start` ends on this line: before blanks and a comment."""
    value = text[start:stop]
    quoted = re.match(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""", value)
    if quoted is not None:
        return start + quoted.end()
    comment = re.search(r"[ \t]#", value)
    return start + len((value[: comment.start()] if comment else value).rstrip(" \t"))


def read_lines(text: str) -> tuple[list[Entry], bool]:
    """Entries of a header no parser accepts, line by line, and whether its status is certain.

    Certain means: every line is a key or belongs to one, and `status` (in any capitals) stands on
    at most one plain line, so that nothing which restricts the memory can hide.
    """
    lines, _, sure = split_lines(text)
    entries = [Entry(line.key, _line_value(text, line), line.number) for line in lines]
    keys = [entry.key for entry in entries]
    folded = [key.strip().casefold() for key in keys]
    claims = keys.count("status") or folded.count("status")
    return entries, sure and claims <= 1 and "<<" not in keys


def _line_value(text: str, line: Line) -> Value:
    if not line.below:
        raw = text[line.start : line.end]
        plain = scalar(raw)
        return unquoted(raw) if plain is None else plain
    if line.start != line.colon_end:
        return OTHER
    items = [_list_item(bare.strip(" \t")) for bare in text[line.start : line.end].split("\n")[1:]]
    texts = tuple(item for item in items if item is not None)
    return texts if len(texts) == len(items) else OTHER
