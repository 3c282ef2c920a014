"""A commit on a new branch, made without touching HEAD, git's index or the work tree.

Must not know what a memory is.
"""

from __future__ import annotations

import contextlib
import os

from memtools.git.objects import lines_of, write_blobs
from memtools.git.staging import Entry, Staging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git

_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"


def branches_below(git: Git, prefix: str) -> set[str]:
    """The names of all branches that begin with `prefix/`."""
    out = git.run("for-each-ref", "--format=%(refname)", f"{_HEADS}{prefix}/")
    return {ref.removeprefix(_HEADS) for ref in lines_of(out)}


def unmerged_below(git: Git, prefix: str) -> dict[str, int]:
    """Those of them that HEAD has not -> when their last commit was made (seconds since 1970).

    None before the first commit.
    """
    form = "--format=%(authordate:unix) %(refname)"
    code, out, _ = git.call("for-each-ref", form, "--no-merged=HEAD", f"{_HEADS}{prefix}/")
    rows = (line.split(" ", 1) for line in (() if code else lines_of(out)))
    return {ref.removeprefix(_HEADS): int(at) for at, ref in rows}


def fetched_below(git: Git, prefix: str) -> set[str]:
    """The same of what was fetched or pushed last: the branches remotes have."""
    names = lines_of(git.run("for-each-ref", "--format=%(refname)", _REMOTES))
    parts = (name.removeprefix(_REMOTES).partition(f"/{prefix}/") for name in names)
    return {f"{prefix}/{rest}" for _, _, rest in parts if rest}


def write_branch(
    git: Git, folder: str, name: str, file: tuple[str, bytes], message: str, date: str
) -> str:
    """Make the branch `name`: HEAD and one commit more, which adds `file` (path, bytes).

    `folder` takes a private index. Signed when git is told to sign commits; no hook is run.
    Returns the commit.

    Raises:
        GitError: there is no HEAD, the branch is there already, or cannot be signed.
    """
    base = git.line("rev-parse", "--verify", "HEAD^{commit}")
    index = os.path.join(folder, f"branch-index-{os.getpid()}")
    own = git.with_env(GIT_INDEX_FILE=index, GIT_AUTHOR_DATE=date)
    try:
        own.run("read-tree", base)
        path, data = file
        Staging(own, folder).write(
            [Entry(path, "100644", write_blobs(git, [data], folder)[0], "H")]
        )
        tree = own.line("write-tree")
        sign = ("-S",) if _signs(git) else ()
        made = own.run(
            "commit-tree", *sign, "-p", base, "-F", "-", tree, stdin=os.fsencode(message)
        )
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(index)
    commit = made.decode().strip()
    # The empty old value: the branch must not be there yet.
    git.run("update-ref", "-m", "memtools propose", f"{_HEADS}{name}", commit, "0" * len(commit))
    return commit


def _signs(git: Git) -> bool:
    code, out, _ = git.call("config", "--type=bool", "--get", "commit.gpgSign")
    return code == 0 and out.strip() == b"true"
