"""post-merge with `merge_mode = "follow-up"`: what a merge made due, in a commit of its own."""

from __future__ import annotations

from memtools.errors import MemtoolsError
from memtools.usecases.changing.blocks import blocks_beside
from memtools.usecases.committing.premerge import FOLLOW_UP, merge_mode
from memtools.usecases.outcome import Outcome
from memtools.usecases.standing import standing_at
from memtools.usecases.tree import plan_of, settings_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository


def follow_up_merge(repository: Repository, outcome: Outcome, *, unattended: bool) -> Outcome:
    """Make the commit when the settings ask for it and something is due; else pass `outcome` on."""
    tree = repository.head_tree
    if not tree or merge_mode(repository, unattended=unattended) != FOLLOW_UP:
        return outcome
    settings = settings_at(repository.git, tree)
    has_targets = bool(plan_of(standing_at(repository, tree, settings).ledger, settings).targets)
    try:
        if has_targets:
            from memtools.usecases.changing.sweep import sweep

            return sweep(repository, apply=True).outcome
        return _with_blocks(repository, outcome)
    except MemtoolsError as error:
        return outcome._replace(notices=(*outcome.notices, error.message))


def _with_blocks(repository: Repository, outcome: Outcome) -> Outcome:
    """Commit the blocks of AGENTS.md and the like that the merge left stale."""
    stale = blocks_beside(repository, {})
    if not stale:
        return outcome
    from memtools.usecases.changing.head import own_message
    from memtools.usecases.changing.owncommit import NewBytes, commit_files

    files = [NewBytes(path, data) for path, data in stale.items()]
    made = commit_files(repository, files, own_message("Render the memories anew"))
    return outcome._replace(notices=(*outcome.notices, *made.notices))
