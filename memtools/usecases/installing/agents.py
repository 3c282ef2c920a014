"""The agents as values: where each keeps its settings, and what an entry of ours looks like there.

Must not touch a file. The formats are those the makers document (docs/agents.md names the pages).
"""

from __future__ import annotations

import os

from memtools.core.settings_entries import Entry
from memtools.core.wording import Said, say, shell_word
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memtools.git.shims import Program

    # Makes the hook entry of an agent.
    Shape = Callable[["Call"], object]

SECONDS = 10
_MILLISECONDS = SECONDS * 1000


class Call(NamedTuple):
    """The command of the per-turn hook: its words, and the agent it is for."""

    agent: str
    words: tuple[str, ...]

    @property
    def posix(self) -> str:
        """For a POSIX shell (Git Bash on Windows too)."""
        return " ".join(map(shell_word, self.words))

    @property
    def powershell(self) -> str:
        """For PowerShell."""
        return "& " + " ".join("'" + word.replace("'", "''") + "'" for word in self.words)

    @property
    def cmd(self) -> str:
        """For cmd.exe; no path on Windows holds a double quote."""
        return " ".join(f'"{word}"' if " " in word else word for word in self.words)


class Agent(NamedTuple):
    """One agent.

    `hooks` and `servers` are files below the project, `home_…` below `home` of the person or what
    the variable `home_variable` names ("": there is none). `events` get `shape`; `variables` is
    where the file of the hooks sets the environment of the session's commands. `server` is what a
    server entry holds beside the command, at `servers_key`. `rendered`: a file the agent reads,
    when its hooks hand out memories at the start only. `notice` is what a person has to know about
    the hooks, `project_notice` about those of a project.
    """

    name: str
    home: str
    home_variable: str
    hooks: str
    home_hooks: str
    servers: str
    home_servers: str
    events: tuple[str, ...]
    shape: Shape
    servers_key: str = "mcpServers"
    variables: tuple[str, ...] = ()
    is_versioned: bool = False
    server: Mapping[str, object] = {}
    home_server: Mapping[str, object] = {}
    environment_file: str = ""
    rendered: str = ""
    notice: Callable[[], Said] | None = None
    project_notice: Callable[[], Said] | None = None


def _claude(call: Call) -> object:
    return {"hooks": [{"type": "command", "command": call.posix, "timeout": SECONDS}]}


def _codex(call: Call) -> object:
    command = call.cmd if os.name == "nt" else call.posix
    return {"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]}


def _gemini(call: Call) -> object:
    command = call.powershell if os.name == "nt" else call.posix
    hook = {"name": "memtools", "type": "command", "command": command, "timeout": _MILLISECONDS}
    return {"hooks": [hook]}


def _copilot(call: Call) -> object:
    return {
        "type": "command",
        "bash": call.posix,
        "powershell": call.powershell,
        "env": {"MEMTOOLS_AGENT": call.agent},
        "timeoutSec": SECONDS,
    }


def _cursor(call: Call) -> object:
    return {
        "command": call.powershell if os.name == "nt" else call.posix,
        "timeout": SECONDS,
    }


def _codex_trust() -> Said:
    return say("Codex runs new hooks only after you trusted them: type /hooks there")


def _gemini_trust() -> Said:
    return say(
        "Gemini CLI runs hooks of a project only in a folder it trusts: answer its question there, "
        "or set GEMINI_CLI_TRUST_WORKSPACE=true"
    )


def _copilot_trust() -> Said:
    return say(
        "Copilot runs hooks of a project only in a folder it trusts, and copilot -p does not ask: "
        "start copilot there once, or use --user"
    )


_EVERY_TURN = ("SessionStart", "UserPromptSubmit")
AGENTS: dict[str, Agent] = {
    agent.name: agent
    for agent in (
        Agent(
            "claude",
            ".claude",
            "CLAUDE_CONFIG_DIR",
            hooks=".claude/settings.json",
            home_hooks="settings.json",
            servers=".mcp.json",
            home_servers="",
            events=(*_EVERY_TURN, "SubagentStart"),
            shape=_claude,
            variables=("env",),
        ),
        Agent(
            "codex",
            ".codex",
            "CODEX_HOME",
            hooks=".codex/config.toml",
            home_hooks="config.toml",
            servers=".codex/config.toml",
            home_servers="config.toml",
            events=(*_EVERY_TURN, "PreCompact"),
            shape=_codex,
            servers_key="mcp_servers",
            variables=("shell_environment_policy", "set"),
            notice=_codex_trust,
        ),
        Agent(
            "gemini",
            ".gemini",
            "",
            hooks=".gemini/settings.json",
            home_hooks="settings.json",
            servers=".gemini/settings.json",
            home_servers="settings.json",
            events=("SessionStart", "BeforeAgent", "PreCompress"),
            shape=_gemini,
            environment_file=".env",
            project_notice=_gemini_trust,
        ),
        Agent(
            "copilot",
            ".copilot",
            "COPILOT_HOME",
            hooks=".github/hooks/memtools.json",
            home_hooks="hooks/memtools.json",
            servers=".vscode/mcp.json",
            home_servers="mcp-config.json",
            events=(*_EVERY_TURN, "PreCompact"),
            shape=_copilot,
            servers_key="servers",
            is_versioned=True,
            server={"type": "stdio"},
            home_server={"type": "local", "tools": ["*"]},
            project_notice=_copilot_trust,
        ),
        Agent(
            "cursor",
            ".cursor",
            "",
            hooks=".cursor/hooks.json",
            home_hooks="hooks.json",
            servers=".cursor/mcp.json",
            home_servers="mcp.json",
            events=("sessionStart",),
            shape=_cursor,
            is_versioned=True,
            rendered=".cursor/rules/memtools.mdc",
        ),
    )
}


def hook_entries(agent: Agent, program: Program, memory: str) -> tuple[Entry, ...]:
    """What the file of the hooks should hold; `memory` ("": where the agent runs) is a folder."""
    words = (program.python, "-I", "-S", program.start, *_where(memory), "turn")
    shaped = agent.shape(Call(agent.name, words))
    entries = [Entry(("version",), 1, any_value=True)] if agent.is_versioned else []
    entries += [Entry(("hooks", event), shaped, is_item=True) for event in agent.events]
    if agent.variables:
        where = (*agent.variables, "MEMTOOLS_AGENT")
        entries.append(Entry(where, agent.name, any_value=True))
    return tuple(entries)


def server_entry(agent: Agent, words: Sequence[str], *, at_home: bool) -> Entry:
    """What the file of the MCP servers should hold; `words` start the server."""
    command, *arguments = words
    is_other = at_home and agent.home_server
    server = {
        **(agent.home_server if is_other else agent.server),
        "command": command,
        "args": arguments,
        "env": {"MEMTOOLS_AGENT": agent.name},
    }
    key = "mcpServers" if is_other else agent.servers_key
    return Entry((key, "memtools"), server)


def server_words(program: Program, memory: str, project: str = "") -> tuple[str, ...]:
    """The command of the MCP server; with the packages of the interpreter, so without -S.

    It names the project, since not every agent starts its servers there.
    """
    works_for = ("--project", project) if project else ()
    return (program.python, "-I", program.start, *_where(memory), "mcp", *works_for)


def _where(memory: str) -> tuple[str, ...]:
    return ("-C", memory) if memory else ()
