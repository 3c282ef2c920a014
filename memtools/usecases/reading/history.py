"""`history`: what became of one memory, from its first commit on; renames are followed."""

from __future__ import annotations

from memtools.core import trailers
from memtools.core.address import parse_address
from memtools.core.invisible import escape_for_terminal
from memtools.core.memory import read_memory, stem, without_suffix
from memtools.core.tombstone import is_restored
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import RefusedError
from memtools.git.blobhistory import versions_of
from memtools.git.objects import read_objects
from memtools.git.trailers import trailers_of
from memtools.usecases.addresses import NotInHeadError, paths_meant, resolve_address
from memtools.usecases.reading.view import View, read_view
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory
    from memtools.git.blobhistory import Version
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository

ADDED = say("added")
PROPOSED = say("proposed")
APPROVED = say("approved")
CHANGED = say("changed")
RENAMED = say("renamed")
RETRACTED = say("retracted")
RESTORED = say("restored")
DELETED = say("deleted")
REJECTED = say("rejected")
_TOLD = {trailers.PROPOSED: PROPOSED, trailers.APPROVED: APPROVED}  # key of a trailer -> event


class Event(NamedTuple):
    """One commit in the life of a memory.

    `by` and `marker` (path:line, "" when it is gone) say what retracted it; `reason` why, where
    somebody wrote it down. `date` is the author's, ISO with offset. `rule`: what the gate said of
    a candidate that was rejected.
    """

    what: str
    commit: str
    author: str
    date: str
    subject: str
    path: str
    by: str = ""
    marker: str = ""
    reason: str = ""
    rule: str = ""


class History(NamedTuple):
    """Events, oldest first. `hidden_by`: path:line of what hides it now without a tombstone.

    `scope` is that of the last version, as sure as it was there.
    """

    path: str
    is_deleted: bool
    events: tuple[Event, ...]
    hidden_by: str = ""
    scope: str = ""
    is_scope_sure: bool = True


def history(repository: Repository, address: str) -> History:
    """The life of the memory at an address; one that was deleted is named by its path.

    Raises:
        RefusedError: the address names nothing, or several memories.
    """
    view = read_view(repository)
    try:
        path, is_deleted = resolve_address(view.repository, address).path, False
    except RefusedError as error:
        path, is_deleted = _deleted(view, address), True
        if not path and not view.is_bound and isinstance(error, NotInHeadError):
            what = say("there is no memory {path}, in HEAD or before it", path=address.strip())
            raise RefusedError(what, say("type: memtools search {text}", text="WORDS")) from error
        if not path:
            raise
    versions = versions_of(view.repository.git, path, _tip(view))
    events, last = _events(view, versions)
    scope, is_sure = (last.scope, last.is_scope_sure) if last is not None else ("", True)
    return History(path, is_deleted, tuple(events), view.by(path), scope, is_sure)


def _tip(view: View) -> str:
    """Where the history begins that readers see."""
    approved = view.repository.approved
    return "HEAD" if approved is None else approved.commit


def _deleted(view: View, address: str) -> str:
    """The path of a memory that the tree lacks but its history has; "" when there is none."""
    repository = view.repository
    if parse_address(address).kind != "path" or not repository.head_tree:
        return ""
    for path in paths_meant(repository, address.strip()):
        if repository.git.run("rev-list", "-1", _tip(view), "--", path).strip():
            return path
    return ""


def _events(view: View, versions: list[Version]) -> tuple[list[Event], Memory | None]:
    """The events, and the last version that is there."""
    contents = read_objects(
        view.repository.git, [version.blob for version in versions if version.blob]
    )
    vocabulary = view.settings.config.vocabulary
    events: list[Event] = []
    before: Memory | None = None
    last: Memory | None = None
    branched = ""  # the blob that waits on a branch of its own for its merge
    for version in versions:
        raw = (next(contents) or b"") if version.blob else None
        memory = None if raw is None else read_memory(version.path, raw, vocabulary)
        what = _what(before, memory, version.old_path != version.path)
        by = memory.retracted_by if memory is not None and what == RETRACTED else ""
        event = Event(
            what,
            *version[:4],
            version.path,
            by,
            _marker(view, version.path, by) if by else "",
            _reason(before, memory, what),
        )
        if what == DELETED and before is not None and before.status is Status.CANDIDATE:
            event = _turned_away(view.repository.git, event)
        if what == ADDED and memory is not None and "proposed_at" in memory.header_text:
            told = _by_the_gate(view.repository.git, event, version.blob)
            branched = version.blob if [one.what for one in told] == [PROPOSED] else ""
            events += told
        elif branched and version.blob == branched:
            events.append(event._replace(what=APPROVED))
            branched = ""
        else:
            events.append(event)
        last = memory or last
        before = memory
    return events, last


def _what(before: Memory | None, after: Memory | None, is_renamed: bool) -> str:
    if after is None:
        return DELETED
    was = before.status if before is not None else None
    if after.status is Status.RETRACTED and was is not Status.RETRACTED:
        return RETRACTED
    if after.status is Status.CANDIDATE and was is not Status.CANDIDATE:
        return PROPOSED
    if after.status is Status.ACTIVE and was is Status.CANDIDATE:
        return APPROVED
    if after.status is Status.ACTIVE and was is Status.RETRACTED:
        return RESTORED
    if was is None:
        return ADDED
    return RENAMED if is_renamed else CHANGED


def _reason(before: Memory | None, memory: Memory | None, what: str) -> str:
    """Why, when this version says it; the reason of an earlier restoration is not this one's."""
    if memory is not None and what == RETRACTED:
        return memory.retracted_reason
    if memory is None or before is None or what != RESTORED or not is_restored(memory, before):
        return ""
    return memory.restored_reason


def _by_the_gate(git: Git, added: Event, blob: str) -> list[Event]:
    """An active memory that came in new: proposed on a branch of its own, or let in at once."""
    told = trailers_of(git, added.commit)
    said = f"{blob} {escape_for_terminal(added.path)}"
    found = [what for key, what in _TOLD.items() if (key, said) in told]
    return [added._replace(what=what) for what in found] or [added]


def _turned_away(git: Git, deleted: Event) -> Event:
    """The deletion of a candidate as what it was: a rejection, when its commit says so."""
    for key, value in trailers_of(git, deleted.commit):
        name, _, rule = value.rpartition(" ")
        if key == trailers.REJECTED and name == escape_for_terminal(deleted.path):
            body = git.run("log", "-1", "--format=%b", deleted.commit).decode("utf-8", "replace")
            why = body.partition("\n\n")[0].strip()
            reason = "" if why.startswith(f"{trailers.REJECTED}: ") else why
            return deleted._replace(what=REJECTED, reason=reason, rule=rule)
    return deleted


def _marker(view: View, path: str, by: str) -> str:
    """Where the marker stands that a tombstone names; "" when it is not in HEAD any more."""
    page = parse_address(by).text
    for row in view.ledger.rows.values():
        if page not in (stem(row.path), row.path, without_suffix(row.path)):
            continue
        hits = [one for one in row.markers if path in view.ledger.hits.get(one.phrase, ())]
        chosen = hits or list(row.markers[:1])
        if chosen:
            return f"{row.path}:{chosen[0].line}"
    return ""
