"""After HEAD moved: finish what pre-commit began, bring what is derived along, say what is open.

Read-only towards the person's files, except for tombstones already in HEAD. Always cheap: the diff
of two trees; nothing at all while a rebase or cherry-pick is under way.
"""

from __future__ import annotations

from memtools.core.retraction import MarkerState
from memtools.core.selection import is_place
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import SearchError
from memtools.git.inprogress import is_in_sequence
from memtools.git.objects import blobs_at, tree_id
from memtools.git.staging import Staging
from memtools.usecases.committing.journal import finish
from memtools.usecases.outcome import Outcome
from memtools.usecases.searchindex import follow_tree
from memtools.usecases.standing import standing_at
from memtools.usecases.state import read_standing
from memtools.usecases.tree import Reader, plan_of, settings_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.ledger import Ledger
    from memtools.core.retraction import Plan
    from memtools.core.wording import Said
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings


def head_moved(repository: Repository, *, is_rebased: bool = False) -> Outcome:
    """Bring everything derived along with HEAD; report markers that no hook could apply.

    `is_rebased`: a rebase has just moved its branch; git takes its notes of it away after the hook.
    """
    staging = Staging(repository.git, repository.git_dir)
    left = finish(repository, staging)
    notices: list[str] = [_left_behind(path) for path in left]
    if not is_rebased and is_in_sequence(repository.git_dir):
        return Outcome(notices=tuple(notices))
    tree = repository.head_tree
    if not tree:
        return Outcome(notices=tuple(notices))
    before = read_standing(repository.state_dir)
    settings = settings_at(repository.git, tree)
    ledger = standing_at(repository, tree, settings).ledger
    if before is not None and before.config_blob == settings.blob:
        gone = _gone_tombstones(before.ledger, ledger)
        notices += _restored(repository, settings, gone, "ORIG_HEAD" if is_rebased else "HEAD@{1}")
    notices += _unapplied(plan_of(ledger, settings))
    try:
        follow_tree(repository, tree, settings)
    except SearchError as error:
        notices.append(
            say("the search index stays behind ({reason}); search catches up", reason=error.message)
        )
    return Outcome(notices=tuple(notices))


def _left_behind(path: str) -> Said:
    if is_place(path):
        return say(
            "the file {path} could not follow; its new block of memories is in the commit",
            path=path,
        )
    return say("the file {path} could not follow; its tombstone is in the commit", path=path)


def _gone_tombstones(before: Ledger, after: Ledger) -> list[str]:
    return [
        path
        for path, row in sorted(before.rows.items())
        if row.status == Status.RETRACTED
        and ((now := after.rows.get(path)) is None or now.status == Status.ACTIVE)
    ]


def _restored(
    repository: Repository, settings: Settings, gone: list[str], before: str
) -> Iterator[Said]:
    """Memories that live again since HEAD stood at `before` (a git revert, say).

    The ledger that was kept may be another branch's, which lost nothing.
    """
    git = repository.git
    left = (tree_id(git, before) or tree_id(git, "HEAD^")) if gone else None
    if not left:
        return
    held, had = blobs_at(git, repository.head_tree, gone), blobs_at(git, left, gone)
    there = [(path, had[path].blob) for path in gone if path in held and path in had]
    for studied in Reader(git, settings.config)(there):
        if studied.facts.status == Status.RETRACTED:
            yield say("restored {path}: no longer retracted", path=studied.facts.path)


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
