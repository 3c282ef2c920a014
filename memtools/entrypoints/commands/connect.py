"""`memtools connect`: let a coding agent read these memories, shown as a diff first."""

from __future__ import annotations

from memtools.config import environ
from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.verb import APPLY, DRY_RUN, FLAG, JSON, Argument, Option, Verb
from memtools.errors import UsageError
from memtools.usecases.installing.agents import AGENTS
from memtools.usecases.installing.connect import Connected, connect
from memtools.usecases.installing.connections import PROJECT, USER
from memtools.usecases.installing.init import this_machine
from memtools.usecases.installing.record import shown
from memtools.usecases.installing.scene import Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.installing.settings_files import Change


def run(
    agent: str,
    user: bool,
    project: bool,
    memory: str,
    scope: str,
    read_ref: str,
    apply: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Show the diff of the settings of an agent; with `apply` write it."""
    if agent not in AGENTS:
        raise UsageError(
            say("no agent is called {name}", name=agent),
            say("type one of these: {names}", names=", ".join(AGENTS)),
        )
    if user and project:
        raise UsageError(say("--user and --project exclude each other"))
    wanted = Wanted(agent, ".", USER if user else PROJECT, memory, scope, read_ref)
    found = connect(wanted, this_machine(environ()), apply=apply and not dry_run)
    if as_json:
        text.show_json(_values(found))
        return found.code
    _show(found)
    text.show_problems(found.problems)
    for line in found.notices:
        text.note(line)
    return found.code


def _show(found: Connected) -> None:
    for change in found.changes:
        name = shown(change.path, found.top)
        if found.applied and change.is_due:
            text.result(say("wrote {path}", path=name))
        elif change.is_due:
            text.block("\n".join(change.diff(_diff_name(name))))
        else:
            text.result(say("kept {path}", path=name))
    for one in found.settings:
        values = {"folder": one.folder, "key": one.key, "value": one.value}
        if found.applied:
            text.result(say("set {key} = {value} in the git config of {folder}", **values))
        else:
            text.result(say("would set {key} = {value} in the git config of {folder}", **values))
    if found.applied:
        text.result(say("(memtools uninstall takes it back)"))
    elif found.is_due:
        text.result(say("(no changes; --apply writes this)"))
    elif not found.problems:
        text.result(say("nothing to do: {agent} is connected", agent=found.agent))


def _diff_name(name: str) -> str:
    return name.lstrip("/")


def _values(found: Connected) -> dict[str, object]:
    return {
        "agent": found.agent,
        "place": found.place,
        "applied": found.applied,
        "files": [_file_values(change, found) for change in found.changes],
        "settings": [
            {"folder": one.folder, "key": one.key, "value": one.value} for one in found.settings
        ],
        "notices": [str(line) for line in found.notices],
        "problems": [text.problem_values(problem) for problem in found.problems],
    }


def _file_values(change: Change, found: Connected) -> dict[str, object]:
    name = shown(change.path, found.top)
    state = "change" if change.before is not None else "create"
    return {
        "path": name,
        "state": state if change.is_due else "same",
        "diff": "".join(f"{line}\n" for line in change.diff(_diff_name(name))),
    }


CONNECT = Verb(
    run,
    summary="Let a coding agent read these memories: shows its settings as a diff.",
    example="memtools connect claude --apply",
    parameters=(
        Argument("AGENT"),
        Option(("--user",), "Your own settings of the agent, for all projects.", FLAG),
        Option(("--project",), "The settings of this project (the default).", FLAG),
        Option(("--memory",), "The repository of the memories, when it is another.", metavar="DIR"),
        Option(("--scope",), "The scope of sessions in this project.", metavar="S"),
        Option(
            ("--read-ref",), "Sessions see only what this ref holds: origin/main.", metavar="REF"
        ),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="AGENT is claude, codex, gemini, copilot or cursor. Writes the hook of every turn, "
    "MEMTOOLS_AGENT for the agent's commands, and the MCP server when memtools[mcp] is installed. "
    "Everything else in a file stays as it is. memtools uninstall takes it back.",
)
