"""Texts other agents keep several memories in: Codex's handbook, the index of Claude Code.

Pure: texts in, parts out. Must not know files.
"""

from __future__ import annotations

import itertools

from memtools.core.pattern import lazy
from memtools.values import NamedTuple

_FENCE = lazy(rb" {0,3}(`{3,}|~{3,})")
_GROUP = b"# Task Group:"
_INDEX_LINE = lazy(r"\s*(?:[-*+]|\d+\.)\s+\[(?P<title>[^\]]*)\]\((?P<file>[^)\s]+)\)")


class Block(NamedTuple):
    """A part of a handbook, byte for byte; `line` is its first one, from 1."""

    title: str
    data: bytes
    line: int


def split_handbook(raw: bytes) -> list[Block]:
    """The blocks of a handbook: each `# Task Group:`, else each `##` section, else the whole.

    What stands before the first one is a block too. Blocks joined in order are the text.
    """
    lines = raw.splitlines(keepends=True)
    starts = _starts(lines, _GROUP) or _starts(lines, b"## ")
    bounds = sorted({0, *starts, len(lines)})
    found = []
    for first, end in itertools.pairwise(bounds):
        data = b"".join(lines[first:end])
        if data.strip():
            title = lines[first] if first in starts else b""
            found.append(Block(_title(title), data, first + 1))
    return found


def _starts(lines: list[bytes], mark: bytes) -> list[int]:
    """The rows that begin with `mark` outside of fenced code."""
    found, fence = [], b""
    for row, line in enumerate(lines):
        match = _FENCE.match(line)
        if match and not fence:
            fence = match[1]
        elif match and match[1].startswith(fence):
            fence = b""
        elif not fence and line.startswith(mark):
            found.append(row)
    return found


def _title(line: bytes) -> str:
    text = line.decode("utf-8", "replace").lstrip("#").strip()
    return text.removeprefix("Task Group:").strip()


def index_titles(text: str) -> dict[str, str]:
    """File -> title of each line `- [Title](file.md) …` of an index."""
    matches = map(_INDEX_LINE.match, text.split("\n"))
    return {match["file"]: match["title"].strip() for match in matches if match}


def says_more(text: str, files: set[str]) -> bool:
    """Does an index hold notes of its own, beside headings and lines that name one of `files`?"""
    for line in text.split("\n"):
        match = _INDEX_LINE.match(line)
        is_entry = match is not None and match["file"] in files
        if line.strip() and not line.lstrip().startswith("#") and not is_entry:
            return True
    return False
