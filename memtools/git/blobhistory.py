"""The versions one file had in the history of HEAD or another tip; when files last changed.

Must not know what a memory is. Histories of one file are for a person who waits: GitPython walks
them. Hooks ask for dates, by our own `run`.
"""

from __future__ import annotations

import os

from memtools.git.objects import REGULAR, blobs_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.git.run import Git

_START, _FIELD = "\x01", "\x02"  # before each commit, between what is told of it
_ASKED = ("--raw", "-z", "--no-abbrev", "--no-color", "--no-ext-diff")
_AT_ONCE = 500  # paths on one command line


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
    from memtools.git.walk import walk

    told = f"--format=tformat:%x01{form}"
    out = walk(git, "log", "--follow", *options, *_ASKED, told, tip, "--", path)
    for record in os.fsdecode(out).split(_START)[1:]:
        head, _, rest = record.partition("\0")
        fields = rest.lstrip("\n").split("\0")
        if fields[0].startswith(":") and len(fields) > 1:
            words = fields[0].split(" ")
            names = fields[1:3] if words[-1][:1] in "RC" else fields[1:2]
            yield head.split(_FIELD, form.count("%x02")), words, names


class Made(NamedTuple):
    """One commit of HEAD's first-parent line left this blob at a path ("": it took the file away).

    `at`: its author's time in seconds since 1970; `who` the author's mail address.
    """

    path: str
    blob: str
    commit: str
    at: int
    who: str


def made_on_the_line(git: Git, paths: Sequence[str]) -> Iterator[Made]:
    """What the line of HEAD made of these files, oldest first of each; a merge is one change."""
    told = ("--first-parent", "--reverse", "--no-renames", "--format=tformat:%x01%H%x02%at%x02%ae")
    for start in range(0, len(paths), _AT_ONCE):
        some = map(os.fsencode, paths[start : start + _AT_ONCE])
        code, out, _ = git.call("log", *_ASKED, *told, "HEAD", "--", *some)
        for record in os.fsdecode(out).split(_START)[1:] if code == 0 else ():
            about, *fields = record.split("\0")
            commit, date, who = about.split(_FIELD, 2)
            at = int(date) if date.isdigit() else 0  # of a hand-made commit
            for words, path in zip(fields[0::2], fields[1::2], strict=False):
                _, mode, _, blob, *_ = words.lstrip("\n").split(" ")
                yield Made(path, blob if mode in REGULAR else "", commit, at, who)


def last_dates(git: Git, paths: Sequence[str]) -> dict[str, str]:
    """When HEAD's history last changed each file: the author date (`seconds offset`), else "".

    What `git log -1 -- PATH` says for each, by one walk for all. It is asked itself where the walk
    leaves a doubt: when not exactly one commit (none: a merge) made the bytes that HEAD has.
    """
    makers: dict[str, list[str]] = {}
    held = blobs_at(git, "HEAD", paths) if len(paths) > 1 else {}
    for start in range(0, len(held), _AT_ONCE):
        some = list(held)[start : start + _AT_ONCE]
        told = ("--no-renames", "--date=raw", "--format=tformat:%x01%ad")
        out = git.run("log", *_ASKED, *told, "HEAD", "--", *map(os.fsencode, some))
        for record in os.fsdecode(out).split(_START)[1:]:
            date, *fields = record.split("\0")
            for words, path in zip(fields[0::2], fields[1::2], strict=False):
                if path in held and words.split(" ")[3:4] == [held[path].blob]:
                    makers.setdefault(path, []).append(date)
    return {
        path: makers[path][0] if len(makers.get(path, ())) == 1 else _last_date(git, path)
        for path in paths
    }


def _last_date(git: Git, path: str) -> str:
    asked = ("log", "-1", "--format=%ad", "--date=raw", "HEAD", "--", path)
    return git.line(*asked)


def _id(blob: str) -> str:
    return blob if blob.strip("0") else ""
