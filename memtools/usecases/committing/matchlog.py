"""What is told of each retraction: a line to the person, and one to the machine log (seed 1).

The log is kept under the git dir; one that cannot be written stops nothing.
"""

from __future__ import annotations

import os

from memtools.core.facts import hit_line
from memtools.core.invisible import escape_for_terminal
from memtools.core.memory import read_memory, without_suffix
from memtools.core.refusals import shorten
from memtools.core.wording import say
from memtools.files import append_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.memory import Memory
    from memtools.core.retraction import Target
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.repository import Repository

FOLDER, NAME = "log", "retractions"


def log_retractions(repository: Repository, tombstones: Iterable[Tombstone]) -> None:
    """Add a line for each: date, place, id, declaring place, blob before, phrase; with tabs."""
    lines = [_line(tombstone) for tombstone in tombstones]
    if not lines:
        return
    path = os.path.join(repository.state_dir, FOLDER, NAME)
    try:
        append_own(path, "".join(lines).encode("utf-8", "backslashreplace"))
    except OSError:
        return


def _line(tombstone: Tombstone) -> str:
    target, entry = tombstone.target, tombstone.entry
    memory = read_memory(entry.path, tombstone.after)
    fields = (
        memory.retracted_at,
        f"{entry.path}:{hit_line(target.phrase, memory)}",
        memory.id,
        f"{target.declared_in}:{target.declared_line}",
        entry.blob,
        target.phrase,
    )
    return "\t".join(escape_for_terminal(field) for field in fields) + "\n"


def retraction_line(target: Target, memory: Memory) -> str:
    """Where and by whom, for the person who commits."""
    by = say("{by}:{at}", by=target.declared_in, at=target.declared_line)
    if target.source:
        path, source = target.path, target.source
        return say(
            "retracted {path}, derived from {source} (by {by})", path=path, source=source, by=by
        )
    line = hit_line(target.phrase, memory)
    place = say("{path}:{line}{id}", path=target.path, line=line, id=_shown_id(memory))
    phrase = shorten(target.phrase)
    if target.is_new:
        return say('retracted {place} "{phrase}" (by {by})', place=place, phrase=phrase, by=by)
    return say(
        'retracted {place} "{phrase}" (by {by}, a marker of an earlier commit)',
        place=place,
        phrase=phrase,
        by=by,
    )


def _shown_id(memory: Memory) -> str:
    """The id of a memory as a message names it beside its path: "" when it is the path."""
    is_own = memory.id not in (memory.path, without_suffix(memory.path))
    return f" (id {memory.id})" if is_own else ""
