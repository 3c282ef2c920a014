"""The blocks of AGENTS.md and the like that a commit makes stale: looked for only when it may.

Must not know what stands in a block (`usecases/rendering` does).
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE
from memtools.core.selection import PLACES, is_place
from memtools.core.vocabulary import Priority
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.problem import Problem
    from memtools.core.retraction import Plan
    from memtools.git.staging import Entry, Staging
    from memtools.usecases.committing.proposal import Proposal
    from memtools.usecases.rendering.blocks import Rewrite


def stale_blocks(
    staging: Staging, proposal: Proposal, plan: Plan
) -> tuple[tuple[Rewrite, ...], tuple[Problem, ...]]:
    """The staged files whose block will not say what the memories of this commit say."""
    if not _may_change_layer(proposal, plan):
        return (), ()
    entries = staging.matching(PLACES).values()
    held = [looked_through(proposal, entry) for entry in entries if is_place(entry.path)]
    if not held:
        return (), ()
    from memtools.usecases.rendering.blocks import Source, rewrites

    source = Source(proposal.staged, plan, proposal.settings, proposal.reader)
    return rewrites(staging.git, source, held)


def looked_through(proposal: Proposal, entry: Entry) -> Entry:
    """A staged entry as it was before a commit that was given up."""
    row = proposal.undone.get(entry.path)
    return entry if row is None else entry._replace(blob=row.old)


def block_notices(rendered: Iterable[Rewrite]) -> list[str]:
    """One line for each file whose block is written anew."""
    return [
        say("{path}: its block of memories changes in this commit", path=rewrite.entry.path)
        for rewrite in rendered
    ]


def _may_change_layer(proposal: Proposal, plan: Plan) -> bool:
    """Could this commit change what agents are told at each turn, or a file that tells it?"""
    others = proposal.other_changes
    if SETTINGS_FILE in others or any(map(is_place, others)):
        return True
    base, staged = proposal.base.rows, proposal.staged.rows
    touched = [change.path for change in proposal.changes]
    if any(path in base and base[path].markers for path in touched):
        return True  # an open marker that goes gives its victim back
    touched += [target.path for target in plan.targets]
    rows = (rows.get(path) for rows in (base, staged) for path in touched)
    return any(row is not None and row.priority == Priority.HIGH for row in rows)
