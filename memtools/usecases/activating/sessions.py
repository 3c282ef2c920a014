"""What a session still knows (rule 15c): remember what it was handed, say once what left since.

Must not know which reader hands memories out.
"""

from __future__ import annotations

from memtools.core.handout import handed_line
from memtools.core.wording import Said, say
from memtools.usecases.activating.record import change_record, merged, read_record, without
from memtools.usecases.reading.effective import scopes_of
from memtools.usecases.reading.recall import handed_out
from memtools.usecases.reading.shown import blobs_held
from memtools.usecases.reading.view import read_view
from memtools.usecases.tree import plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.usecases.activating.cache import Told
    from memtools.usecases.reading.recall import Recall
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository


class Withdrawn(NamedTuple):
    """A memory a session was told that is given out no more.

    `by`: path of the memory that retracts it; `at`: the day; "" for what is not known, or when it
    left in another way (deleted, no longer approved, of another scope).
    """

    path: str
    at: str
    by: str


def remember(repository: Repository, session: str, found: Recall) -> None:
    """Note that a session was handed these memories; without a session id nothing is noted."""
    remember_rows(repository, session, told_rows(found))


def remember_rows(repository: Repository, session: str, rows: tuple[Told, ...]) -> None:
    """The same for memories handed out in another way than by a recall."""
    if session and rows:
        change_record(
            repository.state_dir,
            session,
            # No stamp: the next turn looks at all of it once, whatever happens until then.
            lambda known: known._replace(stamp="", told=merged(known.told, rows)),
        )


def withdrawn(repository: Repository, session: str) -> tuple[Withdrawn, ...]:
    """What left of all this session was handed; each once, then it counts as said."""
    record = read_record(repository.state_dir, session) if session else None
    if record is None or not record.told:
        return ()
    gone = gone_from(read_view(repository), record.told)
    if gone:
        paths = {each.path for each in gone}
        change_record(
            repository.state_dir,
            session,
            lambda known: known._replace(told=without(known.told, paths)),
        )
    return gone


def told_rows(found: Recall) -> tuple[Told, ...]:
    """The memories of a recall as a record keeps them."""
    return tuple((memory.path, memory.blob, memory.scope) for memory in found.memories)


def gone_from(view: View, told: Iterable[Told]) -> tuple[Withdrawn, ...]:
    """Those of the memories told that may be handed out no more; edited ones may."""
    rows = list(told)
    if not rows:
        return ()
    held = blobs_held(view, [path for path, _, _ in rows])
    left = [
        path
        for path, _, scope in rows
        if path not in held or handed_out(view, path, scopes_of(scope), held[path]) is None
    ]
    plan = plan_of(view.ledger, view.settings) if left else None
    buried = {
        path: marker.path for marker in (plan.markers if plan else ()) for path in marker.buried
    }
    return tuple(_withdrawn(view, path, buried.get(path, "")) for path in left)


def _withdrawn(view: View, path: str, by: str) -> Withdrawn:
    row = view.ledger.rows.get(path)
    at = row.retracted_at[:10] if row is not None else ""
    if not by:
        by = view.by(path).rpartition(":")[0]
    if not by and row is not None:
        by = row.retracted_by.removeprefix("[[").removesuffix("]]")
    if not at and path in view.hidden:  # no hook wrote a tombstone: the day of who retracts it
        approved = view.repository.approved
        rev = "HEAD" if approved is None else approved.commit
        at = view.repository.git.line("log", "-1", "--format=%as", rev, "--", by)
    return Withdrawn(path, at, "" if by == path else by)


def withdrawn_sentence(gone: Withdrawn) -> Said:
    """What a person or an agent is told about a memory that left; none of its words."""
    path, by = handed_line(gone.path), handed_line(gone.by)
    if gone.at and gone.by:
        return say(
            "withdrawn: {path} (retracted {at} by {by}). Do not rely on what it said.",
            path=path,
            at=handed_line(gone.at),
            by=by,
        )
    if gone.by:
        return say(
            "withdrawn: {path} (retracted by {by}). Do not rely on what it said.", path=path, by=by
        )
    return say("withdrawn: {path} (no longer given out). Do not rely on what it said.", path=path)
