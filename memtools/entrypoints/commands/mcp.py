"""`memtools mcp`: the memories of a repository for an agent, over stdin and stdout."""

from __future__ import annotations

import os
from pathlib import Path

from memtools.config import name_agent
from memtools.core.wording import say
from memtools.entrypoints.cli import started_in
from memtools.entrypoints.verb import Option, Verb
from memtools.errors import DONE, ExtraError, UsageError
from memtools.usecases.repository import open_repository, require_top

_PACKAGES = ("anyio", "jsonschema", "mcp", "mcp_types")


def run(scope: str, project: str) -> int:
    """Serve until the client closes stdin; stdout carries nothing but the protocol."""
    try:
        from memtools.entrypoints.mcp.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise ExtraError(
            say("the MCP server needs a package that is missing or too old: mcp"),
            extra="mcp",
        ) from error
    from memtools.entrypoints.mcp.session import Session

    name_agent("mcp")
    require_top(open_repository())
    here = os.path.realpath(os.curdir)
    if project and not Path(project).is_dir():
        raise UsageError(say("{path} is not a folder", path=project))
    project = project and os.path.realpath(project)
    serve(Session(here, started_in() or here, project, scope, os.urandom(8).hex()))
    return DONE


MCP = Verb(
    run,
    summary="Serve the memories to an agent over MCP (stdin and stdout).",
    example="memtools mcp --scope alpha",
    parameters=(
        Option(("--scope",), "The scope of the session, whatever its project.", metavar="S"),
        Option(
            ("--project",),
            "The folder the session works for; by default the one this is started in.",
            metavar="DIR",
        ),
    ),
    details="Needs the extra: pip install 'memtools[mcp]'. Tools: search, recall, read, history, "
    "propose, retract. None of them approves or retracts anything: a person does.",
)
