"""The tools that only read: search, recall, read, history.

Must not show what a reader of this session's scope may not see.
"""

from __future__ import annotations

import os

from memtools.core.handout import handed_line, handed_text, handed_title
from memtools.entrypoints.commands.recall import recall_values
from memtools.entrypoints.commands.search import hit_values
from memtools.entrypoints.mcp.session import Answer, data_lines
from memtools.usecases.reading.effective import is_of_scope
from memtools.usecases.reading.history import history
from memtools.usecases.reading.page import Wish
from memtools.usecases.reading.read import other_scope, path_in_scope, read
from memtools.usecases.reading.recall import layer_lines, recall
from memtools.usecases.reading.search import find
from memtools.usecases.reading.shown import shown_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.entrypoints.mcp.session import Turn, Values
    from memtools.usecases.reading.history import Event
    from memtools.usecases.reading.hit import Hit

_EVENTS = 100


def run_search(turn: Turn, query: str, limit: int = 10, tag: str | None = None) -> Answer:
    """Ranked memories of this session's scope."""
    found = find(turn.view, Wish(query, limit, turn.scopes, tag))
    bodies = [(hit, _body(turn, hit.path)) for hit in found.hits]
    shown = [_cleaned(hit, body) for hit, body in bodies if body]
    hits = [hit_values(hit) for hit in shown]
    values: Values = {"query": query, "total": found.total, "stale": found.stale, "hits": hits}
    rows = [({"path": f"{hit.path}:{hit.line}", "title": hit.title}, hit.snippet) for hit in shown]
    first = f"{len(hits)} of {found.total} memories that hold a word of it."
    told = tuple(hit.path for hit in shown)
    return Answer(values, [first, *data_lines(rows), *found.notices], found.withheld, told)


def _body(turn: Turn, path: str) -> str:
    """What an agent would be handed of it; "" when that is nothing."""
    shown = shown_at(turn.view, path)
    return handed_text(shown.memory.body) if shown is not None else ""


def _cleaned(hit: Hit, body: str) -> Hit:
    return hit._replace(
        id=handed_line(hit.id),
        title=handed_title(hit.title),
        scope=handed_line(hit.scope),
        snippet=_snippet(hit, body),
    )


def _snippet(hit: Hit, body: str) -> str:
    """The snippet, when it is text an agent would be handed; "" inside an HTML comment."""
    snippet = handed_line(hit.snippet)
    return snippet if snippet.strip("… ") in " ".join(body.split()) else ""


def run_recall(turn: Turn, query: str = "", budget: int | None = None) -> Answer:
    """The activation layer, then the best hits of a query."""
    found = recall(turn.repository, query, scope=turn.scope, budget=budget)
    shown = layer_lines(found, os.urandom(8).hex()) or ["No memory to recall."]
    if found.left_out:
        shown.append(f"{found.left_out} more did not fit in {found.budget} bytes.")
    told = tuple(one.path for one in found.memories)
    return Answer(recall_values(found), [*shown, *found.notices], found.withheld, told)


def run_read(turn: Turn, address: str, start_line: int = 1) -> Answer:
    """One memory, whole or from a line on."""
    found = read(turn.repository, address, scope=turn.scope, start_line=start_line)
    about = {
        "path": found.path,
        "title": found.title,
        "source": found.source or "unknown",
        "created": found.created,
        "priority": found.priority,
    }
    shown = data_lines([(about, found.text)])
    if found.contested:
        shown.append(f"It is contested by {found.contested}: do not rely on it alone.")
    if found.next_line:
        shown.append(f"There is more: read on with start_line {found.next_line}.")
    values = found._asdict()
    values |= {"status": "active", "memory_scope": values.pop("scope")}
    return Answer(values, shown, told=(found.path,))


def run_history(turn: Turn, address: str) -> Answer:
    """What became of one memory."""
    path = path_in_scope(turn.view, address, turn.scopes)
    found = history(turn.repository, path)
    if not is_of_scope(found, turn.scopes):
        raise other_scope()
    events = [_event_values(event) for event in found.events[-_EVENTS:]]
    values: Values = {
        "path": found.path,
        "is_deleted": found.is_deleted,
        "left_out": len(found.events) - len(events),
        "events": events,
        "hidden_by": found.hidden_by,
    }
    text = "\n".join(map(_event_line, events))
    shown = data_lines([({"path": found.path}, text)])
    if found.hidden_by:
        shown.append(f"Hidden now by {found.hidden_by}: do not rely on it.")
    return Answer(values, shown)


def _event_values(event: Event) -> Values:
    return {
        **event._asdict(),
        "author": handed_line(event.author),
        "subject": handed_line(event.subject),
        "reason": handed_line(event.reason, 1000),
    }


def _event_line(event: Values) -> str:
    parts = [str(event["date"])[:10], event["what"], str(event["commit"])[:10], event["author"]]
    if event["by"]:
        parts.append(f"by {event['marker'] or event['by']}")
    if event["reason"]:
        parts.append(f"because: {event['reason']}")
    return "  ".join(map(str, [*parts, event["subject"]]))
