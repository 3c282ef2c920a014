"""Tombstones whose text is no more where it stood, and the memories it may have gone into.

Must not know whether that is right.
"""

from __future__ import annotations

from memtools.core.likeness import comparable, is_copy, says_again
from memtools.core.vocabulary import Status
from memtools.usecases.checking.files import changed_files, files_at
from memtools.usecases.tree import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.facts import Studied
    from memtools.core.memory import Memory
    from memtools.usecases.checking.change import Means, Step
    from memtools.usecases.tree import Settings


def lost_tombstones(step: Step, reader: Reader) -> Iterator[tuple[str, str]]:
    """Those whose text stands no more at their path, nor where they were moved to, (path, blob)."""
    held = step.after.files.memories
    for path, blob in step.before.ledger.tombstones.items():
        here = step.place_of(path)
        if held.get(here) == blob:
            continue
        is_there = here != "" and is_copy(
            words_of(reader, here, held[here]), words_of(reader, path, blob)
        )
        if not is_there:
            yield path, blob


def makes_room(step: Step, reader: Reader, memory: Memory, old: Memory) -> bool:
    """Does another text stand where the tombstone stood, which is kept at another place?"""
    words = comparable(old.body)
    if not words or says_again(comparable(memory.body), words):
        return False
    known = step.before.ledger.tombstones.items()
    fresh = [pair for pair in step.after.ledger.tombstones.items() if pair not in known]
    return any(comparable(studied.body) == words for studied in reader(fresh))


def arrived(step: Step, means: Means, own: Settings | None) -> Iterator[Studied]:
    """The memories a change writes, and those that are some by its own settings alone."""
    changed = changed_files(step.before.files, step.after.files)
    yield from means.reader([(path, blob) for path, blob in changed if blob is not None])
    if own is not None and step.until:
        files = files_at(means.git, step.until, own)
        known = step.after.files.memories
        more = [pair for pair in files.memories.items() if pair[0] not in known]
        yield from Reader(means.git, own.config)(more)


def said_before(step: Step, reader: Reader, path: str, words: str) -> bool:
    """Did the living memory of the old tree at this path say the same already?"""
    blob = step.before.files.memories.get(path)
    if blob is None:
        return False
    studied = reader.one(path, blob)
    return studied.memory.status is Status.ACTIVE and is_copy(spoken(studied), words)


def words_of(reader: Reader, path: str, blob: str) -> str:
    """The comparable text of a memory."""
    return spoken(reader.one(path, blob))


def spoken(studied: Studied) -> str:
    """The comparable text of a memory; of one without any, its title."""
    return comparable(studied.body) or comparable(studied.memory.title)
