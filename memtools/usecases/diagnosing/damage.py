"""The doctor's look at damage to what memtools keeps: its records, its ref, its bundles.

Must not know what stands in a record: one that nobody can read counts as missing already.
"""

from __future__ import annotations

import contextlib
import os

from memtools.core.wording import Said, say
from memtools.files import remove_own
from memtools.git.bundle import is_whole
from memtools.usecases.bundles import bundles_in, own_folder
from memtools.usecases.committing.tombstones import BACKUP_REF
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.diagnosing.setup import fix_setup
from memtools.usecases.installing.record import read_record, record_place
from memtools.usecases.keeping import is_damaged
from memtools.usecases.statefiles import RECORD, SUMMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient


def records(patient: Patient) -> Iterator[Check]:
    """Can everything that is kept here be read?"""
    found = _damaged(patient)
    if found:
        shown = named(os.path.relpath(path, patient.repository.top) for path in found)
        message = say("nobody can read these records, so they count as missing: {paths}",
                      paths=shown)  # fmt: skip
        yield Check("state-damaged", False, message, say("type: memtools doctor --fix"), True)
    else:
        yield Check("state-damaged", True, say("what memtools keeps can be read"))


def backup_ref(patient: Patient) -> Iterator[Check]:
    """Does the ref that holds the bytes before the last retraction lead anywhere?

    A broken one stops `git gc` and every backup.
    """
    if _is_broken(patient):
        message = say("{ref} points at nothing; git gc and backups stop at it", ref=BACKUP_REF)
        yield Check("backup-ref", False, message, say("type: memtools doctor --fix"), True)
    else:
        yield Check("backup-ref", True, say("{ref} is whole, or not there", ref=BACKUP_REF))


def backups(patient: Patient) -> Iterator[Check]:
    """Is the newest bundle as it was written? That there is none is only told."""
    found = bundles_in(own_folder(patient.repository))
    if not found:
        message = say("no backup was written here yet")
        yield Check("backup", True, message, say("to write one: memtools backup --apply"))
    elif is_whole(found[0]):
        yield Check("backup", True, say("the newest backup is whole: {path}", path=found[0]))
    else:
        message = say("the newest backup is damaged: {path}", path=found[0])
        yield Check("backup", False, message, say("type: memtools backup --apply"))


def fix_records(patient: Patient) -> Said:
    """Delete what nobody can read; what `init` wrote is noted anew."""
    found = _damaged(patient)
    for path in found:
        remove_own(path)
    if any(os.path.basename(path) == RECORD for path in found):
        fix_setup(patient)
    return say("deleted records that nobody could read")


def fix_backup_ref(patient: Patient) -> Said:
    """Delete the broken ref; the next retraction makes it anew."""
    repository = patient.repository
    if repository.git.call("update-ref", "-d", BACKUP_REF)[0]:
        with contextlib.suppress(FileNotFoundError):  # git deletes no ref it cannot read
            os.unlink(os.path.join(repository.common_dir, *BACKUP_REF.split("/")))
    return say("deleted {ref}, which pointed at nothing", ref=BACKUP_REF)


def _damaged(patient: Patient) -> list[str]:
    repository = patient.repository
    folder = repository.state_dir
    found = [os.path.join(folder, name) for name in SUMMED if is_damaged(folder, name)]
    record = record_place(repository.common_dir)
    if os.path.isfile(record) and read_record(repository.common_dir) is None:
        found.append(record)
    return found


def _is_broken(patient: Patient) -> bool:
    git = patient.repository.git
    if git.call("cat-file", "-e", f"{BACKUP_REF}^{{tree}}")[0] == 0:
        return False
    file = os.path.join(patient.repository.common_dir, *BACKUP_REF.split("/"))
    return os.path.isfile(file) or git.call("rev-parse", "--verify", "--quiet", BACKUP_REF)[0] == 0
