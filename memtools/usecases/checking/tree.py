"""One tree looked at in full, blob by blob: the proof that owes nothing to the ledger that is kept.

A second tree (the base of a range) is looked at by what differs from the first. Must not know what
becomes of the findings.
"""

from __future__ import annotations

from unicodedata import normalize

from memtools.core.conflict_marks import find_conflict_marks
from memtools.core.facts import Studied, handle_of
from memtools.core.handout import handed_text
from memtools.core.ledger import Ledger, fold, full
from memtools.core.links import pointed_at
from memtools.core.memory import Exposure, stem, without_suffix
from memtools.core.problem import Problem
from memtools.core.retraction import Plan
from memtools.core.vocabulary import Priority, Status
from memtools.core.wording import say
from memtools.errors import GitError
from memtools.git.objects import read_objects
from memtools.usecases.checking.files import changed_files
from memtools.usecases.tree import Reader, Settings, plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.git.run import Git
    from memtools.usecases.checking.files import Files


class Speaker(NamedTuple):
    """A memory of the activation layer; `bytes` is the size of its text as handed out."""

    path: str
    title: str
    priority: str
    scope: str
    bytes: int


class Seen(NamedTuple):
    """What one memory says by itself; `speaker` when its own header lets it into the layer.

    `names`: title and aliases. `links`: what it points at, as `links.pointed_at` gives it.
    """

    id: str
    names: tuple[str, ...]
    status: str
    priority: str
    confidence: float | None
    scope: str
    links: tuple[str, ...]
    problems: tuple[Problem, ...]
    speaker: Speaker | None
    is_empty: bool


class Tree(NamedTuple):
    """A tree that was looked at under `settings`."""

    files: Files
    settings: Settings
    ledger: Ledger
    plan: Plan
    seen: dict[str, Seen]

    @property
    def layer(self) -> dict[str, Speaker]:
        """The activation layer: what its header lets in and no open marker takes out."""
        hidden = self.plan.hidden
        return {
            path: seen.speaker
            for path, seen in self.seen.items()
            if seen.speaker is not None and path not in hidden
        }

    @property
    def statuses(self) -> dict[str, str]:
        """Path -> status, where an open marker counts as its tombstone."""
        hidden, retracted = self.plan.hidden, str(Status.RETRACTED)
        return {path: retracted if path in hidden else s.status for path, s in self.seen.items()}


class _Watch:
    """A reader that keeps what each memory says by itself as it goes by."""

    def __init__(self, reader: Reader, seen: dict[str, Seen]) -> None:
        self._reader = reader
        self.seen = seen

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Studied]:
        for studied in self._reader(pairs):
            if studied.facts.path not in self.seen:
                self.seen[studied.facts.path] = _seen(studied)
            yield studied


def look(git: Git, files: Files, settings: Settings, reader: Reader) -> Tree:
    """Look at every memory.

    Raises:
        GitError: one of them is not in this clone, so nothing can be proved.
    """
    watch = _Watch(reader, {})
    ledger = full(list(files.memories.items()), watch)
    tree = Tree(files, settings, ledger, plan_of(ledger, settings), watch.seen)
    refuse_missing(git, tree)
    return tree


def refuse_missing(git: Git, tree: Tree) -> None:
    """A blob that is not there reads as an empty file.

    Raises:
        GitError: there is one.
    """
    files = tree.files
    empty = [path for path, seen in tree.seen.items() if seen.is_empty]
    blobs = [files.memories[path] for path in empty]
    for path, blob, raw in zip(empty, blobs, read_objects(git, blobs), strict=True):
        if raw is None:
            raise GitError(
                say(
                    "the bytes of {path} (blob {blob}) are not in this clone", path=path, blob=blob
                ),
                say("fetch them first: git fetch --refetch --no-filter, or git fsck"),
            )


def look_beside(tree: Tree, files: Files, reader: Reader) -> Tree:
    """Look at another tree under the same settings, reading only what `tree` does not tell."""
    changes = changed_files(tree.files, files)
    gone = {path for path, _ in changes}
    watch = _Watch(reader, {path: seen for path, seen in tree.seen.items() if path not in gone})
    everything = list(files.memories.items())

    def lookup(unknown: frozenset[str]) -> list[tuple[str, str]]:
        return _perhaps_hit(unknown, everything, watch.seen)

    ledger = fold(tree.ledger, changes, watch, lookup)
    untold = [(path, blob) for path, blob in everything if path not in watch.seen]
    for _ in watch(untold):
        pass  # the watch keeps what goes by
    return Tree(files, tree.settings, ledger, plan_of(ledger, tree.settings), watch.seen)


def _perhaps_hit(
    targets: Iterable[str], pairs: list[tuple[str, str]], known: dict[str, Seen]
) -> list[tuple[str, str]]:
    """The memories that targets may hit: by a phrase any, by a name who has it."""
    handles = {handle_of(target) for target in targets}
    if None in handles:
        return pairs
    wanted = {handle[1] for handle in handles if handle}

    def may_be(path: str) -> bool:
        seen = known.get(path)
        if seen is None:
            return True
        names = (path, without_suffix(path), stem(path), seen.id, *seen.names)
        return any(normalize("NFC", name) in wanted for name in names)

    return [pair for pair in pairs if may_be(pair[0])]


def _seen(studied: Studied) -> Seen:
    memory = studied.memory
    speaker = None
    speaks = memory.status is Status.ACTIVE and memory.priority is Priority.HIGH
    if speaks and memory.exposure is Exposure.FULL:
        size = len(handed_text(memory.body).encode("utf-8", "replace"))
        priority = str(memory.priority)
        speaker = Speaker(memory.path, memory.title, priority, memory.scope, size)
    return Seen(
        memory.id,
        (memory.title, *memory.aliases),
        str(memory.status),
        str(memory.priority),
        memory.confidence,
        memory.scope,
        tuple(pointed_at(memory)),
        (*memory.problems, *studied.problems, *find_conflict_marks(memory)),
        speaker,
        not memory.body and not memory.has_header,
    )
