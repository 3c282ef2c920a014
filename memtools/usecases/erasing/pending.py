"""An erasure under way: what it is for, kept until it is done, so that the next run ends it.

The folder holds what is to be erased; it goes last. Must not know how a history is rewritten.
"""

from __future__ import annotations

import os

from memtools.files import remove_entry
from memtools.usecases.erasing.targets import Targets
from memtools.usecases.keeping import read_checked, write_needed
from memtools.usecases.statefiles import ERASURE, PENDING
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
    kept = read_checked(folder_of(repository), PENDING, _SHAPE)
    if kept is None:
        return None
    targets, tree, stashes = kept
    return Pending(Targets(*map(tuple, targets)), tree, tuple(stashes))


def write_pending(repository: Repository, pending: Pending) -> None:
    """Keep it, durably.

    Raises:
        OSError: it cannot be written.
    """
    value = (tuple(pending.targets), pending.old_tree, pending.stashes)
    write_needed(folder_of(repository), PENDING, value, durable=True)


def clear_leftovers(repository: Repository) -> None:
    """Take away what a killed run left beside the note of what it was for."""
    folder = folder_of(repository)
    if os.path.isdir(folder):
        for name in os.listdir(folder):
            if name != PENDING:
                remove_entry(os.path.join(folder, name))


def forget_pending(repository: Repository) -> None:
    """It is done, or was given up before anything was changed; the note of it goes last."""
    clear_leftovers(repository)
    remove_entry(folder_of(repository))
