"""erase: rewrite the history without a memory, bring it back here, and let nothing of it stay.

Either the old history or the new one is whole at every moment; a killed run is ended by the next.
"""

from __future__ import annotations

import contextlib
import os

from memtools.core.erasure import MARK, Finder, telling_pattern
from memtools.core.wording import say
from memtools.errors import GitError, MemtoolsError, RefusedError
from memtools.git.everything import commit_refs, refs
from memtools.git.objects import diff_trees, tree_id
from memtools.git.retag import tags_of_commits, write_tags
from memtools.git.rewrite import (
    NEW,
    Filter,
    bring_back,
    check_whole,
    clone_all,
    delete_refs,
    filter_history,
    follow_tree,
    move_notes,
    move_refs,
    prune,
    require_filter,
)
from memtools.usecases.changing.head import read_head
from memtools.usecases.changing.locks import alone, refuse_locked
from memtools.usecases.changing.meanwhile import MeanwhileError
from memtools.usecases.committing.afterwards import head_moved
from memtools.usecases.committing.tombstones import BACKUP_REF
from memtools.usecases.erasing.pending import (
    Pending,
    clear_leftovers,
    folder_of,
    forget_pending,
    read_pending,
    write_pending,
)
from memtools.usecases.erasing.plan import Erasure, named_now, plan_targets
from memtools.usecases.erasing.proof import Proof, prove, prove_objects
from memtools.usecases.erasing.remains import clear_remains, clear_rendered
from memtools.usecases.erasing.shape import refuse_shape
from memtools.usecases.erasing.stashes import PINS, pin_stashes, put_stashes_back
from memtools.usecases.erasing.targets import read_past
from memtools.usecases.person import require_person
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository

_HEAD = "refs/memtools/erase/head"  # where HEAD stands, when it is on no branch


def refuse_agent() -> None:
    """Rule 20: an agent erases nothing.

    Raises:
        PolicyError: an agent's session asks.
    """
    require_person(say("an agent cannot erase anything; nothing was changed"))


def unfinished(repository: Repository) -> Erasure | None:
    """The plan of an erasure that was begun here and not ended; None: there is none.

    Raises:
        GitError: the history cannot be rewritten from here.
    """
    pending = read_pending(repository)
    if pending is None:
        return None
    refuse_shape(repository)
    return plan_targets(repository, read_past(repository), pending.targets)


def erase(repository: Repository, plan: Erasure, *, discard: bool = False) -> Proof:
    """Carry out a plan, and prove it. `discard`: what is not committed may be lost.

    Raises:
        PolicyError: an agent asks, or the repository requires another memtools.
        RefusedError: something that is not committed would be lost.
        ExtraError: git-filter-repo is not installed.
        GitError: git refuses; the history is the old one then, or (it says so) the next run ends.
    """
    refuse_agent()
    require_filter()
    os.makedirs(repository.state_dir, mode=0o700, exist_ok=True)
    with alone(repository):
        refuse_locked(repository)
        if plan.seen != named_now(repository.git):
            raise _meanwhile(say("the plan is for another history"))
        read_head(repository, writes=True)
        clear_leftovers(repository)
        is_begun = read_pending(repository) is not None
        pending = _begun(repository, plan)
        _lose_uncommitted(repository, plan, discard=discard)
        write_pending(repository, pending)
        try:
            _rewrite(repository, plan, pending)
        except BaseException:
            _give_up(repository, is_begun=is_begun)
            raise
        return _clean_up(repository, plan, pending)


def _give_up(repository: Repository, *, is_begun: bool) -> None:
    """Leave nothing behind; but what an earlier run left to be ended still is."""
    mine = (NEW,) if is_begun else (NEW, PINS, _HEAD)
    delete_refs(repository.git, [ref for ref in refs(repository.git) if ref.startswith(mine)])
    if not is_begun:
        forget_pending(repository)


def _begun(repository: Repository, plan: Erasure) -> Pending:
    """What an earlier run began, with its index brought along; else a new beginning."""
    kept = read_pending(repository)
    git = repository.git
    at_head = git.call("diff-index", "--cached", "--quiet", "HEAD", "--")[0] == 0
    if kept is None or at_head:
        stashes = kept.stashes if kept is not None else ()
        return Pending(plan.targets, repository.head_tree, stashes)
    with contextlib.suppress(GitError):  # the check for what is not committed says what is wrong
        follow_tree(git, kept.old_tree, repository.head_tree)
    return kept


def _lose_uncommitted(repository: Repository, plan: Erasure, *, discard: bool) -> None:
    git = repository.git
    git.call("update-index", "-q", "--refresh")
    dirty = bool(git.run("status", "--porcelain", "--untracked-files=no"))
    if not discard and (dirty or plan.losses.untracked):
        raise RefusedError(
            say("what is not committed would be lost; nothing was changed"),
            say("commit it or move it away, or type --discard to lose what is listed"),
        )
    if dirty:
        git.run("reset", "--hard", "--quiet")
    for path in plan.losses.untracked:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(repository.top, path))


def _rewrite(repository: Repository, plan: Erasure, pending: Pending) -> None:
    """Make the new history, and move all refs to it at once; whatever fails changes nothing.

    Raises:
        GitError: git or git-filter-repo failed, or the new history is not what was planned.
        MeanwhileError: somebody else moved a ref.
    """
    git, folder = repository.git, folder_of(repository)
    delete_refs(git, [ref for ref in refs(git) if ref.startswith((NEW, BACKUP_REF))])
    stashes = pin_stashes(git, pending.stashes)
    write_pending(repository, pending._replace(stashes=stashes))
    if git.call("symbolic-ref", "--quiet", "HEAD")[0]:
        git.run("update-ref", _HEAD, "HEAD")
    found, whole = refs(git), commit_refs(git)
    before = {ref: old for ref, old in found.items() if ref in whole}
    clone = clone_all(git, repository.common_dir, os.path.join(folder, "clone.git"))
    _filter(clone, plan, folder)
    after = bring_back(git, clone, before)
    clone.close()
    _refuse_moved(git, found)
    _compare(git, plan, before, after)
    if _HEAD in before:  # on no branch: it moves with the others, or none does
        before["HEAD"], after["HEAD"] = before[_HEAD], after[_HEAD]
    try:
        move_refs(git, before, after)
    except GitError as error:
        raise _meanwhile(error.message) from error


def _refuse_moved(git: Git, found: dict[str, str]) -> None:
    now = {ref: one for ref, one in refs(git).items() if not ref.startswith(NEW)}
    if other := now.items() ^ found.items():
        raise _meanwhile(min(other)[0])


def _meanwhile(what: str) -> MeanwhileError:
    return MeanwhileError(
        say("somebody else moved a ref meanwhile: {reason}", reason=what),
        say("type the command again"),
    )


def _filter(clone: Git, plan: Erasure, folder: str) -> None:
    """Write the history of the clone anew, and see that it is whole and holds nothing of it."""
    whole = commit_refs(clone)
    delete_refs(clone, [r for r in refs(clone) if r not in whole or r == "refs/stash"])
    targets = plan.targets
    wanted = Filter(
        plan.gone,
        plan.changed,
        telling_pattern(targets.texts, targets.paths, plan.others, targets.blobs),
        Finder(targets.texts).pattern,
        MARK.encode(),
    )
    tags = tags_of_commits(clone)
    moved = filter_history(clone, wanted, folder)
    write_tags(clone, tags, moved, wanted)
    move_notes(clone, moved)
    prune(clone, clone.cwd)
    check_whole(clone)
    _, left = prove_objects(clone, targets)
    if left:
        raise GitError(
            say("the new history still holds it, in {count} objects", count=len(left)),
            say("nothing was changed; report this"),
        )


def _compare(git: Git, plan: Erasure, before: dict[str, str], after: dict[str, str]) -> None:
    """Does each ref hold what it held, but for what was to go?"""
    if missing := before.keys() - after.keys() - {"refs/stash"}:
        raise GitError(say("the new history lacks {ref}", ref=min(missing)))
    for ref, old in before.items():
        one, other = tree_id(git, old), tree_id(git, after.get(ref, old))
        for change in diff_trees(git, one or "", other or "") if one != other else ():
            is_gone = change.old in plan.gone and not change.new.strip("0")
            is_note = ref.startswith("refs/notes/")
            if not (is_gone or is_note or change.old in plan.changed):
                raise GitError(
                    say("the new history changes {path}, which it should not", path=change.path),
                    say("nothing was changed; report this"),
                )


def _clean_up(repository: Repository, plan: Erasure, pending: Pending) -> Proof:
    """Index and files follow; then all that still holds the old history is let go."""
    moved = open_repository(repository.top)
    git = moved.git
    kept = read_pending(moved) or pending
    if git.call("diff-index", "--cached", "--quiet", "HEAD", "--")[0]:
        follow_tree(git, kept.old_tree, moved.head_tree)
    delete_refs(git, [ref for ref in refs(git) if ref.startswith((NEW, _HEAD))])
    clear_rendered(moved.top, plan.losses.rendered, kept.targets)
    clear_remains(moved, kept.targets)
    prune(git, moved.common_dir)
    put_stashes_back(git, kept)
    delete_refs(git, [ref for ref in refs(git) if ref.startswith(PINS)])
    with contextlib.suppress(MemtoolsError):  # ledger and search index: the next reader does it
        head_moved(open_repository(repository.top))
    forget_pending(moved)
    return prove(open_repository(repository.top), kept.targets, plan.announced)
