"""`memtools propose`: the write gate's decision about a candidate, and its place in quarantine."""

from __future__ import annotations

import sys
import time

from memtools.config import read_variables
from memtools.core.gate import COSTS, SOURCES
from memtools.core.refusals import shorten
from memtools.core.wording import Said, say, shell_word
from memtools.entrypoints import text
from memtools.entrypoints.plans import note_new_plan, victim_lines, victim_values
from memtools.entrypoints.sending import Sent, send, sent_lines, show_failure
from memtools.entrypoints.verb import APPLY, DRY_RUN, FLAG, JSON, NUMBER, Argument, Option, Verb
from memtools.errors import UsageError
from memtools.usecases.proposing.handed import read_handed
from memtools.usecases.proposing.propose import Proposal, propose
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def run(
    file: str,
    title: str,
    source: str,
    confidence: float | None,
    failure_cost: str,
    scope: str,
    branch: bool,
    push: bool,
    pull_request: bool,
    apply: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Judge a candidate; with `apply` store it, and send it where it is asked to go."""
    repository, sends = open_repository(), push or pull_request
    found = propose(
        repository,
        _raw(file),
        title=title,
        source=source,
        confidence=confidence,
        failure_cost=failure_cost,
        scope=scope,
        apply=apply and not dry_run,
        branch=branch or sends,
        by_agent=is_agent(),
        now=time.time(),
    )
    is_kept = found.branch and not found.is_new_plan
    sent = send(repository, found, asks=pull_request) if sends and is_kept else Sent()
    if as_json:
        pushed = {"remote": sent.remote, "pushed": sent.is_pushed, "pull_request": sent.request}
        text.show_json({**proposal_values(found), **pushed})
    else:
        text.results(_lines(found))
        text.results(sent_lines(sent, found))
    for notice in found.notices:
        text.note(notice)
    is_waiting = found.applied and found.status == "candidate" and not found.approve_after
    if is_waiting and not is_agent():
        text.note(
            say(
                "to approve it: memtools approve {path} --apply; "
                'to reject it: memtools reject {path} --why "…" --apply',
                path=shell_word(found.path),
            )
        )
    if found.is_new_plan:
        note_new_plan()
    return show_failure(sent) or found.code


def is_agent() -> bool:
    """Is it no person at a terminal who proposes (rule 21)?"""
    return bool(read_variables().agent) or not text.is_terminal(sys.stderr)


def _raw(file: str) -> bytes:
    """The candidate's bytes: a file, or standard input (`-`, or nothing when it is no terminal)."""
    if file not in ("", "-"):
        return read_handed(file)
    if sys.stdin is None or (not file and text.is_terminal(sys.stdin)):
        raise UsageError(
            say("there is no candidate"), say("type: memtools propose FILE --source stated")
        )
    return read_handed("-")


def proposal_values(found: Proposal) -> dict[str, object]:
    """A proposal as the JSON contract names it; JSON stays English."""
    return {
        "decision": found.decision,
        "rule": found.rule,
        "reasons": [str(reason) for reason in found.reasons],
        "path": found.path,
        "approve_after": found.approve_after,
        "lookalikes": [dict(one._asdict()) for one in found.lookalikes],
        "findings": [dict(one._asdict()) for one in found.findings],
        "retracts": victim_values(found.retracts),
        "blob": found.blob,
        "status": found.status,
        "branch": found.branch,
        "applied": found.applied,
    }


def _lines(found: Proposal) -> Iterator[Said]:
    yield say("{decision} ({rule})", decision=found.decision, rule=found.rule)
    for reason in found.reasons:
        yield say("  {reason}", reason=reason)
    for one in dict.fromkeys(found.findings):
        if one.line:
            yield say("  found: {kind} in line {line}", kind=one.kind, line=one.line)
        else:
            yield say("  found: {kind} in title or scope", kind=one.kind)
    if found.retracts:
        yield say("once it is approved it retracts:")
        yield from victim_lines(found.retracts)
    for alike in found.lookalikes:
        yield say(
            "  reads like {path} ({status}, {percent} %)",
            path=shorten(alike.path, 100),
            status=alike.status,
            percent=round(alike.score * 100),
        )
    yield _last(found)
    if found.applied and found.status == "candidate" and found.approve_after:
        yield from _ways_on(found)


def _last(found: Proposal) -> Said:
    if not found.path:
        return say("(nothing is stored)")
    if not found.applied:
        return say("(no changes; --apply stores it as {path})", path=found.path)
    if found.branch:
        return say(
            "stored as {path} on the branch {branch}; to merge it is to approve it",
            path=found.path,
            branch=found.branch,
        )
    if found.status == "active":
        return say("stored and approved: {path}", path=found.path)
    if found.approve_after:
        return say("stored as a candidate: {path}", path=found.path)
    return say("stored as a candidate, waiting for a person: {path}", path=found.path)


def _ways_on(found: Proposal) -> Iterator[Said]:
    """What becomes of a delayed candidate, and what a person may do about it."""
    word = shell_word(found.path)
    yield say("memtools daily approves it from {day} on, unless somebody objects",
              day=found.approve_after)  # fmt: skip
    yield say("  to approve it at once: memtools approve {path} --apply", path=word)
    yield say('  to reject it: memtools reject {path} --why "…" --apply', path=word)
    yield say("  to object: commit a line objection: WHY in its front matter")


PROPOSE = Verb(
    run,
    summary="Run the write gate on a candidate and say what becomes of it.",
    example="echo 'Answer in English.' | memtools propose - --source stated --apply",
    parameters=(
        Argument("FILE", required=False),
        Option(("--title",), "Its title, also in the file name.", metavar="TITLE"),
        Option(
            ("--source",),
            "stated: a person said so; extracted: from a conversation; inferred: guessed; "
            "external: from outside.",
            choices=SOURCES,
            required=True,
        ),
        Option(
            ("--confidence",), "How sure it is, from 0 to 1.", NUMBER, default=None, metavar="C"
        ),
        Option(("--failure-cost",), "What a mistake in it would cost.", choices=COSTS),
        Option(("--scope",), "The project it belongs to.", metavar="SCOPE"),
        Option(("--branch",), "Store it on a branch memory/SLUG; the work tree stays.", FLAG),
        Option(("--push",), "As --branch, and push that branch.", FLAG),
        Option(("--pull-request",), "As --push, and open a pull request by gh or glab.", FLAG),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="FILE is Markdown, with front matter of its own or none; - or nothing reads standard "
    "input. Without --apply it only says the decision. Rejected: nothing is stored, exit 4.",
)
