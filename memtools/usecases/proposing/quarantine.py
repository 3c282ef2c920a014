"""Where a candidate is kept: a file of the inbox, in a commit of our own beside the person's work.

Must not decide: it is given what the gate said. A candidate let in at once is stored as approved,
in the commit that says so (rule 20).
"""

from __future__ import annotations

import datetime
import os

from memtools.config import read_variables
from memtools.core.candidate import Provenance
from memtools.core.gate import Proposer, Verdict
from memtools.core.wording import say
from memtools.errors import RefusedError
from memtools.git.objects import blob_id
from memtools.usecases.changing.head import entries_at, own_message
from memtools.usecases.changing.new import slug
from memtools.usecases.changing.newfile import free_path
from memtools.usecases.changing.owncommit import NewBytes, commit_files
from memtools.usecases.committing.matchlog import log_retractions
from memtools.usecases.committing.tombstones import prepare
from memtools.usecases.proposing.judge import stored_bytes
from memtools.usecases.proposing.pending import find_pending
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.wording import Said
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.proposing.judge import Judged

INBOX = "inbox"


class Draft(NamedTuple):
    """A candidate as it would be stored. `is_active`: it is let in at once."""

    path: str
    data: bytes
    blob: str
    approve_after: str
    is_active: bool
    judged: Judged


def draft(desk: Desk, judged: Judged, at: str, *, taken: Sequence[str] = ()) -> Draft:
    """Work out path and bytes. `at`: ISO date-time; `taken`: paths given away before.

    Raises:
        RefusedError: no root can take it, or its header cannot be set.
    """
    path = _path(desk, f"{at[:10]}-{slug(judged.title)}", taken)
    verdict = judged.decision.decision
    is_active = verdict is Verdict.AUTO and not desk.config.approval.allowed_signers
    due = _due(at, desk.config.gate.delay_days) if verdict is Verdict.DELAYED else ""
    offer = judged.offer
    provenance = Provenance(
        source=offer.source,
        confidence=offer.confidence,
        failure_cost=judged.cost,
        proposed_at=at,
        proposed_by=" ".join(read_variables().agent.split()),
        imported_from=offer.imported_from,
        gate=judged.decision.rule,
        approve_after=due,
    )
    data = stored_bytes(offer, path, provenance, is_active)
    length = len(desk.head.tree)
    return Draft(path, data, blob_id(data, length), due, is_active, judged)


def _due(at: str, days: int) -> str:
    """The day from which a delayed approval may happen."""
    return str(datetime.date.fromisoformat(at[:10]) + datetime.timedelta(days=days))


def _path(desk: Desk, name: str, taken: Sequence[str]) -> str:
    repository, config = desk.head.repository, desk.config
    for root in config.roots:
        if os.path.isfile(os.path.join(repository.top, root)):
            continue
        folder = INBOX if root == "." else f"{root}/{INBOX}"
        path = free_path(repository, config.selection, folder, name, taken)
        if path:
            return path
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


def _tombstones(desk: Desk, one: Draft, at: str) -> tuple[Tombstone, ...]:
    """The tombstones the markers of an approved memory ask for (rule 9: few, and no loud one)."""
    head = desk.head
    pending = find_pending(head, one.path, one.data, Proposer.PERSON)
    entries = entries_at(head, [target.path for target in pending.targets])
    made, problems = prepare(
        head.repository.git, pending.ledger, pending.targets, entries, {one.path: at}
    )
    if problems:
        raise RefusedError(problems[0].message, problems[0].hint)
    return made


def _message(drafts: Sequence[Draft]) -> str:
    """Subject, what the gate said, and trailers that bind it to the bytes; no content."""
    first, active = drafts[0], drafts[0].is_active
    more = f" and {len(drafts) - 1} more" if len(drafts) > 1 else ""
    trailers = [f"Memtools-Proposed: {one.blob} {one.path}" for one in drafts]
    trailers += [f"Memtools-Approved: {one.blob} {one.path}" for one in drafts if one.is_active]
    gate = {f"Memtools-Gate: {_verdict(one)}" for one in drafts}
    subject = f"{'Approve' if active else 'Propose'} {first.path}{more}"
    return own_message(subject, "", [*trailers, *sorted(gate)])


def _verdict(one: Draft) -> str:
    decision = one.judged.decision
    return f"{decision.decision} {decision.rule}"
