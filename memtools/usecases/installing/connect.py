"""`connect`: let a coding agent read these memories at every turn. Decides all before it writes.

Must not know what an entry looks like (`agents`), nor how a file is edited (`settings_files`).
"""

from __future__ import annotations

import os
from pathlib import Path

from memtools.config import SETTINGS_FILE
from memtools.core.json_edit import Fault
from memtools.core.problem import Problem, problem
from memtools.core.wording import Said, lines, say, shell_word
from memtools.errors import GitError, RefusedError, UsageError
from memtools.git.place import find_place, local_config, require_place
from memtools.usecases.installing.agents import AGENTS, hook_entries, server_entry, server_words
from memtools.usecases.installing.connections import PROJECT, USER, Connection, Setting
from memtools.usecases.installing.record import Record, read_record, shown, write_record
from memtools.usecases.installing.settings_files import Change, Target, plan_change, write_change
from memtools.usecases.outcome import code_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.core.settings_entries import Entry
    from memtools.git.place import Place
    from memtools.usecases.installing.agents import Agent
    from memtools.usecases.installing.init import Machine


class Wanted(NamedTuple):
    """What a person asks for. `memory`: the folder of the memories when it is not the project."""

    agent: str
    folder: str = "."
    place: str = PROJECT
    memory: str = ""
    scope: str = ""
    read_ref: str = ""


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


class _Scene(NamedTuple):
    """Where everything is: the agent, the project, and the repository of the memories."""

    agent: Agent
    wanted: Wanted
    machine: Machine
    project: str
    memory: Place
    has_mcp: bool

    @property
    def is_at_home(self) -> bool:
        return self.wanted.place == USER

    @property
    def named_memory(self) -> str:
        """The folder the commands name; "" when they find it from where the agent runs."""
        if not self.wanted.memory:
            return ""
        is_same = os.path.realpath(self.memory.top) == os.path.realpath(self.project)
        return "" if is_same and not self.is_at_home else self.memory.top


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
    scene = _scene(wanted, machine, _has_mcp() if has_mcp is None else has_mcp)
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


def _scene(wanted: Wanted, machine: Machine, has_mcp: bool) -> _Scene:
    if wanted.agent not in AGENTS:
        raise UsageError(say("no agent is called {name}", name=wanted.agent))
    place = find_place(wanted.folder, machine.environ)
    project = place.top if place else os.path.abspath(wanted.folder)
    memory = require_place(wanted.memory, machine.environ) if wanted.memory else place
    if memory is None:
        raise GitError(
            say("{path} is not in a git repository", path=project),
            say("name the repository of your memories: --memory DIR"),
        )
    named = (machine.program.python, machine.program.start, project, memory.top, wanted.scope)
    for text in named:
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise RefusedError(say("{path} is not UTF-8, so no settings can say it", path=text))
    if wanted.read_ref:
        asked = ("rev-parse", "--verify", "--quiet", f"{wanted.read_ref}^{{commit}}")
        if memory.git.call(*asked, "--")[0]:
            raise UsageError(
                say("{ref} names no commit in {folder}", ref=wanted.read_ref, folder=memory.top),
                say("type git fetch there first, or another ref"),
            )
    return _Scene(AGENTS[wanted.agent], wanted, machine, project, memory, has_mcp)


def _known(record: Record, scene: _Scene) -> Connection | None:
    key = (scene.wanted.agent, scene.wanted.place, "" if scene.is_at_home else scene.project)
    return next((one for one in record.connections if one.key == key), None)


def _planned(
    scene: _Scene, known: Connection | None
) -> tuple[tuple[Change, ...], tuple[Problem, ...]]:
    files = {file.path: file for file in known.files} if known else {}
    changes, problems = [], []
    for target in _targets(scene):
        planned = plan_change(target, files.get(target.path))
        if isinstance(planned, Fault):
            path = shown(target.path, scene.project)
            paste = lines(target.to_paste.rstrip("\n").split("\n"))
            hint = say("put this in yourself:\n    {lines}", lines=paste)
            problems.append(problem(path, planned.line, "agent-settings", planned.message, hint))
        else:
            changes.append(planned)
    return tuple(changes), tuple(problems)


def _targets(scene: _Scene) -> Iterator[Target]:
    """The files of this agent at this place, with what each should hold."""
    agent, program, memory = scene.agent, scene.machine.program, scene.named_memory
    base, limit, mode = _base(scene)
    hooks = agent.home_hooks if scene.is_at_home else agent.hooks
    servers = agent.home_servers if scene.is_at_home else agent.servers
    wanted: dict[str, tuple[Entry, ...]] = {hooks: hook_entries(agent, program, memory)}
    if scene.has_mcp and servers:
        entry = server_entry(agent, _server_words(scene), at_home=scene.is_at_home)
        wanted[servers] = (*wanted.get(servers, ()), entry)
    for name, entries in wanted.items():
        variables = (*agent.variables, "MEMTOOLS_AGENT")
        fewer = tuple(entry for entry in entries if entry.where != variables)
        path = str(Path(base, name))
        yield Target(path, limit, mode, entries, fewer if fewer != entries else ())
    environment = _environment_file(scene)
    if environment is not None:
        line = f"MEMTOOLS_AGENT={agent.name}\n"
        yield Target(str(environment), limit, mode, lines=line)


def _server_words(scene: _Scene) -> tuple[str, ...]:
    program = scene.machine.program
    if scene.is_at_home:
        return server_words(program, scene.named_memory)
    return server_words(program, scene.memory.top, scene.project)


def _base(scene: _Scene) -> tuple[str, str, int]:
    """What names are relative to, the folder no file may leave, and the mode of new files."""
    if not scene.is_at_home:
        return scene.project, scene.project, 0o644
    given = scene.machine.environ.get(scene.agent.home_variable, "")
    if given:
        folder = os.path.abspath(given)
        return folder, folder, 0o600
    home = Path("~").expanduser()
    return str(home / scene.agent.home), str(home), 0o600


def _environment_file(scene: _Scene) -> Path | None:
    """The file of variables the agent reads, when it is there.

    It is never made: a new one would hide the one the agent reads now.
    """
    base, name = _base(scene)[0], scene.agent.environment_file
    file = Path(base, name) if scene.is_at_home else Path(base, scene.agent.home, name)
    return file if name and file.is_file() else None


def _settings(scene: _Scene) -> Iterator[Setting]:
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
    scene: _Scene, known: Connection | None, changes: Sequence[Change], settings: Sequence[Setting]
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


def _notices(scene: _Scene, changes: Sequence[Change]) -> Iterator[Said]:
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
    if not agent.variables and _environment_file(scene) is None:
        yield say(
            "{agent} has no setting for the environment of its commands: start it with "
            "MEMTOOLS_AGENT={agent}",
            agent=agent.name,
        )
    if agent.notice is not None:
        yield agent.notice()
    if agent.rendered:
        yield say(
            "{agent} takes memories from a hook at the start of a session only; a file it reads at "
            "each turn: memtools render --to {file}",
            agent=agent.name,
            file=agent.rendered,
        )
    if not scene.has_mcp:
        yield say(
            "no MCP server: type pip install 'memtools[mcp]', and this command once more for it"
        )
    elif scene.is_at_home and not agent.home_servers:
        yield say(
            "for the MCP server type: claude mcp add --scope user memtools --env "
            "MEMTOOLS_AGENT=claude -- {command}",
            command=" ".join(map(shell_word, _server_words(scene))),
        )
    if any(change.is_due for change in changes) and not scene.is_at_home:
        yield say(
            "these files name folders of this machine: keep them out of what you share, or use "
            "--user"
        )
