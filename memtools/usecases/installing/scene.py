"""Where everything of one connection is: the agent, the project, the memories, the files to hold.

Must not decide what is written (`connect` does), nor know what an entry looks like (`agents`).
"""

from __future__ import annotations

import os
from pathlib import Path

from memtools.core.invisible import is_utf8
from memtools.core.wording import say
from memtools.errors import GitError, RefusedError, UsageError
from memtools.git.place import find_place, require_place
from memtools.git.refs import find_commit
from memtools.usecases.installing.agents import AGENTS, hook_entries, server_entry, server_words
from memtools.usecases.installing.connections import PROJECT, USER
from memtools.usecases.installing.settings_files import Target
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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


class Scene(NamedTuple):
    """Where everything is: the agent, the project, and the repository of the memories."""

    agent: Agent
    wanted: Wanted
    machine: Machine
    project: str
    memory: Place
    has_mcp: bool

    @property
    def is_at_home(self) -> bool:
        """Are these the person's own settings, for all projects?"""
        return self.wanted.place == USER

    @property
    def named_memory(self) -> str:
        """The folder the commands name; "" when they find it from where the agent runs."""
        if not self.wanted.memory:
            return ""
        is_same = os.path.realpath(self.memory.top) == os.path.realpath(self.project)
        return "" if is_same and not self.is_at_home else self.memory.top


def find_scene(wanted: Wanted, machine: Machine, *, has_mcp: bool) -> Scene:
    """Look up what a person asks for.

    Raises:
        UsageError: no such agent, no such ref, or a folder that is none.
        GitError: no repository holds the memories.
        RefusedError: a path is not UTF-8.
    """
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
        if not is_utf8(text):
            raise RefusedError(say("{path} is not UTF-8, so no settings can say it", path=text))
    if wanted.read_ref and find_commit(memory.git, wanted.read_ref) is None:
        raise UsageError(
            say("{ref} names no commit in {folder}", ref=wanted.read_ref, folder=memory.top),
            say("type git fetch there first, or another ref"),
        )
    return Scene(AGENTS[wanted.agent], wanted, machine, project, memory, has_mcp)


def targets_of(scene: Scene) -> Iterator[Target]:
    """The files of this agent at this place, with what each should hold."""
    agent, program, memory = scene.agent, scene.machine.program, scene.named_memory
    base, limit, mode = _base(scene)
    hooks = agent.home_hooks if scene.is_at_home else agent.hooks
    servers = agent.home_servers if scene.is_at_home else agent.servers
    wanted: dict[str, tuple[Entry, ...]] = {hooks: hook_entries(agent, program, memory)}
    if scene.has_mcp and servers:
        entry = server_entry(agent, words_of_server(scene), at_home=scene.is_at_home)
        wanted[servers] = (*wanted.get(servers, ()), entry)
    for name, entries in wanted.items():
        variables = (*agent.variables, "MEMTOOLS_AGENT")
        fewer = tuple(entry for entry in entries if entry.where != variables)
        path = str(Path(base, name))
        yield Target(path, limit, mode, entries, fewer if fewer != entries else ())
    environment = environment_file(scene)
    if environment is not None:
        line = f"MEMTOOLS_AGENT={agent.name}\n"
        yield Target(str(environment), limit, mode, lines=line)


def words_of_server(scene: Scene) -> tuple[str, ...]:
    """The command that starts the MCP server here."""
    program = scene.machine.program
    if scene.is_at_home:
        return server_words(program, scene.named_memory)
    return server_words(program, scene.memory.top, scene.project)


def _base(scene: Scene) -> tuple[str, str, int]:
    """What names are relative to, the folder no file may leave, and the mode of new files."""
    if not scene.is_at_home:
        return scene.project, scene.project, 0o644
    given = scene.machine.environ.get(scene.agent.home_variable, "")
    if given:
        folder = os.path.abspath(given)
        return folder, folder, 0o600
    home = Path("~").expanduser()
    return str(home / scene.agent.home), str(home), 0o600


def environment_file(scene: Scene) -> Path | None:
    """The file of variables the agent reads, when it is there.

    It is never made: a new one would hide the one the agent reads now.
    """
    base, name = _base(scene)[0], scene.agent.environment_file
    file = Path(base, name) if scene.is_at_home else Path(base, scene.agent.home, name)
    return file if name and file.is_file() else None
