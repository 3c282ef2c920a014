"""Memories chosen for an agent, as the lines of a block or of a file of their own.

Must not know which file, nor whether the memories may be seen.
"""

from __future__ import annotations

from memtools.core.rendering import Told, block_lines, file_lines
from memtools.usecases.reading.choosing import choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.settings import Activation
    from memtools.usecases.reading.choosing import Recalled
    from memtools.usecases.reading.shown import Shown

_NO_LIMIT = 1 << 60  # bytes


def layer_lines(layer: Iterable[Shown], activation: Activation) -> list[str]:
    """The lines of a block that holds of a layer what fits."""
    wanted = ((shown, "priority") for shown in layer)
    chosen = choose(wanted, activation.budget_bytes, activation.per_memory_bytes)
    return block_lines([*map(_told, chosen.memories)], chosen.left_out)


def memory_lines(shown: Shown) -> list[str]:
    """The lines of a file that holds one memory; none for one that says nothing."""
    chosen = choose([(shown, "folder")], _NO_LIMIT, _NO_LIMIT)
    return [line for one in chosen.memories for line in file_lines(_told(one))]


def _told(one: Recalled) -> Told:
    source = one.source or "unknown"
    return Told(one.path, one.title, source, one.created, one.scope, one.contested, one.text)
