"""What is wrong with a whole tree: markers without tombstone, tombstones without marker, doubles.

Each function is one kind of finding. Must not know which of them an earlier tree had already.
"""

from __future__ import annotations

from unicodedata import normalize

from memtools.core import aftermath, refusals
from memtools.core.address import parse_address
from memtools.core.edit import Edited, Set, change
from memtools.core.facts import hit_line, source_target, target_hits
from memtools.core.followers import is_follower
from memtools.core.memory import stem, without_suffix
from memtools.core.near import longer_phrases
from memtools.core.problem import ERROR, Problem, problem
from memtools.core.refusals import shorten
from memtools.core.retraction import MarkerState
from memtools.core.vocabulary import Status
from memtools.core.wording import say, shell_word
from memtools.git.objects import read_objects
from memtools.usecases.unheeded import unheeded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.retraction import Target
    from memtools.git.run import Git
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.tree import Reader

# In a tree that others read these are more than a person's habit (git page, section 8).
_HARD = ("header-duplicate-key", "body-not-utf8", "symlink-memory")
_READ = 50  # hits read to offer a phrase for each


def problems_of(git: Git, tree: Tree, reader: Reader, *, refuses_unmatched: bool) -> list[Problem]:
    """All that is wrong with a tree, by path and line."""
    found = [
        *(p for seen in tree.seen.values() for p in seen.problems),
        *_symlinks(tree),
        *_unapplied(git, tree),
        *_markers(tree, reader, refuses_unmatched),
        *orphans(tree),
        *doubles(tree),
        *_reintroductions(tree, reader),
        *_left_over(tree),
        *(aftermath.half_derived(path, source) for path, source in tree.plan.half_derived),
    ]
    hardened = (p._replace(severity=ERROR) if p.rule in _HARD else p for p in found)
    return sorted(hardened, key=lambda p: (p.path, p.line, p.rule, str(p.message)))


def _symlinks(tree: Tree) -> Iterator[Problem]:
    for path in tree.files.symlinks:
        what = say("a symbolic link stands where a memory could; links are never followed")
        yield problem(path, 0, "symlink-memory", what, say("put the file itself in its place"))


def _unapplied(git: Git, tree: Tree) -> Iterator[Problem]:
    """Each victim of an open marker, and what goes along with it, has to be a tombstone."""
    targets = [target for target in tree.plan.targets if target.path in tree.files.memories]
    blobs = [tree.files.memories[target.path] for target in targets]
    for target, raw in zip(targets, read_objects(git, blobs), strict=True):
        edited = change(target.path, raw or b"", (Set("status", str(Status.RETRACTED)),))
        if isinstance(edited, Edited):
            yield unapplied(target)
        else:
            yield refusals.not_editable(target.declared_in, target.declared_line, edited)


def unapplied(target: Target) -> Problem:
    """A victim that is only hidden: it has no tombstone yet."""
    if target.source:
        what = say(
            "not applied: {path}, derived from {source}, has no tombstone",
            path=target.path,
            source=target.source,
        )
    else:
        what = say(
            'not applied: "{phrase}" retracts {path}, which has no tombstone',
            phrase=shorten(target.phrase),
            path=target.path,
        )
    hint = say("type: memtools sweep --apply")
    return problem(target.declared_in, target.declared_line, "retract-unapplied", what, hint)


def _markers(tree: Tree, reader: Reader, refuses_unmatched: bool) -> Iterator[Problem]:
    """The markers that do nothing, although somebody wrote them to."""
    places = _Places(tree, reader)
    for marker in tree.plan.markers:
        found = unheeded(marker, tree.settings.config, places, refuses_unmatched=refuses_unmatched)
        if found:
            yield found


class _Places:
    """Where phrases stand in a tree; what is near a phrase is not looked for."""

    def __init__(self, tree: Tree, reader: Reader) -> None:
        self._tree = tree
        self._reader = reader
        self._holders: dict[str, list[str]] | None = None

    def lines(self, phrase: str, paths: Sequence[str]) -> list[tuple[str, int]]:
        """(path, line of the first hit) for the first of these paths."""
        studied = self._reader(_pairs(self._tree, paths))
        return [(one.facts.path, hit_line(phrase, one.memory)) for one in studied]

    def longer(self, phrase: str, paths: Sequence[str]) -> dict[str, str]:
        """For each of the first paths a longer phrase that hits it alone among them."""
        studied = self._reader(_pairs(self._tree, paths))
        texts = {one.facts.path: (one.memory.title, one.memory.body) for one in studied}
        return longer_phrases(phrase, texts, self._tree.settings.config.retraction.min_columns)

    def holders(self, phrase: str) -> list[str]:
        """The memories that hold a phrase and are no declaring ones; one pass for all phrases."""
        if self._holders is None:
            ignored = (m for m in self._tree.plan.markers if m.state is MarkerState.IGNORED)
            self._holders = self._pass_over({marker.phrase for marker in ignored})
        return self._holders.get(phrase, [])

    def _pass_over(self, phrases: set[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {phrase: [] for phrase in phrases}
        for studied in self._reader(list(self._tree.files.memories.items())):
            if not studied.facts.markers:
                for phrase in phrases:
                    if target_hits(phrase, studied):
                        found[phrase].append(studied.facts.path)
        return found

    def nearest(self, phrase: str) -> list[tuple[str, int, str]]:
        """None: a tree may hold many of these."""
        return []

    def untracked(self, phrase: str) -> list[str]:
        """None: a tree has only what git tracks."""
        return []


def _pairs(tree: Tree, paths: Iterable[str]) -> list[tuple[str, str]]:
    held = tree.files.memories
    return [(path, held[path]) for path in paths if path in held][:_READ]


def orphans(tree: Tree) -> Iterator[Problem]:
    """Tombstones whose `retracted_by` names nobody that still holds a marker."""
    rows = tree.ledger.rows
    declaring = {
        normalize("NFC", name)
        for path, row in rows.items()
        if row.markers
        for name in (stem(path), path, without_suffix(path))
    }
    for path, row in rows.items():
        if row.status != Status.RETRACTED or not row.retracted_by:
            continue
        if normalize("NFC", parse_address(row.retracted_by).text) not in declaring:
            what = say(
                "it was retracted by {by}, where no marker stands any more; it stays retracted",
                by=row.retracted_by,
            )
            hint = say(
                'to bring it back: memtools restore {path} --why "…" --apply',
                path=shell_word(path),
            )
            yield problem(path, 1, "tombstone-orphan", what, hint)


def doubles(tree: Tree) -> Iterator[Problem]:
    """Memories that share an id, so that `id:` names none of them."""
    by_id: dict[str, list[str]] = {}
    for path, seen in tree.seen.items():
        by_id.setdefault(normalize("NFC", seen.id), []).append(path)
    for name, paths in by_id.items():
        for path in paths if len(paths) > 1 else ():
            other = next(one for one in sorted(paths) if one != path)
            what = say("its id {id} is also that of {other}", id=name, other=other)
            yield problem(path, 1, "id-duplicate", what, say("give one of them another id"))


def _reintroductions(tree: Tree, reader: Reader) -> Iterator[Problem]:
    """Rule 10: living memories that repeat what an applied marker retracted."""
    for marker in tree.plan.markers:
        if marker.state is not MarkerState.APPLIED or not marker.buried:
            continue
        tomb = tree.ledger.rows[marker.buried[0]]
        why = tree.ledger.rows[marker.path].reason
        for studied in reader(_pairs(tree, marker.live)):
            memory = studied.memory
            if not memory.restored_reason:
                line = hit_line(marker.phrase, memory)
                yield aftermath.reintroduced(memory.path, line, marker, tomb, why)


def _left_over(tree: Tree) -> Iterator[Problem]:
    """Living memories all of whose sources are tombstones, although no marker takes them along."""
    planned = tree.plan.hidden
    for path, row in tree.ledger.rows.items():
        if is_follower(row) and path not in planned:
            sources = [_buried_source(tree, entry) for entry in row.derived_from]
            if all(sources):
                what = say("all it is derived from is retracted: {path}", path=sources[0])
                hint = say("if it is wrong too, retract it: RETRACTS: {path}", path=path)
                yield problem(path, 1, "derived-from-retracted", what, hint)


def _buried_source(tree: Tree, entry: str) -> str:
    paths = tree.ledger.hits.get(source_target(entry), ())
    rows = [tree.ledger.rows.get(path) for path in paths]
    if not rows or any(row is None or row.status != Status.RETRACTED for row in rows):
        return ""
    return paths[0]
