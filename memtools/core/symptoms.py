"""Symptoms of a wrongly set write gate, worked out from what was proposed, approved and rejected.

Source: seed 2, "symptoms of a wrong choice". Pure: times are seconds since 1970. Must not know git,
nor which figure is too high.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from statistics import median

from memtools.core.deeds import Act
from memtools.core.vocabulary import Status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtools.core.deeds import Deed

DAY = 86400
RECENT = 90 * DAY  # how far back approvals tell something about today's settings
PAUSE = 15 * 60  # a longer one between two decisions of a person parts two sessions
UNREAD = 5  # seconds since the decision before, in which nobody reads a memory


class Way(StrEnum):
    """How a memory came in."""

    AUTO = "auto"  # at once, by the gate
    DELAYED = "delayed"  # by the calendar, since nobody objected
    REVIEWED = "reviewed"  # by a person


class Queue(NamedTuple):
    """Candidates that wait: how many, how long (whole days)."""

    waiting: int = 0
    oldest: int = 0
    median: int = 0


class Decisions(NamedTuple):
    """What persons decided of late: approvals, rejections, and how.

    `largest`: decisions in the largest session; `pace`: the median of seconds from one decision to
    the next in a session (None: no two in one); `unread`: approvals within UNREAD seconds.
    """

    approved: int = 0
    rejected: int = 0
    sessions: int = 0
    largest: int = 0
    pace: float | None = None
    unread: int = 0


class Fate(NamedTuple):
    """Of the memories that came in one way and are still there, how many are retracted now."""

    way: Way
    all: int
    retracted: int


class Symptoms(NamedTuple):
    """All figures. `verdicts`: what the gate said of what was proposed of late, by class.

    `days_to_approval`: the median for those a person approved of late.
    """

    queue: Queue = Queue()
    verdicts: tuple[tuple[str, int], ...] = ()
    decisions: Decisions = Decisions()
    days_to_approval: float | None = None
    fates: tuple[Fate, ...] = ()


def symptoms_of(
    deeds: Sequence[Deed],
    statuses: Mapping[str, str],
    since: Mapping[str, int],
    now: int,
    refused: Iterable[int] = (),
) -> Symptoms:
    """Work the figures out.

    `statuses`: path -> status of each memory of HEAD; `since`: path -> from when on a candidate of
    HEAD waits, where that is known; `refused`: when the gate rejected something, of which no commit
    tells.
    """
    late = [deed for deed in deeds if now - deed.at <= RECENT]
    decided = decided_by_persons(late)
    return Symptoms(
        queue_of(since, now),
        verdicts_of(late, sum(now - at <= RECENT for at in refused)),
        decisions_of(decided),
        days_to_approval(deeds, decided),
        tuple(fates_of(deeds, statuses)),
    )


def queue_of(since: Mapping[str, int], now: int) -> Queue:
    """How long candidates wait."""
    days = sorted(max(0, now - at) // DAY for at in since.values())
    return Queue(len(days), days[-1], int(median(days))) if days else Queue()


def verdicts_of(deeds: Iterable[Deed], refused: int = 0) -> tuple[tuple[str, int], ...]:
    """What the gate said, by class; `refused`: how often it rejected, which leaves no commit.

    What a person rejects later is a decision, and stays in its class here.
    """
    counts = {**dict.fromkeys(("auto", "delayed", "review"), 0), "reject": refused}
    for deed in deeds:
        if deed.act is Act.PROPOSED and deed.verdict in counts:
            counts[deed.verdict] += 1
    return tuple(counts.items())


def decisions_of(decided: Iterable[Deed]) -> Decisions:
    """How persons decided: in which sessions, and how fast.

    The author's time counts: a rebase gives all commits one committer's time.
    """
    every = list(decided)
    gaps: list[int] = []
    unread = sessions = largest = 0
    for session in _sessions(every):
        sessions += 1
        largest = max(largest, len(session))
        for before, deed in pairwise(session):
            if before.commit == deed.commit:  # a merge of several: it tells no time for each
                continue
            gap = deed.at - before.at
            gaps.append(gap)
            unread += deed.act is Act.APPROVED and gap < UNREAD
    approved = sum(deed.act is Act.APPROVED for deed in every)
    pace = median(gaps) if gaps else None
    return Decisions(approved, len(every) - approved, sessions, largest, pace, unread)


def days_to_approval(deeds: Iterable[Deed], decided: Iterable[Deed]) -> float | None:
    """The median of days from proposal to approval; None when nothing was approved.

    Who mended a candidate before they let it in approved other bytes: the path tells.
    """
    proposed: dict[str, list[int]] = {}
    for deed in deeds:
        if deed.act is Act.PROPOSED:
            proposed.setdefault(deed.path, []).append(deed.at)
    waits = [
        (deed.at - _last_before(proposed[deed.path], deed.at)) / DAY
        for deed in decided
        if deed.act is Act.APPROVED and deed.path in proposed
    ]
    return round(max(0.0, median(waits)), 1) if waits else None


def _last_before(times: Sequence[int], at: int) -> int:
    return max((time for time in times if time <= at), default=min(times))


def fates_of(deeds: Iterable[Deed], statuses: Mapping[str, str]) -> Iterator[Fate]:
    """What became of what came in, by way; a memory that was deleted is left out."""
    ways = ways_in(deeds, statuses)
    for way in Way:
        held = [statuses[path] for path, one in ways.items() if one is way]
        if held:
            yield Fate(way, len(held), held.count(Status.RETRACTED))


def ways_in(deeds: Iterable[Deed], statuses: Mapping[str, str]) -> dict[str, Way]:
    """Path -> how the memory there came in, of those that came through the gate.

    What was proposed, is approved by now and has no approval of its own was merged: a person did.
    """
    every = list(deeds)
    at_once = {(d.commit, d.path) for d in every if d.act is Act.PROPOSED}
    found = {deed.path: Way.REVIEWED for deed in every if deed.act is Act.PROPOSED}
    for deed in every:
        if deed.act is not Act.APPROVED:
            continue
        if deed.is_by_daily:
            found[deed.path] = Way.DELAYED
        elif (deed.commit, deed.path) in at_once:
            found[deed.path] = Way.AUTO
        else:
            found[deed.path] = Way.REVIEWED
    is_in = (Status.ACTIVE, Status.RETRACTED)
    return {path: way for path, way in found.items() if statuses.get(path) in is_in}


def decided_by_persons(deeds: Sequence[Deed]) -> list[Deed]:
    """Approvals and rejections that neither the calendar nor the gate itself made."""
    at_once = {deed.commit for deed in deeds if deed.act is Act.PROPOSED}
    return [
        deed
        for deed in deeds
        if deed.act is not Act.PROPOSED and not deed.is_by_daily and deed.commit not in at_once
    ]


def _sessions(decided: Iterable[Deed]) -> Iterator[list[Deed]]:
    """The decisions of one person without a long pause, in the order they were made."""
    session: list[Deed] = []
    for deed in sorted(decided, key=lambda one: (one.who, one.at)):
        if session and (deed.who != session[-1].who or deed.at - session[-1].at > PAUSE):
            yield session
            session = []
        session.append(deed)
    if session:
        yield session
