"""The fields of a tombstone, and of the restoration that may follow it (rules 11 and 12).

Must not know where the memory is kept, nor who writes these fields.
"""

from __future__ import annotations

from memtools.core.edit import Change, Remove, Set, SetRaw, raw_value
from memtools.core.header import split
from memtools.core.memory import read_memory
from memtools.core.vocabulary import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory

# What a restoration takes out again, beside the status.
MARKS = ("retracted_at", "retracted_by", "retracted_reason")
FIELDS = ("status", *MARKS, "restored_at", "restored_reason")


def tombstone_fields(at: str, by: str, reason: str) -> tuple[Set, ...]:
    """The fields that make a memory a tombstone; what is "" is not written."""
    values = (str(Status.RETRACTED), at, by, reason)
    return tuple(
        Set(key, value) for key, value in zip(("status", *MARKS), values, strict=True) if value
    )


def fields_of(memory: Memory) -> tuple[Set, ...]:
    """The fields that would make a memory the tombstone this one is."""
    return tombstone_fields(memory.retracted_at, memory.retracted_by, memory.retracted_reason)


def field_changes(path: str, old: bytes, new: bytes) -> list[Change]:
    """What `new` changes in these fields of a whole file; none when it is neither of the two."""
    memory = read_memory(path, new)
    if memory.status == Status.RETRACTED:
        return [*fields_of(memory)]
    if split(old).body != split(new).body:
        return []
    changes: list[Change] = []
    for key in FIELDS:
        before, after = raw_value(old, key), raw_value(new, key)
        if after is None and before is not None:
            changes.append(Remove(key))
        elif after is not None and after != before:
            changes.append(SetRaw(key, after))
    return changes


def is_restored(memory: Memory, tombstone: Memory) -> bool:
    """Does it say why it is back, other than what an earlier restoration left in the tombstone?"""
    said = (memory.restored_at, memory.restored_reason)
    before = (tombstone.restored_at, tombstone.restored_reason)
    return bool(memory.restored_reason) and said != before
