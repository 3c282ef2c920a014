"""One memory as a reader sees it now: from its file, or from the blob of the approved ref.

The file of the work tree decides last (rule 16): saved as retracted in an editor, a memory is gone
before any commit. Under `read_ref` the file can do no more than that.
"""

from __future__ import annotations

from memtools.core.memory import Exposure, read_memory
from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, blob_id, blobs_at, read_objects
from memtools.git.worktree import read_plain_file
from memtools.usecases.reading.effective import effective_status
from memtools.usecases.reading.unapproved import is_dear
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.memory import Memory
    from memtools.usecases.reading.view import View


class Shown(NamedTuple):
    """A memory, the blob id of the bytes it was read from, and its effective status.

    `by`: who hides it without a tombstone of its own (path:line, or the path of its file).
    `contested`: a retraction that is told and not followed.
    """

    memory: Memory
    blob: str
    status: str
    by: str = ""
    contested: str = ""


def newest_first(layer: Iterable[Shown]) -> tuple[Shown, ...]:
    """The order of the activation layer: by date, the youngest first, then by path."""
    by_path = sorted(layer, key=lambda shown: shown.memory.path)
    return tuple(sorted(by_path, key=lambda shown: shown.memory.created, reverse=True))


def shown_at(view: View, path: str, blob: str = "") -> Shown | None:
    """The memory at `path` as readers have it, whatever its status; None when there is none.

    `blob` is what the tree of the view holds there, when that is known.
    """
    raw = _approved_bytes(view, path, blob) if view.is_bound else plain_file(view, path)
    if raw is None:
        return None
    memory = read_memory(path, raw, view.settings.config.vocabulary)
    shown = Shown(
        memory,
        blob_id(raw, len(view.tree)),
        effective_status(view, memory),
        view.by(path),
        view.contested_by(path),
    )
    is_active = view.is_bound and shown.status == Status.ACTIVE
    if not is_active or not is_saved_as_retracted(view, path):
        return shown
    if is_dear(memory.priority, memory.failure_cost):
        return shown._replace(contested=shown.contested or path)
    return shown._replace(status=str(Status.RETRACTED), by=path)


def visible(view: View, path: str, blob: str = "") -> Shown | None:
    """The memory at `path` when any reader may see it now; else None."""
    if path in view.excluded or not view.settings.config.selection.holds(path):
        return None
    shown = shown_at(view, path, blob)
    if shown is None or shown.status != Status.ACTIVE or shown.memory.exposure is Exposure.NONE:
        return None
    return shown


def is_saved_as_retracted(view: View, path: str) -> bool:
    """Does the file of the work tree retract a memory that nothing else retracts yet?"""
    if path in view.unapproved.outdated:
        return False
    raw = plain_file(view, path)
    memory = None if raw is None else read_memory(path, raw, view.settings.config.vocabulary)
    return memory is not None and memory.status is Status.RETRACTED


def plain_file(view: View, path: str) -> bytes | None:
    """The bytes of the file at `path`; None without a work tree, or when it is no plain file."""
    top = view.repository.top
    return read_plain_file(top, path) if top else None


def blobs_held(view: View, paths: Iterable[str]) -> dict[str, str]:
    """Path -> blob of those that are plain files in the tree of the view."""
    entries = blobs_at(view.repository.git, view.tree, paths)
    return {path: entry.blob for path, entry in entries.items() if entry.mode in REGULAR}


def _approved_bytes(view: View, path: str, blob: str) -> bytes | None:
    held = blob or blobs_held(view, [path]).get(path)
    return next(read_objects(view.repository.git, [held])) if held else None
