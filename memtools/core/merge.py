"""Merge two versions of a memory: front matter key by key, "retracted wins"; the body line by line.

Must not know how lines are merged: `merge_lines` is handed in. A header that cannot be read or
changed for sure is left to it as well, with the whole file.
"""

from __future__ import annotations

from memtools.core.edit import Change, Remove, SetRaw, change, raw_value
from memtools.core.header import Parts, read_header, split
from memtools.core.memory import Exposure, read_memory
from memtools.core.problem import Problem
from memtools.core.tombstone import FIELDS
from memtools.core.vocabulary import DEFAULT, Status, read_status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memtools.core.vocabulary import Vocabulary


class Merged(NamedTuple):
    """The merged bytes; with `conflicts` a person has to look at them."""

    data: bytes
    conflicts: bool


class _Side(NamedTuple):
    """One whole file whose header was read for sure; `values` are the bytes of each value."""

    data: bytes
    parts: Parts
    values: Mapping[str, bytes | None]
    is_retracted: bool
    rank: tuple[bool, str, str]

    @property
    def head(self) -> bytes:
        """Everything before the body."""
        return self.data[: len(self.data) - len(self.parts.body)]

    @property
    def tombstone(self) -> dict[str, bytes | None]:
        """The tombstone fields; None where the side has none.

        They come from one side as a set: half a tombstone of each would name the wrong retraction.
        """
        return {key: self.values.get(key) for key in FIELDS}


def merge(
    base: bytes,
    ours: bytes,
    theirs: bytes,
    merge_lines: Callable[[bytes, bytes, bytes], Merged],
    vocabulary: Vocabulary = DEFAULT,
) -> Merged:
    """Merge two whole files that come from `base` (empty when both are new).

    `merge_lines(base, ours, theirs)` is a line merge that writes conflict markers.
    """

    def lines(texts: Sequence[bytes]) -> Merged:
        old, mine, other = texts
        if mine == other or other == old:
            return Merged(mine, False)
        return Merged(other, False) if mine == old else merge_lines(old, mine, other)

    plain = (base, ours, theirs)
    sides = [_read(data, vocabulary) for data in plain]
    known = [side for side in sides if side]
    if len(known) < len(sides) or _has_lost_header(*known):
        return _unproved(lines(plain), plain, vocabulary)
    tombstone = _tombstone(*known)
    for wanted in (tombstone, {**_resolved(*known), **tombstone}):
        moved = [_with(side, wanted) for side in known]
        settled = [side for side in moved if side]
        if len(settled) < len(moved):
            return _unproved(lines(plain), plain, vocabulary)
        head = lines([side.head for side in settled])
        if not head.conflicts and _is_proved(head.data, *settled):
            body = lines([side.parts.body for side in settled])
            data = head.data + body.data
            if split(data).body == body.data:
                return Merged(data, body.conflicts)
            return _unproved(lines(plain), plain, vocabulary)
    return Merged(lines([side.data for side in settled]).data, True)


def _has_lost_header(base: _Side, *others: _Side) -> bool:
    """Did a side lose its header, or one of the delimiters? What stood in it is body there."""
    return base.parts.kind != "none" and any(side.parts.kind == "none" for side in others)


def _unproved(merged: Merged, plain: Sequence[bytes], vocabulary: Vocabulary) -> Merged:
    """A line merge of whole files; a new retraction it would lose is a conflict."""
    memories = [read_memory("", data, vocabulary) for data in (*plain, merged.data)]
    was, mine, other, now = (memory.status is Status.RETRACTED for memory in memories)
    is_lost = (mine or other) and not was and not now
    return Merged(
        merged.data, merged.conflicts or (is_lost and memories[3].exposure is not Exposure.NONE)
    )


def _read(data: bytes, vocabulary: Vocabulary = DEFAULT) -> _Side | None:
    """Read a side; None when its header cannot be read for sure."""
    parts = split(data)
    if parts.kind not in ("none", "yaml"):
        return None
    header = read_header(parts)
    if header.lane == "lines" or any(found.rule.startswith("header") for found in header.problems):
        return None
    values = {entry.key: raw_value(data, entry.key) for entry in header.entries}
    if None in values.values():
        return None
    status, by, at = (
        text if isinstance(text := header.fields.get(key), str) else ""
        for key in ("status", "retracted_by", "retracted_at")
    )
    is_retracted = read_status(status, vocabulary) is Status.RETRACTED
    return _Side(data, parts, values, is_retracted, (not by, by.strip("[]"), at))


def _tombstone(base: _Side, ours: _Side, theirs: _Side) -> dict[str, bytes | None]:
    """The tombstone fields of the result; empty when no retraction is at stake.

    A retraction beats every other change. Of two, the first by path of `retracted_by` stays, on
    whichever side it stands. The one that `base` already had is no change: undoing it goes through.
    """
    if not (base.is_retracted or ours.is_retracted or theirs.is_retracted):
        return {}
    changed = [side for side in (ours, theirs) if side.tombstone != base.tombstone]
    is_undone = base.is_retracted and not (ours.is_retracted and theirs.is_retracted)
    retracting = [
        side for side in changed if side.is_retracted and not (is_undone and _by(side) == _by(base))
    ]
    if retracting:
        return min(retracting, key=lambda side: (side.rank, side.head)).tombstone
    undoing = [side for side in changed if not side.is_retracted]
    return undoing[0].tombstone if len(undoing) == 1 else {}


def _by(side: _Side) -> str:
    """Which memory declared the retraction, as written."""
    return side.rank[1]


def _resolved(base: _Side, ours: _Side, theirs: _Side) -> dict[str, bytes | None]:
    """The value of each key that at most one side changed.

    The order, in which keys a side lacks are added to it, does not depend on which side is ours.
    """
    first, second = sorted((ours, theirs), key=lambda side: side.data)
    decided: dict[str, bytes | None] = {}
    for key in {**first.values, **second.values, **base.values}:
        old, mine, other = (side.values.get(key) for side in (base, ours, theirs))
        if mine == other or other == old:
            decided[key] = mine
        elif mine == old:
            decided[key] = other
    return decided


def _with(side: _Side, wanted: Mapping[str, bytes | None]) -> _Side | None:
    """The side with these values; None when that change cannot be proved."""
    changes: list[Change] = [
        Remove(key) if value is None else SetRaw(key, value)
        for key, value in wanted.items()
        if side.values.get(key) != value
    ]
    if not changes:
        return side
    edited = change("", side.data, changes)
    return None if isinstance(edited, Problem) else _read(edited.data)


def _is_proved(head: bytes, base: _Side, ours: _Side, theirs: _Side) -> bool:
    """Does the merged header hold what key by key must come out?

    A line merge can be clean and wrong: the same key added in two places, for example.
    """
    merged = _read(head)
    if not merged or merged.parts.body:
        return False
    decided = _resolved(base, ours, theirs)
    known = {**base.values, **ours.values, **theirs.values}
    return merged.values.keys() <= known.keys() and all(
        merged.values.get(key) == value for key, value in decided.items()
    )
