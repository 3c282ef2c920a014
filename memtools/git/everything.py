"""All that a repository holds: every object, every change of every commit, whatever names it.

For a person who waits: each of these walks the whole history. Must not know what a memory is.
"""

from __future__ import annotations

import os

from memtools.git.objects import lines_of, read_objects
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.git.run import Git

_EVERYWHERE = ("--all", "--reflog")


class FileChange(NamedTuple):
    """What one commit did to one file, beside one of its parents; a missing side is ""."""

    commit: str
    old_path: str
    path: str
    old: str
    new: str


class CommitNode(NamedTuple):
    """A commit with its parents; `is_signed`: it carries a signature."""

    commit: str
    parents: tuple[str, ...]
    is_signed: bool


def file_changes(git: Git) -> Iterator[FileChange]:
    """Every change of a file in every commit that a ref or a reflog reaches, renames found."""
    form = ("--format=tformat:%x01%H", "--raw", "-z", "--no-abbrev", "-M", "-l0", "--root", "-m")
    plain = ("--no-color", "--no-ext-diff", "--ignore-submodules=none")
    out = git.run("log", *_EVERYWHERE, *form, *plain)
    commit, fields = "", iter(os.fsdecode(out).split("\0"))
    for words in fields:  # names are taken where they stand: any byte may be in one
        told = words.lstrip("\n")
        if told.startswith("\x01"):
            commit = told[1:]
        elif told:
            _, _, old, new, kind = told.split(" ")
            first = next(fields, "")
            second = next(fields, "") if kind[:1] in "RC" else first
            yield FileChange(commit, first, second, _id(old), _id(new))


def commits(git: Git) -> list[CommitNode]:
    """Every commit a ref reaches, parents first."""
    out = git.run("rev-list", "--all", "--topo-order", "--reverse", "--parents").decode()
    rows = [line.split(" ") for line in out.splitlines()]
    bodies = objects(git, [row[0] for row in rows])
    return [
        CommitNode(row[0], tuple(row[1:]), b"\ngpgsig" in body.partition(b"\n\n")[0])
        for row, (_, body) in zip(rows, bodies, strict=True)
    ]


def all_ids(git: Git, *, blobs: bool = False) -> list[str]:
    """The ids of all objects (or blobs) stored here, be they reached from anywhere or not."""
    form = "--batch-check=%(objecttype) %(objectname)"
    out = git.run("cat-file", "--batch-all-objects", "--unordered", form).decode()
    rows = [line.split(" ") for line in out.splitlines()]
    return [one for kind, one in rows if kind == "blob" or not blobs]


def objects(git: Git, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The bytes of objects by their ids, decompressed; one that is missing reads as empty."""
    yield from zip(ids, (data or b"" for data in read_objects(git, ids)), strict=True)


def held(git: Git, ids: Iterable[str]) -> set[str]:
    """Those of these objects that are stored here."""
    asked = "".join(f"{one}\n" for one in ids).encode()
    out = git.run("cat-file", "--batch-check", stdin=asked).decode() if asked else ""
    return {line.split(" ")[0] for line in out.splitlines() if not line.endswith("missing")}


def refs(git: Git) -> dict[str, str]:
    """Every ref that is not a name of another one -> the object it names."""
    out = git.run("for-each-ref", "--format=%(objectname) %(refname) %(symref)")
    rows = [line.split(" ", 2) for line in lines_of(out)]
    return {ref: one for one, ref, symbolic in rows if not symbolic}


def commit_refs(git: Git) -> dict[str, str]:
    """The refs that name a commit, or a tag of one (or of such a tag) -> that commit."""
    names = list(refs(git))
    asked = b"".join(os.fsencode(f"{ref}^{{commit}}\n") for ref in names)
    out = git.run("cat-file", "--batch-check=%(objectname)", stdin=asked) if names else b""
    found = dict(zip(names, lines_of(out), strict=True))
    return {ref: one for ref, one in found.items() if " " not in one}


def _id(blob: str) -> str:
    return blob if blob.strip("0") else ""
