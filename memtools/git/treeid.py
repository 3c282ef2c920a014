"""The id a tree gets by some changes, worked out without writing the tree or git's index.

`git write-tree` says the same; for a large index it takes longer than all else a hook asks of git.
"""

from __future__ import annotations

import os

from memtools.git.objects import object_id, read_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtools.git.run import Git

    # A folder with changes: name -> what is there then (mode, id), None when it is gone, or a
    # folder with changes.
    Folder = dict[bytes, "Leaf | Folder"]
    Leaf = tuple[str, str] | None

_TREE = b"40000"


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
    entries = _entries(git, tree, length // 2) if tree else {}
    for name, change in folder.items():
        if isinstance(change, dict):
            mode, known = entries.get(name, (_TREE, b""))
            if mode != _TREE:
                raise LookupError(name)
            below = _changed(git, known.hex(), change, length)
            change = ("40000", below) if below else None
        if change is None:
            entries.pop(name, None)
        else:
            entries[name] = (change[0].encode(), bytes.fromhex(change[1]))
    if not entries:
        return ""
    ordered = sorted(entries.items(), key=_place)
    data = b"".join(b"%s %s\0%s" % (mode, name, held) for name, (mode, held) in ordered)
    return object_id(b"tree", data, length)


def _place(entry: tuple[bytes, tuple[bytes, bytes]]) -> bytes:
    """Git sorts a folder as if its name ended with a slash."""
    name, (mode, _) = entry
    return name + b"/" if mode == _TREE else name


def _entries(git: Git, tree: str, size: int) -> dict[bytes, tuple[bytes, bytes]]:
    """Name -> (mode, id of `size` bytes) of a tree.

    Raises:
        LookupError: the repository lacks it.
    """
    data = next(read_objects(git, [tree]))
    if data is None:
        raise LookupError(tree)
    entries = {}
    position = 0
    while position < len(data):
        blank = data.index(b" ", position)
        end = data.index(b"\0", blank)
        entries[data[blank + 1 : end]] = (data[position:blank], data[end + 1 : end + 1 + size])
        position = end + 1 + size
    return entries
