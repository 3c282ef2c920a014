"""One call of a tool or a resource: arguments checked, result made, failures told.

Must not know the wire. What fails is an answer too: a sentence with a hint, never a traceback.
"""

from __future__ import annotations

import jsonschema
import mcp_types as types
from mcp.shared.exceptions import MCPError

from memtools.entrypoints.crash import explained
from memtools.entrypoints.mcp.resources import read_uri
from memtools.entrypoints.mcp.session import completed, open_turn
from memtools.errors import MemtoolsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memtools.entrypoints.mcp.session import Session
    from memtools.entrypoints.mcp.tools import ToolSpec


def described(tool: ToolSpec) -> types.Tool:
    """The tool as it is listed."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.takes,
        output_schema=tool.gives,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.is_read_only,
            destructive_hint=False,  # a proposal adds a file; nothing is overwritten or taken away
            idempotent_hint=tool.is_idempotent,
            open_world_hint=False,
        ),
    )


def called(session: Session, tool: ToolSpec, given: dict[str, Any]) -> types.CallToolResult:
    """The result of one call."""
    fault = _fault(tool, given)
    if fault:
        return _refused(fault)
    try:
        turn = open_turn(session)
        answer = completed(turn, tool.run(turn, **given))
    except MemtoolsError as error:
        return _refused(_told(error))
    except BaseException as error:  # a Rust panic of the search library is no Exception
        return _refused(_told(explained(error)))
    text = types.TextContent(type="text", text="\n".join(answer.lines))
    return types.CallToolResult(content=[text], structured_content=answer.values)


def _fault(tool: ToolSpec, given: dict[str, Any]) -> str:
    """What is wrong with the arguments; their text is not repeated."""
    validator = jsonschema.validators.validator_for(tool.takes)(tool.takes)
    found = next(iter(validator.iter_errors(given)), None)
    if found is None:
        return ""
    where = ".".join(map(str, found.absolute_path))
    if where:
        return f"{where} does not fit: {found.validator} {found.validator_value}"
    needed = ", ".join(tool.takes["required"]) or "nothing"
    return f"{tool.name} takes {', '.join(tool.takes['properties'])}, and needs {needed}"


def read_resource(session: Session, uri: str) -> str:
    """The text of a resource.

    Raises:
        MCPError: it cannot be read; the protocol knows no other way to say so.
    """
    try:
        return read_uri(open_turn(session), uri)
    except MemtoolsError as error:
        raise MCPError(types.INVALID_PARAMS, _told(error)) from error
    except BaseException as error:
        raise MCPError(types.INTERNAL_ERROR, _told(explained(error))) from error


def _told(error: MemtoolsError) -> str:
    text = f"{error.message}\nhint: {error.hint}" if error.hint else str(error.message)
    return text.encode("utf-8", "backslashreplace").decode()


def _refused(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
