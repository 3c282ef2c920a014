"""The story all commit tests tell: `fix.md` declares, `target.md` is hit, `other.md` stands by.

The texts are what the bytes of HEAD, staging and the work tree are compared with.
"""

from __future__ import annotations

import os
from pathlib import Path

from memtools.core.ledger import full
from memtools.core.retraction import MarkerState
from memtools.usecases.repository import open_repository
from memtools.usecases.state import read_journal, read_standing
from memtools.usecases.tree import Reader, memories_of, plan_of, settings_at
from tests.helpers import DATE, Sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.usecases.repository import Repository

BODY = """\
Top line.

One.
Two.
Three.
Four.
The disk cache was the root cause.
Five.
Six.
Seven.
Eight.

End line.
"""
TARGET = "---\ntitle: Cache\nstatus: active\npriority: high\n---\n" + BODY
PHRASE = "disk cache was the root cause"
FIX = f"---\ntitle: Fix\n---\nIt was the network.\n\nRETRACTS: {PHRASE}\n"
OTHER = "---\ntitle: Other\n---\nNothing to see here.\n"
STORY = {"target.md": TARGET, "other.md": OTHER}
# The tombstone as `fix.md` writes it on the day all tests live on.
FIELDS = f'retracted_at: {DATE}\nretracted_by: "[[fix]]"\n'


def buried(text: str = TARGET, fields: str = FIELDS) -> str:
    """`text` with the tombstone of `fix.md` in its header."""
    for status in ("status: active\n", "status: draft\n"):
        text = text.replace(status, "status: retracted\n", 1)
    head, end, body = text.partition("\n---\n")
    return f"{head}\n{fields}---\n{body}" if end else text


def mark(repo: Sandbox, *, path: str = "fix.md", text: str = FIX) -> None:
    """Write and stage the memory that holds the marker."""
    repo.write(path, text)
    repo.stage(path)


def states(repo: Sandbox, path: str = "target.md") -> tuple[str, str, str]:
    """One file in HEAD, in staging and in the work tree."""
    return (
        repo.show("HEAD", path).decode(),
        repo.staged(path).decode(),
        repo.read(path).decode(),
    )


def all_three(text: str) -> tuple[str, str, str]:
    """What `states` says when the three agree."""
    return text, text, text


def changed_lines(repo: Sandbox, *args: str) -> list[str]:
    """The lines a `git diff` takes out and brings in, without its headers."""
    shown = repo.git("diff", "-U0", "--no-color", *args).out.split("\n")
    return [line for line in shown if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]


def leftovers(repo: Sandbox) -> list[str]:
    """Temporary files and locks below the repository that nobody took away."""
    found = []
    for folder, _, names in os.walk(repo.top):
        found += [
            str(Path(folder, name).relative_to(repo.top))
            for name in names
            if name.startswith((".memtools-", ".ledger-", ".journal-", ".quiet-"))
            or (name.endswith(".lock") and "memtools" not in Path(folder).parts)
        ]
    return found


def settled(repo: Sandbox, *, waiting: int = 0) -> None:
    """Nothing is left half done: no temporary file or lock, no journal row beyond `waiting` (those
    of a commit that was given up), every object whole, the kept ledger true.
    """
    assert leftovers(repo) == []
    repo.git("fsck", "--no-dangling")
    here = open_repository(str(repo.top))
    try:
        assert len(read_journal(here.state_dir)) == waiting
        kept = read_standing(here.state_dir)
        assert kept is None or kept.ledger == _full_pass(here, kept.tree)
    finally:
        here.git.close()


def _full_pass(here: Repository, tree: str) -> Ledger:
    settings = settings_at(here.git, tree)
    pairs = memories_of(here.git, tree, settings.config)
    return full(pairs, Reader(here.git, settings.config))


def unapplied(repo: Sandbox, rev: str = "HEAD") -> list[str]:
    """The memories a marker retracts in a commit that have no tombstone there (a full pass)."""
    here = open_repository(str(repo.top))
    try:
        tree = here.git.line("rev-parse", f"{rev}^{{tree}}")
        plan = plan_of(_full_pass(here, tree), settings_at(here.git, tree))
        opened = [m for m in plan.markers if m.state is MarkerState.OPEN]
        return sorted({path for marker in opened for path in marker.live})
    finally:
        here.git.close()


def hook(repo: Sandbox, stage: str, script: str) -> Path:
    """Put a sh hook of the person's own at a stage memtools does not use, or chained below ours."""
    ours = repo.path(f".git/hooks/{stage}")
    name = f"{stage}.memtools-prev" if ours.exists() else stage
    place = repo.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    return place
