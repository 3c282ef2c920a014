"""Stashes over a rewrite: only a reflog names the older ones, so each gets a ref on the way.

Must not know what is erased, but for the messages.
"""

from __future__ import annotations

import os
import re

from memtools.core.erasure import MARK, telling_pattern
from memtools.git.everything import refs
from memtools.git.objects import lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.usecases.erasing.pending import Pending

PINS = "refs/memtools/erase/stash/"
_STASH = "refs/stash"


def pin_stashes(git: Git, known: tuple[str, ...]) -> tuple[str, ...]:
    """Give each stash a ref; returns their messages, the newest first.

    `known`: the messages, when a run before this one has pinned them.
    """
    pinned = sorted(ref for ref in refs(git) if ref.startswith(PINS))
    if pinned:
        subjects = (git.line("log", "-1", "--format=%s", ref) for ref in pinned)
        return known if len(known) == len(pinned) else tuple(subjects)
    code, out, _ = git.call("log", "--walk-reflogs", "--format=%H%x00%gs", _STASH, "--")
    rows = [line.split("\0", 1) for line in lines_of(out)] if code == 0 else []
    told = "".join(f"create {PINS}{number:06} {one}\n" for number, (one, _) in enumerate(rows))
    if told:
        git.run("update-ref", "--stdin", stdin=told.encode())
    return tuple(message for _, message in rows)


def put_stashes_back(git: Git, pending: Pending) -> None:
    """Make the list of stashes again from their refs, the oldest first."""
    pinned = sorted(ref for ref in refs(git) if ref.startswith(PINS))
    if not pinned:
        return
    targets = pending.targets
    pattern = telling_pattern(targets.texts, targets.paths, (), ())
    git.call("update-ref", "-d", _STASH)
    for ref, message in reversed(list(zip(pinned, pending.stashes, strict=True))):
        told = re.sub(pattern, MARK.encode(), os.fsencode(message)) if pattern else message
        git.run("stash", "store", "--quiet", "--message", told, git.line("rev-parse", ref))
