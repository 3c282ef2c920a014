"""Candidates that wait: in which order a person looks at them, and which may do without one.

Pure: dates are given. Must not know where candidates are kept, nor what the gate says of them now.
"""

from __future__ import annotations

import datetime

from memtools.core.gate_policy import POLICY
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_RANKS = {row.rule: number for number, row in enumerate(POLICY)}


class Waiting(NamedTuple):
    """A candidate as it stands.

    `rule` is what the gate says of it now; `approve_after` the day from which it may be approved
    without a person ("": never); `objection` what somebody wrote against that.
    """

    path: str
    blob: str
    title: str
    source: str
    confidence: float | None
    failure_cost: str
    rule: str
    proposed_at: str = ""
    approve_after: str = ""
    objection: str = ""


def worst_first(candidates: Iterable[Waiting]) -> list[Waiting]:
    """What the gate is strictest about comes first, then what is costly, unsure, old."""
    return sorted(candidates, key=_badness)


def _badness(one: Waiting) -> tuple[int, bool, float, str, str]:
    sure = 1.0 if one.confidence is None else one.confidence
    rank = _RANKS.get(one.rule, -1)  # what cannot be judged at all
    return rank, one.failure_cost != "high", sure, one.proposed_at, one.path


def due(candidates: Iterable[Waiting], now: str) -> list[Waiting]:
    """Those whose day has come by `now` (ISO), objections or not; never outside text."""
    return [one for one in candidates if _is_due(one, now)]


def _is_due(one: Waiting, now: str) -> bool:
    """Has its day begun, where `now` is told and where it was proposed?"""
    if one.source not in ("stated", "extracted"):
        return False
    try:
        moment = datetime.datetime.fromisoformat(now)
        last = min(moment.date(), _as_told_in(one.proposed_at, moment).date())
        return datetime.date.fromisoformat(one.approve_after) <= last
    except (ValueError, OverflowError):
        return False


def _as_told_in(place: str, moment: datetime.datetime) -> datetime.datetime:
    """A moment by the offset of an ISO date-time; as it is when either has none."""
    try:
        zone = datetime.datetime.fromisoformat(place).tzinfo
    except ValueError:
        return moment
    return moment.astimezone(zone) if zone and moment.tzinfo else moment


def days_between(then: str, now: str) -> int:
    """Whole days from one ISO date or date-time to another; 0 when either is none."""
    try:
        before, after = (datetime.date.fromisoformat(day[:10]) for day in (then, now))
    except ValueError:
        return 0
    return max((after - before).days, 0)
