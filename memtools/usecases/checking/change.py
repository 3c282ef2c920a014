"""A change: from which tree to which one, and what it is looked at with.

Must not know how the trees were named, nor what is found.
"""

from __future__ import annotations

from memtools.core.vocabulary import Status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.usecases.checking.resemblance import Resemblance
    from memtools.usecases.checking.screens import Screens
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.tree import Reader


class Step(NamedTuple):
    """From one tree to another.

    `renames` old path -> new, `since` and `until` the commits that lead there ("": none do yet).
    `tip`: where the other side of a range ends, `crossed`: other commits at which the two part.
    `merging`: the commits that are merged into HEAD by the one that is being made.
    """

    before: Tree
    after: Tree
    renames: dict[str, str]
    since: str = ""
    until: str = ""
    tip: str = ""
    crossed: tuple[str, ...] = ()
    merging: tuple[str, ...] = ()

    @property
    def came_from(self) -> dict[str, str]:
        """Where a memory stood in the old tree, of those that were moved: new path -> old."""
        return {new: old for old, new in self.renames.items()}

    def place_of(self, path: str) -> str:
        """Where a memory of the old tree stands in the new one, "" when it is gone."""
        held = self.after.files.memories
        here = path if path in held else self.renames.get(path, "")
        return here if here in held else ""

    def is_alive(self, path: str) -> bool:
        """Does it stand in the new tree, and not as a tombstone?"""
        seen = self.after.seen.get(self.place_of(path))
        return seen is not None and seen.status != Status.RETRACTED


class Means(NamedTuple):
    """What a check looks at a change with."""

    git: Git
    reader: Reader
    screens: Screens
    resemblance: Resemblance
