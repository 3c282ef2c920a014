"""What changed since the search index was written: noted by a hook, taken in by the next reader.

To write the index costs more than all else a commit does, and costs the same for one memory as for
twenty. A note is derived like the index itself: a missing one is a diff of trees.
"""

from __future__ import annotations

from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import NOTED
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SHAPE = (str, str, str, [(str, str | None)])


class Noted(NamedTuple):
    """Changed memories (path -> blob, None when it is gone) between the trees `start` and `tree`.

    Which files are memories is as the settings of `config_blob` say.
    """

    start: str
    config_blob: str
    tree: str
    changes: Mapping[str, str | None]


def read_noted(folder: str, start: str, config_blob: str) -> Noted | None:
    """The note for an index that stands at `start`; None when there is none."""
    value = read_checked(folder, NOTED, _SHAPE)
    if value is None:
        return None
    noted = Noted(value[0], value[1], value[2], dict(value[3]))
    return noted if (noted.start, noted.config_blob) == (start, config_blob) else None


def write_noted(folder: str, noted: Noted) -> bool:
    """Keep the note; False when it cannot be written."""
    return write_checked(folder, NOTED, (*noted[:3], list(noted.changes.items())))
