"""Named commits: what a branch name stands for, where histories part, how old a fetched one is.

Must not know what a memory is.
"""

from __future__ import annotations

import os

from memtools.git.objects import lines_of, tree_id
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git

_REMOTES, _HEADS = "refs/remotes/", "refs/heads/"
_DEEPEST = 5  # symbolic refs git follows
_IN_REFTABLE = "refs/heads/.invalid"  # what the file says where HEAD is kept elsewhere


class Commit(NamedTuple):
    """A name found: its full ref (the name itself when it is no branch), commit and tree id."""

    ref: str
    commit: str
    tree: str


def find_commit(git: Git, name: str) -> Commit | None:
    """The commit a name stands for; None when there is none.

    A remote branch (REMOTE/BRANCH) first, then a local one, then whatever git takes it for. Git
    itself would take a tag of that name first, and tags come along with any fetch.
    """
    wanted = [name] if name.startswith("refs/") else [_HEADS + name]
    if "/" in name and wanted != [name]:
        wanted.insert(0, _REMOTES + name)
    form = "--format=%(refname)%00%(objectname)%00%(tree)"
    code, out, _ = git.call("for-each-ref", form, "--", *map(os.fsencode, wanted))
    rows = [os.fsdecode(line).split("\0") for line in out.split(b"\n")[:-1] if not code]
    found = {ref: Commit(ref, commit, tree) for ref, commit, tree in rows if tree}
    for ref in wanted:
        if ref in found:
            return found[ref]
    return _revision(git, name)


def _revision(git: Git, name: str) -> Commit | None:
    if not name or name.startswith("-") or "\0" in name:
        return None
    code, out, _ = git.call("rev-parse", "--verify", "--quiet", os.fsencode(f"{name}^{{commit}}"))
    commit = out.decode().strip()
    tree = tree_id(git, commit) if code == 0 else None
    return Commit(name, commit, tree) if tree else None


def branch_of_head(git: Git, git_dir: str) -> str:
    """The branch HEAD stands on, without `refs/heads/`; "" when it is detached."""
    try:
        with open(os.path.join(git_dir, "HEAD"), "rb") as file:
            ref = os.fsdecode(file.read(5000).strip().removeprefix(b"ref:").strip())
    except OSError:
        return ""
    if ref == _IN_REFTABLE:
        ref = os.fsdecode(git.call("symbolic-ref", "--quiet", "HEAD")[1]).rstrip("\n")
    return ref.removeprefix(_HEADS) if ref.startswith(_HEADS) else ""


def moved_by(git: Git, common_dir: str, ref: str) -> str:
    """The full ref that a push to `ref` moves: another one when `ref` is symbolic."""
    for _ in range(_DEEPEST):
        if os.path.isdir(os.path.join(common_dir, "reftable")):
            target = os.fsdecode(git.call("symbolic-ref", "--quiet", ref)[1]).rstrip("\n")
        else:
            target = _told_in_file(os.path.join(common_dir, ref))
        if not target:
            break
        ref = target
    return ref


def _told_in_file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(5000)
    except OSError:
        return ""
    return os.fsdecode(data[4:].strip()) if data.startswith(b"ref:") else ""


def branch_tips(git: Git, points_at: str = "") -> dict[str, str]:
    """Full ref -> commit of each branch here and as remotes had it; `points_at`: of one commit."""
    at = (f"--points-at={points_at}",) if points_at else ()
    out = git.run("for-each-ref", "--format=%(objectname) %(refname)", *at, _HEADS, _REMOTES)
    rows = (line.split(" ", 1) for line in lines_of(out))
    return {ref: tip for tip, ref in rows}


def is_ancestor(git: Git, commit: str, tip: str) -> bool:
    """Is a commit `tip`, or in its history?"""
    return git.call("merge-base", "--is-ancestor", commit, tip)[0] == 0


def span(since: str, until: str) -> list[str]:
    """What names the commits of `until` that `since` ("": none) has not, for git."""
    return [until, f"^{since}"] if since else [until]


def merge_base(git: Git, one: str, other: str) -> str:
    """The commit at which two histories part; "" when they have nothing in common."""
    return next(iter(merge_bases(git, one, other)), "")


def merge_bases(git: Git, one: str, other: str) -> list[str]:
    """All such commits: histories that were merged into each other crosswise have several."""
    code, out, _ = git.call("merge-base", "--all", one, other)
    return out.decode().split() if code == 0 else []


def remote_of(git: Git, name: str) -> str:
    """The remote a ref such as `origin/main` is fetched from; "" when it is none of a remote."""
    short = name.removeprefix(_REMOTES)
    remotes = lines_of(git.run("remote"))
    fitting = [remote for remote in remotes if short.startswith(f"{remote}/")]
    return max(fitting, key=len, default="")


def fetch(git: Git, remote: str) -> None:
    """Fetch a remote as it is set up; nobody is asked for a password.

    Raises:
        GitError: it cannot be reached.
    """
    git.run("fetch", "--quiet", "--no-recurse-submodules", "--", remote)


def fetched_at(ref: str, git_dir: str, common_dir: str) -> float | None:
    """When a remote branch was last brought up to its remote (seconds since the epoch, UTC).

    None for a ref that is not a remote's, or when nothing tells. Git keeps no such date, so it is
    that of the youngest file a fetch writes.
    """
    if not ref.startswith(_REMOTES):
        return None
    written = (
        os.path.join(git_dir, "FETCH_HEAD"),
        os.path.join(common_dir, "FETCH_HEAD"),
        os.path.join(common_dir, "logs", ref),
        os.path.join(common_dir, ref),
    )
    return max(filter(None, map(_written_at, written)), default=None) or _written_at(
        os.path.join(common_dir, "packed-refs")  # as a clone leaves it
    )


def _written_at(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
