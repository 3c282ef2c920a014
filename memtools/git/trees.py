"""Tree objects: what stands at a path, and the id a tree gets by some changes; nothing is written.

`git ls-files` and `git write-tree` say the same and read the whole of git's index for it, which in
a large repository takes longer than all else a hook asks of git.
"""

from __future__ import annotations

import os

from memtools.git.objects import object_id, read_objects
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtools.git.run import Git

    # A folder with changes: name -> what is there then (mode, id), None when it is gone, or a
    # folder with changes.
    Folder = dict[bytes, "Leaf | Folder"]
    Leaf = tuple[str, str] | None


_TREE = b"40000"


class _Entry(NamedTuple):
    """One entry of a tree, and where it stands in the tree's bytes."""

    mode: bytes
    id: bytes
    start: int
    stop: int


def entry_at(git: Git, tree: str, path: str) -> tuple[str, str] | None:
    """Mode and id of what stands at a path of a tree, or of a commit's; None when nothing does.

    Raises:
        LookupError: the repository lacks a tree on the way.
    """
    size = len(tree) // 2
    first, *names = os.fsencode(path).split(b"/")
    found = _find(_read(git, tree + "^{tree}"), first, size)
    for name in names:
        if found is None or found.mode != _TREE:
            return None
        found = _find(_read(git, found.id.hex()), name, size)
    return (found.mode.decode().rjust(6, "0"), found.id.hex()) if found else None


def tree_with(git: Git, tree: str, changes: Mapping[str, tuple[str, str] | None]) -> str | None:
    """The id of `tree` after changes: path -> (mode, id), or None when it is gone.

    None when it cannot be told: an object is missing, or a file became a folder.
    """
    folder = _folders(changes.items())
    if folder is None:
        return None
    try:
        changed = _changed(git, tree, folder, len(tree))
    except LookupError:
        return None
    return changed or object_id(b"tree", b"", len(tree))


def _folders(changes: Iterable[tuple[str, Leaf]]) -> Folder | None:
    """Changes by folder; None when one path is a file here and a folder there."""
    top: Folder = {}
    for path, leaf in changes:
        *parents, name = os.fsencode(path).split(b"/")
        here = top
        for parent in parents:
            below = here.setdefault(parent, {})
            if not isinstance(below, dict):
                return None
            here = below
        if name in here:
            return None
        here[name] = leaf
    return top


def _changed(git: Git, tree: str, folder: Folder, length: int) -> str:
    """The id of one tree ("": none yet) after the changes in it; "" when nothing is left."""
    size = length // 2
    data = _read(git, tree) if tree else b""
    for name, change in folder.items():
        held = _find(data, name, size)
        if isinstance(change, dict):
            if held is not None and held.mode != _TREE:
                raise LookupError(name)
            below = _changed(git, held.id.hex() if held else "", change, length)
            change = ("40000", below) if below else None
        if held is not None:
            data = data[: held.start] + data[held.stop :]
        if change is not None:
            mode = change[0].encode()
            is_alike = held is not None and (held.mode == _TREE) == (mode == _TREE)
            at = held.start if held and is_alike else _place_for(data, mode, name, size)
            new = b"%s %s\0%s" % (mode, name, bytes.fromhex(change[1]))
            data = data[:at] + new + data[at:]
    return object_id(b"tree", data, length) if data else ""


def _find(data: bytes, name: bytes, size: int) -> _Entry | None:
    """The entry of this name in the bytes of a tree; ids take `size` bytes.

    One entry after the other: a name, or an id, may hold the bytes of another entry.
    """
    start = 0
    while start < len(data):
        blank = data.index(b" ", start)
        end = data.index(b"\0", blank)
        stop = end + 1 + size
        if data[blank + 1 : end] == name:
            return _Entry(data[start:blank], data[end + 1 : stop], start, stop)
        start = stop
    return None


def _place_for(data: bytes, mode: bytes, name: bytes, size: int) -> int:
    """Where a new entry goes: git sorts a folder as if its name ended with a slash."""
    key = name + b"/" if mode == _TREE else name
    start = 0
    while start < len(data):
        blank = data.index(b" ", start)
        end = data.index(b"\0", blank)
        other = data[blank + 1 : end]
        if (other + b"/" if data[start:blank] == _TREE else other) > key:
            break
        start = end + 1 + size
    return start


def _read(git: Git, tree: str) -> bytes:
    """The bytes of a tree; remembered.

    Raises:
        LookupError: the repository lacks it.
    """
    key = ("tree", tree)
    if key not in git.known:
        data = next(read_objects(git, [tree]))
        if data is None:
            raise LookupError(tree)
        git.known[key] = data
    found: bytes = git.known[key]
    return found
