"""Rule 20 in a commit of an agent's session: the new targets that only a person may retract.

Loaded only in such a session.
"""

from __future__ import annotations

from memtools.core.guarded import by_agent, guard
from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtools.core.problem import Problem
    from memtools.core.retraction import Target
    from memtools.git.staging import Entry
    from memtools.usecases.committing.proposal import Proposal


def without_guarded(
    proposal: Proposal, targets: Sequence[Target], entries: Mapping[str, Entry]
) -> tuple[list[Target], list[Problem]]:
    """The targets an agent may take, and what stands against the others.

    What HEAD says of a memory counts too: lowering its priority in the same commit opens nothing.
    """
    before = {
        proposal.renames.get(change.path, change.path): change.old
        for change in proposal.changes
        if change.old_mode in REGULAR
    }
    free, problems = [], []
    for target in targets:
        entry = entries.get(target.path)
        blobs = [blob for blob in (entry and entry.blob, before.get(target.path)) if blob]
        facts = [proposal.reader.one(target.path, blob).facts for blob in blobs]
        why = next(filter(None, map(guard, facts)), None) if _acts_anew(proposal, target) else None
        if why is None:
            free.append(target)
        else:
            problems.append(by_agent(target, why))
    return free, problems


def _acts_anew(proposal: Proposal, target: Target) -> bool:
    """Is it this commit that makes the marker act? It may also let its candidate in."""
    row = proposal.base.rows.get(target.declared_in)
    return target.is_new or (row is not None and row.status != Status.ACTIVE)
