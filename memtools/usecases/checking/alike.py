"""What new memories read like: living ones, and retracted ones that come in again.

A hint for who approves; nothing is refused by it. Must not know the write gate.
"""

from __future__ import annotations

from memtools.core.likeness import comparable, says_again
from memtools.core.sampling import near_ones
from memtools.core.vocabulary import Status
from memtools.usecases.checking.files import changed_files
from memtools.usecases.checking.lost import lost_tombstones
from memtools.usecases.checking.resemblance import score_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.memory import Memory
    from memtools.usecases.checking.change import Means, Step
    from memtools.usecases.checking.resemblance import Score
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
    living = [pair for pair in held.items() if statuses[pair[0]] != Status.RETRACTED]
    retracted = [pair for pair in held.items() if statuses[pair[0]] == Status.RETRACTED] + lost
    resemblance, new = means.resemblance, dict(fresh)
    found: dict[str, list[Alike]] = {}
    for is_retracted, pairs, scores in (
        (False, living, resemblance.with_living(fresh, living)),
        (True, retracted, resemblance.with_retracted(fresh, retracted)),
    ):
        places: dict[str, list[str]] = {}
        for path, blob in pairs:
            places.setdefault(blob, []).append(path)
        for path, blob in fresh:
            for other_blob, score in scores[blob].items():
                for other in places[other_blob]:
                    if path != other and (other not in new or path < other):  # two new ones once
                        one = _alike(path, other, score, statuses.get(other, ""))
                        if is_retracted:
                            one = _of_tombstone(one, means.reader.one(other, other_blob).memory)
                        found.setdefault(path, []).append(one)
    return found


def _taken_in(step: Step, reader: Reader, lost: list[tuple[str, str]]) -> Iterator[Alike]:
    """What a memory that was there before says since this change, and a tombstone said."""
    if not lost:
        return
    moved, before = step.came_from, step.before.files.memories
    changed = [
        (path, blob, moved.get(path, path))
        for path, blob in changed_files(step.before.files, step.after.files)
        if blob is not None and moved.get(path, path) in before and step.is_alive(path)
    ]
    texts = [comparable(studied.body) for studied in reader([pair[:2] for pair in changed])]
    gone = [comparable(studied.body) for studied in reader(lost)]
    for (path, _, old), mine, near in zip(changed, texts, near_ones(texts, gone), strict=True):
        for place in near:
            score = score_of(mine, gone[place], is_gone=True)
            other, blob = lost[place]
            if not score or other == old:
                continue
            if not says_again(comparable(reader.one(old, before[old]).body), gone[place]):
                one = _alike(path, other, score, str(Status.RETRACTED))
                yield _of_tombstone(one, reader.one(other, blob).memory)


def _alike(path: str, other: str, score: Score, status: str) -> Alike:
    percent, is_copy = score
    return Alike(path, other, percent / 100, status, is_copy)


def _of_tombstone(one: Alike, other: Memory) -> Alike:
    tomb = (other.retracted_by, other.retracted_at, other.retracted_reason)
    return Alike(*one[:3], str(Status.RETRACTED), one.is_copy, *tomb)


def _best(found: list[Alike]) -> list[Alike]:
    """What comes back from retraction first, word for word before the rest; then the most alike."""
    ranked = sorted(found, key=lambda o: (not o.is_repeat, not o.is_copy, -o.score, o.other))
    return ranked[:_SHOWN]
