"""The memory tool's own forms: paths below /memories, numbered lines, edits of a text.

The forms are those its documentation shows: https://platform.claude.com/docs/en/agents-and-tools/tool-use/memory-tool
Must not know which files exist.
"""

from __future__ import annotations

import re

from memtools.values import NamedTuple

ROOT = "/memories"
MOST_TEXT = 100_000  # characters of one file
_MOST_PATH = 1000
_MOST_SHOWN = 16_000  # characters of one answer
_AROUND = 4  # lines shown on each side of an edit
_HIDDEN = re.compile(r"[\x00-\x1f\x7f\\\ud800-\udfff]|%(?:00|0[ad]|2[ef]|5c)", re.IGNORECASE)


class Edit(NamedTuple):
    """A text after an edit (`fault` "" then), and the line the edit begins in, from 1."""

    text: str
    line: int
    fault: str = ""


def repo_path(path: object) -> str | None:
    """The repo path a path below /memories stands for ("" for the root); None for any other."""
    if not isinstance(path, str) or len(path) > _MOST_PATH or _HIDDEN.search(path):
        return None
    if path.rstrip("/") == ROOT:
        return ""
    if not path.startswith(f"{ROOT}/"):
        return None
    parts = path.removeprefix(f"{ROOT}/").rstrip("/").split("/")
    return None if any(not part or part.startswith(".") for part in parts) else "/".join(parts)


def numbered(text: str, first: int = 1, last: int = -1) -> str:
    """Lines `first` to `last` (-1: all that follow) with their numbers, as many as fit."""
    rows = text.split("\n")
    chosen = rows[max(first, 1) - 1 : len(rows) if last == -1 else max(last, 0)]
    shown: list[str] = []
    size = 0
    for number, row in enumerate(chosen, start=max(first, 1)):
        size += len(row) + 8
        if shown and size > _MOST_SHOWN:
            shown.append(f"({len(chosen) - len(shown)} more lines: view them with view_range)")
            break
        shown.append(f"{number:>6}\t{row[:_MOST_SHOWN]}")
    return "\n".join(shown)


def snippet(edit: Edit) -> str:
    """The lines around an edit, with their numbers."""
    return numbered(edit.text, edit.line - _AROUND, edit.line + _AROUND)


def replace_once(text: str, path: str, old: str, new: str) -> Edit:
    """`text` with its one `old` replaced by `new`."""
    at = [found.start() for found in re.finditer(re.escape(old), text)] if old else []
    lines = [text.count("\n", 0, place) + 1 for place in at]
    shown = old[:200]
    if not at:
        fault = f"old_str `{shown}` did not appear verbatim in {path}."
        return Edit(text, 0, f"No replacement was performed, {fault}")
    if len(at) > 1:
        places = ", ".join(map(str, lines))
        fault = f"Multiple occurrences of old_str `{shown}` in lines: {places}."
        return Edit(text, 0, f"No replacement was performed. {fault} Please ensure it is unique")
    return Edit(text[: at[0]] + new + text[at[0] + len(old) :], lines[0])


def insert_after(text: str, line: int, new: str) -> Edit:
    """`text` with `new` after line `line` (0: before the first)."""
    rows = text.split("\n")
    if not 0 <= line <= len(rows):
        fault = f"It should be within the range of lines of the file: [0, {len(rows)}]"
        return Edit(text, 0, f"Error: Invalid `insert_line` parameter: {line}. {fault}")
    rows[line:line] = new.removesuffix("\n").split("\n")
    return Edit("\n".join(rows), line + 1)


def size_of(count: int) -> str:
    """Bytes as a person reads them: 512, 5.5K, 1.2M."""
    if count < 1024:
        return str(count)
    if count < 1024 * 1024:
        return f"{count / 1024:.1f}K"
    return f"{count / 1024 / 1024:.1f}M"
