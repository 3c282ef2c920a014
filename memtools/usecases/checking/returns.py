"""Memories that were retracted before a change and are not any more: in silence, or by a person.

However it went: a status edited, fields taken out, a marker dropped, a merge resolved that way, a
file deleted and added again. Must not know how the two trees were named.
"""

from __future__ import annotations

from memtools.core import aftermath
from memtools.core.likeness import comparable, is_copy, says_again
from memtools.core.sampling import near_ones
from memtools.core.tombstone import is_restored
from memtools.core.vocabulary import Status
from memtools.git.objects import blobs_at
from memtools.git.written import commits_of, written_by
from memtools.usecases.buried import Merging, is_undone, made_elsewhere
from memtools.usecases.checking.lost import (
    arrived,
    lost_tombstones,
    makes_room,
    said_before,
    spoken,
    words_of,
)
from memtools.usecases.checking.reverts import Reverted, is_reverted
from memtools.usecases.tree import Reader
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtools.core.memory import Memory
    from memtools.core.problem import Problem
    from memtools.usecases.checking.change import Means, Step
    from memtools.usecases.tree import Settings

SILENT = "RESURRECTION"
RESTORED = "restored"
REVERTED = "reverted"


class Return(NamedTuple):
    """One memory: where it stands now, where it stood retracted, how it came back (a word above).

    `why`: what the restoration says. `declared_in`, `declared_line`: the marker that retracted it,
    when it had no tombstone yet.
    """

    path: str
    was: str
    how: str
    why: str = ""
    declared_in: str = ""
    declared_line: int = 0

    @property
    def problem(self) -> Problem:
        """What is said of one that came back in silence."""
        if self.declared_in:
            return aftermath.dropped(self.path, self.declared_in, self.declared_line)
        return aftermath.resurrected(self.path, self.was)


def returns_of(
    step: Step, means: Means, buried: Iterable[tuple[str, str]], own: Settings | None = None
) -> tuple[Return, ...]:
    """All of them, by path.

    `buried`: tombstones that commits on the way made, as (path, blob). `own`: the settings a
    change brings along, which say what its words and files will be.
    """
    found = [*_of_tombstones(step, means, own), *_under_other_names(step, means, own)]
    if step.until:
        found += _of_open_markers(step, means)
        found += _of_the_way(step, means, buried)
    if step.merging:
        found += _of_other_sides(step, means)
    told: dict[str, Return] = {}
    for one in found:  # of two at a path the silent one, else the first
        if one.path not in told or (one.how == SILENT != told[one.path].how):
            told[one.path] = one
    return tuple(sorted(told.values()))


def _of_tombstones(step: Step, means: Means, own: Settings | None) -> Iterator[Return]:
    """Rule 12: tombstones that are gone, at their path or where git says it was moved to."""
    held = step.after.files.memories
    merging = _merging(step, means)
    readers = [means.reader] + ([Reader(means.git, own.config)] if own is not None else [])
    for path, blob in step.before.ledger.tombstones.items():
        here = step.place_of(path)
        if not here or held[here] == blob:
            continue
        for reader in readers:
            memory, old = reader.one(here, held[here]).memory, reader.one(path, blob).memory
            if old.status is Status.RETRACTED and memory.status is not Status.RETRACTED:
                is_meant = makes_room(step, reader, memory, old) or is_undone(merging, here)
                if not is_meant:
                    yield _told(step, means, Return(here, path, SILENT), (memory, old))
                break


def _of_the_way(step: Step, means: Means, buried: Iterable[tuple[str, str]]) -> Iterator[Return]:
    """Tombstones a commit of the range made and a later one, or a merge, took out again.

    Nobody was told of them yet: a memory that says something else by now is none of them.
    """
    reader = means.reader
    if not step.since:  # all of a history is new: what it once said nobody relied on here
        return
    for path, blob in sorted(buried):
        here = step.place_of(path)
        if not step.is_alive(path) or here in step.after.plan.hidden:
            continue
        if _is_alive_at_tip(step, means, (path, blob)):
            continue
        memory = reader.one(here, step.after.files.memories[here]).memory
        old = reader.one(path, blob).memory
        said, again = comparable(old.body), comparable(memory.body)
        if said == again or says_again(again, said):
            yield _told(step, means, Return(here, path, SILENT), (memory, old))


def _is_alive_at_tip(step: Step, means: Means, pair: tuple[str, str]) -> bool:
    """Was this tombstone made on the other side of the range, which has the memory alive itself?"""
    if not step.crossed:
        return False
    for entry in blobs_at(means.git, step.tip, [pair[0]]).values():
        if means.reader.one(pair[0], entry.blob).memory.status is not Status.RETRACTED:
            theirs = written_by(means.git, commits_of(means.git, *step.crossed, f"^{step.since}"))
            return any((one.path, one.blob) == pair for one in theirs)
    return False


def _of_other_sides(step: Step, means: Means) -> Iterator[Return]:
    """Tombstones that what is being merged made since it left HEAD, and that the merge lacks."""
    held = step.after.files.memories
    for path, blob, _ in made_elsewhere(_merging(step, means), held):
        if step.is_alive(path) and path not in step.after.plan.hidden:
            memory = means.reader.one(path, held[path]).memory
            old = means.reader.one(path, blob).memory
            yield _told(step, means, Return(path, path, SILENT), (memory, old))


def _merging(step: Step, means: Means) -> Merging:
    holds = step.after.settings.config.selection.holds
    return Merging(means.git, means.reader, holds, step.merging)


def _under_other_names(step: Step, means: Means, own: Settings | None) -> Iterator[Return]:
    """Tombstones whose text is gone while it came in, active, as another file or into one."""
    reader = means.reader
    lost = {path: words_of(reader, path, blob) for path, blob in lost_tombstones(step, reader)}
    if not lost:
        return
    said = {
        studied.memory.path: (studied.memory, spoken(studied))
        for studied in arrived(step, means, own)
        if studied.memory.status is Status.ACTIVE
    }
    paths, moved = list(lost), step.came_from
    near = near_ones([words for _, words in said.values()], list(lost.values()))
    for (here, (memory, mine)), places in zip(said.items(), near, strict=True):
        came_from = moved.get(here, here)
        for path in (paths[place] for place in places):
            if path == came_from or not is_copy(mine, lost[path]):
                continue
            if said_before(step, reader, came_from, lost[path]):
                continue
            old = reader.one(path, step.before.files.memories[path]).memory
            yield _told(step, means, Return(here, path, SILENT), (memory, old))
            break


def _of_open_markers(step: Step, means: Means) -> Iterator[Return]:
    """Memories an open marker of the old tree retracted, that speak again in the new one.

    Rule 15: such a marker retracts as a tombstone does, so it is no less lost in silence.
    """
    hidden = step.after.plan.hidden
    held = step.after.files.memories
    for target in step.before.plan.targets:
        here = step.place_of(target.path)
        if not here or here in hidden:
            continue
        memory = means.reader.one(here, held[here]).memory
        if memory.status is Status.ACTIVE:
            old = means.reader.one(target.path, step.before.files.memories[target.path]).memory
            place = (target.declared_in, target.declared_line)
            one = Return(here, target.path, SILENT, "", *place)
            yield _told(step, means, one, (memory, old))


def _told(step: Step, means: Means, one: Return, sides: tuple[Memory, Memory]) -> Return:
    """The same with how it came back, when somebody says so; `sides`: the memory now and before."""
    memory, old = sides
    if is_restored(memory, old):
        return one._replace(how=RESTORED, why=memory.restored_reason)
    if not step.until:
        return one
    paths = sorted({one.path, one.was, one.declared_in} - {""})
    was_buried = one.was in step.before.ledger.tombstones
    is_own = old.status is Status.RETRACTED and not was_buried
    back = Reverted(paths, old, is_own)
    return one._replace(how=REVERTED) if is_reverted(step, means, back) else one
