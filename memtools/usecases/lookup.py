"""Which memories of a tree may a target hit: by the search index, else all of them.

Must not decide what is hit: who asks looks at the memories themselves.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.facts import STEM
from memtools.git.objects import REGULAR, blobs_at
from memtools.usecases.tree import Settings, memories_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtools.core.ledger import Lookup
    from memtools.git.objects import TreeEntry
    from memtools.git.staging import Entry, Staging
    from memtools.search.store import SearchStore
    from memtools.usecases.repository import Repository


def lookup_in(
    repository: Repository, tree: str, settings: Settings, staging: Staging | None = None
) -> Lookup:
    """A look-up of targets among the memories of `tree`: by the search index, else all of them.

    With `staging` (whose unchanged entries are the tree's) blobs are read from there, once for all.
    """

    def lookup(targets: frozenset[str]) -> Sequence[tuple[str, str]]:
        paths = _indexed_candidates(repository, tree, settings, targets)
        if paths is None:
            return memories_of(repository.git, tree, settings.config)
        found: Iterable[Entry | TreeEntry]
        if staging is not None:
            found = staging.blobs(tree, sorted(paths)).values()
        else:
            found = blobs_at(repository.git, tree, sorted(paths)).values()
        return [(entry.path, entry.blob) for entry in found if entry.mode in REGULAR]

    return lookup


def _indexed_candidates(
    repository: Repository, tree: str, settings: Settings, targets: frozenset[str]
) -> set[str] | None:
    """Where the search index, and what changed since its stamp, may hit; None: it cannot tell."""
    from memtools.errors import SearchError
    from memtools.usecases.searchindex import changes_since, index_to_ask

    try:
        index, stamp = index_to_ask(repository)
        if stamp is None or stamp.config_blob != settings.blob:
            return None
        paths: set[str] = set()
        for target in targets:
            found = candidates_of(index, target)
            if found is None:
                return None
            paths |= found
    except SearchError:
        return None
    changes = changes_since(repository, stamp, tree, settings)
    if changes is None:
        return None
    paths.update(path for path, _ in changes)
    return {path for path in paths if settings.config.selection.holds(path)}


def candidates_of(index: SearchStore, target: str) -> set[str] | None:
    """The paths a target may hit by the search index: a superset, or None when it cannot tell."""
    if target.startswith(STEM):
        return index.resolve("stem", target[len(STEM) :])
    address = parse_address(target)
    if address.kind == "phrase":
        return index.candidates(address.text)
    if address.kind in ("id", "path"):
        return index.resolve(address.kind, address.text)
    kinds = ("stem", "title", "alias")
    named = set().union(*(index.resolve(kind, address.text) for kind in kinds))
    return named | index.resolve("path", address.text) | index.resolve("path", address.text + ".md")
