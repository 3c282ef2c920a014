"""`memtools retract` and `memtools restore`: one memory out, and one back."""

from __future__ import annotations

import time

from memtools.core.refusals import shorten
from memtools.core.wording import Said, say
from memtools.entrypoints.plans import (
    count_values,
    show_plan,
    victim_lines,
    victim_values,
)
from memtools.entrypoints.verb import APPLY, DRY_RUN, FLAG, JSON, Argument, Option, Verb
from memtools.usecases.changing.restore import Restored, restore
from memtools.usecases.changing.retract import Retraction, retract
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def run_retract(phrase_or_address: str, why: str, apply: bool, dry_run: bool, as_json: bool) -> int:
    """Show what a phrase points at; with `apply` retract it."""
    found = retract(
        open_repository(),
        phrase_or_address,
        why=why,
        apply=apply and not dry_run,
        now=time.time(),
    )
    values: dict[str, object] = {
        "applied": found.applied,
        "markers": count_values(found.markers),
        "targets": victim_values(found.targets),
        "declared_in": found.declared_in,
    }
    show_plan(
        values if as_json else None,
        _retract_lines(found),
        found.problems,
        is_new_plan=found.is_new_plan,
    )
    return found.code


def _retract_lines(found: Retraction) -> Iterator[Said]:
    if not found.declared_in or not found.targets:
        yield from found.notices
        return
    if found.applied:
        yield say("retracted, in a commit of its own:")
    else:
        yield say("would retract:")
    yield from victim_lines(found.targets)
    if found.applied:
        yield from found.notices
    else:
        yield say("(no changes; --apply writes {path} and the tombstone)", path=found.declared_in)


def run_restore(
    address: str, why: str, drop_marker: bool, apply: bool, dry_run: bool, as_json: bool
) -> int:
    """Show what bringing a memory back changes; with `apply` do it."""
    found = restore(
        open_repository(),
        address,
        why=why,
        drop_marker=drop_marker,
        apply=apply and not dry_run,
        now=time.time(),
    )
    values = found._asdict()
    values["dropped"] = [dict(one._asdict()) for one in found.dropped]
    del values["is_new_plan"]
    show_plan(
        values if as_json else None,
        () if found.problems else _restore_lines(found),
        found.problems,
        is_new_plan=found.is_new_plan,
    )
    return found.code


def _restore_lines(found: Restored) -> Iterator[Said]:
    values = {"path": found.path, "title": shorten(found.title, 60)}
    if found.applied:
        yield say("restored {path}  {title}", **values)
    else:
        yield say("would restore {path}  {title}", **values)
    yield say(
        "  retracted by {by} on {at}", by=found.retracted_by or "?", at=found.retracted_at or "?"
    )
    for one in found.dropped:
        yield say('  the marker goes: {path}:{line} "{phrase}"', path=one.path, line=one.line,
                  phrase=shorten(one.phrase, 60))  # fmt: skip
    for path in found.gone:
        yield say("  a memory that said nothing else goes with it: {path}", path=path)
    for path in found.also:
        yield say("  stays retracted by the same memory: {path}", path=path)
    yield from found.notices
    if not found.applied:
        yield say("(no changes; --apply does it in a commit of its own)")


RETRACT = Verb(
    run_retract,
    summary="Retract one wrong memory at once, named by words of it or by its address.",
    example='memtools retract "the root cause is DNS" --why "it was the cache" --apply',
    parameters=(
        Argument("PHRASE_OR_ADDRESS"),
        Option(("--why",), "The reason; it is kept in the tombstone.", metavar="TEXT"),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="Without --apply it only shows the victim. With it a declaring memory and the "
    "tombstone go into one commit of their own; what is staged or unstaged stays so.",
)
RESTORE = Verb(
    run_restore,
    summary="Bring a retracted memory back, with the reason.",
    example='memtools restore notes/sync.md --why "it was DNS after all" --drop-marker --apply',
    parameters=(
        Argument("ADDRESS"),
        Option(("--why",), "The reason; it is kept in the file.", metavar="TEXT", required=True),
        Option(
            ("--drop-marker",),
            "Also take out the marker that would retract it again.",
            FLAG,
        ),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="The status gets the bytes it had before the tombstone. Without --apply it only shows "
    "what would change.",
)
