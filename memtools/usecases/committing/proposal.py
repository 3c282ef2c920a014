"""The commit being made, as values: what is staged against what its parents hold.

Reads blobs only, from the index named by GIT_INDEX_FILE; writes nothing but the ledger of HEAD.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE
from memtools.core.facts import Studied, target_hits
from memtools.core.ledger import Ledger, fold, full
from memtools.core.vocabulary import Status
from memtools.errors import GitError
from memtools.git.inprogress import merge_heads
from memtools.git.objects import REGULAR, Change, blobs_at, diff_trees
from memtools.usecases.committing.journal import undoable_rows
from memtools.usecases.lookup import lookup_in
from memtools.usecases.standing import standing_at
from memtools.usecases.state import JournalRow, read_standing_head
from memtools.usecases.tree import (
    NO_CONFIG,
    Reader,
    Settings,
    empty_tree,
    memory_changes,
    settings_at,
    settings_of,
)
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.retraction import MarkerKey
    from memtools.git.staging import Staging
    from memtools.usecases.repository import Repository


class Proposal(NamedTuple):
    """What a commit would change.

    `all_changes`: what is staged against HEAD. `base` is the ledger of HEAD, `staged` that of the
    index; `changes` the memories that differ; `undone` the staged tombstones of an earlier commit
    that was given up, which are looked at as they were before; `new` the markers no parent holds;
    `old_hits` target -> paths it hits in HEAD's version; `deleted_hits` the targets it deletes a
    hit of; `read_whole` how many memories were read because no ledger served.
    """

    head_tree: str
    all_changes: tuple[Change, ...]
    settings: Settings
    base: Ledger
    staged: Ledger
    changes: tuple[Change, ...]
    undone: dict[str, JournalRow]
    new: frozenset[MarkerKey]
    old_hits: dict[str, set[str]]
    deleted_hits: frozenset[str]
    renames: dict[str, str]
    other_parents: tuple[str, ...]
    reader: Reader
    read_whole: int = 0

    @property
    def is_empty(self) -> bool:
        """Is nothing at all staged, beside tombstones of a commit nobody made?"""
        return not self.all_changes

    @property
    def other_changes(self) -> tuple[str, ...]:
        """The changed paths that are no memories."""
        holds = self.settings.config.selection.holds
        return tuple(change.path for change in self.all_changes if not holds(change.path))

    def staged_memory(self, path: str) -> Studied | None:
        """The changed memory at `path` as staged, None when it is unchanged or gone."""
        for change in self.changes:
            if change.path == path and change.new_mode in REGULAR:
                return self.reader.one(path, change.new)
        return None


def read_proposal(
    repository: Repository, staging: Staging, merging: tuple[str, ...] = ()
) -> Proposal:
    """Read the commit being made; `merging`: its parents beside HEAD that only git knows."""
    git = repository.git
    head_tree = repository.head_tree or empty_tree(git)
    head_settings = _settings_of_head(repository, head_tree)
    standing = standing_at(repository, head_tree, head_settings)
    base = standing.ledger
    changes = staging.diff(head_tree)
    settings = _staged_settings(repository, head_settings, changes)
    changes, undone = _without_undone(changes, undoable_rows(repository))
    reader = Reader(git, settings.config)
    staged = _staged_ledger(repository, staging, head_tree, base, changes, settings, reader)
    memories = tuple(change for change in changes if settings.config.selection.holds(change.path))
    parents = merging or merge_heads(repository.git_dir)
    renames = _renames(staging, head_tree, memories, reader)
    new = _new_markers(repository, base, staged, memories, parents, reader)
    old_hits, deleted_hits = _hits_before(new, memories, renames, reader)
    return Proposal(
        head_tree,
        tuple(changes),
        settings,
        base,
        staged,
        memories,
        undone,
        new,
        old_hits,
        deleted_hits,
        renames,
        parents,
        reader,
        standing.read_whole,
    )


def _settings_of_head(repository: Repository, tree: str) -> Settings:
    kept = read_standing_head(repository.state_dir)
    if kept is not None and not _changes_settings(repository, kept[0], tree):
        return settings_of(repository.git, kept[1])
    return settings_at(repository, tree)


def _changes_settings(repository: Repository, old: str, new: str) -> bool:
    try:
        changes = diff_trees(repository.git, old, new)  # the ledger asks for the same
    except GitError:  # the old tree is gone
        return True
    return any(change.path == SETTINGS_FILE for change in changes)


def _staged_settings(repository: Repository, head: Settings, changes: list[Change]) -> Settings:
    for change in changes:
        if change.path == SETTINGS_FILE:
            held = change.new_mode in REGULAR
            return settings_of(repository.git, change.new if held else NO_CONFIG)
    return head


def _without_undone(
    changes: list[Change], journal: tuple[JournalRow, ...]
) -> tuple[list[Change], dict[str, JournalRow]]:
    """Look at what stood before a tombstone that was staged for a commit nobody made."""
    rows = {row.path: row for row in journal}
    kept, undone = [], {}
    for change in changes:
        row = rows.get(change.path)
        if row is not None and change.new == row.new != change.old:
            undone[change.path] = row
            if row.old == change.old:
                continue
            change = change._replace(new=row.old)
        kept.append(change)
    return kept, undone


def _staged_ledger(
    repository: Repository,
    staging: Staging,
    head_tree: str,
    base: Ledger,
    changes: list[Change],
    settings: Settings,
    reader: Reader,
) -> Ledger:
    if any(change.path == SETTINGS_FILE for change in changes):
        held = {
            entry.path: entry.blob
            for entry in staging.entries().values()
            if entry.mode in REGULAR and settings.config.selection.holds(entry.path)
        }
        return full(sorted(held.items()), reader)
    lookup = lookup_in(repository, head_tree, settings, staging)
    return fold(base, memory_changes(changes, settings.config), reader, lookup)


def _renames(
    staging: Staging, head_tree: str, changes: tuple[Change, ...], reader: Reader
) -> dict[str, str]:
    """Old path -> new path: as git sees it, and memories of the same body.

    (Of a small tombstone too little is left without its fields for git to see the same file.)
    """
    gone = [(c.path, c.old) for c in changes if c.new_mode not in REGULAR and c.old_mode in REGULAR]
    added = [
        (c.path, c.new) for c in changes if c.old_mode not in REGULAR and c.new_mode in REGULAR
    ]
    if not gone or not added:
        return {}
    found = staging.renames(head_tree)
    bodies = {studied.memory.body: studied.facts.path for studied in reader(added)}
    for studied in reader([pair for pair in gone if pair[0] not in found]):
        if studied.memory.body.strip() and studied.memory.body in bodies:
            found[studied.facts.path] = bodies[studied.memory.body]
    return found


def _new_markers(
    repository: Repository,
    base: Ledger,
    staged: Ledger,
    changes: tuple[Change, ...],
    parents: tuple[str, ...],
    reader: Reader,
) -> frozenset[MarkerKey]:
    """The markers whose path and phrase (renames followed) stand in no parent."""
    changed = {change.path for change in changes}
    moved_phrases = {
        declared.phrase
        for path in changed
        if path not in staged.rows and path in base.rows
        for declared in base.rows[path].markers
    }
    new = {
        (path, declared.phrase)
        for path in changed & staged.rows.keys()
        for declared in staged.rows[path].markers
        if declared.phrase not in _phrases(base, path) and declared.phrase not in moved_phrases
    }
    for parent in parents if new else ():
        held = blobs_at(repository.git, parent, {path for path, _ in new})
        studied = reader([(entry.path, entry.blob) for entry in held.values()])
        new -= {
            (memory.facts.path, declared.phrase)
            for memory in studied
            for declared in memory.facts.markers
        }
    return frozenset(new)


def _phrases(ledger: Ledger, path: str) -> set[str]:
    row = ledger.rows.get(path)
    return {declared.phrase for declared in row.markers} if row else set()


def _hits_before(
    new: frozenset[MarkerKey],
    changes: tuple[Change, ...],
    renames: dict[str, str],
    reader: Reader,
) -> tuple[dict[str, set[str]], frozenset[str]]:
    """What new markers hit in HEAD's version of the changed memories, at the staged path.

    Second: those that hit a memory this commit deletes.
    """
    present = {change.path for change in changes if change.new_mode in REGULAR}
    hits: dict[str, set[str]] = {}
    deleted: set[str] = set()
    for change in changes if new else ():
        here = change.path if change.path in present else renames.get(change.path, "")
        if change.old_mode not in REGULAR:
            continue
        before = reader.one(change.path, change.old)
        if before.facts.status == Status.CANDIDATE:
            continue
        for _, phrase in new:
            if not target_hits(phrase, before):
                continue
            if here:
                hits.setdefault(phrase, set()).add(here)
            else:
                deleted.add(phrase)
    return hits, frozenset(deleted)
