"""What else may hold the old history: notes of git, files of memtools, what `render` wrote.

Must not touch a ref, an object or what a person wrote.
"""

from __future__ import annotations

import contextlib
import os

from memtools.core.erasure import Finder, without_told
from memtools.files import is_strange, read_plain, remove_entry
from memtools.git.worktree import read_plain_file, remove, write_over
from memtools.usecases.bundles import BACKUPS
from memtools.usecases.repository import OF_REFS
from memtools.usecases.state import JOURNAL, PLANS
from memtools.usecases.statefiles import DERIVED, DERIVED_FOLDERS, ERASURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.usecases.erasing.targets import Targets
    from memtools.usecases.repository import Repository

# What git writes down for the next moment only.
_NOTES = (
    *("ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG"),
    *("TAG_EDITMSG", "NOTES_EDITMSG", "rr-cache", "gitk.cache", "filter-repo", "MERGE_RR"),
    *("REBASE_HEAD", "ADD_EDIT.patch", "addp-hunk-edit.diff", "GITGUI_MSG", "GITGUI_BCK"),
    "lost-found",
)
# Below our own folder: what is derived from the old history, or tells of its bytes.
_OLD = (*DERIVED, *DERIVED_FOLDERS, JOURNAL, PLANS, BACKUPS)


def clear_remains(repository: Repository, targets: Targets) -> None:
    """Take them away; of logs and sessions only the files that hold something of it.

    What is no file of ours there (a link, a pipe) goes, too.
    """
    for name in _NOTES:
        for folder in {repository.git_dir, repository.common_dir}:
            remove_entry(os.path.join(folder, name))
    state = os.path.join(repository.common_dir, "memtools")
    for name in os.listdir(state):
        if name in _OLD or name.startswith(OF_REFS):
            remove_entry(os.path.join(state, name))
    finders = Finder(targets.texts), Finder(targets.lines, plain=True)
    for folder, folders, names in os.walk(state):
        if ERASURE in folders:
            folders.remove(ERASURE)
        for name in names:
            path = os.path.join(folder, name)
            if is_strange(path) or any(finder.finds(read_plain(path)) for finder in finders):
                os.unlink(path)


def clear_rendered(top: str, paths: Iterable[str], targets: Targets) -> None:
    """Take out of files that git does not know what `render` told in them.

    One that tells of nothing else goes. What cannot be written stays, and the proof finds it.
    """
    for path in paths:
        before = read_plain_file(top, path)
        if before is None:
            continue
        after = without_told(before, targets.paths)
        with contextlib.suppress(OSError):
            if after:
                write_over(top, path, before, after)
            else:
                remove(top, path, before, os.path.dirname(path))
