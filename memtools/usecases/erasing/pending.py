"""An erasure under way: what it is for, kept until it is done, so that the next run ends it.

The folder holds what is to be erased; it goes last. Must not know how a history is rewritten.
"""

from __future__ import annotations

import marshal
import os
import shutil

from memtools.files import read_plain, write_own
from memtools.usecases.erasing.targets import Targets
from memtools.usecases.keeping import fits
from memtools.usecases.state import ERASURE, PENDING
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository


class Pending(NamedTuple):
    """`old_tree`: what index and work tree came from; `stashes`: messages, the newest first."""

    targets: Targets
    old_tree: str
    stashes: tuple[str, ...] = ()


_SHAPE = (([str],) * len(Targets._fields), str, [str])


def folder_of(repository: Repository) -> str:
    """Where all that is needed on the way stands."""
    return os.path.join(repository.common_dir, "memtools", ERASURE)


def read_pending(repository: Repository) -> Pending | None:
    """The erasure that was begun here and is not done; None: there is none."""
    try:
        kept = marshal.loads(read_plain(os.path.join(folder_of(repository), PENDING)))
    except (OSError, ValueError, TypeError, EOFError):
        return None
    if not fits(kept, _SHAPE):
        return None
    targets, tree, stashes = kept
    return Pending(Targets(*map(tuple, targets)), tree, tuple(stashes))


def write_pending(repository: Repository, pending: Pending) -> None:
    """Keep it, durably."""
    value = (tuple(pending.targets), pending.old_tree, pending.stashes)
    write_own(os.path.join(folder_of(repository), PENDING), marshal.dumps(value, 4), durable=True)


def clear_leftovers(repository: Repository) -> None:
    """Take away what a killed run left beside the note of what it was for."""
    folder = folder_of(repository)
    if os.path.isdir(folder):
        for name in os.listdir(folder):
            if name != PENDING:
                _remove(os.path.join(folder, name))


def forget_pending(repository: Repository) -> None:
    """It is done, or was given up before anything was changed; the note of it goes last."""
    clear_leftovers(repository)
    shutil.rmtree(folder_of(repository), ignore_errors=True)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)
