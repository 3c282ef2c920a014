"""The versions one file had in the history of HEAD, or of another tip; renames are followed.

Must not know what a memory is.
"""

from __future__ import annotations

import os

from memtools.git.objects import REGULAR
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.git.run import Git

_START, _FIELD = "\x01", "\x02"  # before each commit, between what is told of it
_ASKED = ("--follow", "--raw", "-z", "--no-abbrev", "--no-color", "--no-ext-diff")


class Step(NamedTuple):
    """One commit that changed the file, a merge once a parent; `old` is "" for a new file."""

    commit: str
    path: str
    old: str
    new: str


class Version(NamedTuple):
    """What one commit left, a merge beside its first parent.

    `blob` is "" when the file is gone, or no plain file; `author` with mail address, `date` the
    author's, ISO with offset.
    """

    commit: str
    author: str
    date: str
    subject: str
    old_path: str
    path: str
    blob: str


def steps_of(git: Git, path: str) -> list[Step]:
    """Every change of the file at `path` in the history of HEAD, newest first.

    A shallow clone ends where its history does.
    """
    return [
        Step(commit, names[-1], _id(old), _id(new))
        for (commit,), (_, _, old, new, _), names in _changes(git, path, "HEAD", "%H", "-m")
    ]


def versions_of(git: Git, path: str, tip: str = "HEAD") -> list[Version]:
    """The versions of the file at `path` in the history of `tip`, oldest first."""
    found = []
    form = "%H%x02%an <%ae>%x02%aI%x02%s"
    changes = _changes(git, path, tip, form, "--diff-merges=first-parent")
    for about, (_, mode, _, blob, _), names in changes:
        commit, author, date, subject = about
        there = blob if mode in REGULAR else ""
        found.append(Version(commit, author, date, subject, names[0], names[-1], there))
    return found[::-1]


def _changes(
    git: Git, path: str, tip: str, form: str, *options: str
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """For each change: what `form` tells of its commit, the words of its raw line, its paths."""
    told = f"--format=tformat:%x01{form}"
    out = git.run("log", *options, *_ASKED, "--no-show-signature", told, tip, "--", path)
    for record in os.fsdecode(out).split(_START)[1:]:
        head, _, rest = record.partition("\0")
        fields = rest.lstrip("\n").split("\0")
        if fields[0].startswith(":") and len(fields) > 1:
            words = fields[0].split(" ")
            names = fields[1:3] if words[-1][:1] in "RC" else fields[1:2]
            yield head.split(_FIELD, form.count("%x02")), words, names


def _id(blob: str) -> str:
    return blob if blob.strip("0") else ""
