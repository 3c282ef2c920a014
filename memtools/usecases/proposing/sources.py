"""What other systems keep, as entries to be proposed one by one, byte for byte.

Must not decide what becomes of an entry.
"""

from __future__ import annotations

import json
import os

from memtools.core.handbook import index_titles, says_more, split_handbook
from memtools.core.header import read_header, split
from memtools.core.memory import MAX_FILE, stem
from memtools.core.wording import say
from memtools.errors import UsageError
from memtools.usecases.changing.newfile import memory_bytes
from memtools.usecases.proposing.folder import LeftOut, open_folder, shown
from memtools.usecases.proposing.handed import read_handed
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_INDEX = "MEMORY.md"  # of Claude Code, and Codex's handbook
_MOST = 64 << 20  # bytes of a file that holds many memories
_TEXTS = ("text", "body", "content")  # the keys a row's text may have


class Entry(NamedTuple):
    """One memory of another system.

    `place`: where it stands, for people; `origin`: the same without a line, which may move; `name`:
    the file name to keep, folders included ("": it gets one from its title).
    """

    place: str
    origin: str
    raw: bytes
    title: str = ""
    name: str = ""


Read = tuple[list[Entry], list[LeftOut]]


def read_claude(path: str) -> Read:
    """Claude Code's memory folder: a file a memory, and MEMORY.md when it is more than their index.

    The title is `name` of a file's front matter, else that of its line in the index.
    """
    folder = open_folder(_folder_of(path))
    index = folder.read(_INDEX).decode("utf-8", "replace") if _INDEX in folder.notes else ""
    titles = index_titles(index)
    entries, left_out = [], list(folder.left_out)
    for note in folder.notes:
        if note == _INDEX and not says_more(index, set(folder.notes)):
            why = say("the index of the other files")
            left_out.append(LeftOut(note, why, is_fault=False))
            continue
        raw = folder.read(note)
        title = "" if _has_title(raw) else _name(raw) or titles.get(note, "")
        entries.append(_file(note, raw, title))
    return entries, left_out


def read_obsidian(path: str) -> Read:
    """A vault: each note, under its own name, so that links to it still meet it."""
    folder = open_folder(path)
    return [_file(note, folder.read(note)) for note in folder.notes], list(folder.left_out)


def read_codex(path: str) -> Read:
    """Codex's handbook (MEMORY.md of its memory folder, or any file like it), a block a memory."""
    name = os.path.join(path, _INDEX) if os.path.isdir(path) else path
    place = os.path.basename(name)
    blocks = split_handbook(_read_many(name))
    entries = [Entry(f"{place}:{b.line}", place, b.data, b.title) for b in blocks]
    return entries, []


def read_ndjson(path: str) -> Read:
    """Rows `{"title": …, "text": …, …}`, one a line; all other keys become front matter."""
    place = shown(os.path.basename(path))
    entries, left_out = [], []
    for number, line in enumerate(_read_many(path).split(b"\n"), start=1):
        if not line.strip():
            continue
        row = _row(f"{place}:{number}", place, line)
        if isinstance(row, Entry):
            entries.append(row)
        else:
            left_out.append(row)
    return entries, left_out


# What `memtools import` can read: the `source` its entries have, and who reads it.
FORMATS: dict[str, tuple[str, Callable[[str], Read]]] = {
    "claude": ("extracted", read_claude),
    "codex": ("extracted", read_codex),
    "obsidian": ("external", read_obsidian),
    "ndjson": ("external", read_ndjson),
}


def _read_many(name: str) -> bytes:
    """A file that holds many memories."""
    raw = read_handed(name, _MOST)
    if len(raw) > _MOST:
        raise UsageError(
            say("{path} is larger than {limit} bytes", path=name, limit=_MOST), say("split it")
        )
    return raw


def _folder_of(path: str) -> str:
    """The folder of an index that was named itself."""
    return os.path.dirname(path) or "." if os.path.basename(path) == _INDEX else path


def _file(note: str, raw: bytes, title: str = "") -> Entry:
    return Entry(shown(note), shown(note), raw, title, _kept_name(note))


def _kept_name(note: str) -> str:
    """A path below the inbox as it was; "" when it cannot be kept for sure."""
    steps = note.split("/")
    plain = all(step.isprintable() and "\\" not in step and ":" not in step for step in steps)
    return "/".join([*steps[:-1], stem(note)]) if plain else ""


def _has_title(raw: bytes) -> bool:
    return "title" in read_header(split(raw)).fields


def _name(raw: bytes) -> str:
    found = read_header(split(raw)).fields.get("name", "")
    return found if isinstance(found, str) else ""


def _row(place: str, origin: str, line: bytes) -> Entry | LeftOut:
    if len(line) > 2 * MAX_FILE:
        return LeftOut(place, say("larger than {limit} bytes", limit=2 * MAX_FILE))
    try:
        row = json.loads(line)
        if not isinstance(row, dict):
            return LeftOut(place, say("the line is no JSON object"))
        if row.get("op") == "delete":
            return LeftOut(place, say("the row deletes a memory"), is_fault=False)
        key = next((key for key in _TEXTS if isinstance(row.get(key), str)), "")
        if not key:
            return LeftOut(place, say("the row has no text"))
        body = row.pop(key)
        title = row.pop("title") if isinstance(row.get("title"), str) else ""
        return Entry(place, origin, memory_bytes(row, body), title)
    except (ValueError, RecursionError):
        return LeftOut(place, say("the line is no JSON that can be kept"))
