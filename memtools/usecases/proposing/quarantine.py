"""Where a candidate is kept: a file of the inbox, in a commit of our own beside the person's work.

Must not decide: it is given what the gate said. A candidate let in at once is stored as approved,
in the commit that says so (rule 20).
"""

from __future__ import annotations

import datetime
import itertools
import os

from memtools.config import read_variables
from memtools.core.candidate import Provenance
from memtools.core.gate import Proposer, Verdict
from memtools.core.trailers import APPROVED, GATE, PROPOSED
from memtools.core.vocabulary import BRANCHES
from memtools.core.wording import say
from memtools.errors import GitError, RefusedError
from memtools.git.branch import branches_below, fetched_below, write_branch
from memtools.git.objects import blob_id
from memtools.usecases.changing.head import own_message
from memtools.usecases.changing.meanwhile import MeanwhileError
from memtools.usecases.changing.new import slug
from memtools.usecases.changing.newfile import free_paths
from memtools.usecases.changing.owncommit import NewBytes, commit_files
from memtools.usecases.committing.matchlog import log_retractions
from memtools.usecases.proposing.judge import stored_bytes
from memtools.usecases.proposing.pending import find_pending, pending_tombstones
from memtools.usecases.repository import make_state_dir
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.wording import Said
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.proposing.judge import Judged

INBOX = "inbox"
PROGRAM = "program"  # proposes without a terminal and without a name


class Draft(NamedTuple):
    """A candidate as it would be stored.

    `is_active`: it is let in at once, or (with a `branch`) by the merge of its branch.
    """

    path: str
    data: bytes
    blob: str
    approve_after: str
    is_active: bool
    judged: Judged
    branch: str = ""


def draft(desk: Desk, judged: Judged, at: str, path: str, *, branch: bool = False) -> Draft:
    """Work out the bytes to store at `path`. `at`: ISO date-time; `branch`: on one of its own.

    Raises:
        RefusedError: its header cannot be set.
    """
    verdict = judged.decision.decision
    may_be_active = verdict is Verdict.AUTO and not desk.config.approval.allowed_signers
    is_active = branch or may_be_active
    may_fall_due = not branch and not desk.config.approval.allowed_signers
    due = ""
    if verdict is Verdict.DELAYED and may_fall_due:
        due = _due(at, desk.config.gate.delay_days)
    offer = judged.offer
    provenance = Provenance(
        source=offer.source,
        confidence=offer.confidence,
        failure_cost=judged.cost,
        proposed_at=at,
        proposed_by=_proposed_by(judged.proposer),
        imported_from=offer.imported_from,
        gate=judged.decision.rule,
        approve_after=due,
    )
    data = stored_bytes(offer, path, provenance, is_active)
    name = _branch(desk, judged.title) if branch else ""
    blob = blob_id(data, len(desk.head.tree))
    return Draft(path, data, blob, due, is_active, judged, name)


def _proposed_by(proposer: Proposer) -> str:
    """Who proposes when it is no person at a terminal, else "": `falling_due` goes by it."""
    agent = " ".join(read_variables().agent.split())
    return agent or ("" if proposer is Proposer.PERSON else PROGRAM)


def _due(at: str, days: int) -> str:
    """The day from which a delayed approval may happen."""
    return str(datetime.date.fromisoformat(at[:10]) + datetime.timedelta(days=days))


def _branch(desk: Desk, title: str) -> str:
    """The name of a branch that is not there yet, here or (as far as is known) on a remote."""
    git = desk.head.repository.git
    found = branches_below(git, BRANCHES) | fetched_below(git, BRANCHES)
    # A branch `memory/a/b` leaves no place for one called `memory/a`.
    taken = {"/".join(name.split("/")[:2]) for name in found} | found
    name = f"{BRANCHES}/{slug(title)}"
    numbered = (f"{name}-{number}" for number in itertools.count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def inbox_path(desk: Desk, title: str, at: str) -> str:
    """`inbox/DATE-SLUG.md` below the first root that can take it, under a name that is free."""
    return inbox_paths(desk, [f"{at[:10]}-{slug(title)}"])[0]


def inbox_paths(desk: Desk, names: Sequence[str]) -> list[str]:
    """The same for many names (which may hold folders), all of them different.

    Raises:
        RefusedError: no root can take them.
    """
    repository, config = desk.head.repository, desk.config
    for root in config.roots:
        if os.path.isfile(os.path.join(repository.top, root)):
            continue
        inbox = INBOX if root == "." else f"{root}/{INBOX}"
        wanted = [os.path.split(f"{inbox}/{name}") for name in names]
        paths = free_paths(repository, config.selection, wanted)
        if all(paths):
            return paths
    raise RefusedError(
        say("no root of this repository can take a candidate"),
        say("type: memtools config --show-origin"),
    )


def commit_drafts(desk: Desk, drafts: Sequence[Draft], at: str) -> tuple[Said, ...]:
    """Store drafts in one commit; what is let in at once brings its tombstones along.

    Raises:
        MeanwhileError: somebody else committed; open a new desk and try again.
        GitError: as `commit_files`.
    """
    files = [NewBytes(one.path, one.data) for one in drafts]
    tombstones: list[Tombstone] = []
    for one in drafts:
        if one.is_active:
            tombstones += _tombstones(desk, one, at)
    files += [NewBytes(made.entry.path, made.after) for made in tombstones]
    made = commit_files(desk.head.repository, files, _message(drafts), at)
    log_retractions(desk.head.repository, tombstones)
    return made.notices


def commit_branch(desk: Desk, one: Draft, at: str) -> None:
    """Store a draft on its branch, on top of HEAD; to merge that is to approve it.

    Raises:
        MeanwhileError: the branch came into being just now.
        GitError: nothing is committed yet, or git cannot make the commit.
    """
    repository = desk.head.repository
    if not repository.head_tree:
        raise GitError(
            say("there is no commit yet a branch could start from"),
            say("commit something first, or leave out --branch"),
        )
    try:
        folder = make_state_dir(repository)
        message = _message([one])
        write_branch(repository.git, folder, one.branch, (one.path, one.data), message, at)
    except GitError as error:
        if one.branch in branches_below(repository.git, BRANCHES):
            raise MeanwhileError(error.message, error.hint) from error
        if repository.git.call("show-ref", "--verify", "--quiet", f"refs/heads/{BRANCHES}")[0] == 0:
            raise GitError(
                say("a branch called {name} leaves no place for {branch}", name=BRANCHES,
                    branch=one.branch),
                say("type: git branch -m {name} NEWNAME", name=BRANCHES),
            ) from error  # fmt: skip
        raise


def _tombstones(desk: Desk, one: Draft, at: str) -> tuple[Tombstone, ...]:
    """The tombstones the markers of an approved memory ask for (rule 9: few, and no loud one)."""
    pending = find_pending(desk.head, one.path, one.data, Proposer.PERSON)
    return pending_tombstones(desk.head, pending, one.path, at)


def _message(drafts: Sequence[Draft]) -> str:
    """Subject, what the gate said, and trailers that bind it to the bytes; no content."""
    first = drafts[0]
    more = f" and {len(drafts) - 1} more" if len(drafts) > 1 else ""
    approved = [one for one in drafts if one.is_active and not one.branch]
    trailers = [f"{PROPOSED}: {one.blob} {one.path}" for one in drafts]
    trailers += [f"{APPROVED}: {one.blob} {one.path}" for one in approved]
    gate = {f"{GATE}: {_verdict(one)}" for one in drafts}
    subject = f"{'Approve' if approved else 'Propose'} {first.path}{more}"
    return own_message(subject, "", [*trailers, *sorted(gate)])


def _verdict(one: Draft) -> str:
    decision = one.judged.decision
    return f"{decision.decision} {decision.rule}"
