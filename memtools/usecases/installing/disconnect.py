"""The way back from `connect`: our entries go from the settings of agents, the person's stay.

Must not touch what somebody changed since; says what it leaves.
"""

from __future__ import annotations

from pathlib import Path

from memtools.core.wording import Said, say
from memtools.errors import MemtoolsError
from memtools.git.place import local_config, require_place
from memtools.usecases.installing.record import Undoing, Undone
from memtools.usecases.installing.settings_files import write_without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.usecases.installing.connections import Connection, Setting


def write_disconnected(
    connection: Connection, environ: Mapping[str, str]
) -> tuple[list[Undone], list[Said]]:
    """Take one connection back: what was changed or removed (absolute paths), and what is left."""
    undone, notices = [], []
    for file in reversed(connection.files):
        try:
            how, line = write_without(file)
        except OSError as failed:
            how = None
            line = say("{path} cannot be written: {why}", path=file.path, why=failed.strerror)
        undone += [Undone(how, file.path)] if how is not None else []
        notices += [line] if line is not None else []
    for setting in connection.settings:
        if _unset(setting, environ):
            how = Undoing.PUT_BACK if setting.before else Undoing.REMOVED
            undone.append(Undone(how, f"{setting.folder}: {setting.key}"))
    return undone, notices


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
