"""What a tree holds: its settings, its memories, and the plan of its markers.

Must not know which ledger or search index is kept.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE, Config, overridden, parse_config, read_variables
from memtools.core.facts import study
from memtools.core.ledger import Ledger
from memtools.core.memory import read_memory
from memtools.core.retraction import Policy, make_plan
from memtools.core.selection import find_store
from memtools.git.objects import REGULAR, Change, list_tree, missing_object, read_objects
from memtools.git.trees import entry_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.facts import Studied
    from memtools.core.problem import Problem
    from memtools.core.retraction import Plan
    from memtools.git.run import Git

NO_CONFIG = "-"
_ROOM = 8 << 20  # bytes of the files a reader remembers; studied they take four times that
_FEW = 256  # memories; more at once are a pass over a tree


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


def settings_at(git: Git, tree: str) -> Settings:
    """The settings a tree or commit (its id) holds."""
    return settings_of(git, settings_blob(git, tree))


def with_variables(settings: Settings) -> Settings:
    """The same with those on top that variables set: for what is written here, by a person or hook.

    Never for what is judged (`check`) or read: an environment takes nothing from a reviewed file.
    """
    config, problems = overridden(settings.config, read_variables())
    return settings._replace(config=config, problems=(*settings.problems, *problems))


def settings_blob(git: Git, tree: str) -> str:
    """The blob of the settings file in a tree or commit (its id); NO_CONFIG when it has none.

    Raises:
        GitError: the repository lacks it.
    """
    try:
        entry = entry_at(git, tree, SETTINGS_FILE)
    except LookupError as lacking:
        raise missing_object(tree) from lacking
    return entry[1] if entry is not None else NO_CONFIG


def plan_of(ledger: Ledger, settings: Settings) -> Plan:
    """What the markers of a tree come to under its settings."""
    return make_plan(ledger, policy_of(settings.config))


def policy_of(config: Config) -> Policy:
    """The settings a plan depends on."""
    return Policy(config.retraction.min_columns, lambda path: find_store(path, config.stores))


class Reader:
    """Reads and studies memories of one repository under one configuration; remembers many.

    A pass over more than there is room for remembers the first ones, so that another pass finds
    them; all others take the place of what was remembered.
    """

    __slots__ = ("_config", "_git", "_kept", "_room")

    def __init__(self, git: Git, config: Config) -> None:
        self._git = git
        self._config = config
        self._kept: dict[tuple[str, str], Studied] = {}
        self._room = _ROOM

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Studied]:
        """Study memories given as (path, blob id); a blob the repository lacks reads as empty."""
        known = [self._kept.get(pair) for pair in pairs]
        missing = [blob for (_, blob), kept in zip(pairs, known, strict=True) if kept is None]
        contents = read_objects(self._git, missing)
        for pair, kept in zip(pairs, known, strict=True):
            if kept is not None:
                yield kept
                continue
            raw = next(contents) or b""
            studied = self.study(*pair, raw)
            if len(raw) > self._room and len(missing) <= _FEW:
                self._kept, self._room = {}, _ROOM
            if len(raw) <= self._room:
                self._kept[pair] = studied
                self._room -= len(raw)
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


def empty_tree(git: Git) -> str:
    """The id of the tree without files, in the repository's hash."""
    return git.run("hash-object", "-t", "tree", "--stdin", stdin=b"").decode().strip()
