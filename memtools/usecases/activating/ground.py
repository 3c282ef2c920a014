"""What a layer rests on: every file that would have to change before it could be another one.

Looked at before anything is read from it, so that a change in between is seen at the next turn.
Must not know what the layer says.
"""

from __future__ import annotations

import os

from memtools.config import SETTINGS_FILE, environ
from memtools.core.vocabulary import Priority, Status
from memtools.git.glance import find_common_dir, find_git_dir, ref_files
from memtools.git.place import config_files
from memtools.git.run import Git, environment
from memtools.usecases.activating.witness import FILE, FOLDER, THROUGH, look

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.usecases.activating.witness import Witness
    from memtools.usecases.reading.view import View


def look_at_repository(here: str, began: int) -> list[Witness]:
    """HEAD, staging and settings of the repository of the current folder, and what names a scope.

    `here` is the folder of the session, which may lie in another repository.
    """
    git_dir, looked_at = find_git_dir(os.path.realpath("."))
    project_dir, more = find_git_dir(here)
    files = [os.path.join(git_dir, "index"), os.path.join(git_dir, "FETCH_HEAD")]
    for each in dict.fromkeys((git_dir, project_dir)):
        if each:
            files += _settings_of_git(each)
    files += _settings_of_person()
    own = [*looked_at, *more, os.path.join(os.path.dirname(looked_at[-1]), SETTINGS_FILE)]
    own.append(replacements(git_dir))
    refs = look_at_ref(git_dir, "HEAD", began)
    return look(FILE, own, began) + look(THROUGH, files, began) + refs


def replacements(git_dir: str) -> str:
    """The folder whose files make git read other objects than those it is asked for."""
    return os.path.join(find_common_dir(git_dir), "refs", "replace")


def look_at_ref(git_dir: str, name: str, began: int) -> list[Witness]:
    """The files that say what a name stands for, and when it was fetched."""
    common_dir = find_common_dir(git_dir)
    fetched = os.path.join(common_dir, "FETCH_HEAD")
    return look(THROUGH, [*ref_files(git_dir, common_dir, name), fetched], began)


def _settings_of_git(git_dir: str) -> list[str]:
    """The files of git's configuration for a repository, those it includes among them."""
    common_dir = find_common_dir(git_dir)
    named = [os.path.join(git_dir, "config.worktree"), os.path.join(common_dir, "config")]
    git = Git(git_dir, environment(environ(), foreign=True))
    return [*named, *config_files(git)]


def _settings_of_person() -> list[str]:
    """Where git looks for more of it, should a file appear there."""
    env = environ()
    home = env.get("HOME", "")
    folder = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return [
        env.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig",
        env.get("GIT_CONFIG_GLOBAL") or os.path.join(home, ".gitconfig"),
        os.path.join(folder, "git", "config"),
    ]


def layer_paths(view: View) -> list[str]:
    """Every memory whose file decides what the layer says, also when it is hidden by now."""
    rows = view.ledger.rows.values()
    high = [
        row.path for row in rows if row.priority == Priority.HIGH and row.status == Status.ACTIVE
    ]
    return [*high, *(held.path for held in view.withheld)]


def look_at_memories(top: str, paths: Iterable[str], began: int) -> list[Witness]:
    """The files of these memories, and the folders they lie in; `top` "": there is no work tree."""
    if not top:
        return []
    files = [os.path.join(top, path) for path in paths]
    folders = {os.path.dirname(file) for file in files}
    for folder in list(folders):
        while len(folder := os.path.dirname(folder)) > len(top):
            folders.add(folder)
    return look(FILE, files, began) + look(FOLDER, sorted(folders), began)
