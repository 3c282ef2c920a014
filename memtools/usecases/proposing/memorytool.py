"""A backend for Anthropic's memory tool: files below /memories are the memories of a repository.

Reads what a reader may see; what is written becomes a candidate, a deletion a proposed retraction.
What goes wrong is an answer, too. Must not change an approved file, nor show one that is hidden.
"""

from __future__ import annotations

import os

from memtools.config import name_agent
from memtools.core import memoryfile
from memtools.core.handout import handed_line
from memtools.errors import MemtoolsError
from memtools.usecases.proposing.memorydesk import MemoryDesk
from memtools.usecases.proposing.remote import Asker
from memtools.usecases.proposing.retraction import plan_retraction, propose_retraction
from memtools.usecases.reading.effective import scopes_of
from memtools.usecases.reading.view import require_view
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtools.usecases.proposing.memorydesk import File, Own
    from memtools.usecases.repository import Repository

    Command = Mapping[str, object]

_WAITS = "waits for a person's approval; nobody else is told it"
_LISTED = 500
_EXCLUDING = "excluding hidden items and node_modules"


def memory_tool(
    folder: str = ".", *, scope: str = "", agent: str = "memory-tool"
) -> Callable[[Command], str]:
    """One session of the memory tool: a function that runs its commands and gives the answer.

    It sees what it has written itself, marked as waiting; nobody else does.
    """
    own: Own = {}

    def run(command: Command) -> str:
        try:
            return run_command(open_repository(folder), command, scope=scope, agent=agent, own=own)
        except MemtoolsError as error:
            return _told(error)

    return run


def run_command(
    repository: Repository,
    command: Command,
    *,
    scope: str = "",
    agent: str = "memory-tool",
    own: Own | None = None,
) -> str:
    """Run one command (view, create, str_replace, insert, delete, rename); gives the tool's answer.

    `own`: what this session wrote before; it is brought along.
    """
    name = command.get("command")
    run = _COMMANDS.get(name) if isinstance(name, str) else None
    if run is None:
        return f"Error: there is no such command; known: {', '.join(_COMMANDS)}"
    name_agent(agent)
    try:
        asker = Asker(repository, require_view(repository), scopes_of(scope))
        return run(MemoryDesk(asker, scope, {} if own is None else own), command)
    except MemtoolsError as error:
        return _told(error)


def _told(error: MemtoolsError) -> str:
    return f"Error: {error.message}" + (f" ({error.hint})" if error.hint else "")


def _view(desk: MemoryDesk, command: Command) -> str:
    given = command.get("path")
    path = memoryfile.repo_path(given)
    if path is None:
        return _invalid(given)
    file = desk.file(path) if path else None
    if file is None:
        return _listing(desk, str(given).rstrip("/"), path)
    first, last = 1, -1
    match command.get("view_range"):
        case [int(first), int(last)]:
            pass
    note = f" ({_WAITS})" if file.written is not None else ""
    head = f"Here's the content of {given}{note} with line numbers:"
    return f"{head}\n{memoryfile.numbered(file.text, first, last)}"


def _listing(desk: MemoryDesk, given: str, folder: str) -> str:
    below = f"{folder}/" if folder else ""
    sizes: dict[str, int] = {}
    for path in desk.paths():
        if not path.startswith(below):
            continue
        file = desk.file(path)
        size = len(file.text.encode("utf-8", "replace")) if file is not None else 0
        parts = path.removeprefix(below).split("/")
        for depth in range(min(len(parts), 2) + 1):
            shown = "/".join((given, *parts[:depth]))
            sizes[shown] = sizes.get(shown, 0) + size
    if not sizes and folder:
        return f"The path {given} does not exist. Please provide a valid path."
    head = f"Here're the files and directories up to 2 levels deep in {given}, {_EXCLUDING}:"
    rows = [f"{memoryfile.size_of(size)}\t{path}" for path, size in sorted(sizes.items())]
    more = [f"({len(rows) - _LISTED} more: view a directory below)"] if rows[_LISTED:] else []
    return "\n".join([head, *(rows[:_LISTED] or [f"0\t{given}"]), *more])


def _create(desk: MemoryDesk, command: Command) -> str:
    given, text = command.get("path"), command.get("file_text")
    path = memoryfile.repo_path(given)
    if not path:
        return _invalid(given)
    if not isinstance(text, str):
        return "Error: create needs file_text"
    if desk.file(path) is not None:
        return f"Error: File {given} already exists"
    return _stored(desk, path, text, f"File created successfully at: {given}")


def _replace(desk: MemoryDesk, command: Command) -> str:
    given, old, new = command.get("path"), command.get("old_str"), command.get("new_str", "")
    path, file = _found(desk, given)
    if file is None:
        return f"Error: The path {_shown(given)} does not exist. Please provide a valid path."
    if not isinstance(old, str) or not isinstance(new, str):
        return "Error: str_replace needs old_str and new_str"
    edit = memoryfile.replace_once(file.text, str(given), old, new)
    if edit.fault:
        return edit.fault
    done = f"The memory file has been edited.\n{memoryfile.snippet(edit)}"
    return _stored(desk, path, edit.text, done, file)


def _insert(desk: MemoryDesk, command: Command) -> str:
    given, line, new = command.get("path"), command.get("insert_line"), command.get("insert_text")
    path, file = _found(desk, given)
    if file is None:
        return f"Error: The path {_shown(given)} does not exist"
    if not isinstance(line, int) or not isinstance(new, str):
        return "Error: insert needs insert_line and insert_text"
    edit = memoryfile.insert_after(file.text, line, new)
    if edit.fault:
        return edit.fault
    return _stored(desk, path, edit.text, f"The file {given} has been edited.", file)


def _delete(desk: MemoryDesk, command: Command) -> str:
    given = command.get("path")
    path, file = _found(desk, given)
    if file is None:
        return _no_file(desk, given)
    written = file.written
    if written is not None and not written.replaces:
        desk.own[path] = None
        return f"Successfully deleted {given}\n(A person still finds the candidate in the queue.)"
    reason = "an agent deleted it with its memory tool"
    approved = written.replaces if written is not None else path
    place = os.path.join(desk.asker.repository.top, approved)  # whatever folder this process is in
    plan = plan_retraction(desk.asker, place, reason)
    earlier = written.candidate if written is not None else None
    _, made = propose_retraction(desk.asker, plan, reason, earlier)
    if made is None or not made.applied:
        reasons = made.reasons if made is not None else [one.message for one in plan.problems]
        return f"Error: {given} was not deleted: {'; '.join(map(str, reasons))}"
    desk.own[path] = None
    return (
        f"Successfully deleted {given}\n(The retraction of {approved} is proposed in {made.path}. "
        "The memory stays for everybody else until a person approves that.)"
    )


def _rename(desk: MemoryDesk, command: Command) -> str:
    old, new = command.get("old_path"), command.get("new_path")
    path, file = _found(desk, old)
    target = memoryfile.repo_path(new)
    if file is None:
        return _no_file(desk, old)
    if not target:
        return _invalid(new)
    if desk.file(target) is not None:
        return f"Error: The destination {new} already exists"
    said = _stored(desk, target, file.text, f"Successfully renamed {old} to {new}", file)
    if not said.startswith("Error"):
        desk.own[path] = None
    return said


def _stored(desk: MemoryDesk, path: str, text: str, done: str, before: File | None = None) -> str:
    """Store a text as a candidate, and say so after what the tool expects to hear."""
    if not desk.asker.view.settings.config.selection.holds(path):
        return f"Error: {path} cannot be a memory: its name must end in .md, below a root"
    if len(text) > memoryfile.MOST_TEXT:
        return f"Error: {path} would be longer than {memoryfile.MOST_TEXT} characters"
    made = desk.write(path, text, before)
    if not made.applied:
        return f"Error: {path} was not stored: {'; '.join(map(str, made.reasons))}"
    written = desk.own.get(path)
    replaces = written.replaces if written is not None else ""
    stays = f" {replaces} stays as it is until then." if replaces else ""
    return f"{done}\n(Stored as a candidate in {made.path}: it {_WAITS}.{stays})"


def _found(desk: MemoryDesk, given: object) -> tuple[str, File | None]:
    path = memoryfile.repo_path(given)
    return path or "", desk.file(path) if path else None


def _no_file(desk: MemoryDesk, given: object) -> str:
    """Why there is no file to delete or rename."""
    path = memoryfile.repo_path(given)
    if path == "" or (path and any(one.startswith(f"{path}/") for one in desk.paths())):
        return f"Error: {given} is a directory; name its files one by one"
    return f"Error: The path {_shown(given)} does not exist"


def _invalid(given: object) -> str:
    return f"Error: {_shown(given)} is no path of a file below {memoryfile.ROOT}"


def _shown(given: object) -> str:
    """A path of the caller's in a message: one short line."""
    return handed_line(str(given).encode("utf-8", "replace").decode())


_COMMANDS = {
    "view": _view,
    "create": _create,
    "str_replace": _replace,
    "insert": _insert,
    "delete": _delete,
    "rename": _rename,
}
