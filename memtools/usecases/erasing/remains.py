"""What else below the git dir may hold the old history: notes of git, files of memtools.

Must not touch a ref, an object or a file of the person.
"""

from __future__ import annotations

import os
import shutil

from memtools.core.erasure import Finder
from memtools.files import read_plain
from memtools.usecases.bundles import remove_entry
from memtools.usecases.erasing.pending import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.erasing.targets import Targets
    from memtools.usecases.repository import Repository

# What git writes down for the next moment only.
_NOTES = (
    *("ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG"),
    *("TAG_EDITMSG", "NOTES_EDITMSG", "rr-cache", "gitk.cache", "filter-repo"),
)
# What `uninstall` needs, our locks, this very run; sessions stay where they hold nothing of it, so
# that they are told what was taken back.
_KEPT = ("installed", "commit-lock", "journal-lock", "sessions", FOLDER)


def clear_remains(repository: Repository, targets: Targets) -> None:
    """Take them away; what is derived is made again by the next reader."""
    for name in _NOTES:
        for folder in {repository.git_dir, repository.common_dir}:
            remove_entry(os.path.join(folder, name))
    state = os.path.join(repository.common_dir, "memtools")
    for name in os.listdir(state):
        if name not in _KEPT:
            remove_entry(os.path.join(state, name))
    texts, lines = Finder(targets.texts), Finder(targets.lines, plain=True)
    sessions = os.path.join(state, "sessions")
    for name in os.listdir(sessions) if os.path.isdir(sessions) else ():
        path = os.path.join(sessions, name)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif any(finder.finds(read_plain(path)) for finder in (texts, lines)):
            os.unlink(path)
