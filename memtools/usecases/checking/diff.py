"""The diff of what a range does to memories and settings, bounded, without a line of a secret.

Made by git from trees alone: no external diff, no text conversion. Must not know how it is shown.
"""

from __future__ import annotations

import os

from memtools.core.memory import read_memory
from memtools.core.screen_secrets import find_secrets
from memtools.git.objects import read_objects
from memtools.git.run import AS_STORED
from memtools.usecases.tree import empty_tree
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.usecases.checking.check import Checked
    from memtools.usecases.repository import Repository

_FILES = 20
_LINES = 200  # of one file
_CHARACTERS = 20_000  # of all
_DECISIVE = ("config-changed", "signers-changed")


class Difference(NamedTuple):
    """One file: its hunks as lines.

    `is_withheld`: a secret stands in it; `is_cut`: there is more.
    """

    path: str
    lines: tuple[str, ...] = ()
    is_withheld: bool = False
    is_cut: bool = False


def differences_of(repository: Repository, checked: Checked) -> tuple[Difference, ...]:
    """What the range of a check changes, file by file; the rest is left out.

    What decides about memories comes first: settings, and who may approve.
    """
    if not checked.until:
        return ()
    git = repository.git.with_env(**AS_STORED)
    old = checked.since or empty_tree(git)
    paths = dict.fromkeys(p.path for p in checked.problems if p.rule in _DECISIVE)
    paths |= dict.fromkeys(one.path for one in checked.memories)
    found, left = [], _CHARACTERS
    for path in list(paths)[:_FILES]:
        if left <= 0 or "\n" in path:
            continue
        if _holds_secret(git, path, (old, checked.until)):
            found.append(Difference(path, is_withheld=True))
            continue
        out = git.run("diff-tree", "-p", "-r", *_PLAIN, old, checked.until, "--", os.fsencode(path))
        lines = _hunks(out.decode("utf-8", "replace"))
        kept = _bounded(lines, left)
        left -= sum(map(len, kept))
        if kept:
            found.append(Difference(path, tuple(kept), is_cut=len(kept) < len(lines)))
    return tuple(found)


# Whatever attributes and settings say of a file: it is shown.
_PLAIN = ("--text", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--unified=3")


def _holds_secret(git: Git, path: str, revisions: tuple[str, ...]) -> bool:
    names = [os.fsencode(f"{revision}:{path}") for revision in revisions]
    raws = [raw or b"" for raw in read_objects(git, names)]
    if not path.lower().endswith(".md"):  # its first lines are no header
        raws = [b"---\n---\n" + raw for raw in raws]
    return any(find_secrets(read_memory(path, raw)) for raw in raws)


def _hunks(text: str) -> list[str]:
    """The lines from the first hunk on; none for a file that is only moved or not text."""
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith("@@ ")), len(lines))
    return lines[start : len(lines) - 1]


def _bounded(lines: list[str], room: int) -> list[str]:
    kept = []
    for line in lines[:_LINES]:
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    return kept
