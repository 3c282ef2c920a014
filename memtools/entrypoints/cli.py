"""The command line: a table of verbs; the one that is typed is loaded, and run when it is plain.

Must not import click at the top: only help and wrong usage need it (`clicks.py`).
"""

from __future__ import annotations

from memtools.core.version import VERSION
from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.dispatch import EARLY
from memtools.entrypoints.verb import Verb, read_plainly
from memtools.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# verb -> "module:name" of a Verb
VERBS: dict[str, str] = {
    "init": "memtools.entrypoints.commands.init:INIT",
    "uninstall": "memtools.entrypoints.commands.init:UNINSTALL",
    "demo": "memtools.entrypoints.commands.demo:DEMO",
    "new": "memtools.entrypoints.commands.new:NEW",
    "search": "memtools.entrypoints.commands.search:SEARCH",
    "recall": "memtools.entrypoints.commands.recall:RECALL",
    "propose": "memtools.entrypoints.commands.propose:PROPOSE",
    "import": "memtools.entrypoints.commands.importing:IMPORT",
    "review": "memtools.entrypoints.commands.review:REVIEW",
    "approve": "memtools.entrypoints.commands.approve:APPROVE",
    "reject": "memtools.entrypoints.commands.approve:REJECT",
    "retract": "memtools.entrypoints.commands.retract:RETRACT",
    "restore": "memtools.entrypoints.commands.retract:RESTORE",
    "sweep": "memtools.entrypoints.commands.sweep:SWEEP",
    "backup": "memtools.entrypoints.commands.backup:BACKUP",
    "daily": "memtools.entrypoints.commands.daily:DAILY",
    "erase": "memtools.entrypoints.commands.erase:ERASE",
    "report": "memtools.entrypoints.commands.report:REPORT",
    "history": "memtools.entrypoints.commands.explain:HISTORY",
    "explain": "memtools.entrypoints.commands.explain:EXPLAIN",
    "index": "memtools.entrypoints.commands.index:INDEX",
    "render": "memtools.entrypoints.commands.render:RENDER",
    "export": "memtools.entrypoints.commands.export:EXPORT",
    "check": "memtools.entrypoints.commands.check:CHECK",
    "connect": "memtools.entrypoints.commands.connect:CONNECT",
    "doctor": "memtools.entrypoints.commands.doctor:DOCTOR",
    "config": "memtools.entrypoints.commands.config:CONFIG",
    "mcp": "memtools.entrypoints.commands.mcp:MCP",
}


def run(args: Sequence[str]) -> int:
    """Run one command line without the program's name; returns the exit code.

    Raises:
        MemtoolsError: as the use case does; UsageError for a command line that is wrong.
    """
    args = _enter(list(args))
    verb = args[0] if args else "--help"
    if verb in EARLY and args[1:2] not in (["--help"], ["-h"]):
        code = load(EARLY[verb])(args[1:])  # type: ignore[operator]  # a function, says the table
        return int(code)
    if verb == "--version":
        text.result(f"memtools {VERSION}")
        return 0
    if verb in VERBS:
        found = load(VERBS[verb])
        if isinstance(found, Verb):
            values = read_plainly(found, args[1:])
            if values is not None:
                return found.run(**values)
    from memtools.entrypoints.clicks import run_click

    return run_click(args or ["--help"])


def load(place: str) -> object:
    """The object a "module:name" stands for."""
    from importlib import import_module

    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


_started: list[str] = []


def started_in() -> str:
    """The folder `-C` was typed in; "" without it."""
    return _started[0] if _started else ""


def _enter(args: list[str]) -> list[str]:
    """Take `-C DIR` from the front, as git does, and go there."""
    import os

    while len(args) > 1 and args[0] == "-C":
        try:
            here = os.path.realpath(os.curdir)
        except OSError:  # that folder has been deleted
            here = ""
        _started[:] = [*_started, here][:1]
        try:
            os.chdir(args[1])
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(
                say("cannot go to {path}: {reason}", path=args[1], reason=reason)
            ) from error
        args = args[2:]
    return args
