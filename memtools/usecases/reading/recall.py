"""`recall`: what an agent gets this turn: its activation layer, then the best hits of a query.

Only what is active, read in full and of the right scope; whole memories within a budget of bytes.
What a retraction nobody approved takes away here is named, never silent (rule 15).
"""

from __future__ import annotations

from memtools.core.handout import fence, fence_notice, handed_line
from memtools.core.memory import Exposure
from memtools.core.vocabulary import Priority, Status
from memtools.usecases.reading.choosing import Recalled as Recalled
from memtools.usecases.reading.choosing import Repeated, choose, digest
from memtools.usecases.reading.effective import is_of_scope, scopes_of
from memtools.usecases.reading.shown import (
    Shown,
    blobs_held,
    is_saved_as_retracted,
    newest_first,
    shown_at,
    visible,
)
from memtools.usecases.reading.unapproved import Withheld
from memtools.usecases.reading.uncommitted import read_uncommitted
from memtools.usecases.reading.view import View, require_view, settings_notices
from memtools.usecases.readref import reading_config
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.reading.page import Matches
    from memtools.usecases.repository import Repository

_QUERY_HITS = 10


class Recall(NamedTuple):
    """`bytes` is the size of all texts in UTF-8; `left_out` counts what did not fit.

    `digest` is equal for equal content, whatever the fence around it. `repeated`: what says the
    same as a memory that is handed out; it is not left out.
    """

    scope: str
    bytes: int
    budget: int
    left_out: int
    digest: str
    withheld: tuple[Withheld, ...]
    memories: tuple[Recalled, ...]
    notices: tuple[str, ...] = ()
    repeated: tuple[Repeated, ...] = ()


def recall(
    repository: Repository,
    query: str = "",
    *,
    scope: str = "",
    budget: int | None = None,
) -> Recall:
    """The memories for an agent: unscoped ones, and those of `scope` when it is given.

    `budget`: bytes of UTF-8 (default: activation.budget_bytes).

    Raises:
        GitError: there is no work tree here, or no such ref as readers are bound to.
    """
    return recall_in(require_view(repository), query, scope=scope, budget=budget)


def recall_in(view: View, query: str = "", *, scope: str = "", budget: int | None = None) -> Recall:
    """The same for a view at hand (`require_view`)."""
    scopes = scopes_of(scope)
    activation = reading_config(view.repository).activation
    limit = activation.budget_bytes if budget is None else budget
    high = _high_priority(view)
    layer = _layer_of(high, scopes)
    wanted = [(shown, "priority") for shown in layer]
    notices = settings_notices(view)
    dropped: tuple[Withheld, ...] = ()
    if query:
        matches = _matches(view, query, scopes, layer)
        notices, dropped = notices + matches.notices, matches.withheld
        wanted += [(m.shown, "query") for m in matches.found if is_whole(m.shown)]
    chosen = choose(wanted, limit, activation.per_memory_bytes)
    return Recall(
        scope,
        chosen.bytes,
        limit,
        chosen.left_out,
        digest(scope, chosen.memories),
        _withheld(view, high, scopes, dropped),
        chosen.memories,
        notices,
        chosen.repeated,
    )


def _matches(view: View, query: str, scopes: tuple[str, ...], layer: tuple[Shown, ...]) -> Matches:
    """The best hits beside the layer; who asks for the layer alone loads no search."""
    from memtools.usecases.reading.page import Wish
    from memtools.usecases.reading.search import find_matches

    known = frozenset(shown.memory.path for shown in layer)
    return find_matches(view, Wish(query, _QUERY_HITS, scopes, known=known))


def shown_layer(view: View, scopes: tuple[str, ...]) -> tuple[Shown, ...]:
    """The activation layer: all memories of high priority that may be handed out, newest first."""
    return _layer_of(_high_priority(view), scopes)


def _high_priority(view: View) -> list[Shown]:
    """What readers have at the paths of the tree's memories of high priority."""
    excluded = view.excluded
    found = [
        shown_at(view, row.path, row.blob)
        for row in view.ledger.rows.values()
        if row.priority == Priority.HIGH and row.status == Status.ACTIVE
        if row.path not in excluded
    ]
    return [shown for shown in found if shown is not None]


def _layer_of(high: list[Shown], scopes: tuple[str, ...]) -> tuple[Shown, ...]:
    return newest_first(
        shown
        for shown in high
        if shown.status == Status.ACTIVE and shown.memory.priority is Priority.HIGH
        if is_whole(shown) and is_of_scope(shown.memory, scopes)
    )


def is_whole(shown: Shown) -> bool:
    """May its whole text be handed to an agent? A header with a problem may hide something."""
    return shown.memory.exposure is Exposure.FULL


def handed_out(view: View, path: str, scopes: tuple[str, ...], blob: str = "") -> Shown | None:
    """The memory at `path` when its whole text may be handed to an agent of these scopes.

    `blob` is what the tree of the view holds there, when that is known.
    """
    shown = visible(view, path, blob)
    if shown is None or not is_whole(shown):
        return None
    return shown if is_of_scope(shown.memory, scopes) else None


def layer_lines(found: Recall, secret: str) -> list[str]:
    """The memories for an agent to read, each fenced as data; none, no lines.

    `secret` makes the fences unguessable: new random text for each reading.
    """
    if not found.memories:
        return []
    lines = [f"Memories of this repository. {fence_notice(secret)}"]
    for memory in found.memories:
        about = {
            "path": memory.path,
            "title": memory.title,
            "source": memory.source or "unknown",
            "created": memory.created,
            "priority": memory.priority,
            "why": memory.why,
        }
        if memory.contested:
            by = handed_line(memory.contested)
            lines.append(f"The next memory is contested by {by}: do not rely on it alone.")
        lines += fence(about, memory.text, secret)
    return lines


def withheld_here(
    view: View, scopes: tuple[str, ...] | None = None, more: tuple[Withheld, ...] = ()
) -> tuple[Withheld, ...]:
    """What only this work tree hides: unapproved retractions, files saved as retracted, and `more`.

    With `scopes` only memories of these: the name of another project's memory is nobody's business.
    """
    return _withheld(view, _high_priority(view), scopes, more)


def _withheld(
    view: View, high: list[Shown], scopes: tuple[str, ...] | None, more: tuple[Withheld, ...]
) -> tuple[Withheld, ...]:
    saved = _saved_as_retracted(view, high)
    found = {held.path: held for held in (*more, *saved, *view.withheld)}
    kept = []
    for path in sorted(found):
        shown = shown_at(view, path)
        if scopes is None or shown is None or is_of_scope(shown.memory, scopes):
            kept.append(found[path])
    return tuple(kept)


def _saved_as_retracted(view: View, high: list[Shown]) -> Iterator[Withheld]:
    for shown in high:
        if shown.status == Status.RETRACTED:
            yield Withheld(shown.memory.path, shown.memory.path)
    if not view.repository.top:
        return
    rows = view.ledger.rows
    candidates = [
        path
        for path in read_uncommitted(view.repository, view).paths
        if path not in view.excluded
        if (row := rows.get(path)) is None or row.status == Status.ACTIVE
        if is_saved_as_retracted(view, path)
    ]
    held = blobs_held(view, candidates) if candidates else {}
    for path, blob in held.items():
        found = shown_at(view, path, blob)
        if found is not None and found.status == Status.RETRACTED:
            yield Withheld(path, path)
