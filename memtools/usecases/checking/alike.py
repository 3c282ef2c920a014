"""What new memories read like: living ones, and retracted ones that come in again.

A hint for who approves; nothing is refused by it. Must not know the write gate.
"""

from __future__ import annotations

from collections import Counter

from memtools.core.likeness import (
    COPY,
    PARAPHRASE,
    comparable,
    likeness,
    rewords,
    runs_of,
    says_again,
    says_the_same,
)
from memtools.core.vocabulary import Status
from memtools.usecases.checking.lost import lost_tombstones
from memtools.usecases.checking.tree import changed_files
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtools.core.memory import Memory
    from memtools.usecases.checking.change import Step
    from memtools.usecases.tree import Reader

_SAMPLED = 64  # runs of letters of a memory that are looked for in all others
_LEAST_FOUND = 4  # of them, for two memories to be compared at all
_MOST_HOLDERS = 50  # memories kept for one run: copies of one text are compared with these
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


def find_alike(step: Step, reader: Reader) -> tuple[Alike, ...]:
    """The look-alikes of the memories a change adds, the most alike first; one pass over all.

    Of those it changes, only the tombstones whose text went from its place into theirs.
    """
    known = step.before.files.memories.keys() | set(step.renames.values())
    if not known:
        return ()
    lost = list(lost_tombstones(step, reader))
    found = _among_new(step, reader, known, lost)
    for one in _taken_in(step, reader, lost):
        found.setdefault(one.path, []).append(one)
    return tuple(one for path in sorted(found) for one in _best(found[path]))


def _among_new(
    step: Step, reader: Reader, known: set[str], lost: list[tuple[str, str]]
) -> dict[str, list[Alike]]:
    held = step.after.files.memories
    fresh = [pair for pair in held.items() if pair[0] not in known and step.is_alive(pair[0])]
    if not fresh:
        return {}
    words = {one.facts.path: comparable(one.body) for one in reader(fresh)}
    holders = holders_of(words)
    hidden = step.after.plan.hidden
    found: dict[str, list[Alike]] = {}
    for studied in reader([*held.items(), *lost]):
        memory = studied.memory
        theirs = comparable(studied.body)
        is_retracted = memory.path in hidden or memory.status is Status.RETRACTED
        others = near(theirs, holders)
        if is_retracted:
            others += [p for p, mine in words.items() if p not in others and rewords(mine, theirs)]
        for path in others:
            is_once = memory.path not in words or path < memory.path
            if is_once and path != memory.path:
                one = _compared(path, words[path], memory, theirs, is_retracted)
                found.setdefault(path, []).extend(one)
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


def near(text: str, holders: Mapping[str, list[str]]) -> list[str]:
    """The paths among `holders_of` that are worth comparing with a comparable text."""
    counts = Counter(path for run in runs_of(text) for path in holders.get(run, ()))
    return [path for path, count in counts.items() if count >= _LEAST_FOUND]


def holders_of(words: Mapping[str, str]) -> dict[str, list[str]]:
    """Run of letters -> the paths it stands for: of each comparable text its rarest runs."""
    counted = Counter(run for text in words.values() for run in runs_of(text))
    found: dict[str, list[str]] = {}
    for path, text in words.items():
        rarest = sorted(runs_of(text), key=lambda run: (counted[run], run))[:_SAMPLED]
        for run in rarest:
            paths = found.setdefault(run, [])
            if len(paths) < _MOST_HOLDERS:
                paths.append(path)
    return found


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
