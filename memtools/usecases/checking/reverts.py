"""Was a retraction taken back by `git revert`, in a commit of the range?

Must not know what else brings a memory back.
"""

from __future__ import annotations

import os
import re

from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, diff_trees, tree_id
from memtools.git.refs import span
from memtools.git.written import commits_of, written_by
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory
    from memtools.git.objects import Change
    from memtools.usecases.checking.change import Means, Step
    from memtools.usecases.tree import Reader

_REVERTS = re.compile(rb"^This reverts commit ([0-9a-f]{7,64})", re.MULTILINE)


class Reverted(NamedTuple):
    """What may have been: the paths it concerns, and the memory as it was `old`, retracted.

    `is_own`: the retraction itself is of the range.
    """

    paths: list[str]
    old: Memory
    is_own: bool


def is_reverted(step: Step, means: Means, back: Reverted) -> bool:
    """Does a commit on the way that touches the memory revert the one that retracted it?

    And none retracts it again after that.
    """
    told = ("log", "-z", "--full-history", "--format=%H%n%B", *span(step.since, step.until))
    out = means.git.run(*told, "--", *map(os.fsencode, back.paths))
    for text in out.split(b"\0"):
        commit, _, message = text.partition(b"\n")
        for named in _REVERTS.findall(message):
            is_meant = _is_meant(step, means, named.decode(), back)
            if is_meant and not _buried_since(step, means, commit.decode(), back):
                return True
    return False


def _is_meant(step: Step, means: Means, commit: str, back: Reverted) -> bool:
    """Did the commit a revert names retract the memory?

    Rebased together, the revert names one that is in nobody's history any more.
    """
    if _retracted(step, means, commit, back):
        return True
    return back.is_own and tree_id(means.git, commit) is None


def _buried_since(step: Step, means: Means, commit: str, back: Reverted) -> bool:
    """Did a commit that is not behind this one make the memory a tombstone?"""
    names = [os.fsencode(path) for path in back.paths]
    others = commits_of(means.git, "--full-history", step.until, f"^{commit}", "--", *names)
    for one in written_by(means.git, others):
        if one.path in back.paths:
            now, *olds = (means.reader.one(one.path, blob).memory for blob in (one.blob, *one.olds))
            is_old = any(old.status is Status.RETRACTED for old in olds)
            if now.status is Status.RETRACTED and not is_old:
                return True
    return False


def _retracted(step: Step, means: Means, commit: str, back: Reverted) -> bool:
    """Did this commit (a merge: against its first parent) retract the memory?"""
    git, reader, *_ = means
    paths, old = back.paths, back.old
    before, after = tree_id(git, f"{commit}^1"), tree_id(git, commit)
    if before is None or after is None:
        return False
    holds = step.after.settings.config.selection.holds
    changes = [change for change in diff_trees(git, before, after) if holds(change.path)]
    if old.status is not Status.RETRACTED:  # it had no tombstone yet: the marker came with it
        return any(change.path in paths for change in changes)
    return any(
        _is_tombstone(reader, change)
        and (change.path in paths or reader.one(change.path, change.new).memory.body == old.body)
        for change in changes
    )


def _is_tombstone(reader: Reader, change: Change) -> bool:
    """Does this change make a memory retracted?"""
    if change.new_mode not in REGULAR:
        return False
    if reader.one(change.path, change.new).memory.status is not Status.RETRACTED:
        return False
    is_old = change.old_mode in REGULAR
    return not is_old or reader.one(change.path, change.old).memory.status is not Status.RETRACTED
