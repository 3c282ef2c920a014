"""Files of a folder a person named: read below it alone, through no link, none too large.

Must not know what they mean.
"""

from __future__ import annotations

import os

from memtools.core.memory import MAX_FILE
from memtools.core.selection import SUFFIX
from memtools.core.wording import say
from memtools.errors import UsageError
from memtools.git.worktree import read_plain_file
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.wording import Said


_NOTE, _OTHER, _LINK, _LARGE, _UNREADABLE = "note", "other", "link", "large", "unreadable"
_FAULTS = {
    _LINK: say("a symbolic link, which is not followed"),
    _LARGE: say("larger than {limit} bytes", limit=MAX_FILE),
    _UNREADABLE: say("a folder that cannot be read"),
}


class LeftOut(NamedTuple):
    """Something that was not looked into, and why; `is_fault`: a person would want to know."""

    place: str
    why: Said
    is_fault: bool = True


class Folder(NamedTuple):
    """A folder on disk: its notes (paths below it, sorted) and what is left out."""

    top: str
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    def read(self, note: str) -> bytes:
        """The bytes of a note; b"" when it is gone by now, or has become a link."""
        return read_plain_file(self.top, note) or b""


def open_folder(path: str) -> Folder:
    """List the Markdown files below a folder; folders and files with a dot in front do not count.

    Raises:
        UsageError: there is no such folder.
    """
    if not os.path.isdir(path):
        raise UsageError(
            say("{path} is no folder", path=path),
            say("name the folder the other system keeps its memories in"),
        )
    top = os.path.realpath(path)
    found: dict[str, list[str]] = {}
    for kind, name in _walk(top):
        found.setdefault(kind, []).append(name)
    left_out = [
        LeftOut(shown(name), why) for kind, why in _FAULTS.items() for name in found.get(kind, ())
    ]
    if _OTHER in found:
        why = say("{count} other files, such as attachments", count=len(found[_OTHER]))
        left_out.append(LeftOut("", why, is_fault=False))
    return Folder(top, tuple(sorted(found.get(_NOTE, ()))), tuple(sorted(left_out)))


def shown(name: str) -> str:
    """A path below the folder as text that can be written as UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _walk(top: str) -> Iterator[tuple[str, str]]:
    """Each file as (kind, path below `top`)."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(top, folder)))
        except OSError:
            yield _UNREADABLE, folder
            continue
        for entry in entries:
            name = os.path.join(folder, entry.name).replace(os.sep, "/")
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(name)
            else:
                yield _kind(entry), name


def _kind(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return _LINK
    if not entry.is_file(follow_symlinks=False) or entry.name[-3:].lower() != SUFFIX:
        return _OTHER
    return _LARGE if entry.stat(follow_symlinks=False).st_size > MAX_FILE else _NOTE
