"""A memory: what one Markdown file says, how far it may be exposed, and what is wrong with it.

Must not know other files, git, or whether a marker elsewhere retracts it.
"""

from __future__ import annotations

import re
from enum import StrEnum

from memtools.core.fields import Fields
from memtools.core.header import MAX_HEADER, Header, Parts, read_header, split
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.vocabulary import DEFAULT, Priority, Status, Vocabulary
from memtools.core.wording import say
from memtools.values import NamedTuple

MAX_FILE = 256 * 1024  # bytes
_HEADING = lazy(r"^ {0,3}(?:(?P<fence>`{3,}|~{3,})|#{1,6}(?:[ \t]+(?P<text>.*))?$)", re.MULTILINE)


class Exposure(StrEnum):
    """How far the file can be trusted to say what it is, whatever its status."""

    FULL = "full"
    SEARCH_ONLY = "search-only"  # shown by search with its problem, never in the activation layer
    NONE = "none"  # cannot be read for sure: not searched, not injected, reported


class Memory(NamedTuple):
    """One memory file. `body` is text with LF ends; `body_line` its first line in the file."""

    path: str
    status: Status
    exposure: Exposure
    title: str
    body: str
    body_line: int
    id: str
    aliases: tuple[str, ...]
    priority: Priority
    scope: str
    is_scope_sure: bool  # else it is nobody's: it may be another project's
    tags: tuple[str, ...]
    source: str
    confidence: float | None
    failure_cost: str
    derived_from: tuple[str, ...]
    created: str
    reason: str
    retracted_at: str
    retracted_by: str
    retracted_reason: str
    restored_at: str
    restored_reason: str
    problems: tuple[Problem, ...]
    has_header: bool
    header_text: str  # what stands between the delimiters, as it is
    header_line: int  # its first line in the file


def stem(path: str) -> str:
    """The file name without folder and `.md` suffix (any case)."""
    return without_suffix(path[path.rfind("/") + 1 :])


def without_suffix(path: str) -> str:
    """A path or name without its `.md` suffix (any case)."""
    return path[:-3] if path[-3:].lower() == ".md" else path


def numbered_lines(memory: Memory) -> list[tuple[int, str]]:
    """All lines with their numbers in the file: the header's, then the body's."""
    header = enumerate(memory.header_text.split("\n"), start=memory.header_line)
    return [*header, *enumerate(memory.body.split("\n"), start=memory.body_line)]


def read_memory(path: str, raw: bytes, vocabulary: Vocabulary = DEFAULT) -> Memory:
    """Read a whole file; never raises: whatever is wrong becomes a problem and less exposure."""
    if len(raw) > MAX_FILE + MAX_HEADER:
        return _too_large(path, raw)
    parts = split(raw)
    header = read_header(parts, path)
    memory = _memory(path, parts, header, vocabulary)
    if len(raw) > MAX_FILE and memory.status is not Status.RETRACTED:
        return _too_large(path, raw)
    return memory  # a tombstone that made the file too large still counts


def _memory(path: str, parts: Parts, header: Header, vocabulary: Vocabulary) -> Memory:
    body, found = _body(path, parts)
    fields = Fields(path, parts.header_line, header, vocabulary)
    status = fields.status()
    text = fields.text
    title = " ".join(text("title").split()) or _first_heading(body) or stem(path)
    priority, (scope, is_scope_sure) = fields.priority(), fields.scope()
    values = (
        text("id") or without_suffix(path),
        fields.texts("aliases"),
        priority,
        scope,
        is_scope_sure,
        fields.tags(),
        fields.source(),
        fields.confidence(),
        fields.failure_cost(),
        fields.texts("derived_from"),
        text("created"),
        text("reason"),
        text("retracted_at"),
        text("retracted_by"),
        text("retracted_reason"),
        text("restored_at"),
        text("restored_reason"),
    )
    exposure = Exposure.FULL
    if not header.sure or status is Status.UNKNOWN:
        exposure = Exposure.NONE
    elif header.lane == "lines" or found or not is_scope_sure:
        exposure = Exposure.SEARCH_ONLY
    problems = (*header.problems, *fields.problems, *found)
    has_header = bool(parts.opening)
    header_text = parts.header.decode("utf-8", "replace")
    return Memory(
        path,
        status,
        exposure,
        title,
        body,
        parts.body_line,
        *values,
        problems,
        has_header,
        header_text,
        parts.header_line,
    )


def _body(path: str, parts: Parts) -> tuple[str, tuple[Problem, ...]]:
    raw = parts.body
    found: tuple[Problem, ...] = ()
    try:
        body = raw.decode()
    except UnicodeDecodeError as error:
        body = raw.decode("utf-8", "replace")
        if parts.kind != "refused":
            line = parts.body_line + raw.count(b"\n", 0, error.start)
            message = say("the text is not UTF-8 from here on")
            hint = say("save the file as UTF-8")
            found = (problem(path, line, "body-not-utf8", message, hint),)
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    return body, found


def _first_heading(body: str) -> str:
    """Text of the first `#` heading that does not stand in a code fence."""
    fence = ""
    for match in _HEADING.finditer(body):
        mark = match["fence"]
        if mark:
            if not fence:
                fence = mark
            elif mark.startswith(fence):
                fence = ""
        elif not fence:
            text = (match["text"] or "").strip()
            bare = text.rstrip("#")
            title = bare.rstrip() if not bare or bare[-1] in " \t" else text
            if title:
                return title
    return ""


def _too_large(path: str, raw: bytes) -> Memory:
    message = say("the file is larger than {limit} bytes, so it is not read", limit=MAX_FILE)
    found = problem(path, 1, "file-too-large", message, say("split it into smaller memories"))
    nothing = Parts(b"", b"", b"", b"", b"", 1, 1, "none", "")
    header = Header({}, "refused", (found, *_unread_marker(path, raw)), sure=False)
    memory = _memory(path, nothing, header, DEFAULT)
    return memory._replace(has_header=raw[:8].lstrip(b"\xef\xbb\xbf").startswith(b"---"))


def _unread_marker(path: str, raw: bytes) -> tuple[Problem, ...]:
    """The first line that looks like a marker in a file that is not read: it is never silent."""
    start = 0 if raw.startswith(b"RETRACTS:") else raw.find(b"\nRETRACTS:") + 1
    if not start and not raw.startswith(b"RETRACTS:"):
        return ()
    line = raw.count(b"\n", 0, start) + 1
    message = say("the RETRACTS: lines of so large a file are not read; put them into a small one")
    return (problem(path, line, "marker-unread", message),)
