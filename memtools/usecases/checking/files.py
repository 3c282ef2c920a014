"""Which files of a tree are memories, or may hold a block of them, and which differ in another.

Must not read any of them.
"""

from __future__ import annotations

from memtools.core.selection import is_place
from memtools.git.objects import REGULAR, SYMLINK, TreeEntry, list_tree
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtools.git.objects import Change
    from memtools.git.run import Git
    from memtools.git.staging import Entry
    from memtools.usecases.tree import Settings


class Files(NamedTuple):
    """What a tree holds: its memories (path -> blob), and the links that stand where one could.

    `places`: files that may hold a block of memories, path -> blob.
    """

    memories: dict[str, str]
    symlinks: tuple[str, ...]
    places: dict[str, str]


def files_of(entries: Iterable[TreeEntry | Entry], settings: Settings) -> Files:
    """The memories, symlinks and places among the entries of a tree or of staging."""
    holds = settings.config.selection.holds
    memories, symlinks, places = {}, [], {}
    for entry in entries:
        if entry.mode in REGULAR and holds(entry.path):
            memories[entry.path] = entry.blob
        elif entry.mode == SYMLINK and holds(entry.path):
            symlinks.append(entry.path)
        elif entry.mode in REGULAR and is_place(entry.path):
            places[entry.path] = entry.blob
    return Files(memories, tuple(sorted(symlinks)), places)


def files_at(git: Git, tree: str, settings: Settings) -> Files:
    """The memories, symlinks and places of a tree."""
    return files_of(list_tree(git, tree), settings)


def files_before(files: Files, changes: Sequence[Change], settings: Settings) -> Files:
    """What a tree held before the changes that led to `files`."""
    olds = [TreeEntry(one.path, one.old_mode, one.old) for one in changes]
    return _files_with(files, olds, settings)


def files_after(files: Files, changes: Sequence[Change], settings: Settings) -> Files:
    """What a tree that held `files` holds after these changes."""
    news = [TreeEntry(one.path, one.new_mode, one.new) for one in changes]
    return _files_with(files, news, settings)


def _files_with(files: Files, entries: Sequence[TreeEntry], settings: Settings) -> Files:
    """`files` with these entries (of mode ABSENT: without them)."""
    gone = {entry.path for entry in entries}
    new = files_of(entries, settings)
    links = [path for path in files.symlinks if path not in gone]
    return Files(
        {path: blob for path, blob in files.memories.items() if path not in gone} | new.memories,
        tuple(sorted([*links, *new.symlinks])),
        {path: blob for path, blob in files.places.items() if path not in gone} | new.places,
    )


def changed_files(old: Files, new: Files) -> list[tuple[str, str | None]]:
    """The memories that differ, as (path, blob in `new` or None)."""
    differing = {path for path, _ in old.memories.items() ^ new.memories.items()}
    return [(path, new.memories.get(path)) for path in sorted(differing)]
