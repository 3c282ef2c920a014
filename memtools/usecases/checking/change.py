"""What a change brings that no single tree shows: what the screens find in its new lines.

Judges a tree against the one it starts from. Must not know how either was named.
"""

from __future__ import annotations

from memtools.core.memory import numbered_lines
from memtools.core.problem import Problem
from memtools.core.screen_secrets import with_way_out
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.usecases.checking.tree import changed_files
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.core.memory import Memory
    from memtools.core.wording import Said
    from memtools.usecases.checking.screens import Means
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

    def place_of(self, path: str) -> str:
        """Where a memory of the old tree stands in the new one, "" when it is gone."""
        held = self.after.files.memories
        here = path if path in held else self.renames.get(path, "")
        return here if here in held else ""

    def is_alive(self, path: str) -> bool:
        """Does it stand in the new tree, and not as a tombstone?"""
        seen = self.after.seen.get(self.place_of(path))
        return seen is not None and seen.status != Status.RETRACTED


def new_findings(step: Step, means: Means) -> Iterator[Problem]:
    """What the screens find in lines the old tree did not have."""
    reader, screens = means.reader, means.screens
    changed = changed_files(step.before.files, step.after.files)
    present = [(path, blob) for path, blob in changed if blob is not None]
    clean = screens.clean
    for studied in reader([pair for pair in present if pair not in clean]):
        memory = studied.memory
        if found := screens(studied).problems:
            found = tuple(with_way_out(found, _way_out())) if step.until else found
            yield from in_new_lines(memory, found, old_versions(step, reader, memory.path))


def _way_out() -> Said:
    return say(
        "take it out of the commit that brings it (git commit --amend, git rebase -i), and renew "
        "it when it was pushed; when it is none, who merges decides"
    )


def in_new_lines(
    memory: Memory, found: Sequence[Problem], versions: Sequence[Memory]
) -> Iterator[Problem]:
    """Those of the findings in a memory whose line none of these older versions has."""
    texts = dict(numbered_lines(memory))
    known = {text for version in versions for _, text in numbered_lines(version)}
    yield from (one for one in found if texts.get(one.line) not in known)


def old_versions(step: Step, reader: Reader, path: str) -> list[Memory]:
    """The memory as the old tree has it, if it does; `path`: where it stands now."""
    came_from = {new: old for old, new in step.renames.items()}.get(path, path)
    blob = step.before.files.memories.get(came_from)
    return [reader.one(came_from, blob).memory] if blob else []
