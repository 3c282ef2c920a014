"""What new memories read like: living ones, and retracted ones that come in again.

A hint for who approves; nothing is refused by it. Must not know the write gate.
"""

from __future__ import annotations

from memtools.core.likeness import (
    COPY,
    PARAPHRASE,
    comparable,
    likeness,
    rewords,
    says_again,
    says_the_same,
)
from memtools.core.vocabulary import Status
from memtools.usecases.checking.lost import lost_tombstones
from memtools.usecases.checking.tree import changed_files
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.memory import Memory
    from memtools.usecases.checking.change import Step
    from memtools.usecases.checking.screens import Means
    from memtools.usecases.tree import Reader

_SHOWN = 5  # for one new memory


class Alike(NamedTuple):
    """A new memory and one it reads like; `score` from 0 to 1, `status` that of the other.

    `is_copy`: it says the same in the same words. `by`, `at`, `why`: who retracted the other.
    """

    path: str
    other: str
    score: float
    status: str
    is_copy: bool
    by: str = ""
    at: str = ""
    why: str = ""

    @property
    def is_repeat(self) -> bool:
        """Does it bring back what was retracted?"""
        return self.status == Status.RETRACTED


def find_alike(step: Step, means: Means) -> tuple[Alike, ...]:
    """The look-alikes of the memories a change adds, the most alike first.

    Of those it changes, only the tombstones whose text went from its place into theirs.
    """
    known = step.before.files.memories.keys() | set(step.renames.values())
    if not known:
        return ()
    lost = list(lost_tombstones(step, means.reader))
    found = _among_new(step, means, known, lost)
    for one in _taken_in(step, means.reader, lost):
        found.setdefault(one.path, []).append(one)
    return tuple(one for path in sorted(found) for one in _best(found[path]))


def _among_new(
    step: Step, means: Means, known: set[str], lost: list[tuple[str, str]]
) -> dict[str, list[Alike]]:
    held, statuses = step.after.files.memories, step.after.statuses
    fresh = [pair for pair in held.items() if pair[0] not in known and step.is_alive(pair[0])]
    if not fresh:
        return {}
    others = [*held.items(), *lost]
    retracted = {at for at, path in enumerate(held) if statuses[path] == Status.RETRACTED}
    retracted.update(range(len(held), len(others)))
    words = {one.facts.path: comparable(one.body) for one in means.reader(fresh)}
    partners = _partners(means, fresh, words, others, retracted)
    found: dict[str, list[Alike]] = {}
    read = means.reader([others[at] for at in partners])
    for (at, mine), studied in zip(partners.items(), read, strict=True):
        other, theirs = studied.facts.path, comparable(studied.body)
        if at in retracted:
            mine |= {path for path in words if rewords(words[path], theirs)}
        for path in mine:
            if path != other and (other not in words or path < other):  # each two of them once
                one = _compared(path, words[path], studied.memory, theirs, at in retracted)
                found.setdefault(path, []).extend(one)
    return found


def _partners(
    means: Means,
    fresh: list[tuple[str, str]],
    words: dict[str, str],
    others: list[tuple[str, str]],
    retracted: set[int],
) -> dict[int, set[str]]:
    """Place in `others` -> the new memories that may read like it; all `retracted` are in it."""
    near = means.nearness(
        {blob: words[path] for path, blob in fresh},
        {blob: path for path, blob in others},
        {others[at][1] for at in retracted},
    )
    places: dict[str, list[int]] = {}
    for at, (_, blob) in enumerate(others):
        places.setdefault(blob, []).append(at)
    found: dict[int, set[str]] = {at: set() for at in retracted}
    for path, blob in fresh:
        for at in (at for other in near[blob] for at in places[other]):
            found.setdefault(at, set()).add(path)
    return found


def _taken_in(step: Step, reader: Reader, lost: list[tuple[str, str]]) -> Iterator[Alike]:
    """What a memory that was there before says since this change, and a tombstone said."""
    if not lost:
        return
    old_path = {new: old for old, new in step.renames.items()}
    before = step.before.files.memories
    for path, blob in changed_files(step.before.files, step.after.files):
        came_from = old_path.get(path, path)
        if blob is None or came_from not in before or not step.is_alive(path):
            continue
        mine = comparable(reader.one(path, blob).body)
        past = comparable(reader.one(came_from, before[came_from]).body)
        for studied in reader([pair for pair in lost if pair[0] != came_from]):
            theirs = comparable(studied.body)
            if says_again(mine, theirs) and not says_again(past, theirs):
                yield from _compared(path, mine, studied.memory, theirs, is_retracted=True)


def _compared(
    path: str, mine: str, memory: Memory, theirs: str, is_retracted: bool
) -> Iterator[Alike]:
    score = says_again(mine, theirs) if is_retracted else likeness(mine, theirs, PARAPHRASE)
    if score:
        status = Status.RETRACTED if is_retracted else memory.status
        is_copy = score >= COPY and says_the_same(mine, theirs)
        tomb = (memory.retracted_by, memory.retracted_at, memory.retracted_reason)
        yield Alike(path, memory.path, score / 100, str(status), is_copy, *tomb)


def _best(found: list[Alike]) -> list[Alike]:
    """What comes back from retraction first, then the most alike."""
    return sorted(found, key=lambda one: (not one.is_repeat, -one.score, one.other))[:_SHOWN]
