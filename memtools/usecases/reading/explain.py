"""`explain`: does a memory speak here, in search and in the activation layer, and why not?"""

from __future__ import annotations

import os

from memtools.core.memory import Exposure
from memtools.core.problem import Problem
from memtools.core.vocabulary import Priority, Status
from memtools.core.wording import Said, say
from memtools.errors import RefusedError
from memtools.git.objects import REGULAR, SYMLINK, blobs_at
from memtools.usecases.addresses import paths_meant, resolve_address
from memtools.usecases.reading.effective import is_of_scope
from memtools.usecases.reading.hit import must_withhold
from memtools.usecases.reading.recall import recall
from memtools.usecases.reading.scope import session_scope
from memtools.usecases.reading.shown import shown_at
from memtools.usecases.reading.uncommitted import is_uncommitted
from memtools.usecases.reading.view import View, require_view
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory
    from memtools.git.objects import TreeEntry
    from memtools.usecases.reading.shown import Shown
    from memtools.usecases.repository import Repository


class Explained(NamedTuple):
    """One memory and its voice here.

    `status` is the effective one ("" when there is no memory). `why_not_search` and
    `why_not_activation` are sentences; empty when it is in. `hidden_by`: path:line of a marker or
    header that hides it without a tombstone. `notes`: what else there is to know.
    """

    path: str
    title: str
    status: str
    exposure: str
    priority: str
    scope: str
    in_search: bool
    in_activation: bool
    why_not_search: tuple[Said, ...]
    why_not_activation: tuple[Said, ...]
    hidden_by: str
    is_tracked: bool
    is_uncommitted: bool
    problems: tuple[Problem, ...]
    notes: tuple[Said, ...]


class _Looked(NamedTuple):
    """What git and the disk have at a path; `shown` is what readers have there."""

    path: str
    entry: TreeEntry | None
    is_tracked: bool
    is_there: bool
    shown: Shown | None

    @property
    def memory(self) -> Memory | None:
        """The memory readers have."""
        return self.shown.memory if self.shown is not None else None


def explain(repository: Repository, address: str) -> Explained:
    """Why the memory at an address is shown, or is not.

    Also answers for files that are no memories yet, or not any more.

    Raises:
        RefusedError: the address names nothing, or several memories.
    """
    view = require_view(repository)
    looked = _look(view, _path(view.repository, address))
    path, memory, shown = looked.path, looked.memory, looked.shown
    not_search = _not_in_search(view, looked)
    not_activation = list(not_search)
    if not not_search and memory is not None:
        not_activation += _not_in_activation(repository, view, memory)
    changed = _is_changed(view, looked)
    is_told = shown is not None and not must_withhold(shown.memory, shown.status)
    return Explained(
        path,
        memory.title if memory and is_told else "",
        shown.status if shown else "",
        str(memory.exposure) if memory else "",
        str(memory.priority) if memory else "",
        memory.scope if memory and is_told else "",
        not not_search,
        not not_activation,
        tuple(not_search),
        tuple(not_activation),
        view.by(path),
        looked.is_tracked,
        changed,
        memory.problems if memory else (),
        tuple(_notes(repository, shown, changed)) if shown else (),
    )


def _path(repository: Repository, address: str) -> str:
    """The path meant; a file that is no memory of the tree counts too."""
    try:
        return resolve_address(repository, address).path
    except RefusedError:
        for path in paths_meant(repository, address.strip()):
            if os.path.lexists(os.path.join(repository.top, path)):
                return path
        raise


def _look(view: View, path: str) -> _Looked:
    repository = view.repository
    entry = blobs_at(repository.git, view.tree, [path]).get(path)
    has_top = bool(repository.top)
    is_tracked = entry is not None or (
        has_top and bool(repository.git.run("ls-files", "-z", "--", path))
    )
    is_there = has_top and os.path.lexists(os.path.join(repository.top, path))
    return _Looked(path, entry, is_tracked, is_there, shown_at(view, path))


def _is_changed(view: View, looked: _Looked) -> bool:
    """Do readers see another text than HEAD's? Not of an approved ref."""
    entry = looked.entry
    if view.is_bound or entry is None:
        return False
    return is_uncommitted(view.repository, looked.path, entry.blob)


def _not_in_search(view: View, looked: _Looked) -> list[Said]:
    path, entry, memory = looked.path, looked.entry, looked.memory
    if not view.settings.config.selection.holds(path):
        return [_not_selected(view, path)]
    if entry is None:
        return [_not_in_tree(view, looked)]
    if entry.mode not in REGULAR:
        return [say("it is a symlink") if entry.mode == SYMLINK else say("it is no plain file")]
    found: list[Said] = []
    if memory is None:
        what = say("its file is deleted here")
        found.append(say("its file is a link, or lies below one") if looked.is_there else what)
    found += silenced_by(view, path, looked.shown)
    row = view.ledger.rows.get(path)
    if found:
        return found
    if memory is not None and memory.exposure is Exposure.NONE:
        found.append(say("its header cannot be read for sure"))
    elif row is not None and not row.exposed:
        found.append(say("its header in HEAD cannot be read for sure"))
    return found


def _not_in_tree(view: View, looked: _Looked) -> Said:
    approved = view.repository.approved
    if approved is not None:
        return say("it is not in {ref} yet, which readers are bound to", ref=approved.name)
    return say("it is not committed yet") if looked.is_tracked else say("git does not track it")


def silenced_by(view: View, path: str, shown: Shown | None) -> list[Said]:
    """What takes its voice; the first of: status in the tree, a marker, staging, the file."""
    row, by = view.ledger.rows.get(path), view.by(path)
    if row is not None and row.status != Status.ACTIVE:
        return [_by_status(row.status, row.retracted_by, row.retracted_at)]
    if path in view.hidden:
        return [say("the marker in {by} retracts it; its tombstone is missing", by=by)]
    if by:
        return [say("it is withheld by an unapproved retraction ({by})", by=by)]
    if shown is not None and shown.status != Status.ACTIVE:
        return [say("its file here says status: {status}", status=shown.status)]
    return []


def _not_selected(view: View, path: str) -> Said:
    if path[-3:].lower() != ".md":
        return say("only files that end in .md are memories")
    if not view.settings.config.roots:
        return say("no folder holds memories: .memtools.toml cannot be read")
    return say(
        "it lies outside the roots, is excluded, or has a name that is left out as README.md is "
        "(memtools config --show-origin)"
    )


def _by_status(status: str, by: str, at: str) -> Said:
    if status == Status.RETRACTED:
        if not by:
            return say("it is retracted")
        return say("it is retracted, by {by} on {at}", by=by, at=at[:10] or "?")
    if status == Status.CANDIDATE:
        return say("it is a candidate: nobody has approved it yet")
    return say("its status is outside the vocabulary")


def _not_in_activation(repository: Repository, view: View, memory: Memory) -> list[Said]:
    if memory.exposure is not Exposure.FULL:
        return [say("its header has a problem, so only search shows it")]
    row = view.ledger.rows.get(memory.path)
    in_head = row is not None and row.priority == Priority.HIGH
    if memory.priority is not Priority.HIGH or not in_head:
        if memory.priority is Priority.HIGH:
            return [say("its priority is not high in HEAD; only high is in the layer")]
        shown = str(memory.priority)
        return [say("its priority is {priority}; only high is in the layer", priority=shown)]
    given = recall(repository, scope=memory.scope)
    if any(one.path == memory.path for one in given.memories):
        return []
    return [say("it does not fit in the budget of the layer (see [activation])")]


def _notes(repository: Repository, shown: Shown, changed: bool) -> list[Said]:
    notes = [_scope_note(repository, shown.memory)]
    if shown.contested:
        notes.append(say("contested by {by}; it stays until that is approved", by=shown.contested))
    if changed:
        notes.append(say("its file has uncommitted changes; search shows the file"))
    return notes


def _scope_note(repository: Repository, memory: Memory) -> Said:
    """Which sessions may get it, and whether one of this folder is among them."""
    if not memory.scope:
        return say("it has no scope: it belongs to every project")
    here = session_scope(repository, os.curdir)
    if is_of_scope(memory, (here,)):
        return say("its scope is {scope}, that of a session in this folder", scope=memory.scope)
    return say(
        "its scope is {scope}; a session in this folder has the scope {here} and does not get it "
        "(memtools recall --scope {scope} does)",
        scope=memory.scope,
        here=here or "-",
    )
