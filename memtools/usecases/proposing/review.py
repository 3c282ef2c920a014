"""review: the queue of candidates of HEAD, worst first, each judged as it stands now.

Must not decide anything. Of what holds a secret or personal data nothing is handed on to be shown.
"""

from __future__ import annotations

from memtools.core.gate import Verdict
from memtools.core.problem import Problem
from memtools.core.vocabulary import BRANCHES
from memtools.core.waiting import Waiting, days_between, worst_first
from memtools.core.wording import Said, say
from memtools.errors import RefusedError
from memtools.git.branch import unmerged_below
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.proposing.candidates import (
    Held,
    changed_paths,
    held_candidates,
    judged_or_fault,
    waiting,
    work_out,
)
from memtools.usecases.proposing.desk import open_desk
from memtools.usecases.proposing.falling_due import days_to_come
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.screen import Finding
    from memtools.usecases.changing.head import Victim
    from memtools.usecases.proposing.candidates import Rows
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.repository import Repository

WAITING = "waiting"
CHANGED = "changed"  # staging or the file on disk says something else than HEAD
BLOCKED = "blocked"  # it cannot be approved as it stands; `reasons` say why


class Queued(NamedTuple):
    """One candidate with all a person needs to decide; `state` is one of the words above.

    `text` is the whole file as it is, "" when nobody may be shown it; `rows` what an approval is
    bound to (`approve(shown=…)`); `after` the bytes it leaves. `daily_from`: the day from which
    `daily` approves it as it stands ("": never).
    """

    candidate: Waiting
    state: str
    decision: str
    reasons: tuple[Said, ...]
    age_days: int
    retracts: tuple[Victim, ...] = ()
    findings: tuple[Finding, ...] = ()
    text: str = ""
    after: str = ""
    rows: Rows = ()
    daily_from: str = ""


def review(repository: Repository, now: str) -> tuple[Queued, ...]:
    """All files of HEAD that say `status: candidate`, worst first. `now`: ISO date-time.

    Drafts in other words (`draft`, `wip` …) are a person's own work and not in the queue.

    Raises:
        GitError: there is no work tree.
    """
    desk = open_desk(repository, writes=False)
    if not repository.head_tree:
        return ()
    at = author_date(repository.git)
    changed, days = changed_paths(repository), days_to_come(desk)
    found = {}
    for held in held_candidates(desk):
        one = _queued(desk, held, at, now)._replace(daily_from=days.get(held.path, ""))
        if held.path in changed:
            one = one._replace(state=CHANGED)
        found[held.path] = one
    order = worst_first(one.candidate for one in found.values())
    return tuple(found[one.path] for one in order)


def open_branches(repository: Repository) -> tuple[str, ...]:
    """The branches `memory/…` that are not merged into HEAD: candidates, too (rule 19)."""
    return tuple(unmerged_below(repository.git, BRANCHES))


def _queued(desk: Desk, held: Held, at: str, now: str) -> Queued:
    judged = judged_or_fault(desk, held)
    if isinstance(judged, Problem):
        candidate = waiting(held, judged.rule)
        unseen = candidate._replace(title="", objection="")
        age = days_between(candidate.proposed_at, now)
        return Queued(unseen, BLOCKED, Verdict.REVIEW, (say("{why}", why=judged.message),), age)
    decision = judged.decision
    candidate = waiting(held, decision.rule)
    one = Queued(
        candidate,
        WAITING,
        str(decision.decision),
        decision.reasons,
        days_between(candidate.proposed_at, now),
        findings=judged.findings,
        text=held.raw.decode(),
        rows=((held.path, held.blob),),
    )
    if any(found.is_certain for found in judged.findings):
        one = one._replace(text="", candidate=candidate._replace(title="", objection=""))
    if decision.decision is Verdict.REJECT:
        return one._replace(state=BLOCKED)
    try:
        entering = work_out(desk, held, at)
    except RefusedError as error:
        why = say("{why}", why=error.message)
        return one._replace(state=BLOCKED, reasons=(*one.reasons, why))
    after = entering.data.decode()
    return one._replace(retracts=entering.victims, rows=entering.rows, after=after)
