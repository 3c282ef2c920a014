"""The activation cache: the layer as it was told last, and the witnesses that it would be the same.

One file for each place a session stands in. Must not know how a layer is made.
"""

from __future__ import annotations

import os

from memtools.core.version import VERSION
from memtools.git.glance import find_git_dir
from memtools.usecases.activating.hashing import hashed
from memtools.usecases.activating.witness import holds, settled
from memtools.usecases.keeping import read_checked, write_checked
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.usecases.activating.witness import Witness

    Told = tuple[str, str, str]  # path, blob, scope of a memory that was handed out

TOLD = (str, str, str)
FOLDER = "activation"
_SHAPE = 1  # raise when a Layer gets other fields
# Variables that take git away from what the folders say.
_BINDING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
)
# MEMTOOLS_AGENT counts beside MEMTOOLS_READ_REF alone (`readref.read_ref`).
_OF_NO_EFFECT = ("MEMTOOLS_OFF", "MEMTOOLS_AGENT")


class Layer(NamedTuple):
    """What a session is told, cut where the secret of the fences belongs; nothing: no parts.

    `stamp` names the state of the witnesses, `digest` the text; `due` is the time (seconds) from
    which a notice about the age of the approved ref is owed (0: never).
    """

    stamp: str
    digest: str
    parts: tuple[str, ...]
    told: tuple[Told, ...]
    due: float
    witnesses: list[Witness]


_LAYER = (str, str, [str], [TOLD], float | int, object)  # `holds` looks at the witnesses


class Place(NamedTuple):
    """Where memtools keeps its files for the repository here, and the name of the cache in it."""

    state_dir: str
    name: str


def find_place(env: Mapping[str, str], here: str) -> Place | None:
    """The place for a session in the folder `here`; None when only git can tell."""
    if any(name in env for name in _BINDING):
        return None
    folder = os.path.realpath(".")
    git_dir, _ = find_git_dir(folder)
    if not git_dir:
        return None
    asked = (VERSION, _SHAPE, folder, here, sorted(_of_effect(env)))
    name = hashed(repr(asked).encode("utf-8", "surrogateescape")).hex()
    return Place(os.path.join(git_dir, "memtools"), name)


def _of_effect(env: Mapping[str, str]) -> list[tuple[str, str]]:
    idle = _OF_NO_EFFECT[: 1 if "MEMTOOLS_READ_REF" in env else None]
    return [
        (name, value)
        for name, value in env.items()
        if name.startswith(("GIT_", "MEMTOOLS_")) or name in ("HOME", "XDG_CONFIG_HOME")
        if name not in idle
    ]


def read_layer(place: Place, began: int) -> Layer | None:
    """The layer kept there, when every witness says that it is still the right one."""
    folder = os.path.join(place.state_dir, FOLDER)
    if not _is_ours(os.path.join(folder, place.name)):
        return None
    kept = read_checked(folder, place.name, _LAYER)
    if kept is None:
        return None
    layer = Layer(*kept)
    if not holds(layer.witnesses):
        return None
    later = settled(layer.witnesses, began)
    if later != layer.witnesses:
        keep_layer(place, layer._replace(witnesses=later))
    return layer


def keep_layer(place: Place, layer: Layer) -> bool:
    """Keep a layer for the next turn; False when it cannot be written."""
    return write_checked(os.path.join(place.state_dir, FOLDER), place.name, tuple(layer))


def _is_ours(path: str) -> bool:
    """Did this person write it? Git itself refuses the repository of another, as this does."""
    try:
        owner = os.lstat(path).st_uid
    except OSError:
        return False
    return not hasattr(os, "geteuid") or owner == os.geteuid()
