"""The first-parent line of a branch: what each of its commits changed against the one before it.

Must not know what a memory is. A merge is one change there: all that its side branch brought.
"""

from __future__ import annotations

import os

from memtools.git.objects import RAW, parse_raw, read_objects
from memtools.git.refs import span
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.objects import Change
    from memtools.git.run import Git


class Step(NamedTuple):
    """One commit of the line; `parent` is the one before it ("": it is the first)."""

    commit: str
    parent: str
    changes: tuple[Change, ...]


def first_parent_steps(git: Git, until: str, since: str = "") -> list[Step]:
    """The line that leads to `until`, oldest first, without what `since` has in its history.

    In a shallow clone it begins after the commit whose parents are not here.
    """
    line = ("--first-parent", "--parents", "--reverse")
    out = git.run("rev-list", *line, *span(since, until), "--")
    rows = [line.split()[:2] for line in out.decode().splitlines()]
    if rows and len(rows[0]) == 1 and _has_parents(git, rows[0][0]):
        rows = rows[1:]
    asked = "".join(" ".join(row) + "\n" for row in rows).encode()
    # What follows a commit on its line counts as its parents; one alone is compared with its own.
    listed = git.run("diff-tree", "--stdin", "--root", "-r", "--always", *RAW, stdin=asked)
    changes = _by_commit(listed)
    return [
        Step(row[0], row[1] if len(row) > 1 else "", tuple(changes.get(row[0], ()))) for row in rows
    ]


def _has_parents(git: Git, commit: str) -> bool:
    raw = next(read_objects(git, [commit])) or b""
    return b"\nparent " in raw.partition(b"\n\n")[0]


def _by_commit(listed: bytes) -> dict[str, list[Change]]:
    """Parse `diff-tree --stdin -z`: a commit, then its changes as (meta, path)."""
    found: dict[str, list[Change]] = {}
    here: list[Change] = []
    fields = iter(listed.split(b"\0"))
    for field in fields:
        if field.startswith(b":"):
            here += parse_raw(field + b"\0" + next(fields))
        elif field:
            here = found.setdefault(os.fsdecode(field), [])
    return found
