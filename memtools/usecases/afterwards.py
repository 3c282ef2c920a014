"""After HEAD moved: finish what pre-commit began, bring ledger and search index along, say what is open.

Read-only towards the person's files, except for tombstones already in HEAD. Always cheap: the diff of
two trees; nothing at all while a rebase or cherry-pick is under way.
"""

from __future__ import annotations

import os

from memtools.core.retraction import MarkerState
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import SearchError
from memtools.git.staging import Staging
from memtools.usecases.journal import finish
from memtools.usecases.outcome import Outcome
from memtools.usecases.searchindex import follow_tree
from memtools.usecases.standing import plan_of as plan_of
from memtools.usecases.standing import settings_at as settings_at
from memtools.usecases.standing import standing_at
from memtools.usecases.state import read_standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.core.retraction import Plan
    from memtools.usecases.repository import Repository

_SEQUENCES = ("rebase-merge", "rebase-apply", "sequencer", "CHERRY_PICK_HEAD")


def head_moved(repository: Repository) -> Outcome:
    """Bring everything derived along with HEAD; report markers that no hook could apply."""
    staging = Staging(repository.git, repository.git_dir)
    left = finish(repository, staging)
    notices: list[str] = [
        say("the file {path} could not follow; its tombstone is in the commit", path=path)
        for path in left
    ]
    if is_in_sequence(repository.git_dir):
        return Outcome(notices=tuple(notices))
    tree = repository.head_tree
    if not tree:
        return Outcome(notices=tuple(notices))
    before = read_standing(repository.state_dir)
    settings = settings_at(repository, tree)
    ledger = standing_at(repository, tree, settings).ledger
    if before is not None and before.config_blob == settings.blob:
        notices += _restored(before.ledger, ledger)
    notices += _unapplied(plan_of(ledger, settings))
    try:
        follow_tree(repository, tree, settings)
    except SearchError as error:
        notices.append(
            say("the search index stays behind ({reason}); search catches up", reason=error.message)
        )
    return Outcome(notices=tuple(notices))


def is_in_sequence(git_dir: str) -> bool:
    """Is a rebase, cherry-pick or revert of several commits under way?"""
    return any(os.path.exists(os.path.join(git_dir, name)) for name in _SEQUENCES)


def _restored(before: Ledger, after: Ledger) -> list[str]:
    """Tombstones that are gone while their memory is still there (a git revert, say)."""
    return [
        say("restored {path}: no longer retracted", path=path)
        for path, row in sorted(before.rows.items())
        if row.status == Status.RETRACTED and _is_back(after, path)
    ]


def _is_back(after: Ledger, path: str) -> bool:
    row = after.rows.get(path)
    return row is not None and row.status == Status.ACTIVE


def _unapplied(plan: Plan) -> list[str]:
    open_markers = [m for m in plan.markers if m.state is MarkerState.OPEN]
    if not open_markers:
        return []
    lines = [
        say(
            "{path}:{line} is not applied yet: {victims} is hidden, but has no tombstone",
            path=marker.path,
            line=marker.line,
            victims=", ".join(marker.live),
        )
        for marker in open_markers
    ]
    return [*lines, say("to write the missing tombstones: memtools sweep --apply")]
