"""`memtools review`: the queue as a list, or one candidate after the other for a person's keys.

There is no key for several at once.
"""

from __future__ import annotations

import datetime
import sys

from memtools.config import read_variables
from memtools.core.invisible import show_hidden
from memtools.core.refusals import shorten
from memtools.core.wording import Said, say, shell_word
from memtools.entrypoints import text
from memtools.entrypoints.keys import END, ask_key, ask_line
from memtools.entrypoints.plans import victim_lines, victim_values
from memtools.entrypoints.verb import JSON, Verb
from memtools.errors import DONE, MemtoolsError
from memtools.usecases.changing.new import edit_memory
from memtools.usecases.proposing.approve import ChangedError, approve
from memtools.usecases.proposing.candidates import has_gone, is_changed
from memtools.usecases.proposing.reject import reject
from memtools.usecases.proposing.review import CHANGED, Queued, open_branches, review
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PAGE = 10  # candidates looked at before the person is asked whether to go on
_STATES = {
    "approved": say("approved"),
    "rejected": say("rejected"),
    "changed": say("changed since it was shown"),
    "skipped": say("skipped"),
}


def run(as_json: bool) -> int:
    """List the queue, or walk through it with a person at a terminal."""
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    repository = open_repository()
    queue, branches = review(repository, now), open_branches(repository)
    if as_json:
        values = [queued_values(one) for one in queue]
        text.show_json({"candidates": values, "branches": list(branches)})
    elif not queue:
        text.result(say("no candidate waits"))
    elif text.can_ask() and text.is_terminal(sys.stdout) and not read_variables().agent:
        _walk(queue)
    else:
        text.results(map(_row, queue))
    if branches and not as_json:
        text.note(say("to be approved by a merge: {branches}", branches=", ".join(branches)))
    return DONE


def queued_values(one: Queued) -> dict[str, object]:
    """A candidate as the JSON contract names it; JSON stays English."""
    candidate = one.candidate
    return {
        "path": candidate.path,
        "blob": candidate.blob,
        "title": candidate.title,
        "source": candidate.source,
        "confidence": candidate.confidence,
        "failure_cost": candidate.failure_cost,
        "rule": candidate.rule,
        "age_days": one.age_days,
        "retracts": victim_values(one.retracts),
        "findings": [dict(found._asdict()) for found in one.findings],
        "decision": one.decision,
        "reasons": [str(reason) for reason in one.reasons],
        "state": one.state,
        "approve_after": candidate.approve_after,
        "objection": candidate.objection,
    }


def _row(one: Queued) -> Said:
    candidate = one.candidate
    given = {
        "path": candidate.path,
        "title": shorten(show_hidden(candidate.title), 60),
        "rule": candidate.rule,
        "days": one.age_days,
    }
    if candidate.objection:
        why = shorten(show_hidden(candidate.objection), 60)
        return say("{path}  {title} ({rule}, {days} days; objection: {text})", text=why, **given)
    if one.daily_from:
        return say(
            "{path}  {title} ({rule}, {days} days; memtools daily approves it from {day} on)",
            day=one.daily_from,
            **given,
        )
    return say("{path}  {title} ({rule}, {days} days)", **given)


def _walk(queue: Sequence[Queued]) -> None:
    counts = dict.fromkeys(_STATES, 0)
    for number, one in enumerate(queue, start=1):
        if number > 1 and number % _PAGE == 1:
            left = len(queue) - number + 1
            if ask_key(say("{left} more wait: c go on, any other key stops", left=left)) != "c":
                break
        text.result(say("[{number}/{count}]", number=number, count=len(queue)), "bold")
        state = _decide(one)
        if state == END:
            break
        counts[state] += 1
    for state, count in counts.items():
        if count:
            text.note(say("{state}: {count}", state=_STATES[state], count=count))


def _decide(one: Queued) -> str:
    """Show one candidate and do what its keys say; returns a key of `_STATES`, or END to stop."""
    text.results(_shown(one))
    if one.state == CHANGED:
        return _tell_changed(one)
    while True:
        key = ask_key(say("a approve, r reject, e edit, s skip, d diff, q stop"))
        if key in ("q", END):
            return END
        try:
            state = _KEYS[key](one) if key in _KEYS else ""
        except ChangedError as error:
            text.show_error(error)
            return "changed"
        except MemtoolsError as error:
            text.show_error(error)
            state = "changed" if _is_overtaken(one) else ""
        if state:
            return state


def _is_overtaken(one: Queued) -> bool:
    """Has somebody changed it, or decided about it, since it was shown?"""
    repository, path = open_repository(), one.candidate.path
    return has_gone(repository, path, one.candidate.blob) or is_changed(repository, path)


def _approve(one: Queued) -> str:
    path, blob = one.candidate.path, one.candidate.blob
    shown = one.rows if one.after else ()
    done = approve(open_repository(), path, blob=blob, shown=shown, apply=True)
    gone = dict.fromkeys(victim.path for victim in done.retracts)
    if gone:
        text.result(say("approved {path}; retracted: {paths}", path=path, paths=", ".join(gone)))
    else:
        text.result(say("approved {path}", path=path))
    text.results(done.notices)
    return "approved"


def _reject(one: Queued) -> str:
    why = ask_line(say("why (an empty line: not after all):"))
    if not why:
        return ""
    candidate = one.candidate
    done = reject(open_repository(), candidate.path, why=why, blob=candidate.blob, apply=True)
    text.results(done.notices)
    return "rejected"


def _edit(one: Queued) -> str:
    repository = open_repository()
    if not edit_memory(repository, one.candidate.path):
        text.note(say("no editor was started; set EDITOR to yours"))
    return _tell_changed(one) if is_changed(repository, one.candidate.path) else ""


def _tell_changed(one: Queued) -> str:
    text.note(
        say(
            "{path} has changes that are not committed; once they are, it waits here again",
            path=one.candidate.path,
        )
    )
    return "changed"


def _shown(one: Queued) -> Iterator[Said]:
    """What a person needs to see before any key: the whole text, what is found, who goes."""
    candidate = one.candidate
    yield say("{path}  {title}", path=candidate.path, title=show_hidden(candidate.title))
    for reason in one.reasons:
        yield say("  {reason} ({rule})", reason=reason, rule=candidate.rule)
    unknown = say("unknown")
    confidence = unknown if candidate.confidence is None else candidate.confidence
    yield say("  source: {source}, confidence: {confidence}, failure cost: {cost}, {days} days old",
              source=candidate.source or unknown, confidence=confidence,
              cost=candidate.failure_cost or unknown, days=one.age_days)  # fmt: skip
    if candidate.objection:
        yield say("  objection: {text}", text=show_hidden(candidate.objection))
    if one.daily_from:
        yield say("  memtools daily approves it from {day} on", day=one.daily_from)
    for found in one.findings:
        yield say("  found: {kind} in line {line}", kind=found.kind, line=found.line)
    if one.retracts:
        yield say("once it is approved it retracts:")
        yield from victim_lines(one.retracts)
    if not one.text:
        yield say("  (its text is not shown; open it: {path})", path=shell_word(candidate.path))
    for number, line in enumerate(_lines(one.text), start=1):
        yield say("  {number} | {line}", number=number, line=line)


def _lines(raw: str) -> list[str]:
    """The lines of a file; a hidden character in them is an escape."""
    return (
        [show_hidden(line.removesuffix("\r")) for line in raw.removesuffix("\n").split("\n")]
        if raw
        else []
    )


def _show_diff(one: Queued) -> str:
    """What an approval changes in the file."""
    import difflib

    if not one.after:
        text.note(say("it cannot be approved as it stands"))
        return ""
    name = one.candidate.path
    before, after = (_lines(raw) for raw in (one.text, one.after))
    text.results(difflib.unified_diff(before, after, name, name, lineterm="", n=1))
    return ""


def _skip(_one: Queued) -> str:
    return "skipped"


# Each returns a key of `_STATES`, or "" to ask again.
_KEYS = {"a": _approve, "r": _reject, "e": _edit, "d": _show_diff, "s": _skip}


REVIEW = Verb(
    run,
    summary="Look through the candidates that wait, worst first, and decide with one key each.",
    example="memtools review",
    parameters=(JSON,),
    details="Without a terminal, with --json, or in an agent's session it only lists them.",
)
