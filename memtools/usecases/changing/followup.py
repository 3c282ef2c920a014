"""post-merge with `merge_mode = "follow-up"`: what a merge made due, in a commit of its own."""

from __future__ import annotations

from memtools.errors import MemtoolsError
from memtools.usecases.committing.premerge import FOLLOW_UP, merge_mode
from memtools.usecases.outcome import Outcome
from memtools.usecases.standing import standing_at
from memtools.usecases.tree import plan_of, settings_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository


def follow_up_merge(repository: Repository, outcome: Outcome, *, unattended: bool) -> Outcome:
    """Make the commit when the settings ask for it and a marker is open; else pass `outcome` on."""
    tree = repository.head_tree
    if not tree or merge_mode(repository, unattended=unattended) != FOLLOW_UP:
        return outcome
    settings = settings_at(repository, tree)
    if not plan_of(standing_at(repository, tree, settings).ledger, settings).targets:
        return outcome
    from memtools.usecases.changing.sweep import sweep

    try:
        return sweep(repository, apply=True).outcome
    except MemtoolsError as error:
        return outcome._replace(notices=(*outcome.notices, error.message))
