"""`memtools approve` and `memtools reject`: a person decides about one candidate."""

from __future__ import annotations

import time

from memtools.core.invisible import show_hidden
from memtools.core.refusals import shorten
from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.plans import note_new_plan, victim_lines, victim_values
from memtools.entrypoints.verb import APPLY, DRY_RUN, JSON, Argument, Option, Verb
from memtools.errors import PolicyError
from memtools.usecases.proposing.approve import Approval, approve
from memtools.usecases.proposing.reject import Rejection, reject
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def run_approve(path: str, blob: str, apply: bool, dry_run: bool, as_json: bool) -> int:
    """Show what approving a candidate does; with `apply`, at a terminal, do it."""
    acts = apply and not dry_run
    repository = open_repository()
    if acts and not text.can_ask():
        raise PolicyError(
            say("an approval needs a person at a terminal; nothing was changed"),
            say("type it in a terminal, or let an allowed person merge it"),
        )
    found = approve(repository, path, blob=blob, apply=acts, now=time.time())
    if as_json:
        text.show_json(approval_values(found))
    else:
        text.results(_approval_lines(found))
    return _close(found)


def _close(found: Approval | Rejection) -> int:
    for notice in found.notices:
        text.note(notice)
    if found.is_new_plan:
        note_new_plan()
    return found.code


def approval_values(found: Approval) -> dict[str, object]:
    """An approval as JSON; JSON stays English."""
    return {
        "path": found.path,
        "blob": found.blob,
        "title": found.title,
        "rule": found.rule,
        "reasons": [str(reason) for reason in found.reasons],
        "findings": [dict(one._asdict()) for one in found.findings],
        "retracts": victim_values(found.retracts),
        "applied": found.applied,
        "objection": found.objection,
    }


def _approval_lines(found: Approval) -> Iterator[Said]:
    values = {"path": found.path, "title": shorten(found.title, 60)}
    if found.applied:
        yield say("approved {path}  {title}", **values)
    else:
        yield say("would approve {path}  {title}", **values)
    yield say("  bytes: {blob}", blob=found.blob)
    for reason in found.reasons:
        yield say("  {reason} ({rule})", reason=reason, rule=found.rule)
    if found.objection:
        yield say("  objection: {text}", text=show_hidden(found.objection))
    for one in found.findings:
        yield say("  found: {kind} in line {line}", kind=one.kind, line=one.line)
    if found.retracts:
        yield say("retracted with it:") if found.applied else say("it retracts:")
        yield from victim_lines(found.retracts)
    if not found.applied:
        yield say("(no changes; --apply approves exactly these bytes, in a commit of its own)")


def run_reject(path: str, why: str, apply: bool, dry_run: bool, as_json: bool) -> int:
    """Show what rejecting a candidate does; with `apply` do it."""
    acts = apply and not dry_run
    found = reject(open_repository(), path, why=why, apply=acts, now=time.time())
    if as_json:
        names = ("path", "blob", "rule", "why", "applied")
        text.show_json({name: getattr(found, name) for name in names})
    elif found.applied:
        text.result(say("rejected {path}: {why}", path=found.path, why=found.why))
    else:
        text.result(say("would reject {path} ({rule})", path=found.path, rule=found.rule))
        text.result(say("(no changes; --apply removes the file, in a commit of its own)"))
    return _close(found)


APPROVE = Verb(
    run_approve,
    summary="Let one candidate in, bound to the bytes you saw.",
    example="memtools approve inbox/2026-11-29-language.md --apply",
    parameters=(
        Argument("PATH"),
        Option(("--blob",), "The id of the bytes you saw; others are refused.", metavar="OID"),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="Without --apply it shows what enters and what its RETRACTS: lines take out. "
    "--apply needs a terminal; an agent's session is refused.",
)
REJECT = Verb(
    run_reject,
    summary="Turn one candidate away; the reason stays, the text does not.",
    example='memtools reject inbox/2026-11-29-language.md --why "not true" --apply',
    parameters=(
        Argument("PATH"),
        Option(("--why",), "The reason; it is kept in the commit.", metavar="TEXT", required=True),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="With --apply one commit removes the file. An agent's session is refused.",
)
