"""export: what may be read, as rows for another search system; what may not any more, as deletes.

Rows come one by one, in the order of paths. Must not know in which form they are written.
"""

from __future__ import annotations

from memtools.core.handout import handed_text, handed_title
from memtools.core.memory import Exposure
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import GitError, UsageError
from memtools.git.objects import diff_trees, tree_id
from memtools.usecases.reading.shown import blobs_held, visible
from memtools.usecases.reading.uncommitted import read_uncommitted
from memtools.usecases.reading.view import require_view
from memtools.usecases.repository import where_to_look
from memtools.usecases.standing import ledger_of
from memtools.usecases.state import read_standing
from memtools.usecases.tree import Reader, memories_of, memory_changes, plan_of, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.memory import Memory
    from memtools.usecases.reading.shown import Shown
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository

Row = dict[str, object]
UPSERT, DELETE = "upsert", "delete"


class _Before(NamedTuple):
    """The tree a receiver has: what it was given (path -> blob), and what may differ since."""

    given: dict[str, str]
    touched: frozenset[str]
    reader: Reader


def export(repository: Repository, since: str = "") -> Iterator[Row]:
    """Every memory that may be read, or what became of those that differ from the tree of `since`.

    Nothing is read before the first row is asked for.

    Raises:
        UsageError: there is no revision `since`.
        GitError: there is no work tree here, or no such ref as readers are bound to.
    """
    view = require_view(repository)
    commit = _commit(view)
    if not since:
        for path, blob in memories_of(view.repository.git, view.tree, view.settings.config):
            shown = _exported(view, path, blob)
            if shown is not None:
                yield _upsert(shown, commit)
        return
    before = _read_before(view, since)
    held = blobs_held(view, filter(view.settings.config.selection.holds, before.touched))
    for path in sorted(before.touched):
        shown = _exported(view, path, held[path]) if path in held else None
        given = before.given.get(path)
        if shown is not None and shown.blob != given:
            yield _upsert(shown, commit)
        elif shown is None and given is not None:
            memory = before.reader.one(path, given).memory
            yield {"op": DELETE, "path": path, "id": memory.id, "blob": given, "commit": commit}


def _exported(view: View, path: str, blob: str) -> Shown | None:
    """The memory at a path that may be read; whoever gets it goes by the scope it states."""
    shown = visible(view, path, blob)
    return shown if shown is not None and shown.memory.is_scope_sure else None


def _commit(view: View) -> str:
    if view.repository.approved is not None:
        return view.repository.approved.commit
    try:
        return view.repository.git.line("rev-parse", "--verify", "--quiet", "HEAD")
    except GitError:  # nothing is committed yet
        return ""


def _upsert(shown: Shown, commit: str) -> Row:
    memory = shown.memory
    return {
        "op": UPSERT,
        "path": memory.path,
        "id": memory.id,
        "blob": shown.blob,
        "commit": commit,
        "title": handed_title(memory.title),
        "text": handed_text(memory.body),
        "priority": str(memory.priority),
        "scope": memory.scope,
        "tags": list(memory.tags),
        "source": memory.source,
        "confidence": memory.confidence,
        "created": memory.created,
    }


def _read_before(view: View, since: str) -> _Before:
    source = view.repository
    tree = None if since.startswith("-") else tree_id(source.git, since)
    if tree is None:
        raise UsageError(
            say("there is no revision {name} here", name=since), where_to_look(source.git)
        )
    settings = settings_at(source.git, tree)
    ledger = ledger_of(source, read_standing(source.state_dir), tree, settings)
    hidden = plan_of(ledger, settings).hidden
    reader = Reader(source.git, settings.config)
    held = dict(memories_of(source.git, tree, settings.config))
    if settings.blob == view.settings.blob:
        changes = memory_changes(diff_trees(source.git, tree, view.tree), settings.config)
        touched = {path for path, _ in changes}
    else:
        here = memories_of(source.git, view.tree, view.settings.config)
        touched = held.keys() | {path for path, _ in here}
    touched |= hidden | view.excluded
    if source.top:
        touched |= set(read_uncommitted(source, view).paths)
    pairs = [(path, held[path]) for path in sorted(touched & held.keys() - hidden)]
    given = {
        path: blob
        for (path, blob), studied in zip(pairs, reader(pairs), strict=True)
        if _was_given(studied.memory)
    }
    return _Before(given, frozenset(touched), reader)


def _was_given(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.exposure is not Exposure.NONE
        and memory.is_scope_sure
    )
