"""The commit being made, as values: what is staged against what its parents hold.

Reads blobs only, from the index named by GIT_INDEX_FILE; writes nothing but the ledger of HEAD.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE
from memtools.core.facts import Studied
from memtools.core.ledger import Ledger, fold, full
from memtools.errors import GitError
from memtools.git.inprogress import merge_heads
from memtools.git.objects import REGULAR, Change, diff_trees
from memtools.usecases.committing.journal import undoable_rows
from memtools.usecases.committing.novelty import hits_before, new_markers, open_phrases, renames_of
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
    with_variables,
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
    standing = standing_at(repository, head_tree, head_settings, keep=False)
    base = standing.ledger
    changes = staging.diff(head_tree)
    settings = _staged_settings(repository, head_settings, changes)
    changes, undone = _without_undone(changes, undoable_rows(repository))
    reader = Reader(git, settings.config)
    staged = _staged_ledger(repository, staging, head_tree, base, changes, settings, reader)
    memories = tuple(change for change in changes if settings.config.selection.holds(change.path))
    parents = merging or merge_heads(repository.git_dir)
    renames = renames_of(staging, head_tree, memories, reader)
    new = new_markers(repository, base, staged, memories, parents, reader)
    still_open = open_phrases(base, memories, head_settings)
    old_hits, deleted_hits = hits_before(new, memories, renames, reader, still_open)
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
        return with_variables(settings_of(repository.git, kept[1]))
    return with_variables(settings_at(repository.git, tree))


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
