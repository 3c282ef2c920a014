"""The versions one file had in the history of HEAD, newest first; renames are followed.

Must not know what a memory is.
"""

from __future__ import annotations

import os

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


class Step(NamedTuple):
    """One commit that changed the file, a merge once a parent; `old` is "" for a new file."""

    commit: str
    path: str
    old: str
    new: str


def steps_of(git: Git, path: str) -> list[Step]:
    """Every change of the file at `path` in the history of HEAD, newest first.

    A shallow clone ends where its history does.
    """
    out = git.run(
        "log", "-m", "--follow", "--format=%x01%H", "--raw", "-z", "--no-abbrev", "--no-color",
        "--no-ext-diff", "--no-show-signature", "HEAD", "--", path,
    )  # fmt: skip
    steps: list[Step] = []
    commit = ""
    fields = iter(out.split(b"\0"))
    for field in fields:
        meta = field.strip(b"\n")
        if meta.startswith(b"\x01"):
            commit = meta[1:].decode()
        elif meta.startswith(b":"):
            _, _, old, new, how = meta.decode().split(" ")
            name = next(fields, b"")
            if how[:1] in "RC":
                name = next(fields, b"")
            steps.append(Step(commit, os.fsdecode(name), _id(old), _id(new)))
    return steps


def _id(blob: str) -> str:
    return blob if blob.strip("0") else ""
