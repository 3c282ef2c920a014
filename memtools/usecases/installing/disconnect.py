"""The way back from `connect`: our entries go from the settings of agents, the person's stay.

Must not touch what somebody changed since; says what it leaves.
"""

from __future__ import annotations

from pathlib import Path

from memtools.core.wording import Said, say
from memtools.errors import MemtoolsError
from memtools.git.place import local_config, require_place
from memtools.usecases.installing.settings_files import write_without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.usecases.installing.connections import Connection, Setting


def write_disconnected(
    connection: Connection, environ: Mapping[str, str]
) -> tuple[list[str], list[Said]]:
    """Take one connection back: the paths that were changed or removed, and what is left."""
    removed, notices = [], []
    for file in reversed(connection.files):
        try:
            is_done, line = write_without(file)
        except OSError as failed:
            is_done = False
            line = say("{path} cannot be written: {why}", path=file.path, why=failed.strerror)
        removed += [file.path] if is_done else []
        notices += [line] if line is not None else []
    for setting in connection.settings:
        if _unset(setting, environ):
            removed.append(f"{setting.folder}: {setting.key}")
    return removed, notices


def _unset(setting: Setting, environ: Mapping[str, str]) -> bool:
    if not Path(setting.folder).is_dir():
        return False
    try:
        git = require_place(setting.folder, environ).git
    except MemtoolsError:
        return False
    if local_config(git).get(setting.key.lower(), ())[-1:] != (setting.value,):
        return False
    if setting.before:
        git.run("config", "--local", "--replace-all", setting.key, setting.before)
    else:
        git.run("config", "--local", "--unset-all", setting.key)
    return True
