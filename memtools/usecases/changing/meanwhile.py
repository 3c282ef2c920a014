"""What somebody else commits while a commit of our own is being made.

Must not know what is committed; whoever is told begins anew with the new HEAD.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.errors import GitError
from memtools.git.objects import tree_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


class MeanwhileError(GitError):
    """Somebody else committed since these bytes were worked out; nothing was changed."""


def head_moved_meanwhile() -> MeanwhileError:
    """The error for a HEAD that is not the one that was worked on."""
    return MeanwhileError(say("HEAD moved meanwhile"), say("type the command again"))


def head_commit(git: Git, name: str = "HEAD") -> str:
    """The commit of that name; "" when there is none."""
    return git.call("rev-parse", "--verify", "--quiet", name)[1].decode().strip()


def take_back_overtaking(git: Git, before: str) -> None:
    """Undo a commit that stands on another one than `before`: it lacks what that one brought.

    git reads HEAD once more when it begins to commit; somebody may have committed just then. `git`
    knows the index the commit was made of.

    Raises:
        MeanwhileError: so it was.
    """
    made, parent = head_commit(git), head_commit(git, "HEAD^")
    if parent not in ("", before) and tree_id(git, made) == git.line("write-tree"):
        git.run("update-ref", "HEAD", parent, made)
        raise head_moved_meanwhile()
