"""Git's index ("staging"), the one named by GIT_INDEX_FILE: compare it, read and replace entries.

Must not know what a memory is. Never touches the work tree (`worktree.py` does).
"""

from __future__ import annotations

import os

from memtools.git.objects import ABSENT, RAW, RENAMES, Change, parse_raw, parse_renames, rebased
from memtools.git.run import FIRST_DIFF, STAGED
from memtools.git.trees import entry_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtools.git.run import Git

OWN = "own"  # the repository's index: the work tree may follow at once
LOCKED = "locked"  # `commit -a`, `-i`, `-p`: git throws it away when the commit is given up
OTHER = "other"  # a partial commit's, or a person's own index file
_A_FEW = 16  # paths that are looked up in tree objects; for more git reads its index once


class Entry(NamedTuple):
    """One staged path.

    `tag`: H, or S (skip-worktree); in lower case when assume-unchanged; "" when nobody asked.
    """

    path: str
    mode: str
    blob: str
    tag: str


class Staging:
    """The index a commit is made from."""

    __slots__ = ("_compared", "_git_dir", "_seen", "git", "kind")

    def __init__(self, git: Git, git_dir: str) -> None:
        self.git = git
        self._git_dir = git_dir
        self._seen: dict[str, Entry | None] = {}
        self._compared: tuple[str, dict[str, Change]] | None = None  # a tree, and what differs
        self.kind = _kind(git, git_dir)

    def diff(self, tree: str) -> list[Change]:
        """What differs from `tree`: `new` is the staged side."""
        found = self._diff(tree)
        self._compared = (tree, {change.path: change for change in found})
        return found

    def _diff(self, tree: str) -> list[Change]:
        first, out = FIRST_DIFF.popitem() if FIRST_DIFF else ("", b"")
        if first == tree:
            return parse_raw(out)
        key = ("diff", first, tree)
        if key in self.git.known:
            return rebased(parse_raw(out), self.git.known[key])
        return parse_raw(self.git.run(*STAGED, *RAW, tree, "--"))

    def renames(self, tree: str) -> dict[str, str]:
        """Old path -> new path of what git takes for a rename between `tree` and staging."""
        return parse_renames(self.git.run(*STAGED, *RENAMES, tree, "--"))

    def write_tree(self) -> str:
        """Store the staged tree; returns its id."""
        return self.git.line("write-tree")

    def entries(self, paths: Iterable[str] | None = None) -> dict[str, Entry]:
        """Staged entries of `paths` (None: of all), without unmerged and intent-to-add ones."""
        if paths is None:
            return self._list()
        wanted = list(paths)
        unseen = [path for path in wanted if path not in self._seen]
        for start in range(0, len(unseen), 500):
            part = unseen[start : start + 500]
            found = self._list(part)
            self._seen.update((path, found.get(path)) for path in part)
        return {path: entry for path in wanted if (entry := self._seen[path]) is not None}

    def blobs(self, tree: str, paths: Sequence[str]) -> dict[str, Entry]:
        """What is staged at a few paths, without flags (`tag` is ""); `tree`: compared before.

        What does not differ is read from the tree; git's index is not.
        """
        if self._compared is None or self._compared[0] != tree or len(paths) > _A_FEW:
            return {path: entry._replace(tag="") for path, entry in self.entries(paths).items()}
        changes = self._compared[1]
        try:
            held = {
                path: _staged_side(changes[path])
                if path in changes
                else entry_at(self.git, tree, path)
                for path in paths
            }
        except LookupError:  # a tree that this clone lacks
            return self.entries(paths)
        return {path: Entry(path, *found, "") for path, found in held.items() if found}

    def matching(self, names: Sequence[str]) -> dict[str, Entry]:
        """Staged entries of these paths, and of all below those that end in a slash."""
        return self._list(names)

    def _list(self, paths: Sequence[str] = ()) -> dict[str, Entry]:
        out = self.git.run(
            "ls-files", "-v", "-s", "-z", "--full-name", "--", *map(os.fsencode, paths)
        )
        found = {}
        for record in out.split(b"\0")[:-1]:
            meta, _, name = record.partition(b"\t")
            tag, mode, blob, stage = meta.decode().split(" ")
            if stage == "0":
                found[os.fsdecode(name)] = Entry(os.fsdecode(name), mode, blob, tag)
        return found

    def write(self, entries: Sequence[Entry]) -> None:
        """Replace these entries in one step, and put back the flags git drops when it does.

        Raises:
            GitError: another process holds the lock; nothing was changed.
        """
        if not entries:
            return
        unknown = [entry.path for entry in entries if not entry.tag]
        tags = self.entries(unknown)
        entries = [
            e._replace(tag=tags[e.path].tag if e.path in tags else "H") if not e.tag else e
            for e in entries
        ]
        self._forget()
        rows = b"".join(
            f"{entry.mode} {entry.blob}\t".encode() + os.fsencode(entry.path) + b"\0"
            for entry in entries
        )
        expand = ("-c", "core.sparseCheckoutCone=false") if self._is_collapsed() else ()
        self.git.run(*expand, "update-index", "-z", "--index-info", stdin=rows)
        self._seen.update((entry.path, entry) for entry in entries)
        self._set_flag("--skip-worktree", [e.path for e in entries if e.tag in "Ss"])
        self._set_flag("--assume-unchanged", [e.path for e in entries if e.tag.islower()])

    def write_from_files(self, entries: Sequence[Entry]) -> None:
        """Stage the work-tree files at these paths together with their file times, in one step.

        What git's conversions make of a file is staged: whether that is `entry.blob` is for the
        caller to see.

        Raises:
            GitError: another process holds the lock; nothing was changed.
        """
        names = b"".join(os.fsencode(entry.path) + b"\0" for entry in entries)
        self._forget()
        self.git.run("update-index", "-z", "--stdin", stdin=names)
        for entry in entries:
            self._seen.pop(entry.path, None)

    def _set_flag(self, flag: str, paths: Sequence[str]) -> None:
        if paths:
            names = b"".join(os.fsencode(path) + b"\0" for path in paths)
            self.git.run("update-index", flag, "-z", "--stdin", stdin=names)

    def _is_collapsed(self) -> bool:
        """Does a sparse index hold folders in place of files? Only a sparse checkout can."""
        if not os.path.exists(os.path.join(self._git_dir, "info", "sparse-checkout")):
            return False
        out = self.git.run("ls-files", "--sparse", "-z")
        return any(name.endswith(b"/") for name in out.split(b"\0"))

    def _forget(self) -> None:
        """What was compared before a write is true no more."""
        self._compared = None
        FIRST_DIFF.clear()

    def drop(self, paths: Sequence[str]) -> None:
        """Take entries out of staging; the work tree keeps its files."""
        names = b"".join(os.fsencode(path) + b"\0" for path in paths)
        self._forget()
        if names:
            self.git.run("update-index", "--force-remove", "-z", "--stdin", stdin=names)
            self._seen.update((path, None) for path in paths)


def _staged_side(change: Change) -> tuple[str, str] | None:
    return (change.new_mode, change.new) if change.new_mode != ABSENT else None


def index_file(git: Git, git_dir: str) -> str:
    """The path of the index in force."""
    return os.path.join(git.cwd, git.env.get("GIT_INDEX_FILE") or os.path.join(git_dir, "index"))


def _kind(git: Git, git_dir: str) -> str:
    if not git.env.get("GIT_INDEX_FILE"):
        return OWN
    here = os.path.realpath(index_file(git, git_dir))
    own = os.path.realpath(os.path.join(git_dir, "index"))
    if here == own:
        return OWN
    return LOCKED if here == own + ".lock" else OTHER


def refresh(git: Git, paths: list[str]) -> None:
    """Tell staging that these files are unchanged, so that status need not read them again.

    One thread looks at these few; git would start many to look at all files ahead.
    """
    if paths:
        few = ("-c", "core.preloadIndex=false")
        git.call(*few, "add", "--refresh", "--", *map(os.fsencode, paths))
