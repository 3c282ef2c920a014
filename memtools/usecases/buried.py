"""What the sides of a merge did to tombstones since they parted.

Serves the commit hooks and `check`. Must not know what is said about it.
"""

from __future__ import annotations

from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, blobs_at, diff_trees
from memtools.git.refs import merge_bases
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from memtools.git.run import Git
    from memtools.usecases.tree import Reader


class Merging(NamedTuple):
    """A merge that is being committed, of HEAD and `parents`; `holds`: is this path a memory's?"""

    git: Git
    reader: Reader
    holds: Callable[[str], bool]
    parents: tuple[str, ...]


def is_undone(merging: Merging, path: str) -> bool:
    """Did another side of the merge make a living memory of the tombstone HEAD has at a path?

    A side that never had the tombstone undid nothing.
    """
    return any(
        _status(merging, parent, path) not in (None, Status.RETRACTED)
        and any(
            _status(merging, base, path) is Status.RETRACTED
            for base in merge_bases(merging.git, "HEAD", parent)
        )
        for parent in merging.parents
    )


def made_elsewhere(merging: Merging, staged: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Tombstones another side made since it left HEAD's and that `staged` (path -> blob) changes.

    As (path, blob of the tombstone, commit that holds it).
    """
    git, reader, holds, parents = merging
    for parent in parents:
        for base in merge_bases(git, "HEAD", parent)[:1]:
            for change in diff_trees(git, base, parent):
                path, new = change.path, change.new
                is_other = staged.get(path, new) != new and change.new_mode in REGULAR
                if not (is_other and holds(path)):
                    continue
                was = reader.one(path, change.old).memory if change.old_mode in REGULAR else None
                is_new = was is None or was.status is not Status.RETRACTED
                if is_new and reader.one(path, new).memory.status is Status.RETRACTED:
                    yield path, new, parent


def _status(merging: Merging, commit: str, path: str) -> Status | None:
    for entry in blobs_at(merging.git, commit, [path]).values():
        if entry.mode in REGULAR:
            return merging.reader.one(path, entry.blob).memory.status
    return None
