"""Where the bundles of `backup` are kept, what they are called, and which one is the newest.

Must not know git: it looks at names and times of files.
"""

from __future__ import annotations

import os
import re
from binascii import crc32
from datetime import UTC

from memtools.files import remove_entry
from memtools.git.process import is_running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memtools.usecases.repository import Repository

BACKUPS = "backups"
KEPT = 7  # bundles of one repository in one folder, the newest
SUFFIX = ".bundle"
SHALLOW = ".shallow"  # beside a bundle: where its history ends
_UNFIT = re.compile(r"[^\w.-]+")
_UNFINISHED = re.compile(r"\.memtools-backup-(\d+)(?:\..*)?\Z")


def own_folder(repository: Repository) -> str:
    """The folder of bundles: one for all work trees of a repository."""
    return os.path.join(repository.common_dir, "memtools", BACKUPS)


def series(repository: Repository) -> str:
    """How the names of this repository's bundles begin: two of one name do not mix in a folder."""
    folder = repository.common_dir
    if os.path.basename(folder) == ".git":
        folder = os.path.dirname(folder)
    name = _UNFIT.sub("-", os.path.basename(folder)).strip("-.") or "memories"
    return f"{name[:80]}-{crc32(os.fsencode(repository.common_dir)):08x}"


def bundles_in(folder: str, name: str = "") -> list[str]:
    """The bundles of a series (of every one without a name), the newest first."""
    try:
        found = [entry for entry in os.scandir(folder) if _is_of(entry, name)]
    except OSError:
        return []
    found.sort(key=lambda entry: (entry.stat().st_mtime_ns, entry.name), reverse=True)
    return [entry.path for entry in found]


def _is_of(entry: os.DirEntry[str], name: str) -> bool:
    begins = f"{name}-" if name else ""
    is_named = entry.name.startswith(begins) and entry.name.endswith(SUFFIX)
    return is_named and entry.is_file(follow_symlinks=False)


def new_path(folder: str, name: str, now: datetime) -> str:
    """A path no bundle has yet. `now`: aware."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    path = os.path.join(folder, f"{name}-{stamp}{SUFFIX}")
    number = 1
    while os.path.lexists(path):
        number += 1
        path = os.path.join(folder, f"{name}-{stamp}-{number}{SUFFIX}")
    return path


def shallow_of(path: str) -> str:
    """The file beside a bundle that says where its history ends; whole ones have none."""
    return path.removesuffix(SUFFIX) + SHALLOW


def unfinished(folder: str) -> str:
    """What a bundle that is being made is called."""
    return os.path.join(folder, f".memtools-backup-{os.getpid()}")


def abandoned(folder: str) -> Iterator[str]:
    """What killed backups left in the folder."""
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        match = _UNFINISHED.match(name)
        if match is not None and not is_running(int(match[1])):
            yield os.path.join(folder, name)


def remove_abandoned(folder: str) -> None:
    """Delete what killed backups left in a folder of bundles."""
    for path in abandoned(folder):
        remove_entry(path)


def remove_bundle(path: str) -> None:
    """Delete a bundle with what belongs to it."""
    remove_entry(path)
    remove_entry(shallow_of(path))
