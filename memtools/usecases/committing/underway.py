"""Is somebody else's commit being made in this work tree right now?

Only looks at names in the git folder; takes no lock and starts nothing.
"""

from __future__ import annotations

import os

from memtools.core.pattern import lazy
from memtools.git.process import is_running

# A partial commit of git, and a commit of our own, name the process that makes them.
_OF_A_PROCESS = lazy(r"(?:next-index-|private-index-)([0-9]+)(?:\.lock)?")
PRIVATE = "private-index-"


def is_committing(git_dir: str, state_dir: str) -> bool:
    """Does another process hold the index, or an index of its own, for a commit?

    What a killed process left does not count, except `index.lock`, which names nobody.
    """
    if os.path.lexists(os.path.join(git_dir, "index.lock")):
        return True
    for folder in (git_dir, state_dir):
        for name in os.listdir(folder):
            match = _OF_A_PROCESS.fullmatch(name)
            process = int(match[1]) if match else os.getpid()
            if process != os.getpid() and is_running(process):
                return True
    return False


def held_locks(git_dir: str, common_dir: str) -> list[str]:
    """Git's locks that are held now, absolute; a killed git leaves its own behind."""
    folders = {git_dir, common_dir, os.path.join(common_dir, "objects")}
    for top in (git_dir, common_dir):
        folders.update(folder for folder, _, _ in os.walk(os.path.join(top, "refs")))
    return sorted(
        os.path.join(folder, name)
        for folder in folders
        if os.path.isdir(folder)
        for name in os.listdir(folder)
        if name.endswith(".lock")
    )
