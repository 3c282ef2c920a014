"""Tree objects: what stands at a path, and the id a tree gets by some changes; nothing is written.

`git ls-files` and `git write-tree` say the same and read the whole of git's index for it, which in
a large repository takes longer than all else a hook asks of git.
"""

from __future__ import annotations

import os
import re
from bisect import insort

from memtools.git.objects import object_id, read_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtools.git.run import Git

    # A folder with changes: name -> what is there then (mode, id), None when it is gone, or a
    # folder with changes.
    Folder = dict[bytes, "Leaf | Folder"]
    Leaf = tuple[str, str] | None

    # (mode, name, id) in git's order
    Entries = list[tuple[bytes, bytes, bytes]]

_TREE = b"40000"


def entry_at(git: Git, tree: str, path: str) -> tuple[str, str] | None:
    """Mode and id of what stands at a path of a tree; None when nothing does.

    Raises:
        LookupError: the repository lacks a tree on the way.
    """
    found: tuple[bytes, bytes, bytes] | None = (_TREE, b"", bytes.fromhex(tree))
    for name in os.fsencode(path).split(b"/"):
        if found is None or found[0] != _TREE:
            return None
        below = _entries(git, found[2].hex())
        found = next((entry for entry in below if entry[1] == name), None)
    return (found[0].decode().rjust(6, "0"), found[2].hex()) if found else None


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
    before = _entries(git, tree) if tree else []
    entries = [entry for entry in before if entry[1] not in folder]
    held = {entry[1]: entry for entry in before if entry[1] in folder}
    for name, change in folder.items():
        if isinstance(change, dict):
            mode, _, known = held.get(name, (_TREE, name, b""))
            if mode != _TREE:
                raise LookupError(name)
            below = _changed(git, known.hex(), change, length)
            change = ("40000", below) if below else None
        if change is not None:
            new = (change[0].encode(), name, bytes.fromhex(change[1]))
            insort(entries, new, key=_place)
    if not entries:
        return ""
    return object_id(b"tree", b"".join(b"%s %s\0%s" % entry for entry in entries), length)


def _place(entry: tuple[bytes, bytes, bytes]) -> bytes:
    """Git sorts a folder as if its name ended with a slash."""
    mode, name, _ = entry
    return name + b"/" if mode == _TREE else name


def _entries(git: Git, tree: str) -> Entries:
    """What stands in one tree; remembered.

    Raises:
        LookupError: the repository lacks it.
    """
    key = ("tree", tree)
    if key not in git.known:
        data = next(read_objects(git, [tree]))
        if data is None:
            raise LookupError(tree)
        one = rb"([0-7]+) ([^\0]+)\0(.{%d})" % (len(tree) // 2)
        git.known[key] = re.findall(one, data, re.DOTALL)
    found: Entries = git.known[key]
    return found
