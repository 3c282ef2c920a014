"""The ledger of a tree: kept, brought along by the diff of trees, or made by one full pass.

Also the two things a fold needs from the outside: a reader of memories and a look-up of targets.
"""

from __future__ import annotations

from memtools.config import Config, parse_config, store_of
from memtools.core.address import parse_address
from memtools.core.facts import STEM, study
from memtools.core.ledger import Ledger, fold, full
from memtools.core.memory import read_memory
from memtools.core.retraction import Policy, make_plan
from memtools.git.objects import (
    REGULAR,
    Change,
    blobs_at,
    diff_trees,
    list_tree,
    read_objects,
)
from memtools.usecases.state import Standing, read_standing, write_standing
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.facts import Studied
    from memtools.core.ledger import Lookup
    from memtools.core.problem import Problem
    from memtools.core.retraction import Plan
    from memtools.git.objects import TreeEntry
    from memtools.git.run import Git
    from memtools.git.staging import Entry, Staging
    from memtools.search.store import SearchStore
    from memtools.usecases.repository import Repository

CONFIG_PATH = ".memtools.toml"
NO_CONFIG = "-"
_KEPT = 256  # studied memories a reader remembers


class Settings(NamedTuple):
    """The configuration in force and the blob it came from (NO_CONFIG: defaults)."""

    config: Config
    blob: str
    problems: tuple[Problem, ...] = ()


def settings_of(git: Git, blob: str) -> Settings:
    """The settings held by a blob."""
    if blob == NO_CONFIG:
        return Settings(parse_config(None)[0], NO_CONFIG)
    config, problems = parse_config(next(read_objects(git, [blob])))
    return Settings(config, blob, problems)


def settings_at(repository: Repository, tree: str) -> Settings:
    """The settings a tree holds."""
    entry = blobs_at(repository.git, tree, [CONFIG_PATH]).get(CONFIG_PATH)
    return settings_of(repository.git, entry.blob if entry else NO_CONFIG)


def plan_of(ledger: Ledger, settings: Settings) -> Plan:
    """What the markers of a tree come to under its settings."""
    return make_plan(ledger, policy_of(settings.config))


def policy_of(config: Config) -> Policy:
    """The settings a plan depends on."""
    return Policy(config.retraction.min_columns, lambda path: store_of(path, config))


class Reader:
    """Reads and studies memories of one repository under one configuration; remembers the last."""

    __slots__ = ("_config", "_git", "_kept")

    def __init__(self, git: Git, config: Config) -> None:
        self._git = git
        self._config = config
        self._kept: dict[tuple[str, str], Studied] = {}

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Studied]:
        """Study memories given as (path, blob id); a blob the repository lacks reads as empty."""
        missing = [pair for pair in pairs if pair not in self._kept]
        contents = read_objects(self._git, [blob for _, blob in missing])
        keep = len(missing) <= _KEPT
        for pair in pairs:
            studied = self._kept.get(pair)
            if studied is None:
                studied = self.study(pair[0], pair[1], next(contents) or b"")
                if keep:
                    if len(self._kept) >= 2 * _KEPT:
                        self._kept.clear()
                    self._kept[pair] = studied
            yield studied

    def study(self, path: str, blob: str, raw: bytes) -> Studied:
        """Study bytes at hand."""
        return study(read_memory(path, raw, self._config.vocabulary), blob)

    def one(self, path: str, blob: str) -> Studied:
        """Study one memory."""
        return next(self([(path, blob)]))


def memory_changes(changes: Iterable[Change], config: Config) -> list[tuple[str, str | None]]:
    """The memories among changed paths, as (path, new blob or None); links and folders are none."""
    return [
        (change.path, change.new if change.new_mode in REGULAR else None)
        for change in changes
        if config.selection.holds(change.path)
        and (change.new_mode in REGULAR or change.old_mode in REGULAR)
    ]


def memories_of(git: Git, tree: str, config: Config) -> list[tuple[str, str]]:
    """All memories of a tree as (path, blob id)."""
    return [
        (entry.path, entry.blob)
        for entry in list_tree(git, tree)
        if entry.mode in REGULAR and config.selection.holds(entry.path)
    ]


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
            found = staging.entries(sorted(paths)).values()
        else:
            found = blobs_at(repository.git, tree, sorted(paths)).values()
        return [(entry.path, entry.blob) for entry in found if entry.mode in REGULAR]

    return lookup


def _indexed_candidates(
    repository: Repository, tree: str, settings: Settings, targets: frozenset[str]
) -> set[str] | None:
    """Where the search index, and what changed since its stamp, may hit; None: it cannot tell."""
    from memtools.errors import SearchError
    from memtools.usecases.searchindex import open_index, read_stamp

    index = open_index(repository)
    try:
        stamp = read_stamp(index)
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
    if stamp.tree != tree:
        changes = diff_trees(repository.git, stamp.tree, tree)
        paths.update(path for path, _ in memory_changes(changes, settings.config))
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


def standing_at(repository: Repository, tree: str, settings: Settings) -> Standing:
    """The ledger of `tree`, from the kept one when that serves; keeps the result.

    Cost: the diff of the two trees, or a full pass when there is no kept ledger of these settings.
    """
    kept = read_standing(repository.state_dir)
    if kept is not None and kept.tree == tree and kept.config_blob == settings.blob:
        return kept
    standing = Standing(tree, settings.blob, ledger_of(repository, kept, tree, settings))
    if kept is not None and kept.config_blob == settings.blob:
        from memtools.usecases.lost import remember_lost

        remember_lost(repository, kept, standing.ledger)
    keep_standing(repository, standing)
    return standing


def ledger_of(
    repository: Repository, kept: Standing | None, tree: str, settings: Settings
) -> Ledger:
    """The ledger of any tree, brought along from `kept` when that can be; nothing is written."""
    ledger = _brought_along(repository, kept, tree, settings)
    if ledger is None:
        reader = Reader(repository.git, settings.config)
        ledger = full(memories_of(repository.git, tree, settings.config), reader)
    return ledger


def keep_standing(repository: Repository, standing: Standing) -> None:
    """Write the ledger; a state folder that cannot be written costs speed, nothing else."""
    try:
        write_standing(repository.state_dir, standing)
    except OSError:
        return


def _brought_along(
    repository: Repository, kept: Standing | None, tree: str, settings: Settings
) -> Ledger | None:
    from memtools.errors import GitError

    if kept is None or kept.config_blob != settings.blob:
        return None
    try:
        changes = diff_trees(repository.git, kept.tree, tree)
    except GitError:  # the tree is gone (gc): nothing to start from
        return None
    return fold(
        kept.ledger,
        memory_changes(changes, settings.config),
        Reader(repository.git, settings.config),
        lookup_in(repository, kept.tree, settings),
    )


def empty_tree(git: Git) -> str:
    """The id of the tree without files, in the repository's hash."""
    return git.run("hash-object", "-t", "tree", "--stdin", stdin=b"").decode().strip()
