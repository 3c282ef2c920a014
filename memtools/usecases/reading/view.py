"""What readers may believe: HEAD's ledger, and what staging and markers take away from it at once.

Effective status is decided at read time (rule 15): a skipped hook hides nothing from this room. The
files themselves are looked at by whoever shows their text (`visible`).
"""

from __future__ import annotations

import os

from memtools.core.ledger import fold
from memtools.core.memory import Exposure, read_memory
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.git.objects import blob_id
from memtools.git.staging import Staging, index_file
from memtools.git.worktree import read_plain_file
from memtools.usecases.lookup import lookup_in
from memtools.usecases.standing import standing_at
from memtools.usecases.state import read_checked, read_standing, write_checked
from memtools.usecases.tree import (
    Reader,
    empty_tree,
    memory_changes,
    plan_of,
    settings_at,
    settings_of,
)
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.core.memory import Memory
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings

_CACHE = "staged-view-2"


class Withheld(NamedTuple):
    """A memory hidden by a retraction nobody committed yet; `by` is path:line of who says so."""

    path: str
    by: str


class View(NamedTuple):
    """`hidden`: victims of open markers in HEAD, path -> path:line of the marker.

    `withheld`: what only staging takes away; `staged`: the memories that differ there from HEAD.
    Rows of `ledger` are HEAD's.
    """

    tree: str
    settings: Settings
    ledger: Ledger
    hidden: dict[str, str]
    withheld: tuple[Withheld, ...]
    staged: tuple[str, ...] = ()

    @property
    def excluded(self) -> frozenset[str]:
        """All paths no reader may see, whatever their own header says."""
        return frozenset(self.hidden) | {held.path for held in self.withheld}

    def by(self, path: str) -> str:
        """Who hides a path (path:line of a marker or of a header); "" when nobody does."""
        return self.hidden.get(path) or next((h.by for h in self.withheld if h.path == path), "")


def read_view(repository: Repository) -> View:
    """The view of this work tree.

    Cost: nothing but a stat of git's index when neither HEAD nor staging moved since the last look;
    else one diff of the index.
    """
    tree = repository.head_tree or empty_tree(repository.git)
    kept = read_standing(repository.state_dir)
    if kept is not None and kept.tree == tree:
        settings = settings_of(repository.git, kept.config_blob)
    else:
        settings = settings_at(repository, tree)
        kept = standing_at(repository, tree, settings)
    plan = plan_of(kept.ledger, settings)
    hidden = {
        target.path: _place(target.declared_in, target.declared_line) for target in plan.targets
    }
    withheld, staged = _withheld(repository, tree, settings, kept.ledger, frozenset(hidden))
    return View(tree, settings, kept.ledger, hidden, withheld, staged)


def _place(path: str, line: int) -> str:
    return f"{path}:{line}"


def _withheld(
    repository: Repository, tree: str, settings: Settings, head: Ledger, hidden: frozenset[str]
) -> tuple[tuple[Withheld, ...], tuple[str, ...]]:
    key = _staging_key(repository, tree, settings.blob)
    data = read_checked(repository.state_dir, _CACHE)
    if data is not None:
        kept_key, rows, paths = data
        if kept_key == key:
            return tuple(Withheld(*row) for row in rows), tuple(paths)
    staging = Staging(repository.git, repository.git_dir)
    changes = memory_changes(staging.diff(tree), settings.config)
    reader = Reader(repository.git, settings.config)
    staged = fold(head, changes, reader, lookup_in(repository, tree, settings))
    found = _taken_away(head, staged, settings, hidden)
    paths = tuple(path for path, _ in changes)
    if key is not None:
        kept = (key, [tuple(row) for row in found], paths)
        write_checked(repository.state_dir, _CACHE, kept)
    return found, paths


def _taken_away(
    head: Ledger, staged: Ledger, settings: Settings, hidden: frozenset[str]
) -> tuple[Withheld, ...]:
    plan = plan_of(staged, settings)
    found = {
        target.path: _place(target.declared_in, target.declared_line)
        for target in plan.targets
        if target.path not in hidden
    }
    for marker in plan.markers:  # those whose tombstone is staged already
        for path in marker.buried:
            found.setdefault(path, _place(marker.path, marker.line))
    for path, row in staged.rows.items():
        if row.status == Status.RETRACTED:
            found.setdefault(path, _place(path, 1))
    # What HEAD retracts is gone for good, however far staging lags behind.
    for path in list(found):
        before = head.rows.get(path)
        if before is not None and before.status != Status.ACTIVE:
            del found[path]
    return tuple(Withheld(path, found[path]) for path in sorted(found))


def _staging_key(repository: Repository, tree: str, config_blob: str) -> list[object] | None:
    """Changes whenever staging may have changed; None when that cannot be told."""
    name = index_file(repository.git, repository.git_dir)
    try:
        status = os.stat(name)
    except OSError:
        return [tree, config_blob, name]
    return [tree, config_blob, name, status.st_mtime_ns, status.st_size, status.st_ino]


def withheld_sentence(held: Withheld) -> str:
    """What a person or an agent is told about one withheld memory."""
    return say(
        "1 memory is withheld by an unapproved retraction: {path} (by {by})",
        path=held.path,
        by=held.by,
    )


def settings_notices(view: View) -> tuple[str, ...]:
    """Why nothing is found when the settings let no folder hold memories; none else."""
    if view.settings.config.roots:
        return ()
    return (
        say(".memtools.toml cannot be read, so no file counts as a memory; why: memtools config"),
    )


class Shown(NamedTuple):
    """A memory as a reader sees it, and the blob id of the bytes it was read from."""

    memory: Memory
    blob: str


def visible(repository: Repository, view: View, path: str) -> Shown | None:
    """The memory in the work-tree file at `path`, when a reader may see it now; else None.

    The file decides last (rule 16): saved as retracted in an editor, it is gone before any commit.
    """
    raw = None if path in view.excluded else read_plain_file(repository.top, path)
    if raw is None:
        return None
    memory = read_memory(path, raw, view.settings.config.vocabulary)
    if memory.status != Status.ACTIVE or memory.exposure is Exposure.NONE:
        return None
    return Shown(memory, blob_id(raw, len(view.tree)))


def file_memory(repository: Repository, settings: Settings, path: str) -> Memory | None:
    """The memory a work-tree file holds as it is on disk; None when there is no such plain file."""
    raw = read_plain_file(repository.top, path)
    return None if raw is None else read_memory(path, raw, settings.config.vocabulary)
