"""One settings file of an agent on disk: read, planned, written in one step, and taken back.

Must not know agents. Never through a symlink that leads out of its place.
"""

from __future__ import annotations

import os
from pathlib import Path

from memtools.core.json_edit import Fault
from memtools.core.settings_entries import (
    BLOCK,
    Edited,
    Entry,
    as_json,
    as_toml,
    entered,
    entered_as_lines,
    entered_as_toml,
    taken_out,
    unified,
)
from memtools.core.wording import Said, say
from memtools.errors import GitError, RefusedError
from memtools.files import read_plain, write_whole
from memtools.usecases.installing.connections import File
from memtools.usecases.installing.record import Undoing
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_BOM = "\ufeff"


class Target(NamedTuple):
    """A file that should hold entries, or lines; `limit` is the folder it must not leave.

    `without`: fewer entries, for a file that cannot take all of them.
    """

    path: str
    limit: str
    mode: int
    entries: tuple[Entry, ...] = ()
    without: tuple[Entry, ...] = ()
    lines: str = ""

    @property
    def is_toml(self) -> bool:
        """Is it TOML? All others are JSON."""
        return self.path.endswith(".toml")

    @property
    def to_paste(self) -> str:
        """The entries as lines for a person."""
        return (as_toml if self.is_toml else as_json)(self.entries)


class Change(NamedTuple):
    """A file as it is (None: not there) and as it should be; `place` is where it really stands.

    `is_short`: it takes only the fewer entries. `file` is what the record keeps of it.
    """

    path: str
    place: str
    mode: int
    before: str | None
    after: str
    is_short: bool
    file: File

    @property
    def is_due(self) -> bool:
        """Is there anything to write?"""
        return self.after != (self.before or "")

    def diff(self, name: str) -> tuple[str, ...]:
        """The lines of its diff; none when nothing is to be written."""
        return tuple(unified(name, self.before, self.after)) if self.is_due else ()


def plan_change(target: Target, known: File | None) -> Change | Fault:
    """What is to be written; `known` is what the record has of this file."""
    place = os.path.realpath(target.path)
    limit = os.path.realpath(target.limit)
    if not Path(place).is_relative_to(limit):
        return Fault(0, say("it leads out of {folder}: {place}", folder=limit, place=place))
    before = _read(place)
    if isinstance(before, Fault):
        return before
    made, is_short = _edited(target, before or ""), False
    if isinstance(made, Fault) and target.without:
        fewer = _edited(target._replace(entries=target.without), before or "")
        made, is_short = (made, False) if isinstance(fewer, Fault) else (fewer, True)
    if isinstance(made, Fault):
        return made
    file = _remembered(target.path, before, place, made, known)
    return Change(target.path, place, target.mode, before, made.text, is_short, file)


def _read(place: str) -> str | Fault | None:
    try:
        raw = read_plain(place)
    except FileNotFoundError:
        return None
    except OSError as failed:
        return Fault(0, say("it cannot be read ({why})", why=failed.strerror or ""))
    try:
        return raw.decode()
    except UnicodeDecodeError as failed:
        return Fault(raw.count(b"\n", 0, failed.start) + 1, say("it is not UTF-8"))


def _edited(target: Target, text: str) -> Edited | Fault:
    mark = _BOM if text.startswith(_BOM) else ""
    rest = text.removeprefix(_BOM)
    if target.lines:
        made: Edited | Fault = entered_as_lines(rest, target.lines)
    elif target.is_toml:
        made = entered_as_toml(rest, target.entries)
    else:
        made = entered(rest if rest.strip() else "{}\n", target.entries)
    return made if isinstance(made, Fault) else made._replace(text=mark + made.text)


def _remembered(
    path: str, before: str | None, place: str, made: Edited, known: File | None
) -> File:
    """What the record keeps: what was put in now, and earlier as far as it was not put in anew."""
    missing = []
    folder = Path(place).parent
    while not folder.exists():
        missing.append(str(folder))
        folder = folder.parent
    if known is None or before is None:
        is_blank = before is not None and not before.removeprefix(_BOM).strip()
        stood = before if is_blank else None
        return File(path, before is None, tuple(missing), made.written, stood)
    earlier = {(one.kind, one.where): one for one in known.written}
    new = [
        one._replace(blank=earlier[BLOCK, ()].blank)
        if one.kind == BLOCK and (BLOCK, ()) in earlier
        else one
        for one in made.written
    ]
    named = {(one.kind, one.where) for one in new}
    kept = [one for key, one in earlier.items() if key not in named]
    return File(path, known.is_new, known.folders, (*kept, *new), known.stood)


def write_change(change: Change) -> None:
    """Write the file, with the folders it needs.

    Raises:
        RefusedError: it has changed since it was read.
        GitError: it cannot be written.
    """
    path = Path(change.place)
    if _read(change.place) != change.before:
        raise RefusedError(
            say("{path} has changed just now; nothing was written to it", path=change.path),
            say("type the command again"),
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = path.stat().st_mode & 0o777 if path.exists() else change.mode
        write_whole(change.place, change.after.encode(), mode)
    except OSError as failed:
        raise GitError(
            say("{path} cannot be written: {why}", path=change.path, why=failed.strerror),
            say("mend that and type the command again; it goes on where it stopped"),
        ) from failed


def write_without(file: File) -> tuple[Undoing | None, Said | None]:
    """Take out what was put into a file: how (None: not at all), and what could not be taken out.

    A file that is ours as a whole goes, and so do the folders that were made for it.
    """
    path = Path(os.path.realpath(file.path))
    text = _read(str(path))
    if text is None:
        return None, None
    mark = _BOM if isinstance(text, str) and text.startswith(_BOM) else ""
    left = None if isinstance(text, Fault) else taken_out(text.removeprefix(_BOM), file.written)
    if left is None:
        line = say(
            "{path} cannot be read any more: take the entries of memtools out yourself",
            path=file.path,
        )
        return None, line
    if mark + left == text:
        return None, None
    is_ours = not left.strip("{} \t\r\n")
    if file.is_new and is_ours:
        path.unlink()
        _remove_empty(file.folders)
        return Undoing.REMOVED, None
    has_stood = is_ours and file.stood is not None
    rest = (file.stood or "") if has_stood else mark + left
    write_whole(str(path), rest.encode(), path.stat().st_mode & 0o777)
    return Undoing.PUT_BACK if has_stood else Undoing.EDITED, None


def _remove_empty(folders: Sequence[str]) -> None:
    for folder in map(Path, folders):
        if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
            folder.rmdir()
