"""The doctor's look at the write gate: does its setting fit what happens to candidates?

Source: seed 2, "symptoms of a wrong choice". Thresholds stand here and in docs/doctor.md.
"""

from __future__ import annotations

from memtools.core.symptoms import UNREAD, Way
from memtools.core.wording import say
from memtools.usecases.diagnosing.patient import Check, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient

_QUEUE = 50  # candidates that wait
_OLD = 30  # days the oldest of them waits
_REPEATS = 3  # candidates that say what another one says
_SOME = 10  # decisions or memories from which on a share tells anything
_IN_ONE_GO = 30  # decisions of one session
_SLOW = 14  # days, the median from proposal to approval
_LATER = 0.1  # share of memories nobody reviewed that were retracted later
_ALL_FINE = 50  # reviewed memories without a single rejection or retraction


def queue(patient: Patient) -> Iterator[Check]:
    """Do more candidates wait than a person can decide about, or for too long?"""
    found = patient.signs.symptoms.queue
    message = say(
        "candidates that wait: {count} (the oldest {oldest} days, the median {median})",
        count=found.waiting,
        oldest=found.oldest,
        median=found.median,
    )
    if found.waiting >= _QUEUE or found.oldest > _OLD:
        hint = say("type: memtools review; if it is too much, let memories of low cost in at once")
        yield Check("queue", False, message, hint)
    else:
        yield Check("queue", True, message)


def repeated(patient: Patient) -> Iterator[Check]:
    """Is the same proposed again while it waits? To the agent it looks as if nothing was learnt."""
    pairs, again = patient.signs.repeated, patient.signs.again
    count = len(pairs) + sum(times for _, times in again)
    if not count:
        yield Check("queue-repeats", True, say("no candidate says what another one says"))
        return
    told = [f"{path} = {other}" for path, other in pairs]
    told += [f"{path} (+{times})" for path, times in again]
    message = say(
        "proposed again while it waits, {count} times: {pairs}", count=count, pairs=named(told)
    )
    is_ill = count >= _REPEATS
    hint = say("decide about the first: memtools review; reject the others")
    yield Check("queue-repeats", not is_ill, message, hint)


def classes(patient: Patient) -> Iterator[Check]:
    """What the gate says, by class: told only."""
    shown = ", ".join(_share(*pair, patient) for pair in patient.signs.symptoms.verdicts)
    message = say("the last 90 days by class: {classes}", classes=shown)
    reviewed = _fates(patient).get(Way.REVIEWED, (0, 0))
    is_fine = reviewed[0] >= _ALL_FINE and not reviewed[1]
    hint = ""
    if is_fine and not patient.signs.symptoms.decisions.rejected:
        hint = say("nothing a person reviewed was rejected or retracted: perhaps review less")
    yield Check("gate-classes", True, message, hint)


def _share(name: str, count: int, patient: Patient) -> str:
    """A class with its share of all that was proposed."""
    every = sum(number for _, number in patient.signs.symptoms.verdicts)
    return f"{name} {count} ({round(100 * count / every)} %)" if every else f"{name} {count}"


def unread(patient: Patient) -> Iterator[Check]:
    """Are candidates approved faster than anybody reads?"""
    found = patient.signs.symptoms.decisions
    if not found.approved:
        yield Check("approved-unread", True, say("nobody approved anything in the last 90 days"))
        return
    given = {"seconds": UNREAD, "unread": found.unread, "all": found.approved}
    if found.pace is None:
        message = say(
            "approved within {seconds} seconds of the decision before: {unread} of {all}", **given
        )
    else:
        message = say(
            "approved within {seconds} seconds of the decision before: {unread} of {all} "
            "(seconds for a candidate, the median: {pace})",
            pace=round(found.pace, 1),
            **given,
        )
    is_ill = found.approved >= _SOME and found.unread * 2 > found.approved
    hint = say("read each; let what nobody needs to read in by the gate, or not at all")
    yield Check("approved-unread", not is_ill, message, hint if is_ill else "")


def bulk(patient: Patient) -> Iterator[Check]:
    """Is a long queue worked off in one go?"""
    found = patient.signs.symptoms.decisions
    message = say(
        "decisions: {decided} ({rejected} rejections) in {sessions} sessions, {largest} in the "
        "largest",
        decided=found.approved + found.rejected,
        rejected=found.rejected,
        sessions=found.sessions,
        largest=found.largest,
    )
    if found.largest >= _IN_ONE_GO:
        hint = say("decide about a few each day: memtools review shows ten at a time")
        yield Check("approved-in-bulk", False, message, hint)
    else:
        yield Check("approved-in-bulk", True, message)


def waits(patient: Patient) -> Iterator[Check]:
    """How long is a candidate proposed before it is approved?"""
    found = patient.signs.symptoms
    days = found.days_to_approval
    if days is None:
        yield Check("time-to-approval", True, say("no proposal was approved in the last 90 days"))
        return
    message = say("days from proposal to approval, the median: {days}", days=days)
    is_ill = days > _SLOW and found.decisions.approved >= _SOME
    hint = say("type: memtools review more often, or raise what the gate lets in by itself")
    yield Check("time-to-approval", not is_ill, message, hint if is_ill else "")


def retracted_later(patient: Patient) -> Iterator[Check]:
    """Is what came in without a person wrong too often?"""
    fates = _fates(patient)
    if not fates:
        yield Check("retracted-later", True, say("no memory came in through the gate yet"))
        return
    shown = ", ".join(f"{way} {gone}/{count}" for way, (count, gone) in fates.items())
    message = say("retracted later, by the way they came in: {shares}", shares=shown)
    is_ill = any(
        count >= _SOME and gone > _LATER * count
        for way, (count, gone) in fates.items()
        if way is not Way.REVIEWED
    )
    hint = say("raise gate.auto_confidence, or set gate.input_trust to low")
    yield Check("retracted-later", not is_ill, message, hint if is_ill else "")


def findings(patient: Patient) -> Iterator[Check]:
    """Secrets and personal data in memories that are in already."""
    found = patient.signs.findings
    if found:
        message = say(
            "secrets or personal data in approved memories: {places}", places=named(found)
        )
        hint = say("take it out; a secret must be changed where it is used, too: git keeps it")
        yield Check("approved-findings", False, message, hint)
    else:
        yield Check("approved-findings", True, say("no secret and no personal data was let in"))


def returned(patient: Patient) -> Iterator[Check]:
    """Does an active memory say again what was retracted? At every turn: that is an illness."""
    found = patient.signs.returned
    if not found:
        yield Check("reintroduced", True, say("no memory says again what was retracted"))
        return
    loud = [pair for pair in found if pair[0] in patient.tree.layer]
    shown = named(f"{path} = {other}" for path, other in loud or found)
    message = say("says again what was retracted: {pairs}", pairs=shown)
    first = (loud or found)[0][0]
    hint = say("type: memtools explain {path}, then retract it or restore the other", path=first)
    yield Check("reintroduced", not loud, message, hint)


def _fates(patient: Patient) -> dict[Way, tuple[int, int]]:
    return {fate.way: (fate.all, fate.retracted) for fate in patient.signs.symptoms.fates}
