"""What else below the git dir may hold the old history: notes of git, files of memtools.

Must not touch a ref, an object or a file of the person.
"""

from __future__ import annotations

import os

from memtools.core.erasure import Finder
from memtools.files import is_strange, read_plain, remove_entry
from memtools.usecases.bundles import BACKUPS
from memtools.usecases.state import ERASURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.erasing.targets import Targets
    from memtools.usecases.repository import Repository

# What git writes down for the next moment only.
_NOTES = (
    *("ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG"),
    *("TAG_EDITMSG", "NOTES_EDITMSG", "rr-cache", "gitk.cache", "filter-repo", "MERGE_RR"),
    *("REBASE_HEAD", "ADD_EDIT.patch", "addp-hunk-edit.diff", "GITGUI_MSG", "GITGUI_BCK"),
    "lost-found",
)
# Below our own folder: what is made again by the next who reads, and bundles of the old history.
_DERIVED = (
    *("ledger", "search", "search-noted-1", "activation", "staged-view-4", "quiet", "plans"),
    *("audited-1", "checked-1", "received-1", "journal", BACKUPS),
)
_OF_REFS = "ref-"  # how the folders of approved refs begin


def clear_remains(repository: Repository, targets: Targets) -> None:
    """Take them away; of logs and sessions only the files that hold something of it.

    What is no file of ours there (a link, a pipe) goes, too.
    """
    for name in _NOTES:
        for folder in {repository.git_dir, repository.common_dir}:
            remove_entry(os.path.join(folder, name))
    state = os.path.join(repository.common_dir, "memtools")
    for name in os.listdir(state):
        if name in _DERIVED or name.startswith(_OF_REFS):
            remove_entry(os.path.join(state, name))
    finders = Finder(targets.texts), Finder(targets.lines, plain=True)
    for folder, folders, names in os.walk(state):
        if ERASURE in folders:
            folders.remove(ERASURE)
        for name in names:
            path = os.path.join(folder, name)
            if is_strange(path) or any(finder.finds(read_plain(path)) for finder in finders):
                os.unlink(path)
