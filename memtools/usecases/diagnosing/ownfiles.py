"""The doctor's look at what stands in the place of our own files and folders.

Must not know what the files hold: readers take such a thing for a missing file already.
"""

from __future__ import annotations

import os

from memtools.core.wording import Said, say
from memtools.files import is_strange, make_folder, make_way
from memtools.usecases.bundles import BACKUPS
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.statefiles import ERASURE, FILES, FOLDERS, PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient


def state_files(patient: Patient) -> Iterator[Check]:
    """Is everything under `<git dir>/memtools` a file or a folder, where each belongs?"""
    found = _strange(patient)
    if found:
        top = patient.repository.top
        shown = named(os.path.relpath(path, top) for path in found)
        message = say(
            "no regular files of memtools, so they count as missing: {paths}", paths=shown
        )
        yield Check("state-files", False, message, say("type: memtools doctor --fix"), True)
    else:
        yield Check("state-files", True, say("the files of memtools are regular files"))


def erasure(patient: Patient) -> Iterator[Check]:
    """Was `memtools erase` killed on its way? Then what it was to erase is still here."""
    folder = os.path.join(patient.repository.common_dir, "memtools", ERASURE)
    if os.path.exists(os.path.join(folder, PENDING)):
        message = say("an erasure was interrupted, and what it was to erase is still here")
        yield Check("erasure", False, message, say("type: memtools erase --apply"))
    else:
        yield Check("erasure", True, say("no erasure is half done"))


def fix_state_files(patient: Patient) -> Said:
    """Delete what is no file; a folder that holds something is put aside."""
    for path in _strange(patient):
        if os.path.basename(path) in FOLDERS and os.path.isfile(path):
            make_folder(path)
        else:
            make_way(path)
    return say("put out of the way what stood in the place of files of memtools")


def _strange(patient: Patient) -> list[str]:
    repository = patient.repository
    found: set[str] = set()
    for folder in (repository.state_dir, os.path.join(repository.common_dir, "memtools")):
        named_ones = [os.path.join(folder, name) for name in FILES]
        for below, folders, names in os.walk(folder):
            if below == folder:  # a bundle or a clone may be as large as it has to be
                folders[:] = [name for name in folders if name not in (BACKUPS, ERASURE)]
            named_ones += [os.path.join(below, name) for name in names]
        found.update(path for path in named_ones if is_strange(path))
        found.update(_no_folders(folder))
    return sorted(found)


def _no_folders(folder: str) -> list[str]:
    """What stands where a folder belongs."""
    paths = [os.path.join(folder, name) for name in FOLDERS]
    return [path for path in paths if os.path.lexists(path) and not os.path.isdir(path)]
