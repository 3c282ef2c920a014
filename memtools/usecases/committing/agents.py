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

    What HEAD says of a memory counts too: lowering its priority in the same commit, or giving its
    word another meaning, opens nothing.
    """
    was = {new: old for old, new in proposal.renames.items()}
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
        row = proposal.base.rows.get(was.get(target.path, target.path))  # by the settings of HEAD
        facts += [row] if row is not None else []
        is_guarded = _acts_anew(proposal, target, was)
        why = next(filter(None, map(guard, facts)), None) if is_guarded else None
        if why is None:
            free.append(target)
        else:
            problems.append(by_agent(target, why))
    return free, problems


def _acts_anew(proposal: Proposal, target: Target, was: Mapping[str, str]) -> bool:
    """Is it this commit that makes the marker act?

    It may also let its candidate in, or make a memory of its file; a merge brings in what others
    let in. `was`: the path in HEAD of what is renamed.
    """
    row = proposal.base.rows.get(was.get(target.declared_in, target.declared_in))
    if row is None:
        return target.is_new or not proposal.other_parents
    return target.is_new or row.status != Status.ACTIVE
