"""propose: run the write gate on a candidate, say the decision, and store it in quarantine.

Judged against the tree of HEAD. A rejected candidate is stored nowhere and printed nowhere.
"""

from __future__ import annotations

from memtools.core.gate import Proposer, Verdict
from memtools.core.markers import find_markers
from memtools.core.memory import read_memory
from memtools.core.vocabulary import Status
from memtools.errors import DONE, FINDINGS, POLICY
from memtools.git.objects import blob_id, read_blob
from memtools.usecases.changing.head import entries_at
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.meanwhile import MeanwhileError
from memtools.usecases.committing.places import sees_all
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.gatelog import Word, log_answer
from memtools.usecases.proposing.candidates import held_candidate
from memtools.usecases.proposing.desk import open_desk
from memtools.usecases.proposing.judge import Offer, judge
from memtools.usecases.proposing.policy import refuse_unsure_policy
from memtools.usecases.proposing.quarantine import commit_branch, commit_drafts, draft, inbox_path
from memtools.usecases.repository import open_repository
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memtools.core.screen import Finding
    from memtools.core.wording import Said
    from memtools.usecases.changing.head import Victim
    from memtools.usecases.proposing.candidates import Held
    from memtools.usecases.proposing.desk import Alike, Desk
    from memtools.usecases.proposing.judge import Judged
    from memtools.usecases.proposing.quarantine import Draft
    from memtools.usecases.repository import Repository

_TRIES = 20  # times a candidate is judged anew because somebody else committed meanwhile


class Earlier(NamedTuple):
    """A candidate that stands in the inbox, and the id of its bytes there."""

    path: str
    blob: str


class Proposal(NamedTuple):
    """What the gate said, and what was done.

    `path` is where the candidate is or would be stored ("": nowhere, it is rejected); `blob` the id
    of its bytes there, on `branch` when one was asked for. `approve_after`: the day from which a
    delayed approval may happen.
    `retracts`: what its markers would retract once it is approved.
    `is_new_plan`: nothing was done, since it differs from what the dry run showed.
    """

    decision: str
    rule: str
    reasons: tuple[Said, ...]
    path: str = ""
    approve_after: str = ""
    lookalikes: tuple[Alike, ...] = ()
    findings: tuple[Finding, ...] = ()
    retracts: tuple[Victim, ...] = ()
    blob: str = ""
    status: str = ""
    branch: str = ""
    applied: bool = False
    is_new_plan: bool = False
    notices: tuple[Said, ...] = ()

    @property
    def code(self) -> int:
        """The exit code."""
        if self.decision == Verdict.REJECT:
            return POLICY
        return FINDINGS if self.is_new_plan else DONE


def propose(
    repository: Repository,
    raw: bytes,
    *,
    source: str,
    title: str = "",
    confidence: float | None = None,
    failure_cost: str = "",
    scope: str = "",
    apply: bool = False,
    branch: bool = False,
    by_agent: bool = False,
    over_mcp: bool = False,
    earlier: Earlier | None = None,
    now: float | None = None,
    sees: Callable[[str], bool] = sees_all,
) -> Proposal:
    """Judge a candidate (a whole file, front matter of its own or none); with `apply` store it.

    `branch`: on a branch of its own, on top of HEAD, the work tree untouched.
    `by_agent`: no person at a terminal proposes it; `over_mcp`: it stays a candidate until a person
    decides, whatever it claims. `earlier`: the candidate this one takes the place of, as long as
    nobody has touched it. `now` (seconds since 1970): the dry run keeps its plan. `sees`: the
    memories it is compared with, by path.

    Raises:
        UsageError: an option is wrong.
        RefusedError: the bytes cannot be a memory, or no root can take it.
        GitError: a merge or the like is under way, a lock is held, or a hook refused the commit.
    """
    if apply and not branch:
        refuse_under_way(repository)
    proposer = Proposer.AGENT if by_agent else Proposer.PERSON
    if over_mcp:
        proposer = Proposer.REMOTE
    offer = Offer(raw, source, title, confidence, failure_cost, scope)
    given = (source, title, str(confidence), failure_cost, scope, proposer.value, str(branch))
    key = ("propose", blob_id(raw), *given)
    for left in reversed(range(_TRIES)):
        try:
            watch = Watch(repository, key, apply, now)
            desk = open_desk(repository, writes=apply, sees=sees)
            return _propose(watch, desk, offer, proposer, branch=branch, earlier=earlier)
        except MeanwhileError:
            if not left:
                raise
            repository = open_repository(repository.top)
    raise AssertionError  # the last try returns or raises


def _propose(
    watch: Watch,
    desk: Desk,
    offer: Offer,
    proposer: Proposer,
    *,
    branch: bool,
    earlier: Earlier | None,
) -> Proposal:
    refuse_unsure_policy(desk.faults)
    judged = judge(desk, offer, proposer)
    at = author_date(watch.repository.git)
    if judged.decision.decision is Verdict.REJECT:
        if watch.is_apply:
            log_answer(watch.repository, Word.REJECTED, at, judged.decision.rule)
        return _answer(judged)
    path = _untouched(desk, earlier) or inbox_path(desk, judged.title, at)
    one = draft(desk, judged, at, path, branch=branch)
    waiting = None if branch or earlier else _waiting_already(desk, one)
    one = waiting or one
    rows = ((one.path, f"{one.branch} {judged.decision.decision} {judged.decision.rule}"),)
    is_new = watch.is_new(rows)
    acts = watch.is_apply and not is_new
    notices: tuple[Said, ...] = ()
    if acts and branch:
        commit_branch(desk, one, at)
    elif acts and waiting:
        log_answer(watch.repository, Word.AGAIN, at, waiting.blob)
    elif acts:
        notices = commit_drafts(desk, [one], at)
    watch.close(rows, has_acted=acts)
    return _stored(_answer(judged), one)._replace(applied=acts, is_new_plan=is_new, notices=notices)


def _waiting_already(desk: Desk, one: Draft) -> Draft | None:
    """The candidate of HEAD that is this one (`_undated`): proposed again, it waits on."""
    mine = held_candidate(desk.head, one.path, one.blob, one.data)
    paths = [alike.path for alike in one.judged.alike if alike.status == Status.CANDIDATE]
    for path, entry in sorted(entries_at(desk.head, paths).items()):
        raw = read_blob(desk.head.repository.git, entry.blob)
        held = held_candidate(desk.head, path, entry.blob, raw)
        if _undated(held) == _undated(mine):
            due = held.fields.get("approve_after", "")
            return one._replace(path=path, data=raw, blob=entry.blob, approve_after=due)
    return None


def _undated(held: Held) -> tuple[str, dict[str, str], bool]:
    """What makes two candidates the same one: not when they came, nor by which rule they wait."""
    fields = dict(held.fields)
    has_day = bool(fields.pop("approve_after", ""))
    if fields.pop("proposed_at", "") == fields.get("created"):  # it is not that of the text
        fields.pop("created", "")
    fields.pop("gate", "")
    return held.memory.body, fields, has_day


def _untouched(desk: Desk, earlier: Earlier | None) -> str:
    """The path of an earlier candidate that HEAD holds as it was; "" for none."""
    if earlier is None:
        return ""
    held = entries_at(desk.head, [earlier.path]).get(earlier.path)
    return earlier.path if held is not None and held.blob == earlier.blob else ""


def _answer(judged: Judged) -> Proposal:
    decision = judged.decision
    return Proposal(
        str(decision.decision),
        decision.rule,
        decision.reasons,
        lookalikes=judged.alike,
        findings=judged.findings,
        retracts=judged.pending.victims if judged.pending is not None else (),
    )


def _stored(answer: Proposal, one: Draft) -> Proposal:
    """The answer with where the candidate goes, and where its marker lines stand then."""
    markers = find_markers(read_memory(one.path, one.data)).markers if answer.retracts else ()
    lines = {marker.phrase: marker.line for marker in markers}
    return answer._replace(
        path=one.path,
        blob=one.blob,
        approve_after=one.approve_after,
        status="active" if one.is_active else "candidate",
        branch=one.branch,
        retracts=tuple(
            victim._replace(declared_in=one.path, declared_line=lines[victim.phrase])
            for victim in answer.retracts
        ),
    )
