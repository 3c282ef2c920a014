"""Filters that a repository's own configuration names (clean, smudge): how to leave them out.

Must not know which files they are for; any file of the tree can say that.
"""

from __future__ import annotations

import os

from memtools.git.run import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


def without_own(git: Git, common_dir: str) -> list[str]:
    """The options that switch them off; those the person's configuration names stay."""
    if not _may_name_any(common_dir):
        return []
    asked = ("config", "-z", "--show-scope", "--name-only", "--get-regexp", r"^filter\.")
    fields = git.call(*asked)[1].split(b"\0")
    return [
        f"--config-env={os.fsdecode(name)}={NOTHING}"
        for scope, name in zip(fields[::2], fields[1::2], strict=False)
        if scope in (b"local", b"worktree")
    ]


def _may_name_any(common_dir: str) -> bool:
    """Can it name a filter, itself or in a file it leads to? To ask git takes a process."""
    try:
        with open(os.path.join(common_dir, "config"), "rb") as file:
            text = file.read().lower()
    except OSError:
        return True
    return any(word in text for word in (b"filter", b"include", b"worktreeconfig"))
