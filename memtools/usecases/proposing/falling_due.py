"""Approvals that fall due: what the gate put off for some days, and nobody objected to.

Each is judged again, and only bytes that `propose` or `import` stored may enter so. Must not know
the clock.
"""

from __future__ import annotations

from memtools.core.gate import Proposer, Verdict
from memtools.core.trailers import PROPOSED
from memtools.core.waiting import due
from memtools.core.wording import Said, say
from memtools.errors import MemtoolsError
from memtools.git.trailers import commits_telling
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.proposing.approve import let_in
from memtools.usecases.proposing.candidates import (
    held_candidates,
    is_changed,
    judge_again,
    refuse_agent,
    waiting,
    work_out,
)
from memtools.usecases.proposing.desk import open_desk
from memtools.usecases.proposing.policy import refuse_unsure_policy
from memtools.usecases.repository import open_repository
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.usecases.proposing.candidates import Held
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.proposing.judge import Judged
    from memtools.usecases.repository import Repository

_LAST_DAY = "9999-12-31"


class LeftWaiting(NamedTuple):
    """A candidate whose day has come, and why a person has to decide all the same."""

    path: str
    why: Said


class FallenDue(NamedTuple):
    """What was approved, or would be without `apply`, and what was not."""

    approved: tuple[str, ...]
    left: tuple[LeftWaiting, ...]
    applied: bool


def approve_due(repository: Repository, now: str, *, apply: bool) -> FallenDue:
    """Approve the candidates of HEAD whose day has come by `now` (ISO), each in its own commit.

    Raises:
        PolicyError: an agent asks.
        GitError: as `commit_files`; what was approved before that stays so.
    """
    refuse_agent()
    if apply:
        refuse_under_way(repository)
    desk = open_desk(repository, writes=apply)
    refuse_unsure_policy(desk.faults)
    held = {one.path: one for one in held_candidates(desk)}
    ready = due((waiting(one, "") for one in held.values()), now)
    if not ready:
        return FallenDue((), (), apply)
    stored = _stored_by_us(repository.git)
    approved: list[str] = []
    left: list[LeftWaiting] = []
    for one in sorted(ready):
        desk = open_desk(open_repository(repository.top), writes=apply) if approved else desk
        why = _let_in(desk, held[one.path], stored, apply=apply)
        if why:
            left.append(LeftWaiting(one.path, why))
        else:
            approved.append(one.path)
    return FallenDue(tuple(approved), tuple(left), apply)


def days_to_come(desk: Desk) -> dict[str, str]:
    """Of the candidates of HEAD those that the calendar lets in as they stand: path to day."""
    if desk.faults:
        return {}
    held = {one.path: one for one in held_candidates(desk)}
    dated = due((waiting(one, "") for one in held.values()), _LAST_DAY)
    stored = _stored_by_us(desk.head.repository.git) if dated else set()
    return {
        one.path: one.approve_after[:10]
        for one in dated
        if not _let_in(desk, held[one.path], stored, apply=False)
    }


def _let_in(desk: Desk, held: Held, stored: set[str], *, apply: bool) -> Said | None:
    """Approve one; else the reason why not."""
    if desk.config.approval.allowed_signers:
        return say("allowed_signers is set: only a signed commit approves")
    if held.objection:
        return say("somebody objects: see `objection:` in it")
    if f"{held.blob} {held.path}" not in stored:
        return say("these are not the bytes that were proposed")
    if is_changed(desk.head.repository, held.path):
        return say("it has changes that are not committed")
    at = author_date(desk.head.repository.git)
    try:
        judged = _judge_as_proposed(desk, held)
        if judged.decision.decision not in (Verdict.AUTO, Verdict.DELAYED):
            return judged.decision.reasons[-1]
        entering = work_out(desk, held, at)
        if apply:
            day = held.fields.get("approve_after", "")[:10]
            let_in(desk, held, judged, entering, at=at, due=day)
    except MemtoolsError as error:
        if error.exit_code != 1:
            raise
        return say("{why}", why=error.message)
    return None


def _judge_as_proposed(desk: Desk, held: Held) -> Judged:
    """What the gate says now: with the step of rule 21 unless a person proposed it at a terminal.

    What a person may let in by a word of theirs, time alone may not: all is judged as an agent's.
    """
    fields = held.fields
    if not (fields.get("proposed_by") or fields.get("imported_from")):
        gate = desk.config.gate._replace(input_trust="high")
        desk = desk._replace(config=desk.config._replace(gate=gate))
    return judge_again(desk, held, Proposer.AGENT)


def _stored_by_us(git: Git) -> set[str]:
    """`blob path` of all that commits in the history of HEAD say they proposed."""
    every = commits_telling(git, (PROPOSED,))
    return {value for told in every for value in told.values(PROPOSED)}
