"""`index`: the state of the search index, and making it anew."""

from __future__ import annotations

from memtools.errors import SearchError
from memtools.search.store import StoreError
from memtools.usecases.noted import read_noted
from memtools.usecases.repository import open_repository
from memtools.usecases.searchindex import follow_tree, open_index, read_stamp
from memtools.usecases.standing import standing_at
from memtools.usecases.tree import empty_tree, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memtools.core.wording import Said
    from memtools.usecases.repository import Repository

READY = "ready"


class IndexState(NamedTuple):
    """`state` is "ready", or why it cannot be read: "missing", "damaged", "busy", "failed".

    `tree` is what the index reflects, `head_tree` what HEAD has; `size` is in bytes. `noted`:
    changed memories among it that a hook has noted and the next search takes in.
    """

    state: str
    folder: str
    tree: str
    head_tree: str
    is_behind: bool
    memories: int
    segments: int
    size: int
    message: str | Said = ""
    noted: int = 0


def index_state(repository: Repository) -> IndexState:
    """What the search index is like, each of its files read in full; no memory is written."""
    head = repository.head_tree or empty_tree(repository.git)
    settings = settings_at(repository.git, head)
    index = open_index(repository)
    try:
        index.prove()
        extent = index.extent()
        stamp = read_stamp(index)
    except StoreError as error:
        return IndexState(error.reason, index.folder, "", head, True, 0, 0, 0, error.message)
    noted = read_noted(repository.state_dir, *stamp) if stamp else None
    tree = noted.tree if noted else stamp.tree if stamp else ""
    behind = stamp is None or (tree, stamp.config_blob) != (head, settings.blob)
    changes = len(noted.changes) if noted else 0
    return IndexState(READY, index.folder, tree, head, behind, *extent, noted=changes)


def follow_head(
    repository: Repository, progress: Callable[[int, int], None] | None = None
) -> IndexState:
    """Bring a search index that can be read to HEAD, as any reader does; what it is like then."""
    found = index_state(repository)
    if found.state != READY or not (found.is_behind or found.noted):
        return found
    try:
        settings = settings_at(repository.git, found.head_tree)
        follow_tree(repository, found.head_tree, settings, progress=progress)
    except SearchError:
        return found
    return index_state(repository)


def build_index(top: str, progress: Callable[[int, int], None] | None = None) -> None:
    """Make what a new repository lacks, so that its first commit is fast: search index and ledger.

    Raises:
        SearchError: the search index cannot be written.
    """
    repository = open_repository(top)
    tree = repository.head_tree
    if tree:
        settings = settings_at(repository.git, tree)
        follow_tree(repository, tree, settings, progress=progress)
        standing_at(repository, tree, settings)


def rebuild_index(
    repository: Repository, progress: Callable[[int, int], None] | None = None
) -> IndexState:
    """Make the search index anew from HEAD's tree.

    Raises:
        SearchError: it cannot be written.
    """
    head = repository.head_tree or empty_tree(repository.git)
    follow_tree(
        repository, head, settings_at(repository.git, head), rebuild=True, progress=progress
    )
    return index_state(repository)
