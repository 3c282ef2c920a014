"""A repository that receives pushes: does it judge those to the branch of its HEAD?

Must not change anything, nor know how a push is judged.
"""

from __future__ import annotations

import json

from memtools.core.protected import is_protected
from memtools.core.wording import Said, say, shell_word
from memtools.git.objects import tree_id
from memtools.git.refs import branch_of_head, branch_tips
from memtools.usecases.tree import empty_tree, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git

_HEADS = "refs/heads/"


class Unjudged(NamedTuple):
    """What is let through unread, and `hint`, what to type."""

    message: Said
    hint: Said


def unjudged_branch(git: Git, git_dir: str) -> Unjudged | None:
    """Is HEAD's branch none of `approval.protected`, so that whatever is pushed to it passes?"""
    branch = branch_of_head(git, git_dir)
    patterns = settings_at(git, tree_id(git, "HEAD") or empty_tree(git)).config.approval.protected
    if not branch or is_protected(_HEADS + branch, patterns):
        return None
    message = say(
        "pushes to {branch}, the branch of HEAD, are not judged: approval.protected is {names}",
        branch=branch,
        names=", ".join(patterns) or "[]",
    )
    tips = branch_tips(git)
    named = [name for name in patterns if "*" not in name and (not tips or _HEADS + name in tips)]
    line = f"protected = [{json.dumps(branch, ensure_ascii=False)}]"
    if named:
        ref = shell_word(_HEADS + named[0])
        hint = say(
            "type here: git symbolic-ref HEAD {ref}; or push this line of .memtools.toml, below "
            "[approval]: {line}",
            ref=ref,
            line=line,
        )
    else:
        hint = say("push this line of .memtools.toml, below [approval]: {line}", line=line)
    return Unjudged(message, hint)
