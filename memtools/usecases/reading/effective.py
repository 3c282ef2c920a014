"""What a memory counts as here, for every reader alike: its status and scope.

Must not know which reader asks.
"""

from __future__ import annotations

from memtools.core.vocabulary import Status
from memtools.search.analysis import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.memory import Memory
    from memtools.usecases.reading.history import History
    from memtools.usecases.reading.view import View


def scopes_of(scope: str) -> tuple[str, ...]:
    """The scopes whose memories a session may see: its own, and "" for those of every project."""
    return tuple(dict.fromkeys(("", scope)))


def is_of_scope(memory: Memory | History, scopes: Iterable[str]) -> bool:
    """Does the memory belong to one of the scopes ("": to none)? In doubt it does not."""
    return memory.is_scope_sure and plain_name(memory.scope) in map(plain_name, scopes)


def effective_status(view: View, memory: Memory) -> str:
    """The most restrictive of what HEAD, the markers, staging and these bytes say."""
    path = memory.path
    row = view.ledger.rows.get(path)
    said = {str(memory.status), row.status if row is not None else str(Status.ACTIVE)}
    if view.by(path):
        said.add(str(Status.RETRACTED))
    order = (Status.UNKNOWN, Status.RETRACTED, Status.CANDIDATE)
    return next((str(status) for status in order if status in said), str(Status.ACTIVE))


def is_tagged(memory: Memory, tag: str) -> bool:
    """Has the memory this tag?"""
    return plain_name(tag) in map(plain_name, memory.tags)


def plain_name(text: str) -> str:
    """A scope or tag as it is compared: exactly, however it is composed and spaced."""
    return " ".join(plain(text).split())
