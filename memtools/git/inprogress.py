"""What git is in the middle of here (merge, rebase, revert, cherry-pick), by its own notes.

Must not know what a memory is, nor change any of these notes.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


MERGE = "MERGE_HEAD"
# What git writes down while something is under way.
_NOTES = (
    *(MERGE, "CHERRY_PICK_HEAD", "REVERT_HEAD"),
    *("rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG"),
)


def under_way(git_dir: str) -> list[str]:
    """The names of all such notes that are there."""
    return [name for name in _NOTES if os.path.lexists(os.path.join(git_dir, name))]


def merge_heads(git_dir: str) -> tuple[str, ...]:
    """The commits being merged, beside HEAD; none when no merge is under way."""
    return tuple(_lines_of(git_dir, MERGE))


def is_reverting(git_dir: str) -> bool:
    """Is a revert being finished: with conflicts, or `git revert -n`?"""
    return os.path.exists(os.path.join(git_dir, "REVERT_HEAD"))


def is_in_sequence(git_dir: str) -> bool:
    """Do more commits follow this one, in a rebase, `git am`, or a cherry-pick of several?"""
    if os.path.exists(os.path.join(git_dir, "rebase-merge")):
        return True
    if os.path.exists(os.path.join(git_dir, "rebase-apply")):
        is_am = os.path.exists(os.path.join(git_dir, "rebase-apply", "applying"))
        now, last = (_lines_of(git_dir, f"rebase-apply/{name}")[:1] for name in ("next", "last"))
        return not (is_am and now == last)
    # The pick that was just committed is the first line of what git still has to do.
    return len(_lines_of(git_dir, "sequencer/todo")) > 1


def is_rewording(git: Git, git_dir: str) -> bool:
    """Does a rebase commit here only to change a message?

    It goes on with the staging it knows, and stops at what a hook changed there.
    """
    action = git.env.get("GIT_REFLOG_ACTION", "")
    return action.endswith("(reword)") and is_in_sequence(git_dir)


def _lines_of(git_dir: str, name: str) -> list[str]:
    try:
        with open(os.path.join(git_dir, name), encoding="utf-8", errors="replace") as file:
            return [line.strip() for line in file if line.strip()]
    except OSError:
        return []
