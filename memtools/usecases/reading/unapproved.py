"""Retractions nobody approved yet: in staging, and in a HEAD that is not the approved ref.

They hide their targets in this work tree only, and never in silence (rule 15). Must not look at
files of the work tree: what those say is seen by whoever shows them.
"""

from __future__ import annotations

import os
import time

from memtools.core.ledger import Ledger, fold
from memtools.core.vocabulary import Priority, Status
from memtools.git.objects import blobs_at, tree_id
from memtools.git.refs import merge_base
from memtools.git.staging import Staging, index_file
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.lookup import lookup_in
from memtools.usecases.standing import ledger_of
from memtools.usecases.state import STAGED_VIEW, Standing
from memtools.usecases.tree import Reader, Settings, memory_changes, plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.facts import Facts
    from memtools.usecases.repository import Repository

_KEPT = ([object], ([(str, str)], [(str, str)], [str], [str]))  # a key, an Unapproved
_TICKS = 50_000_000  # ns; several ticks of the clock that gives files their times


class Withheld(NamedTuple):
    """A memory hidden by a retraction nobody approved yet; `by` is path:line of who says so."""

    path: str
    by: str


class Unapproved(NamedTuple):
    """What this work tree takes away from the approved tree.

    `contested`: what stays all the same (path -> path:line of the retraction). `outdated`:
    retractions this branch still holds and the approved side has taken back; they count nowhere.
    `staged`: the memories that differ in staging.
    """

    withheld: tuple[Withheld, ...] = ()
    contested: tuple[Withheld, ...] = ()
    outdated: tuple[str, ...] = ()
    staged: tuple[str, ...] = ()


def read_unapproved(
    repository: Repository, settings: Settings, approved: Standing, hidden: frozenset[str]
) -> Unapproved:
    """What staging (and HEAD below it) retracts of the `approved` tree; `hidden` is gone already.

    Cost: a stat of git's index when nothing moved since the last look, else one diff of it.
    """
    if not repository.top:
        return Unapproved()
    key = _key(repository, approved)
    kept = read_checked(repository.state_dir, STAGED_VIEW, _KEPT)
    if kept is not None and kept[0] == key:
        return _as_values(*kept[1])
    found = _read(repository, settings, approved, hidden)
    pairs = [[tuple(row) for row in rows] for rows in (found.withheld, found.contested)]
    if _is_settled(repository):
        value = (key, (*pairs, found.outdated, found.staged))
        write_checked(repository.state_dir, STAGED_VIEW, value)
    return found


def _as_values(
    withheld: list[tuple[str, str]],
    contested: list[tuple[str, str]],
    outdated: tuple[str, ...],
    staged: tuple[str, ...],
) -> Unapproved:
    hides, stays = (tuple(Withheld(*row) for row in rows) for rows in (withheld, contested))
    return Unapproved(hides, stays, tuple(outdated), tuple(staged))


def _read(
    repository: Repository, settings: Settings, approved: Standing, hidden: frozenset[str]
) -> Unapproved:
    staging = Staging(repository.git, repository.git_dir)
    changes = memory_changes(staging.diff(approved.tree), settings.config)
    staged = tuple(path for path, _ in changes)
    if not changes:
        return Unapproved()
    reader = Reader(repository.git, settings.config)
    lookup = lookup_in(repository, approved.tree, settings)
    here = fold(approved.ledger, changes, reader, lookup)
    found = _retracted(here, settings)
    # Its markers are tried on the approved texts, too: an edit of the target is no escape (rule 8).
    declaring = _new_markers(approved.ledger, here)
    if declaring:
        overlaid = fold(approved.ledger, declaring, reader, lookup)
        found = _retracted(overlaid, settings) | found
    found = _only_of(repository, approved, found, hidden)
    outdated = _taken_back(repository, settings, approved, found) if found else frozenset()
    counting = [Withheld(path, found[path]) for path in sorted(found) if path not in outdated]
    is_bound = repository.approved is not None
    rows = approved.ledger.rows
    stays = {held for held in counting if is_bound and _is_dear_row(rows.get(held.path))}
    return Unapproved(
        tuple(held for held in counting if held not in stays),
        tuple(held for held in counting if held in stays),
        tuple(sorted(outdated)),
        staged,
    )


def is_dear(priority: str, failure_cost: str) -> bool:
    """Does a memory stay under `read_ref` until its retraction is approved (rule 15)?"""
    return priority == Priority.HIGH and failure_cost == "high"


def _is_dear_row(row: Facts | None) -> bool:
    return row is not None and is_dear(row.priority, row.failure_cost)


def _retracted(ledger: Ledger, settings: Settings) -> dict[str, str]:
    """All that is retracted in a tree, by marker or header -> path:line of what says so."""
    plan = plan_of(ledger, settings)
    found = {t.path: f"{t.declared_in}:{t.declared_line}" for t in plan.targets}
    for marker in plan.markers:  # those whose tombstone is there already
        for path in marker.buried:
            found.setdefault(path, f"{marker.path}:{marker.line}")
    for path in ledger.tombstones:
        found.setdefault(path, f"{path}:1")
    return found


def _new_markers(approved: Ledger, here: Ledger) -> list[tuple[str, str | None]]:
    """The memories of `here` (path, blob) with markers, and other bytes than the approved ones."""
    return [
        (path, row.blob)
        for path, row in here.rows.items()
        if row.markers and approved.rows.get(path) != row
    ]


def _only_of(
    repository: Repository, approved: Standing, found: dict[str, str], hidden: frozenset[str]
) -> dict[str, str]:
    """Those of `found` that speak in the approved tree: there, active, and not hidden anyway."""
    rows = approved.ledger.rows
    active = [
        path
        for path in found
        if path not in hidden and (path not in rows or rows[path].status == Status.ACTIVE)
    ]
    there = blobs_at(repository.git, approved.tree, active) if active else {}
    return {path: found[path] for path in active if path in there}


def _taken_back(
    repository: Repository, settings: Settings, approved: Standing, found: dict[str, str]
) -> frozenset[str]:
    """Which were retracted where the branch left the approved history; that restored them since."""
    if repository.approved is None:
        return frozenset()
    base = merge_base(repository.git, "HEAD", repository.approved.commit)
    tree = tree_id(repository.git, base) if base else None
    if tree is None or tree == approved.tree:
        return frozenset()
    before = _retracted(ledger_of(repository, approved, tree, settings), settings)
    return frozenset(found) & frozenset(before)


def _is_settled(repository: Repository) -> bool:
    """Was git's index written a moment ago at least? Else it may change again and look the same."""
    try:
        written = os.stat(index_file(repository.git, repository.git_dir)).st_mtime_ns
    except OSError:
        return False
    return time.time_ns() - written > _TICKS


def _key(repository: Repository, approved: Standing) -> list[object]:
    """Changes whenever staging, HEAD or the approved side may have."""
    name = index_file(repository.git, repository.git_dir)
    about: list[object] = [approved.tree, approved.config_blob, name]
    if repository.approved is not None:
        about += [repository.approved.commit, repository.approved.own_tree]
    try:
        status = os.stat(name)
    except OSError:
        return about
    return [*about, status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino]
