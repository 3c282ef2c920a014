"""Tombstones that vanished from HEAD, remembered so that a rewrite of history is noticed.

A force-push, a `reset --hard` or a branch rebuilt elsewhere takes a tombstone away without any hook
of ours (https://github.com/letta-ai/letta-code/issues/2203). Must not judge memories by their text.
"""

from __future__ import annotations

from itertools import pairwise

from memtools.core.pattern import lazy
from memtools.core.tombstone import is_restored
from memtools.core.vocabulary import Status
from memtools.git.objects import blobs_at, lines_of
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import LOST, Standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.git.run import Git
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Reader

_MOST = 1000  # tombstones remembered, the youngest; and places of HEAD looked back at
_BACK = lazy(r"reset: moving to (?:HEAD|@)[~^]")
_ASKED = 20  # tombstones looked for in history one by one


def remember_lost(repository: Repository, before: Standing, after: Ledger) -> None:
    """Keep the tombstones of `before` that `after` lacks, whatever became of their memories."""
    gone = _gone(repository.git, before, after)
    if gone:
        known = _remembered(repository)
        known.update(gone)
        rows = [list(item) for item in known.items()]
        write_checked(repository.state_dir, LOST, rows[-_MOST:])


def lost_tombstones(
    repository: Repository, kept: Standing | None, tree: Tree, reader: Reader
) -> list[str]:
    """Active memories of HEAD that were retracted here, and that nobody brought back on purpose.

    A tombstone on another branch is not lost, nor one that a `git revert` took out, nor one whose
    commit a person took back.
    """
    known = _remembered(repository)
    if kept is not None:
        known.update(_gone(repository.git, kept, tree.ledger))
    back = [path for path, blob in sorted(known.items()) if _speaks(tree, reader, path, blob)]
    elsewhere = _elsewhere(repository.git) if back else frozenset()
    return [
        path
        for path in back
        if known[path] not in elsewhere
        and not _is_reverted(repository.git, path, known[path])
        and not _is_taken_back(repository.git, path, known[path])
    ]


def _speaks(tree: Tree, reader: Reader, path: str, blob: str) -> bool:
    """Is the memory whose tombstone is `blob` active again without a restoration since?"""
    held = tree.files.memories.get(path)
    if held is None or held == blob or tree.seen[path].status != Status.ACTIVE:
        return False
    memory, old = reader.one(path, held).memory, reader.one(path, blob).memory
    return not is_restored(memory, old)


def _gone(git: Git, before: Standing, after: Ledger) -> dict[str, str]:
    """Path -> blob of the committed tombstones only `before` has."""
    kept = after.tombstones.keys()
    gone = {path: blob for path, blob in before.ledger.tombstones.items() if path not in kept}
    if not gone or _was_head(git, before.tree):
        return gone
    few = list(gone.items())[:_ASKED]
    return {path: blob for path, blob in few if _was_committed(git, path, blob)}


def _was_head(git: Git, tree: str) -> bool:
    """Was HEAD ever at this tree?

    A ledger may have run ahead of a commit that nobody made. Asked when a tombstone vanishes, so
    that the reflog still knows; without a reflog the answer is yes.
    """
    code, out, _ = git.call("log", "-g", "--format=%T", f"-n{_MOST}", "HEAD", "--")
    return code != 0 or not out.strip() or tree.encode() in out.split()


def _was_committed(git: Git, path: str, blob: str) -> bool:
    """Was this the file at any commit HEAD has been at?"""
    found = f"--find-object={blob}"
    code, out, _ = git.call("log", "-1", "--format=%H", "--reflog", found, "--", path)
    return code == 0 and bool(out.strip())


def _remembered(repository: Repository) -> dict[str, str]:
    return dict(read_checked(repository.state_dir, LOST, [(str, str)]) or ())


def _elsewhere(git: Git) -> frozenset[str]:
    """The ids of all that other branches hold and HEAD's history does not."""
    refs = ("--branches", "--tags", "--remotes")
    code, out, _ = git.call("rev-list", "--objects", *refs, "--not", "HEAD")
    return frozenset(line[:64].split(b" ")[0].decode() for line in out.splitlines() if not code)


def _is_reverted(git: Git, path: str, blob: str) -> bool:
    """Did a commit in HEAD's history take the tombstone out as `git revert` does?

    By its message; or, when a person wrote that anew, since the marker went in the same commit.
    """
    found = (f"--find-object={blob}", "HEAD", "--", path)
    code, out, _ = git.call("log", "--format=%B", *found)
    if code or b"This reverts commit " in out:
        return not code
    last = git.line("log", "-1", "--format=%H", *found)
    plain = ("--no-color", "--no-ext-diff", "--no-textconv", "--text")
    shown = git.run("show", "--format=", "-U0", *plain, last) if last else b""
    return b"\n-RETRACTS:" in shown and b"\n+RETRACTS:" not in shown


def _is_taken_back(git: Git, path: str, blob: str) -> bool:
    """Did a person reset HEAD to a commit before the tombstone, by `HEAD^`, and go on from there?

    A reset to the tip of a remote says nothing: that tip may have been forced there.
    """
    code, out, _ = git.call("log", "-g", "--format=%H %gs", f"-n{_MOST}", "HEAD", "--")
    moves = [line.split(" ", 1) for line in lines_of(out)] if not code else []
    has_gone_on, asked = False, 0
    for (here, what), (before, _) in pairwise(moves):
        has_gone_on = has_gone_on or what.startswith("commit")
        if not (has_gone_on and _BACK.match(what)) or asked >= _ASKED:
            continue
        asked += 1
        held = [blobs_at(git, commit, [path]).get(path) for commit in (here, before)]
        blobs = [entry.blob if entry else "" for entry in held]
        if blobs[0] != blob == blobs[1]:
            return True
    return False
