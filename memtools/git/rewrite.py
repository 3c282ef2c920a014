"""A history written anew: in a fresh clone, by git-filter-repo, then brought back here.

Must not know what is taken out, only which blobs go and which get other bytes.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

from memtools.errors import ExtraError, GitError, say
from memtools.git.everything import refs
from memtools.git.run import Git, environment
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEW = "refs/memtools/erase/new/"  # where the new history stands until the refs are moved to it
_CALM = {
    "GIT_CONFIG_COUNT": "4",
    "GIT_CONFIG_KEY_0": "core.hooksPath",
    "GIT_CONFIG_VALUE_0": os.devnull,
    "GIT_CONFIG_KEY_1": "core.fsmonitor",
    "GIT_CONFIG_VALUE_1": "false",
    "GIT_CONFIG_KEY_2": "gc.auto",
    "GIT_CONFIG_VALUE_2": "0",
    "GIT_CONFIG_KEY_3": "fetch.fsckObjects",
    "GIT_CONFIG_VALUE_3": "false",
    "GIT_TEMPLATE_DIR": "",
    "GIT_LFS_SKIP_SMUDGE": "1",
}

# What git's check says of a line `author`, `committer` or `tagger` that old programs wrote.
_STYLE = (
    *("badDate", "badDateOverflow", "badEmail", "badName", "badTimezone", "missingEmail"),
    *("missingNameBeforeEmail", "missingSpaceBeforeDate", "missingSpaceBeforeEmail"),
    "zeroPaddedDate",
)

_BLOB = """place = os.path.join({place!r}, blob.original_id)
if os.path.exists(place):
  with open(place, 'rb') as file:
    blob.data = file.read()
"""


class Filter(NamedTuple):
    """What the new history lacks.

    `gone`: blobs whose files go; `changed`: blob -> its bytes then. What matches these regular
    expressions of bytes becomes `mark`: `messages` in messages of commits and tags, `people` in
    names and addresses.
    """

    gone: frozenset[str]
    changed: Mapping[str, bytes]
    messages: bytes
    people: bytes
    mark: bytes


def require_filter() -> str:
    """Where git-filter-repo stands.

    Raises:
        ExtraError: it is not installed.
    """
    found = importlib.util.find_spec("git_filter_repo")
    if found is None or not found.origin:
        raise ExtraError(say("git-filter-repo is not installed"), extra="erase")
    return found.origin


def clone_all(git: Git, common_dir: str, folder: str) -> Git:
    """A fresh clone of every ref in `folder`, which shares no file with the repository.

    Raises:
        GitError: git cannot make it, or a setting keeps refs out of it.
    """
    env = {**environment(git.env, foreign=True), **_CALM}
    Git(os.path.dirname(folder), env).run(
        "clone", "--quiet", "--mirror", "--no-local", "--", common_dir, folder
    )
    clone = Git(folder, env)
    # A name of another ref, as origin/HEAD is one, is a ref of its own there; and so is HEAD.
    delete_refs(clone, refs(clone).keys() - refs(git).keys())
    clone.run("symbolic-ref", "HEAD", "refs/heads/memtools-erase-none")
    if refs(clone) != refs(git):
        raise GitError(
            say("git does not hand out all refs of this repository"),
            say("type: git config --unset-all transfer.hideRefs"),
        )
    return clone


def filter_history(clone: Git, wanted: Filter, folder: str) -> dict[str, str]:
    """Write the history of a clone anew; returns old commit -> new commit. `folder` is ours.

    No commit is left out, so that stashes and merges keep their shape; signatures are lost.

    Raises:
        ExtraError: git-filter-repo is not installed.
        GitError: it failed.
    """
    program = require_filter()
    gone = os.path.join(folder, "gone")
    with open(gone, "w", encoding="ascii") as file:
        file.writelines(f"{blob}\n" for blob in sorted(wanted.gone))
    changed = os.path.join(folder, "changed")
    os.mkdir(changed)
    for blob, data in wanted.changed.items():
        with open(os.path.join(changed, blob), "wb") as other:
            other.write(data)
    callbacks = {"blob": _BLOB.format(place=os.fsencode(changed))}
    told = {"message": wanted.messages, "name": wanted.people, "email": wanted.people}
    callbacks |= {
        what: f"return re.sub({pattern!r}, {wanted.mark!r}, {what})\n"
        for what, pattern in told.items()
        if pattern
    }
    words = [
        *("--partial", "--force", "--quiet", "--replace-refs", "delete-no-add"),
        "--preserve-commit-encoding",
        *("--prune-empty", "never", "--prune-degenerate", "never"),
        *("--strip-blobs-with-ids", gone),
    ]
    for what, code in callbacks.items():  # as files: a process list shows arguments to everybody
        name = os.path.join(folder, f"{what}-callback")
        with open(name, "w", encoding="utf-8") as file:
            file.write(code)
        words += [f"--{what}-callback", name]
    done = subprocess.run(
        [sys.executable, "-I", program, *words],
        cwd=clone.cwd,
        env=clone.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise GitError(
            say("git-filter-repo failed with {code}; nothing was changed", code=done.returncode)
        )
    return _commit_map(clone.cwd)


def _commit_map(git_dir: str) -> dict[str, str]:
    with open(os.path.join(git_dir, "filter-repo", "commit-map"), encoding="ascii") as file:
        rows = [line.split() for line in file]
    return {row[0]: row[1] for row in rows[1:] if len(row) == 2}


def move_notes(clone: Git, moved: Mapping[str, str]) -> None:
    """Let the notes of commits follow: git keeps them by the commits' old ids."""
    author = {f"GIT_{who}_{what}": "memtools" for who in ("AUTHOR", "COMMITTER")
              for what in ("NAME", "EMAIL")}  # fmt: skip
    own = clone.with_env(**author)
    moves = {old: new for old, new in moved.items() if old != new}
    for ref in refs(clone):
        if ref.startswith("refs/notes/"):
            listed = own.run("notes", f"--ref={ref}", "list").decode().split()[1::2]
            mine = [old for old in listed if old in moves]
            pairs = "".join(f"{old} {moves[old]}\n" for old in mine).encode()
            own.run("notes", f"--ref={ref}", "copy", "--force", "--stdin", stdin=pairs)
            gone = "".join(f"{old}\n" for old in mine).encode()
            own.run("notes", f"--ref={ref}", "remove", "--ignore-missing", "--stdin", stdin=gone)


def delete_refs(git: Git, names: Iterable[str]) -> None:
    """Take refs away, whatever they name."""
    told = b"".join(b"delete " + os.fsencode(name) + b"\n" for name in names)
    if told:
        git.run("update-ref", "--no-deref", "--stdin", stdin=told)


def prune(git: Git, common_dir: str) -> None:
    """Let go of every object that no ref and no index names."""
    for name in ("commit-graph", "commit-graphs"):
        place = os.path.join(common_dir, "objects", "info", name)
        if os.path.isdir(place):
            for entry in os.listdir(place):
                os.unlink(os.path.join(place, entry))
        elif os.path.lexists(place):
            os.unlink(place)
    git.call("update-index", "--clear-resolve-undo")  # names blobs of conflicts long resolved
    git.run("reflog", "expire", "--expire=all", "--expire-unreachable=all", "--all")
    git.run("-c", "gc.bigPackThreshold=0", "repack", "-a", "-d", "--quiet")
    git.run("prune", "--expire=now")
    git.run("prune-packed", "--quiet")


def check_whole(git: Git) -> None:
    """Let git look at every object; how people and dates were written long ago is no damage.

    Raises:
        GitError: something is missing or damaged.
    """
    calm = (word for name in _STYLE for word in ("-c", f"fsck.{name}=ignore"))
    git.run(*calm, "fsck", "--full", "--no-dangling", "--no-progress")


def bring_back(git: Git, clone: Git, before: Mapping[str, str]) -> dict[str, str]:
    """Fetch the new history beside the old one; returns ref -> new object for those of `before`."""
    git.run(
        *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--force"),
        *("--", clone.cwd, f"+refs/*:{NEW}*"),
    )
    fetched = refs(git)
    new = {ref: fetched.get(NEW + ref.removeprefix("refs/"), "") for ref in before}
    return {ref: one for ref, one in new.items() if one}


def move_refs(git: Git, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Move all refs in one transaction; one that has gone from `after` is deleted.

    Raises:
        GitError: somebody moved one of them meanwhile; none is moved then.
    """
    rows = []
    for ref, old in before.items():
        new = after.get(ref, "")
        if new != old:
            line = f"update {ref} {new} {old}\n" if new else f"delete {ref} {old}\n"
            rows.append(os.fsencode(line))
    if rows:
        told = b"".join(rows)
        git.run("update-ref", "--no-deref", "-m", "memtools erase", "--stdin", stdin=told)


def follow_tree(git: Git, old: str, new: str) -> None:
    """Bring index and work tree from one tree to another, and keep what differs from both.

    Raises:
        GitError: a file that would change has changes of its own.
    """
    git.run("read-tree", "-m", "-u", old, new)
