"""What commits write: each file a commit leaves behind that its parents do not have like that.

Must not know what a memory is.
"""

from __future__ import annotations

import os

from memtools.git.objects import RAW, REGULAR
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.git.run import Git


class Written(NamedTuple):
    """A file as a commit has it, and the blobs its parents have there."""

    path: str
    blob: str
    olds: tuple[str, ...]


def written_by(git: Git, *span: str, tips: bytes = b"") -> Iterator[Written]:
    """The files that each commit of `span` writes; of a merge, what no parent has.

    `span`: arguments of git-rev-list(1); `tips`: more commits, a line each, for `--stdin`.
    """
    commits = git.run("rev-list", *span, stdin=tips)
    form = ("--root", "-c", "-r", *RAW, "--no-commit-id")
    fields = git.run("diff-tree", "--stdin", *form, stdin=commits).split(b"\0")
    for meta, path in zip(fields[0::2], fields[1::2], strict=False):
        # `:mode mode blob blob letter`; of a merge `::`, and first a mode and blob of each parent
        words = meta.decode().lstrip(":").split(" ")[:-1]
        modes, blobs = words[: len(words) // 2], words[len(words) // 2 :]
        if modes[-1] in REGULAR:
            pairs = zip(modes[:-1], blobs[:-1], strict=True)
            olds = tuple(blob for mode, blob in pairs if mode in REGULAR)
            yield Written(os.fsdecode(path), blobs[-1], olds)
