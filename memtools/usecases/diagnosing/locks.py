"""The doctor's look at git's locks: they are named, with what to type, and never broken.

Must not change anything.
"""

from __future__ import annotations

import os

from memtools.core.wording import say, shell_word
from memtools.errors import GitError
from memtools.git.staging import Staging
from memtools.usecases.committing.underway import held_locks
from memtools.usecases.diagnosing.patient import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient


def git_locks(patient: Patient) -> Iterator[Check]:
    """Is git at work here, or did a killed one leave its locks behind?"""
    repository = patient.repository
    found = held_locks(repository.git_dir, repository.common_dir)
    held = [os.path.relpath(name, repository.top) for name in found]
    if not held:
        yield Check("git-locks", True, say("git holds no lock"))
        return
    message = say("git is at work here, or was killed: {paths}", paths=", ".join(held))
    hint = say("if no git runs here, remove these files yourself")
    index = os.path.join(repository.git_dir, "index")
    if _is_new_staging(patient, f"{index}.lock"):
        hint = say(
            "if no git runs here, it was killed between its commit and its staging; type: "
            "mv {lock} {index}",
            lock=shell_word(os.path.relpath(f"{index}.lock", repository.top)),
            index=shell_word(os.path.relpath(index, repository.top)),
        )
    yield Check("git-locks", False, message, hint)


def _is_new_staging(patient: Patient, lock: str) -> bool:
    """Is the locked index the one that belongs to HEAD, so that git had only to rename it?

    It then holds all of HEAD that the index in force lacks, and whatever else is staged there.
    """
    git, git_dir = patient.repository.git, patient.repository.git_dir
    if not os.path.exists(lock):
        return False
    try:
        made = set(Staging(git.with_env(GIT_INDEX_FILE=lock), git_dir).diff(patient.tree_id))
    except GitError:  # it is not whole
        return False
    return made < set(Staging(git, git_dir).diff(patient.tree_id))
