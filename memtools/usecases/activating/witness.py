"""Witnesses: files that tell, by a look at each, that nothing changed since.

A file's times decide, unless it was touched so shortly before the look that another edit could
leave the same times (git calls such a file racy): its bytes are compared then. Must not know what
the files hold.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    # how it is looked at, path, what the system says of it (None: nothing is there), hash of the
    # bytes when the times alone prove nothing
    Witness = tuple[str, str, tuple[int, ...] | None, bytes]

FILE = "file"  # itself, also when it is a link
THROUGH = "through"  # what a link leads to
FOLDER = "folder"  # is it one, and no link?
_COARSE = 2_000_000_000  # nanoseconds: no file system we know keeps times less exactly


def look(kind: str, paths: Iterable[str], began: int) -> list[Witness]:
    """Look at each path. `began`: nanoseconds of the clock before anything was read from them."""
    found = []
    for path in dict.fromkeys(paths):
        state = _state(kind, path)
        found.append((kind, path, state, _bytes_of(path) if _is_racy(state, began) else b""))
    return found


def holds(witnesses: Iterable[Witness]) -> bool:
    """Is everything as it was? What is no witness holds nothing: there may be thousands of them."""
    try:
        return all(
            _state(kind, path) == state and (not kept or _bytes_of(path) == kept)
            for kind, path, state, kept in witnesses
        )
    except (ValueError, TypeError):
        return False


def settled(witnesses: Iterable[Witness], began: int) -> list[Witness]:
    """Witnesses that held at a look after `began`: where their times alone prove it by now."""
    return [
        (kind, path, state, kept if _is_racy(state, began) else b"")
        for kind, path, state, kept in witnesses
    ]


def _state(kind: str, path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path) if kind == THROUGH else os.lstat(path)
    except (OSError, ValueError):
        return None
    if kind == FOLDER:
        return (stat.S_ISDIR(found.st_mode),)
    if not stat.S_ISREG(found.st_mode):  # a device's times change with its use
        return (found.st_mode, found.st_ino, found.st_dev)
    times = (found.st_mtime_ns, found.st_ctime_ns)
    return (found.st_mode, found.st_ino, found.st_dev, found.st_size, *times)


def _is_racy(state: tuple[int, ...] | None, began: int) -> bool:
    return state is not None and len(state) > 3 and max(state[-2:]) >= began - _COARSE


def _bytes_of(path: str) -> bytes:
    """A hash of the file's bytes; of its own kind for one that cannot be read."""
    from memtools.usecases.activating.hashing import hashed

    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b"unreadable"
    with open(descriptor, "rb") as file:
        return hashed(file.read())
