"""`connect`: let a coding agent read these memories at every turn. Decides all before it writes.

Must not know where things are (`scene`), what an entry looks like (`agents`), nor how a file is
edited (`settings_files`).
"""

from __future__ import annotations

import os

from memtools.config import SETTINGS_FILE
from memtools.core.json_edit import Fault
from memtools.core.problem import Problem, problem
from memtools.core.wording import Said, lines, say, shell_word
from memtools.errors import pip_install
from memtools.git.place import local_config, require_place
from memtools.usecases.installing.connections import Connection, Setting
from memtools.usecases.installing.record import Record, read_record, shown, write_record
from memtools.usecases.installing.scene import (
    environment_file,
    find_scene,
    targets_of,
    words_of_server,
)
from memtools.usecases.installing.settings_files import Change, plan_change, write_change
from memtools.usecases.outcome import code_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.usecases.installing.init import Machine
    from memtools.usecases.installing.scene import Scene, Wanted


class Connected(NamedTuple):
    """What connecting changes; `top` is the folder that paths are shown from."""

    agent: str
    place: str
    top: str
    applied: bool
    changes: tuple[Change, ...]
    settings: tuple[Setting, ...]
    notices: tuple[Said, ...]
    problems: tuple[Problem, ...]

    @property
    def code(self) -> int:
        """The exit code."""
        return code_of(self.problems)

    @property
    def is_due(self) -> bool:
        """Is there anything to write?"""
        return bool(self.settings) or any(change.is_due for change in self.changes)


def connect(
    wanted: Wanted, machine: Machine, *, apply: bool = False, has_mcp: bool | None = None
) -> Connected:
    """Plan the settings of one agent; with `apply` write them. A second run finds nothing to do.

    `has_mcp`: is the extra installed (None: looked up)? A file that cannot be edited is a problem
    with the lines to paste; the others are written all the same.

    Raises:
        UsageError: no such agent, no such ref, or a folder that is none.
        GitError: no repository holds the memories, or a file cannot be written.
        RefusedError: a path is not UTF-8, or a file changes at this moment.
    """
    scene = find_scene(wanted, machine, has_mcp=_has_mcp() if has_mcp is None else has_mcp)
    record = read_record(scene.memory.common_dir) or Record()
    known = _known(record, scene)
    changes, problems = _planned(scene, known)
    settings = tuple(_settings(scene))
    notices = tuple(_notices(scene, changes))
    found = Connected(
        wanted.agent, wanted.place, scene.project, False, changes, settings, notices, problems
    )
    if not apply or not found.is_due:
        return found
    write_record(
        scene.memory.common_dir,
        record.merged(Record(connections=(_connection(scene, known, changes, settings),))),
    )
    for change in changes:
        if change.is_due:
            write_change(change)
    for setting in settings:
        git = require_place(setting.folder, machine.environ).git
        git.run("config", "--local", "--replace-all", setting.key, setting.value)
    return found._replace(applied=True)


def _has_mcp() -> bool:
    from importlib.util import find_spec

    return find_spec("mcp") is not None


def _known(record: Record, scene: Scene) -> Connection | None:
    key = (scene.wanted.agent, scene.wanted.place, "" if scene.is_at_home else scene.project)
    return next((one for one in record.connections if one.key == key), None)


def _planned(
    scene: Scene, known: Connection | None
) -> tuple[tuple[Change, ...], tuple[Problem, ...]]:
    files = {file.path: file for file in known.files} if known else {}
    changes, problems = [], []
    for target in targets_of(scene):
        planned = plan_change(target, files.get(target.path))
        if isinstance(planned, Fault):
            path = shown(target.path, scene.project)
            paste = lines(target.to_paste.rstrip("\n").split("\n"))
            hint = say("put this in yourself:\n    {lines}", lines=paste)
            problems.append(problem(path, planned.line, "agent-settings", planned.message, hint))
        else:
            changes.append(planned)
    return tuple(changes), tuple(problems)


def _settings(scene: Scene) -> Iterator[Setting]:
    """The entries of git configs that are not there yet."""
    for folder, key, value in (
        (scene.project, "memtools.scope", scene.wanted.scope),
        (scene.memory.top, "memtools.readRef", scene.wanted.read_ref),
    ):
        if not value:
            continue
        place = require_place(folder, scene.machine.environ)
        now = local_config(place.git).get(key.lower(), ())
        if now != (value,):
            yield Setting(place.top, key, value, now[-1] if now else "")


def _connection(
    scene: Scene, known: Connection | None, changes: Sequence[Change], settings: Sequence[Setting]
) -> Connection:
    files = {file.path: file for file in known.files} if known else {}
    files |= {change.path: change.file for change in changes}
    config = {(one.folder, one.key): one for one in known.settings} if known else {}
    for one in settings:
        earlier = config.get((one.folder, one.key))
        config[one.folder, one.key] = one._replace(before=earlier.before) if earlier else one
    program = scene.machine.program
    return Connection(
        scene.wanted.agent,
        scene.wanted.place,
        "" if scene.is_at_home else scene.project,
        scene.named_memory,
        program.python,
        program.start,
        tuple(files.values()),
        tuple(config.values()),
    )


def _notices(scene: Scene, changes: Sequence[Change]) -> Iterator[Said]:
    agent = scene.agent
    settings = os.path.join(scene.memory.top, SETTINGS_FILE)
    if not (scene.wanted.memory or scene.is_at_home or os.path.lexists(settings)):
        yield say(
            "{path} has no .memtools.toml: when the memories are in another repository add "
            "--memory DIR, else type: memtools init",
            path=scene.memory.top,
        )
    if any(change.is_short for change in changes):
        yield say(
            "MEMTOOLS_AGENT={name} does not fit beside what is there: put it into the environment "
            "of the commands of the agent yourself",
            name=agent.name,
        )
    if not agent.variables and environment_file(scene) is None:
        yield say(
            "{agent} has no setting for the environment of its commands: start it with "
            "MEMTOOLS_AGENT={agent}",
            agent=agent.name,
        )
    if agent.notice is not None:
        yield agent.notice()
    if agent.project_notice is not None and not scene.is_at_home:
        yield agent.project_notice()
    if agent.rendered:
        yield say(
            "{agent} takes memories from a hook at the start of a session only; a file it reads at "
            "each turn: memtools render --to {file}",
            agent=agent.name,
            file=agent.rendered,
        )
    if not scene.has_mcp:
        yield say(
            "no MCP server: type {command}, and this command once more for it",
            command=pip_install("memtools[mcp]"),
        )
    elif scene.is_at_home and not agent.home_servers:
        yield say(
            "for the MCP server type: claude mcp add --scope user memtools --env "
            "MEMTOOLS_AGENT=claude -- {command}",
            command=" ".join(map(shell_word, words_of_server(scene))),
        )
    if any(change.is_due for change in changes) and not scene.is_at_home:
        yield say(
            "these files name folders of this machine: keep them out of what you share (a line for "
            "each in .git/info/exclude), or use --user"
        )
