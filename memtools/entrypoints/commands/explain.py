"""`memtools explain` and `memtools history`: why a memory speaks here, and what became of it."""

from __future__ import annotations

from memtools.core.phrase import columns
from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.verb import JSON, Argument, Verb
from memtools.errors import DONE
from memtools.usecases.reading.explain import explain
from memtools.usecases.reading.history import Event, history
from memtools.usecases.repository import open_repository

_WIDTH = 9  # columns of what happened


def run_explain(address: str, as_json: bool) -> int:
    """Say where a memory speaks, and why not."""
    found = explain(open_repository(), address)
    if as_json:
        values = found._asdict()
        values |= {
            "why_not_search": [str(line) for line in found.why_not_search],
            "why_not_activation": [str(line) for line in found.why_not_activation],
            "problems": [text.problem_values(problem) for problem in found.problems],
            "notes": [str(line) for line in found.notes],
        }
        text.show_json(values)
        return DONE
    text.result(f"{found.path}  {found.title}", "bold")
    for place, is_in, reasons in (
        (say("search"), found.in_search, found.why_not_search),
        (say("activation layer"), found.in_activation, found.why_not_activation),
    ):
        if is_in:
            text.result(say("in {place}: yes", place=place), "green")
        for reason in reasons:
            text.result(say("in {place}: no, {reason}", place=place, reason=reason), "yellow")
    for line in found.notes:
        text.result(line)
    text.show_problems(found.problems)
    return DONE


def run_history(address: str, as_json: bool) -> int:
    """Print the events of a memory, oldest first."""
    found = history(open_repository(), address)
    if as_json:
        values = found._asdict()
        values["events"] = [event._asdict() for event in found.events]
        text.show_json(values)
        return DONE
    text.result(found.path, "bold")
    for event in found.events:
        _show(event)
    if found.hidden_by:
        text.result(say("hidden now by {by}, without a tombstone", by=found.hidden_by))
    if found.is_deleted:
        text.result(say("HEAD does not hold it any more"))
    return DONE


def _show(event: Event) -> None:
    what = text.sentence(event.what)
    what += " " * (_WIDTH - columns(what))
    line = f"{event.date[:10]}  {what}  {event.commit[:10]}  {event.author}"
    text.result(f"{line}  {event.subject}")
    if event.by:
        place = event.marker or event.by
        text.result(say("            by {place}", place=place))
    if event.reason:
        text.result(say("            because: {reason}", reason=event.reason))
    if event.rule:
        text.result(say("            the gate said: {rule}", rule=event.rule))


EXPLAIN = Verb(
    run_explain,
    summary="Say whether a memory is in search and in the activation layer, and why not.",
    example="memtools explain notes/dns.md",
    parameters=(Argument("ADDRESS"), JSON),
    details="ADDRESS is a path, id:…, [[wikilink]], or a phrase that stands in one memory only.",
)
HISTORY = Verb(
    run_history,
    summary="Show what became of a memory: proposed, approved, retracted, restored.",
    example="memtools history notes/dns.md",
    parameters=(Argument("ADDRESS"), JSON),
    details="ADDRESS is a path (also of a memory that was deleted), id:…, [[wikilink]], or a "
    "phrase that stands in one memory only. Renames are followed.",
)
