"""The resources: the activation layer, and each memory this session may read.

Must not list memories by name: a client would show names of what it may not open.
"""

from __future__ import annotations

from urllib.parse import unquote

import mcp_types as types

from memtools.core.wording import say
from memtools.entrypoints.mcp.reading import run_read, run_recall
from memtools.entrypoints.mcp.session import completed
from memtools.errors import RefusedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.entrypoints.mcp.session import Turn

_LAYER_URI = "memory://activation-layer"
_PREFIX = "memory:///"
LAYER = types.Resource(
    uri=_LAYER_URI,
    name="activation-layer",
    title="Activation layer",
    description="The memories of high priority, as recall gives them without a query.",
    mime_type="text/plain",
)
MEMORY = types.ResourceTemplate(
    uri_template=f"{_PREFIX}{{+path}}",
    name="memory",
    title="One memory",
    description="The text of an approved memory of this project, by its path.",
    mime_type="text/plain",
)


def read_uri(turn: Turn, uri: str) -> str:
    """The text of a resource.

    Raises:
        RefusedError: there is none, or it may not be seen.
    """
    if uri == _LAYER_URI:
        return "\n".join(completed(turn, run_recall(turn)).lines)
    if not uri.startswith(_PREFIX) or not uri.lower().endswith(".md"):
        raise RefusedError(say("there is no resource {uri}", uri=uri))
    path = unquote(uri.removeprefix(_PREFIX), errors="surrogateescape")
    return "\n".join(completed(turn, run_read(turn, path)).lines)
