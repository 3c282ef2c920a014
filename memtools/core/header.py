"""The one reader of front matter: where a header stands in a file, and what its fields say.

Must not know what the fields mean; `fields.py` does.
"""

from __future__ import annotations

import re

from memtools.core.header_lines import OTHER, Entry, Value, read_lines, read_simple
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.wording import say
from memtools.values import NamedTuple

MAX_HEADER = 16 * 1024  # bytes; nobody's header is longer, and every parser stays fast below it
BOM = b"\xef\xbb\xbf"
_OPENING = lazy(rb"---[ \t]*\r?\n")
_CLOSING = lazy(rb"\n(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_OPENING_TOML = lazy(rb"\+\+\+[ \t]*\r?\n")
_CLOSING_TOML = lazy(rb"\n\+\+\+[ \t]*\r?(?:\n|\Z)")
_LONE_DELIMITER = lazy(rb"(?:---|\+\+\+)[ \t]*(?:\r|\Z)")
_JSON = lazy(rb'\{\s*["}]')


class Parts(NamedTuple):
    """A file taken apart: the byte fields joined in order are the file.

    `kind` is none, yaml, toml or refused; a refused file is all `body`, and `reason` says why.
    Lines count from 1 over the whole file.
    """

    bom: bytes
    opening: bytes
    header: bytes
    closing: bytes
    body: bytes
    header_line: int
    body_line: int
    kind: str
    reason: str


class Header(NamedTuple):
    """What a header says: every scalar is its source text, so that id 007 stays 007.

    `entries` holds each top-level key in order, duplicates too; `fields` the last value of each
    key that has one. `lane` tells the reader: none, simple, yaml, lines, toml or refused.
    `sure` is False where a restriction may hide from us: then nothing may be exposed.
    """

    fields: dict[str, Value]
    lane: str
    problems: tuple[Problem, ...]
    entries: tuple[Entry, ...] = ()
    sure: bool = True


def split(raw: bytes) -> Parts:
    """Take a whole file apart at its front-matter delimiters; any bytes are accepted."""
    bom = BOM if raw.startswith(BOM) else b""
    start = len(bom)
    reason = _unreadable_from_the_start(raw, start)
    if reason:
        return _refused(bom, raw, reason)
    kind, opening, closing = "yaml", _OPENING.match(raw, start), _CLOSING
    if opening is None:
        kind, opening, closing = "toml", _OPENING_TOML.match(raw, start), _CLOSING_TOML
    if opening is None:
        if _LONE_DELIMITER.match(raw, start):  # \r and other text, or the end, behind the dashes
            return _refused(bom, raw, "cr-only-newlines" if b"\r" in raw else "unclosed")
        return Parts(bom, b"", b"", b"", raw[start:], 1, 1, "none", "")
    begin = opening.end()
    end = closing.search(raw, begin - 1)  # the line end of the opening may be the one before
    if end is None:
        return _refused(bom, raw, "unclosed")
    header = raw[begin : end.start() + 1]
    try:
        header.decode()
    except UnicodeDecodeError:
        return _refused(bom, raw, "non-utf8-front-matter")
    return Parts(
        bom, opening[0], header, end[0][1:], raw[end.end() :], 2, 3 + header.count(b"\n"), kind, ""
    )


def _unreadable_from_the_start(raw: bytes, start: int) -> str:
    first = raw[start : start + 4]
    if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf16"
    if len(first) == 4 and b"\0" in first and first.count(b"\0") >= 2 and first != b"\0\0\0\0":
        return "utf16"  # without a byte order mark every second byte of Latin text is zero
    if b"\r" in raw and b"\n" not in raw:
        return "cr-only-newlines"
    return "json" if first[:1] == b"{" and _JSON.match(raw, start) else ""


def _refused(bom: bytes, raw: bytes, reason: str) -> Parts:
    return Parts(bom, b"", b"", b"", raw[len(bom) :], 1, 1, "refused", reason)


def refusal(parts: Parts, path: str = "") -> Problem | None:
    """The problem of a file whose header is not read at all, or None."""
    if len(parts.header) > MAX_HEADER:
        return problem(
            path,
            1,
            "header-too-large",
            say("the header is larger than {limit} bytes, so it is not read", limit=MAX_HEADER),
            say("move text from the header into the body"),
        )
    if parts.kind != "refused":
        return None
    rule, message, hint = _REFUSALS[parts.reason]
    return problem(path, 1, rule, message, hint)


_REFUSALS = {
    "utf16": (
        "header-utf16",
        say("the file is UTF-16 text, which cannot be read"),
        say("save the file as UTF-8"),
    ),
    "cr-only-newlines": (
        "header-cr-only",
        say("the lines end in a lone CR, so the header cannot be read for sure"),
        say("save the file with LF or CRLF line ends"),
    ),
    "json": (
        "header-json",
        say("the header is JSON, which memtools does not read"),
        say("write the header as YAML between two lines of three dashes"),
    ),
    "unclosed": (
        "header-unclosed",
        say("the header is opened on line 1 and never closed"),
        say("add a line of three dashes below the last field"),
    ),
    "non-utf8-front-matter": (
        "header-not-utf8",
        say("the header is not UTF-8 text"),
        say("save the file as UTF-8"),
    ),
}
NOT_MAPPING = (
    say("the header is not a list of `key: value` fields"),
    say("write one `key: value` a line, or remove the header"),
)


def read_header(parts: Parts, path: str = "") -> Header:
    """The fields of a file taken apart by `split`; never raises, problems carry the file's line."""
    refused = refusal(parts, path)
    if refused is not None:
        return Header({}, "refused", (refused,), sure=False)
    if parts.kind == "none":
        return Header({}, "none", ())
    text = parts.header.decode()
    if parts.kind == "toml":
        return _read_toml(text, parts, path)
    simple = read_simple(text)
    if simple is not None:
        return _header("simple", simple, (), parts, path)
    from memtools.core.header_yaml import read_yaml

    read = read_yaml(text)
    if read.entries is not None:
        return _header("yaml", list(read.entries), (), parts, path)
    if read.fault == "not-mapping":
        found = problem(path, parts.header_line, "header-not-mapping", *NOT_MAPPING)
        return Header({}, "yaml", (found,), sure=False)
    line = parts.header_line + min(read.line, max(parts.header.count(b"\n") - 1, 0))
    unreadable = problem(
        path,
        line,
        "header-yaml-unreadable",
        say("no YAML parser accepts this header: {why}", why=read.why),
        say("put the value into double quotes, or mend the line"),
    )
    entries, sure = read_lines(text)
    return _header("lines", entries, (unreadable,), parts, path)._replace(sure=sure)


def _header(
    lane: str, entries: list[Entry], problems: tuple[Problem, ...], parts: Parts, path: str
) -> Header:
    fields: dict[str, Value] = {}
    seen: set[str] = set()
    for entry in entries:
        if entry.value != "":
            fields[entry.key] = entry.value
        if entry.key in seen:
            problems += (_duplicate(path, parts.header_line + entry.line, entry.key),)
        seen.add(entry.key)
    return Header(fields, lane, problems, tuple(entries))


def _duplicate(path: str, line: int, key: str) -> Problem:
    return problem(
        path,
        line,
        "header-duplicate-key",
        say("the key `{key}` stands in the header more than once", key=key),
        say("keep one of the lines"),
    )


def _read_toml(text: str, parts: Parts, path: str) -> Header:
    """A TOML header is read so that it restricts what it should; it is never edited."""
    import tomllib

    found = problem(
        path,
        1,
        "header-toml",
        say("the header is TOML: memtools reads it but cannot retract this memory in place"),
        say("write the header as YAML between two lines of three dashes"),
    )
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        unreadable = problem(
            path,
            parts.header_line,
            "header-toml",
            say("the TOML header cannot be read: {why}", why=str(error)),
            say("mend the header, or write it as YAML"),
            severity="error",
        )
        return Header({}, "toml", (unreadable,), sure=False)
    entries = [
        Entry(key, _toml_value(value), _toml_line(text, key)) for key, value in table.items()
    ]
    return _header("toml", entries, (found,), parts, path)


def _toml_line(text: str, key: str) -> int:
    match = re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", text, re.MULTILINE)
    return text.count("\n", 0, match.start()) if match else 0


def _toml_value(value: object) -> Value:
    if isinstance(value, list):
        texts = tuple(item for item in value if isinstance(item, str))
        return texts if len(texts) == len(value) else OTHER
    if isinstance(value, str):
        return value
    return OTHER if isinstance(value, (dict, bool)) else str(value)
