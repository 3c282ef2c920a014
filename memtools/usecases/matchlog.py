"""The machine log of retractions: one line each, for whoever asks later what was matched (seed 1).

Kept under the git dir; a log that cannot be written stops nothing.
"""

from __future__ import annotations

import os

from memtools.core.invisible import escape_for_terminal
from memtools.core.memory import read_memory
from memtools.core.phrase import find_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.memory import Memory
    from memtools.usecases.repository import Repository
    from memtools.usecases.tombstones import Tombstone

FOLDER, NAME = "log", "retractions"
_MOST = 1_000_000  # bytes; then the file makes way for a new one


def log_retractions(repository: Repository, tombstones: Iterable[Tombstone]) -> None:
    """Add a line for each: date, place, id, declaring place, blob before, phrase; with tabs."""
    lines = [_line(tombstone) for tombstone in tombstones]
    if not lines:
        return
    folder = os.path.join(repository.state_dir, FOLDER)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, NAME)
        if os.path.exists(path) and os.path.getsize(path) > _MOST:
            os.replace(path, f"{path}.1")
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with open(os.open(path, flags, 0o600), "ab") as file:
            file.write("".join(lines).encode("utf-8", "backslashreplace"))
    except OSError:
        return


def _line(tombstone: Tombstone) -> str:
    target, entry = tombstone.target, tombstone.entry
    memory = read_memory(entry.path, tombstone.after)
    fields = (
        memory.retracted_at,
        f"{entry.path}:{find_line(target.phrase, memory.body, memory.body_line) or 1}",
        memory.id,
        f"{target.declared_in}:{target.declared_line}",
        entry.blob,
        target.phrase,
    )
    return "\t".join(escape_for_terminal(field) for field in fields) + "\n"


def shown_id(memory: Memory) -> str:
    """The id of a memory as a message names it beside its path: "" when it is the path."""
    is_own = memory.id not in (memory.path, memory.path[:-3])
    return f" (id {memory.id})" if is_own else ""
