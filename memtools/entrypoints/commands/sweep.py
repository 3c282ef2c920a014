"""`memtools sweep`: seed 1's batch over all markers, as a dry run or for real."""

from __future__ import annotations

import time

from memtools.core.refusals import shorten
from memtools.core.retraction import MarkerState
from memtools.core.wording import Said, say
from memtools.entrypoints.plans import (
    count_values,
    show_plan,
    victim_lines,
    victim_values,
)
from memtools.entrypoints.verb import APPLY, DRY_RUN, JSON, Verb
from memtools.usecases.changing.head import PENDING
from memtools.usecases.changing.sweep import Swept, sweep
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.retraction import Judged

_STATES = {
    MarkerState.IGNORED: say("too short, too long or empty"),
    MarkerState.AMBIGUOUS: say("ambiguous"),
    MarkerState.UNMATCHED: say("no memory holds it"),
    MarkerState.MUTUAL: say("would retract each other"),
    MarkerState.PENDING: say("waits for the approval of its memory"),
}


def run(apply: bool, dry_run: bool, as_json: bool) -> int:
    """Report all markers of HEAD; with `apply` write the missing tombstones."""
    swept = sweep(open_repository(), apply=apply and not dry_run, now=time.time())
    values: dict[str, object] = {
        "applied": swept.applied,
        "markers": count_values(swept.markers),
        "targets": victim_values(swept.targets),
    }
    show_plan(
        values if as_json else None,
        _lines(swept),
        swept.problems,
        is_new_plan=swept.is_new_plan,
    )
    return swept.code


def _lines(swept: Swept) -> Iterator[Said]:
    retracted = [victim for victim in swept.targets if victim.state != PENDING]
    yield say("RETRACTS markers found: {count}", count=swept.markers.found)
    if swept.applied:
        yield say("retracted: {count}", count=len(retracted))
    else:
        yield say("would retract: {count}", count=len(retracted))
    yield from victim_lines(retracted)
    for marker in swept.idle:
        yield _idle(marker)
    for path in swept.left:
        yield say("the file {path} was left as it is; the commit is right", path=path)
    yield _last(swept, len(retracted))


def _idle(marker: Judged) -> Said:
    return say(
        '  not acting: {path}:{line} "{phrase}": {why}',
        path=marker.path,
        line=marker.line,
        phrase=shorten(marker.phrase, 60),
        why=_STATES[marker.state],
    )


def _last(swept: Swept, count: int) -> Said:
    if not count:
        return say("(no changes; no tombstone is missing)")
    if swept.applied:
        return say(
            "(committed; undo one with: memtools restore ADDRESS --why TEXT --drop-marker --apply)"
        )
    return say("(no changes; memtools sweep --apply writes the tombstones)")


SWEEP = Verb(
    run,
    summary="Look at all RETRACTS markers; write the tombstones that are missing.",
    example="memtools sweep --apply",
    parameters=(APPLY, DRY_RUN, JSON),
    details="Without --apply it only lists what it would do. With it the tombstones go into one "
    "commit of their own, beside whatever is staged. A second run changes nothing.",
)
