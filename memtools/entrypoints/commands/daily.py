"""`memtools daily`: the batch for a timer, as a dry run or for real."""

from __future__ import annotations

from datetime import datetime

from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.verb import APPLY, DRY_RUN, JSON, Option, Verb
from memtools.errors import UsageError
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.daily import Daily, Step, StepState, daily

_COLOURS = {StepState.DONE: "green", StepState.FAILED: "red", StepState.SKIPPED: "yellow"}
NOW = Option(("--now",), "Take this for the time it is (ISO date-time).", metavar="ISO-DATE-TIME")


def run(apply: bool, dry_run: bool, now: str, as_json: bool) -> int:
    """Run the batch, with `apply` for real."""
    done = daily(open_repository(), now=moment(now), apply=apply and not dry_run)
    if as_json:
        steps = [_values(step) for step in done.steps]
        text.show_json({"applied": done.applied, "now": done.now, "steps": steps})
    else:
        _show(done)
    return done.code


def moment(given: str) -> datetime:
    """The time of `--now`, else of the clock; one without an offset is local.

    An offset stays: it says which day it is for whoever gives the time.

    Raises:
        UsageError: it is no date-time.
    """
    if not given:
        return datetime.now().astimezone()
    try:
        found = datetime.fromisoformat(given)
        here = found.astimezone()  # refuses a time no clock can show
        return found if found.tzinfo else here
    except (ValueError, OverflowError) as error:
        raise UsageError(
            say("{text} is no date-time", text=given), say("type it like 2026-12-03T06:00:00+09:00")
        ) from error


def _values(step: Step) -> dict[str, object]:
    return {
        "step": step.name,
        "state": str(step.state),
        "message": str(step.message),
        "more": [str(line) for line in step.more],
        "hint": str(step.hint),
        "code": step.code,
    }


def _show(done: Daily) -> None:
    for step in done.steps:
        line = say("{step}: {what}", step=step.name, what=step.message)
        text.result(line, *([_COLOURS[step.state]] if step.state in _COLOURS else []))
        for more in step.more:
            text.result(say("  {what}", what=more))
        if step.hint:
            text.result(say("  hint: {hint}", hint=step.hint))
    if not done.applied:
        text.result(say("(no changes; memtools daily --apply does it)"))


DAILY = Verb(
    run,
    summary="Run the daily batch: backup, sweep, approvals that fell due, index, report.",
    example="memtools daily --apply",
    parameters=(APPLY, DRY_RUN, NOW, JSON),
    details="For a timer. Without --apply it only says what it would do. Without a good backup no "
    "memory is changed; a step that fails does not keep the safe ones from running, and the exit "
    "code is that of the first one that failed. With read_ref it fetches first.",
)
