"""Remotes: the one a branch is pushed to, what it has already, and the push itself.

Must not know what a memory is, nor print the URL of a remote: a password may stand in it.
"""

from __future__ import annotations

import os

from memtools.errors import GitError, say
from memtools.git.objects import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


def push_remote(git: Git, branch: str) -> str:
    """The remote that new branches go to, as git chooses it, else the only one; "" for none.

    `branch` is the one HEAD stands on ("": none).
    """
    names = lines_of(git.run("remote"))
    for key in (
        *((f"branch.{branch}.pushRemote",) if branch else ()),
        "remote.pushDefault",
        *((f"branch.{branch}.remote",) if branch else ()),
    ):
        code, out, _ = git.call("config", "--get", key)
        if code == 0 and (name := os.fsdecode(out).strip()) in names:
            return name
    if "origin" in names:
        return "origin"
    return names[0] if len(names) == 1 else ""


def remote_url(git: Git, remote: str) -> str:
    """Where a remote is; not to be printed."""
    return git.line("remote", "get-url", "--", remote)


def default_branch(git: Git, remote: str) -> str:
    """The branch a remote had as its default when it was cloned; "" when that is not known."""
    code, out, _ = git.call("symbolic-ref", "--quiet", f"refs/remotes/{remote}/HEAD")
    return os.fsdecode(out).strip().removeprefix(f"refs/remotes/{remote}/") if code == 0 else ""


def count_unpushed(git: Git, remote: str, branch: str) -> int:
    """How many commits of a branch a remote did not have when it was last asked."""
    out = git.run("rev-list", "--count", f"refs/heads/{branch}", "--not", f"--remotes={remote}")
    return int(out)


def push_branch(git: Git, remote: str, branch: str) -> None:
    """Push a branch under its own name, never over another one.

    Raises:
        GitError: it cannot be reached, or does not take it; the branch stays here.
    """
    ref = f"refs/heads/{branch}"
    try:
        git.run("push", "--quiet", "--no-follow-tags", "--", remote, f"{ref}:{ref}")
    except GitError as error:
        raise GitError(
            say(
                "{branch} was not pushed to {remote}: {reason}; it is kept here",
                branch=branch,
                remote=remote,
                reason=error.message,
            )
        ) from error
