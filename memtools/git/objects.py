"""Blobs and trees: read many objects with one git process, write blobs, list and compare trees.

Must not know what a memory is; paths are repo-relative POSIX text (surrogateescape), ids hex text.
"""

from __future__ import annotations

import os

from memtools.errors import GitError, say
from memtools.files import name_place
from memtools.git.batch import can_batch
from memtools.git.run import WITH_MODULES
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.git.run import Git

REGULAR = ("100644", "100755")
SYMLINK = "120000"
ABSENT = "000000"  # the mode of a side that has no such path
# The form of all comparisons, the one `parse_raw` reads.
RAW = ("--raw", "-z", "--no-abbrev", "--no-renames")
# Only renames, in the form that `parse_renames` reads.
RENAMES = ("--raw", "-z", "-M", "--diff-filter=R")
_BATCH = 2000  # objects asked of one process: bounds the memory of a pass over a large tree


class Change(NamedTuple):
    """One path that differs; a missing side has mode ABSENT and an all-zero id."""

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str


class TreeEntry(NamedTuple):
    """A file of a tree."""

    path: str
    mode: str
    blob: str


def lines_of(out: bytes) -> list[str]:
    """What git printed, line by line: a line feed ends one; other ends of lines may be in names."""
    return [os.fsdecode(line) for line in out.split(b"\n") if line]


def parse_raw(data: bytes) -> list[Change]:
    """Parse `--raw -z --no-renames` output of a diff command."""
    fields = data.split(b"\0")
    changes = []
    for meta, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, _ = meta.decode().split(" ")
        changes.append(Change(os.fsdecode(path), old_mode[1:], new_mode, old, new))
    return changes


def parse_renames(data: bytes) -> dict[str, str]:
    """Old path -> new path, from the output of a diff command with RENAMES."""
    fields = [os.fsdecode(field) for field in data.split(b"\0")]
    return dict(zip(fields[1::3], fields[2::3], strict=False))


def diff_trees(git: Git, old: str, new: str) -> list[Change]:
    """The files that differ between two trees (given by their ids); the last answer is kept."""
    if old == new:
        return []
    key = ("diff", old, new)
    if key not in git.known:
        # diff-tree reads git's index without a use for it; "" is one that does not exist.
        alone = git.with_env(GIT_INDEX_FILE="")
        git.known = {key: parse_raw(alone.run("diff-tree", "-r", *RAW, WITH_MODULES, old, new))}
    found: list[Change] = git.known[key]
    return found


def rebased(changes: Iterable[Change], base: Iterable[Change]) -> list[Change]:
    """Changes against another tree: `base` is what differs between the old one and that."""
    sides = {c.path: ((c.old_mode, c.old), (c.new_mode, c.new)) for c in changes}
    for c in base:
        before, after = (c.old_mode, c.old), (c.new_mode, c.new)
        sides[c.path] = (after, sides[c.path][1] if c.path in sides else before)
    return [
        Change(path, old[0], new[0], old[1], new[1])
        for path, (old, new) in sorted(sides.items())
        if old != new
    ]


def list_tree(git: Git, treeish: str) -> list[TreeEntry]:
    """All files of a tree, in git's order."""
    return list(_tree_entries(git.run("ls-tree", "-r", "-z", "--full-tree", treeish)))


def _tree_entries(listing: bytes) -> Iterator[TreeEntry]:
    """Parse the output of `ls-tree -z`."""
    for record in listing.split(b"\0")[:-1]:
        meta, _, path = record.partition(b"\t")
        mode, _, blob = meta.decode().split(" ")
        yield TreeEntry(os.fsdecode(path), mode, blob)


def read_objects(git: Git, names: Sequence[str | bytes]) -> Iterator[bytes | None]:
    """The bytes of each named object (id, or `REV:path` without a line break); None: missing."""
    if not names:
        return iter(())
    if can_batch():
        return git.batch().read(names)
    return _read_in_one_go(git, names)


def _read_in_one_go(git: Git, names: Sequence[str | bytes]) -> Iterator[bytes | None]:
    for start in range(0, len(names), _BATCH):
        part = names[start : start + _BATCH]
        asked = b"".join(os.fsencode(name) + b"\n" for name in part)
        out = git.run("cat-file", "--batch", stdin=asked)
        position = 0
        for _ in part:
            end = out.index(b"\n", position)
            header = out[position:end]
            position = end + 1
            if header.endswith((b" missing", b" ambiguous")):
                yield None
                continue
            size = int(header.rpartition(b" ")[2])
            yield out[position : position + size]
            position += size + 1


def read_blob(git: Git, blob: str) -> bytes:
    """The bytes of one blob.

    Raises:
        GitError: the repository does not hold it.
    """
    data = next(read_objects(git, [blob]))
    if data is None:
        raise missing_object(blob)
    return data


def missing_object(name: str) -> GitError:
    """The error for an object that is not here."""
    return GitError(say("the repository lacks the object {blob}", blob=name), say("type: git fsck"))


def is_partial(common_dir: str) -> bool:
    """Does git ask a remote for an object that is not here (a partial clone)?"""
    names = os.listdir(os.path.join(common_dir, "objects", "pack"))
    return any(name.endswith(".promisor") for name in names)


def write_blobs(git: Git, contents: Sequence[bytes], folder: str) -> list[str]:
    """Store each of `contents` as a blob (no filters: they are canonical already); return the ids.

    `folder` takes the temporary files that let one process store them all.
    """
    if len(contents) == 1:
        stored = git.run("hash-object", "-w", "--no-filters", "--stdin", stdin=contents[0])
        return [stored.decode().strip()]
    names = []
    try:
        for number, data in enumerate(contents):
            name = os.path.join(folder, f"blob-{os.getpid()}-{number}")
            names.append(name)
            try:
                with open(name, "xb") as file:
                    file.write(data)
            except OSError as error:
                name_place(error, name)
                raise
        listed = b"".join(os.fsencode(name) + b"\n" for name in names)
        out = git.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=listed)
        return out.decode().split()
    finally:
        for name in names:
            if os.path.lexists(name):
                os.unlink(name)


def blob_id(data: bytes, length: int = 40) -> str:
    """The id git gives to these bytes as they are, no filters; 64 digits with SHA-256."""
    return object_id(b"blob", data, length)


def object_id(kind: bytes, data: bytes, length: int = 40) -> str:
    """The id of an object of a kind (blob, tree) that holds `data`."""
    content = b"%s %d\0%s" % (kind, len(data), data)
    if length != 64:
        try:  # hashlib loads OpenSSL for it
            from _sha1 import sha1  # type: ignore[import-not-found]  # no stub
        except ImportError:
            from hashlib import sha1
        return str(sha1(content).hexdigest())
    from hashlib import sha256

    return sha256(content).hexdigest()


def tree_id(git: Git, treeish: str) -> str | None:
    """The id of the tree of `treeish`, or None when there is no such thing."""
    code, out, _ = git.call("rev-parse", "--verify", "--quiet", treeish + "^{tree}")
    return out.decode().strip() if code == 0 else None


def commit_at(git: Git, name: str) -> tuple[str, str] | None:
    """The ids of the commit a revision names and of its tree, or None when there is no such commit.

    One look at the object where `rev-parse` takes two processes.
    """
    if name.startswith("-") or "\n" in name:
        return None
    if can_batch():
        found = git.batch().named(name + "^{commit}")
        return None if found is None else (found[0], found[1][5 : found[1].index(b"\n")].decode())
    code, out, _ = git.call("rev-parse", "--verify", "--quiet", name + "^{commit}")
    commit = out.decode().strip()
    return (commit, git.line("rev-parse", "--verify", commit + "^{tree}")) if code == 0 else None


def blobs_at(git: Git, treeish: str, paths: Iterable[str]) -> dict[str, TreeEntry]:
    """The entries of some paths in a tree; paths it lacks are left out."""
    wanted = list(paths)
    found: dict[str, TreeEntry] = {}
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        out = git.run("ls-tree", "-z", "--full-tree", treeish, "--", *map(os.fsencode, part))
        found.update((entry.path, entry) for entry in _tree_entries(out))
    return found
