"""What each session was told: one file a session, named by a hash, gone after thirty days.

Must not know how a layer is made, nor load anything big.
"""

from __future__ import annotations

import os
import time

from memtools.files import make_folder, take_lock
from memtools.usecases.activating.cache import FOLDER as LAYERS
from memtools.usecases.activating.cache import TOLD
from memtools.usecases.activating.hashing import hashed
from memtools.usecases.keeping import read_checked, write_checked
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtools.usecases.activating.cache import Told
    from memtools.usecases.activating.witness import Witness

FOLDER = "sessions"
_SHAPE = 2  # raise when a Record gets other fields
_DAY = 86_400
_KEPT_DAYS = 30
_LOCK = "lock"
_PATIENCE = 1.0  # seconds; it is held for the time of one write


class Record(NamedTuple):
    """`stamp`: the state of the repository at which `told` was looked at last ("": none).

    `digest` is that of the layer this session knows; `witnesses` are the files it was told from
    beside those of the layer; `knows_age`: it has been told how old the approved ref is. `length`:
    bytes of the session's transcript when the layer was forgotten last.
    """

    stamp: str = ""
    digest: str = ""
    told: tuple[Told, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    knows_age: bool = False
    length: int = 0


_RECORD = (str, str, [TOLD], object, bool, int)  # `holds` looks at the witnesses


def read_record(state_dir: str, session: str) -> Record | None:
    """What a session was told; None when it is new here or its file is damaged."""
    kept = read_checked(os.path.join(state_dir, FOLDER), _name(session), _RECORD)
    return None if kept is None else Record(*kept)


def change_record(state_dir: str, session: str, change: Callable[[Record], Record]) -> None:
    """Bring a record along, one process after the other; what cannot be written is told again."""
    folder = os.path.join(state_dir, FOLDER)
    try:
        make_folder(folder)
        lock = take_lock(os.path.join(folder, _LOCK), _PATIENCE)
    except OSError:
        return
    try:
        before = read_record(state_dir, session)
        after = change(before or Record())
        if after != before:
            write_checked(folder, _name(session), tuple(after))
        else:
            _touch(os.path.join(folder, _name(session)))
        if before is None:
            prune(state_dir)
    finally:
        os.close(lock)


def merged(told: Iterable[Told], more: tuple[Told, ...]) -> tuple[Told, ...]:
    """What was told before and now; of a memory told twice the later bytes."""
    return (*without(told, {row[0] for row in more}), *more)


def without(told: Iterable[Told], paths: set[str]) -> tuple[Told, ...]:
    """What was told, less these paths."""
    return tuple(row for row in told if row[0] not in paths)


def forget_layer(state_dir: str, session: str, length: int) -> None:
    """The session's memory is being compacted: the layer is told in full at the next turn."""
    change_record(state_dir, session, lambda known: known._replace(digest="", length=length))


def prune(state_dir: str) -> None:
    """Take away what no session has asked for in thirty days."""
    oldest = time.time() - _KEPT_DAYS * _DAY
    for folder in (os.path.join(state_dir, FOLDER), os.path.join(state_dir, LAYERS)):
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for path in [os.path.join(folder, name) for name in names if name != _LOCK]:
            try:
                if os.lstat(path).st_mtime < oldest:
                    os.unlink(path)
            except OSError:  # another turn was quicker
                continue


def is_old(state_dir: str, session: str) -> bool:
    """Is it a day since the record was written or touched?"""
    try:
        written = os.lstat(os.path.join(state_dir, FOLDER, _name(session))).st_mtime
    except OSError:
        return False
    return written < time.time() - _DAY


def _touch(path: str) -> None:
    try:
        os.utime(path)
    except OSError:
        return


def _name(session: str) -> str:
    return hashed(f"{_SHAPE} {session}".encode("utf-8", "surrogatepass")).hex()
