"""What commits write: each file a commit leaves behind that its parents do not have like that.

Must not know what a memory is.
"""

from __future__ import annotations

import os

from memtools.git.objects import RAW, REGULAR
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.git.run import Git


class Written(NamedTuple):
    """A file as a commit has it, and the blobs its parents have there."""

    path: str
    blob: str
    olds: tuple[str, ...]


def commits_of(git: Git, *span: str | bytes, tips: Sequence[str] = ()) -> list[str]:
    """The commits of `span`, arguments of git-rev-list(1); `tips`: more of them, for `--stdin`."""
    asked = "".join(tip + "\n" for tip in tips).encode()
    return git.run("rev-list", *span, stdin=asked).decode().split()


def written_by(git: Git, commits: Sequence[str]) -> Iterator[Written]:
    """The files that each of these commits writes; of a merge, what no parent has."""
    if not commits:
        return
    asked = "".join(commit + "\n" for commit in commits).encode()
    form = ("--root", "-c", "-r", *RAW, "--no-commit-id")
    fields = git.run("diff-tree", "--stdin", *form, stdin=asked).split(b"\0")
    for meta, path in zip(fields[0::2], fields[1::2], strict=False):
        # `:mode mode blob blob letter`; of a merge `::`, and first a mode and blob of each parent
        words = meta.decode().lstrip(":").split(" ")[:-1]
        modes, blobs = words[: len(words) // 2], words[len(words) // 2 :]
        if modes[-1] in REGULAR:
            pairs = zip(modes[:-1], blobs[:-1], strict=True)
            olds = tuple(blob for mode, blob in pairs if mode in REGULAR)
            yield Written(os.fsdecode(path), blobs[-1], olds)
