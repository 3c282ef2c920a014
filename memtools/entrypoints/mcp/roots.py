"""The project a client works on, as it says itself: the first of its roots.

Only clients of the older protocol can be asked; the newer one has no roots.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import mcp_types as types
from mcp.shared.exceptions import MCPError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mcp.server.context import ServerRequestContext

    from memtools.entrypoints.mcp.session import Session

_SECONDS = 5.0


class Roots:
    """Asks at every call, since a person may open another project; not again after no answer."""

    __slots__ = ("_is_silent",)

    def __init__(self) -> None:
        self._is_silent = False

    async def told(
        self, context: ServerRequestContext[dict[str, Any]], session: Session
    ) -> Session:
        """The session with its client's project, when none was given and the client names one."""
        known = context.session.client_capabilities
        if session.project or self._is_silent or known is None or known.roots is None:
            return session
        if not context.session.can_send_request:
            return session
        try:
            answer = await context.session.send_request(
                types.ListRootsRequest(), types.ListRootsResult, _SECONDS
            )
            folders = [_folder(str(root.uri)) for root in answer.roots]
        except (MCPError, ValueError):
            self._is_silent = True
            return session
        return session._replace(project=next(filter(None, folders), ""))


def _folder(uri: str) -> str:
    """The folder of a `file:` URI on this machine; "" for anything else."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    folder = Path(unquote(parts.path, errors="surrogateescape"))  # a NUL in it is a ValueError
    return str(folder) if folder.is_absolute() and folder.is_dir() else ""
