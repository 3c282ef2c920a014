"""approve: a person lets one candidate in, bound to the bytes they saw.

One commit sets `status: active` and carries out the candidate's markers (rule 9). Must not show
anything, nor let an agent in.
"""

from __future__ import annotations

from memtools.core.gate import Verdict
from memtools.core.invisible import escape_for_terminal
from memtools.core.trailers import APPROVED, BY_DAILY, GATE
from memtools.core.wording import say, shell_word
from memtools.errors import DONE, FINDINGS, PolicyError, RefusedError
from memtools.usecases.changing.head import own_message
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.meanwhile import MeanwhileError
from memtools.usecases.changing.owncommit import NewBytes, commit_files
from memtools.usecases.committing.matchlog import log_retractions
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.proposing.candidates import (
    find_candidate,
    judge_again,
    refuse_agent,
    work_out,
)
from memtools.usecases.proposing.desk import open_desk
from memtools.usecases.proposing.policy import refuse_unsure_policy
from memtools.usecases.repository import open_repository
from memtools.usecases.signing import signers_for
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.screen import Finding
    from memtools.core.wording import Said
    from memtools.usecases.changing.head import Victim
    from memtools.usecases.proposing.candidates import Entering, Held, Rows
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.proposing.judge import Judged
    from memtools.usecases.repository import Repository

_TRIES = 20  # times a candidate is judged anew because somebody else committed meanwhile


class ChangedError(RefusedError):
    """The candidate, or what it would retract, is not what the person was shown."""


def changed_since_shown(path: str) -> ChangedError:
    """The error for a file that has other bytes by now."""
    return ChangedError(
        say("{path} changed since it was shown; nothing was changed", path=path),
        say("look at the candidate again"),
    )


class Approval(NamedTuple):
    """What an approval is bound to, and what was done.

    `blob` is the id of the bytes that were looked at; `retracts` what goes in the same commit.
    `is_new_plan`: nothing was done, since it differs from what the dry run showed. `objection`:
    what somebody wrote against it, which stops the calendar and not a person.
    """

    path: str
    blob: str
    title: str
    rule: str
    reasons: tuple[Said, ...]
    findings: tuple[Finding, ...]
    retracts: tuple[Victim, ...]
    applied: bool = False
    is_new_plan: bool = False
    notices: tuple[Said, ...] = ()
    objection: str = ""

    @property
    def code(self) -> int:
        """The exit code."""
        return FINDINGS if self.is_new_plan else DONE


def approve(
    repository: Repository,
    address: str,
    *,
    blob: str = "",
    shown: Rows = (),
    apply: bool = False,
    now: float | None = None,
) -> Approval:
    """Show what approving a candidate of HEAD does; with `apply` do it.

    `blob`: the id of the bytes the person saw (at least 7 digits); `shown`: all that they saw, as
    `Entering.rows`, of a candidate that could be approved then. `now` (seconds since 1970): the dry
    run keeps its plan.

    Raises:
        PolicyError: an agent asks, or the gate rejects the candidate.
        ChangedError: the candidate or a target is not what was shown.
        RefusedError: there is no such candidate, or it cannot be let in as it stands.
        GitError: as `commit_files`.
    """
    refuse_agent()
    if apply:
        refuse_under_way(repository)
    for left in reversed(range(_TRIES)):
        try:
            return _approve(repository, address, (blob, shown), (apply, now))
        except MeanwhileError:
            if not left:
                raise
            repository = open_repository(repository.top)
    raise AssertionError  # the last try returns or raises


def _approve(
    repository: Repository, address: str, seen: tuple[str, Rows], how: tuple[bool, float | None]
) -> Approval:
    apply, now = how
    desk = open_desk(repository, writes=apply)
    refuse_unsure_policy(desk.faults)
    held = find_candidate(desk, address)
    _refuse_other_bytes(held, seen[0])
    judged = judge_again(desk, held)
    at = author_date(repository.git)
    try:
        refuse_rejected(held, judged)
        entering = work_out(desk, held, at)
    except (PolicyError, RefusedError) as error:
        if not seen[1]:
            raise
        raise ChangedError(error.message, error.hint) from error  # it could be when it was shown
    _refuse_other_rows(entering, seen[1])
    watch = Watch(repository, ("approve", held.path), apply, now)
    is_new = not any(seen) and watch.is_new(entering.rows)
    acts = apply and not is_new
    notices = let_in(desk, held, judged, entering, at=at) if acts else ()
    watch.close(entering.rows, has_acted=acts)
    return Approval(
        held.path,
        held.blob,
        held.memory.title,
        judged.decision.rule,
        judged.decision.reasons,
        judged.findings,
        entering.victims,
        applied=acts,
        is_new_plan=is_new,
        notices=notices,
        objection=held.objection,
    )


def let_in(
    desk: Desk, held: Held, judged: Judged, entering: Entering, *, at: str, due: str = ""
) -> tuple[Said, ...]:
    """Make the commit that approves a candidate. `due`: no person does, its day has come.

    Raises: as `commit_files`.
    """
    files = [NewBytes(held.path, entering.data)]
    files += [NewBytes(one.entry.path, one.after) for one in entering.tombstones]
    name = escape_for_terminal(held.path)
    decision = judged.decision
    trailers = [
        f"{APPROVED}: {held.blob} {name}",
        f"{GATE}: {decision.decision} {decision.rule}",
    ]
    why = ""
    if due:
        why = f"Nobody objected by {due}."
        trailers.append(BY_DAILY)
    message = own_message(f"Approve {name}", why, trailers)
    signers = signers_for(desk.head.repository.git, desk.head.tree, desk.config)
    made = commit_files(desk.head.repository, files, message, at, signers=signers)
    log_retractions(desk.head.repository, entering.tombstones)
    if not desk.config.read_ref:
        return made.notices
    bound = say("readers see it once it is merged into {ref}", ref=desk.config.read_ref)
    return (*made.notices, bound)


def refuse_rejected(held: Held, judged: Judged) -> None:
    """What the gate rejects nobody lets in.

    Raises:
        PolicyError: it does, for the reason in the message.
    """
    decision = judged.decision
    if decision.decision is Verdict.REJECT:
        raise PolicyError(
            say("{path} cannot be approved: {reason} ({rule})", path=held.path,
                reason=decision.reasons[0], rule=decision.rule),
            say('type: memtools reject {path} --why "…"; or mend it and commit that',
                path=shell_word(held.path)),
        )  # fmt: skip


def _refuse_other_bytes(held: Held, blob: str) -> None:
    given = blob.strip().lower()
    if given and (len(given) < 7 or not held.blob.startswith(given)):
        raise ChangedError(
            say(
                "{path} is not what was shown: it is {blob} by now", path=held.path, blob=held.blob
            ),
            say("look at it again: memtools approve {path}", path=shell_word(held.path)),
        )


def _refuse_other_rows(entering: Entering, shown: Rows) -> None:
    if not shown or shown == entering.rows:
        return
    known = set(shown)
    other = next((path for path, blob in entering.rows if (path, blob) not in known), shown[-1][0])
    raise changed_since_shown(other)
