"""Keep the search index at a tree: by the diff of trees, from a sibling's copy, or made anew.

The index is derived: whatever goes wrong here costs speed and a line of text, never a memory.
"""

from __future__ import annotations

import os

from memtools.core.memory import stem
from memtools.core.phrase import bare, normalise
from memtools.errors import GitError, SearchError
from memtools.git.objects import diff_trees
from memtools.search.analysis import only_in_source
from memtools.search.store import Document, SearchStore
from memtools.usecases.noted import Noted, read_noted, write_noted
from memtools.usecases.repository import sibling_state_dirs
from memtools.usecases.tree import Reader, Settings, memories_of, memory_changes
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memtools.core.facts import Studied
    from memtools.usecases.repository import Repository

FOLDER = "search"
_LITTLE = 500  # changed memories a hook still indexes before the commit
_NOTED = 32  # changed memories it leaves to the next reader


class Stamp(NamedTuple):
    """What the search index reflects: a tree, read under the settings of a blob."""

    tree: str
    config_blob: str


def open_index(repository: Repository, writer_wait: float = 10.0) -> SearchStore:
    """The search index of this work tree; nothing is read before it is asked something."""
    return SearchStore(os.path.join(repository.state_dir, FOLDER), writer_wait)


def read_stamp(index: SearchStore) -> Stamp | None:
    """What the index reflects, or None when it is missing, damaged or of another version."""
    tree, _, config_blob = (index.stamp() or "").partition(" ")
    return Stamp(tree, config_blob) if config_blob else None


def index_to_ask(repository: Repository) -> tuple[SearchStore, Stamp | None]:
    """The index of this work tree; while it has none, that of another one, to read only.

    Raises:
        SearchError: it is being written for too long.
    """
    index = open_index(repository)
    stamp = read_stamp(index)
    if stamp is not None:
        return index, stamp
    for folder in sibling_state_dirs(repository):
        other = SearchStore(os.path.join(folder, FOLDER))
        stamp = read_stamp(other)
        if stamp is not None:
            return other, stamp
    return index, None


def follow_tree(
    repository: Repository,
    tree: str,
    settings: Settings,
    *,
    rebuild: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> SearchStore:
    """Bring the index to `tree`; returns it open.

    Cost: the diff of the two trees; a full pass when there is no index to start from.
    `progress` is told (done, all) during a full pass.

    Raises:
        SearchError: it cannot be written (lock, disk, permission).
    """
    index = open_index(repository)
    stamp = None if rebuild else read_stamp(index)
    if stamp is None and not rebuild:
        stamp = _copied_from_sibling(repository, index, settings)
    if stamp == Stamp(tree, settings.blob):
        return index
    changes = changes_since(repository, stamp, tree, settings)
    reader = Reader(repository.git, settings.config)
    new_stamp = f"{tree} {settings.blob}"
    if changes is None:
        pairs = memories_of(repository.git, tree, settings.config)
        tell = (lambda done: progress(done, len(pairs))) if progress else None
        index.rebuild(_documents(reader, pairs), new_stamp, tell)
        return index
    gone = [path for path, blob in changes if blob is None]
    present = [(path, blob) for path, blob in changes if blob is not None]
    index.update(_documents(reader, present), gone, new_stamp)
    return index


def note_between(
    repository: Repository,
    old_tree: str,
    new_tree: str,
    settings: Settings,
    changes: Mapping[str, str | None],
    reader: Reader,
) -> bool:
    """Let the index know what changes between two trees; False when that is not little work.

    A few changes are noted for the next reader; more are taken in at once. `changes`: path -> new
    blob, or None when the memory is gone.

    Raises:
        SearchError: the index cannot be read or written.
    """
    index = open_index(repository, writer_wait=0.5)
    stamp = read_stamp(index)
    since = changes_since(repository, stamp, old_tree, settings)
    if stamp is None or since is None or len(since) + len(changes) > _LITTLE:
        return False
    together = {**dict(since), **changes}
    if len(together) <= _NOTED:
        noted = Noted(stamp.tree, stamp.config_blob, new_tree, together)
        return write_noted(repository.state_dir, noted)
    gone = [path for path, blob in together.items() if blob is None]
    present = [(path, blob) for path, blob in together.items() if blob is not None]
    index.update(_documents(reader, present), gone, f"{new_tree} {settings.blob}")
    return True


def changes_since(
    repository: Repository, stamp: Stamp | None, tree: str, settings: Settings
) -> Sequence[tuple[str, str | None]] | None:
    """The memories that differ between what the index holds and `tree`; None: it cannot be told."""
    if stamp is None or stamp.config_blob != settings.blob:
        return None
    noted = read_noted(repository.state_dir, stamp.tree, stamp.config_blob)
    try:
        if noted is not None:
            more = diff_trees(repository.git, noted.tree, tree)
            return list({**noted.changes, **dict(memory_changes(more, settings.config))}.items())
    except GitError:  # the commit of the note never came
        pass
    try:
        return memory_changes(diff_trees(repository.git, stamp.tree, tree), settings.config)
    except GitError:  # the tree is gone (gc)
        return None


def _copied_from_sibling(
    repository: Repository, index: SearchStore, settings: Settings
) -> Stamp | None:
    """A new linked work tree starts from the index of another one of the same repository."""
    for folder in sibling_state_dirs(repository):
        other = os.path.join(folder, FOLDER)
        if not os.path.isdir(other):
            continue
        try:
            index.copy_from(other)
            stamp = read_stamp(index)
        except SearchError:
            continue
        if stamp is not None and stamp.config_blob == settings.blob:
            return stamp
    return None


def _documents(reader: Reader, pairs: Sequence[tuple[str, str]]) -> Iterator[Document]:
    for studied in reader(pairs):
        yield document(studied)


def document(studied: Studied) -> Document:
    """A memory as it is indexed: matching and search see the same words."""
    memory, text = studied.memory, studied.text
    bare_text = f"{text.bare_title}\n{text.bare_body}"
    source = f"{text.title}\n{text.body}"
    return Document(
        path=memory.path,
        blob=studied.facts.blob,
        id=memory.id,
        title=memory.title,
        aliases=memory.aliases,
        stem=stem(memory.path),
        status=str(memory.status),
        exposure=str(memory.exposure),
        priority=str(memory.priority),
        scope=memory.scope,
        tags=memory.tags,
        text=bare_text,
        extra=only_in_source(source, bare_text) if source != bare_text else "",
    )


def best_paths(
    repository: Repository, phrase: str, tree: str, settings: Settings, limit: int
) -> list[str] | None:
    """The memories most like a phrase, best first, then some of those the index does not reflect.

    None when there is no index to ask.
    """
    index = open_index(repository)
    try:
        stamp = read_stamp(index)
        if stamp is None:
            return None
        text = bare(normalise(phrase))
        hits = index.search(text, limit, statuses=None, exposures=None).hits
    except SearchError:
        return None
    changes = changes_since(repository, stamp, tree, settings)
    if changes is None:
        return None
    return [hit.path for hit in hits] + [path for path, _ in changes[:_LITTLE]]
