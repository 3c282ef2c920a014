"""What there is to say about a commit being made: refusals and warnings, each read on its blobs.

Only what this commit brings in counts: a line that stood in a parent is never a refusal.
"""

from __future__ import annotations

from memtools.core import refusals
from memtools.core.address import target_fault
from memtools.core.facts import Studied, target_hits
from memtools.core.phrase import find_line, longer_phrases, nearest_lines, phrase_fault
from memtools.core.problem import Problem
from memtools.core.retraction import Judged, MarkerState, Plan
from memtools.core.screen import find_conflict_marks, find_secrets
from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, blobs_at
from memtools.git.worktree import read_plain_file
from memtools.usecases.standing import lookup_in, memories_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.git.objects import Change
    from memtools.usecases.proposal import Proposal
    from memtools.usecases.repository import Repository

_NEAR = 3
_READ = 200  # hits read to offer a phrase for each


def marker_problems(
    repository: Repository, proposal: Proposal, plan: Plan, places: PlaceFinder
) -> Iterator[Problem]:
    """What stands against the new markers of the commit."""
    new = [m for m in plan.markers if (m.path, m.phrase) in proposal.new]
    config = proposal.settings.config
    if len(new) > config.retraction.max_new_markers:
        yield refusals.too_many(
            new[0].path, new[0].line, len(new), config.retraction.max_new_markers
        )
        return
    for marker in new:
        yield from marker_problem(repository, proposal, marker, places)


def marker_problem(
    repository: Repository, proposal: Proposal, marker: Judged, places: PlaceFinder
) -> Iterator[Problem]:
    """What stands against one marker: nothing when it is open, applied, pending or inert."""
    config = proposal.settings.config
    if marker.state is MarkerState.IGNORED:
        yield _faulty(repository, proposal, marker, places)
    elif marker.state is MarkerState.AMBIGUOUS:
        texts = places.texts(marker.live[:_READ])
        hits = places.lines(marker.phrase, marker.live)
        stores = _stores(marker.live) if not config.stores else {}
        yield refusals.ambiguous(marker, hits, longer_phrases(marker.phrase, texts), stores)
    elif marker.state is MarkerState.UNMATCHED:
        near = places.nearest(marker.phrase)
        refuse = config.retraction.unmatched == "refuse"
        yield refusals.unmatched(marker, near, refuse, places.untracked(marker.phrase))
    elif marker.state is MarkerState.MUTUAL:
        yield refusals.mutual(marker)


def _faulty(
    repository: Repository, proposal: Proposal, marker: Judged, places: PlaceFinder
) -> Problem:
    columns = proposal.settings.config.retraction.min_columns
    fault = target_fault(marker.phrase, columns)
    if fault == "empty":
        return refusals.empty(marker)
    if fault == "long":
        return refusals.too_long(marker)
    paths = [path for path in places.holders(marker.phrase) if path != marker.path]
    longer = longer_phrases(marker.phrase, places.texts(paths[:_READ]))
    longer = {path: text for path, text in longer.items() if not phrase_fault(text, columns)}
    return refusals.too_short(marker, columns, places.lines(marker.phrase, paths), longer)


def _stores(paths: Sequence[str]) -> dict[str, str]:
    """Folder -> store name when the hits lie one each in different top-level folders."""
    folders = [path.split("/")[0] for path in paths if "/" in path]
    if len(folders) < len(paths) or len(set(folders)) < len(folders):
        return {}
    return {folder: folder for folder in folders}


def change_problems(proposal: Proposal, repository: Repository) -> Iterator[Problem]:
    """What the changed memories themselves bring in: near misses, headers, secrets, conflict marks."""
    for change in proposal.changes:
        if change.new_mode not in REGULAR:
            continue
        studied = proposal.reader.one(change.path, change.new)
        known = _known_before(repository, proposal, change)
        yield from (
            found
            for found in _problems_of(studied)
            if (found.rule, str(found.message)) not in known
        )


def held_back_problems(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that keep their file out of any commit."""
    return tuple(p for p in found if p.rule in ("secret-found", "conflict-marks"))


def _problems_of(studied: Studied) -> list[Problem]:
    memory = studied.memory
    return [
        *memory.problems,
        *studied.problems,
        *find_secrets(memory),
        *find_conflict_marks(memory),
    ]


def _known_before(
    repository: Repository, proposal: Proposal, change: Change
) -> set[tuple[str, str]]:
    """(rule, message) of the problems the parents' versions of this memory have already."""
    before = []
    if change.old_mode in REGULAR:
        before.append(proposal.reader.one(change.path, change.old))
    for parent in proposal.other_parents:
        held = blobs_at(repository.git, parent, [change.path])
        before += proposal.reader([(entry.path, entry.blob) for entry in held.values()])
    for old, new in proposal.renames.items():
        if new == change.path:
            held = blobs_at(repository.git, proposal.head_tree, [old])
            before += proposal.reader([(entry.path, entry.blob) for entry in held.values()])
    return {(p.rule, str(p.message)) for studied in before for p in _problems_of(studied)}


def resurrections(repository: Repository, proposal: Proposal, plan: Plan) -> Iterator[Problem]:
    """Rule 12: tombstones of HEAD that this commit takes out without `restore` or a marker."""
    planned = {target.path for target in plan.targets}
    present = {c.path: c.new for c in proposal.changes if c.new_mode in REGULAR}
    for change in proposal.changes:
        row = proposal.base.rows.get(change.path)
        here = change.path if change.path in present else proposal.renames.get(change.path, "")
        if row is None or row.status != Status.RETRACTED or here not in present:
            continue
        memory = proposal.reader.one(here, present[here]).memory
        back = memory.status != Status.RETRACTED and here not in planned
        if (
            back
            and not memory.restored_reason
            and not _lives_in_a_parent(repository, proposal, here)
        ):
            yield refusals.unretracted(here, 1)


def _lives_in_a_parent(repository: Repository, proposal: Proposal, path: str) -> bool:
    for parent in proposal.other_parents:
        for entry in blobs_at(repository.git, parent, [path]).values():
            if proposal.reader.one(path, entry.blob).memory.status != Status.RETRACTED:
                return True
    return False


def reintroductions(proposal: Proposal, plan: Plan) -> Iterator[Problem]:
    """Rule 10: changed memories that repeat what an applied marker retracted."""
    changed = {change.path for change in proposal.changes}
    for marker in plan.markers:
        if marker.state is not MarkerState.APPLIED or not marker.buried:
            continue
        tomb = proposal.staged.rows[marker.buried[0]]
        for path in changed.intersection(marker.live):
            row = proposal.base.rows.get(path)
            if row is not None and row.status == Status.RETRACTED:
                continue  # brought back on purpose, and said so elsewhere
            studied = proposal.staged_memory(path)
            if studied is not None:
                line = find_line(marker.phrase, studied.memory.body, studied.memory.body_line)
                why = proposal.staged.rows[marker.path].reason
                yield refusals.reintroduced(path, line, marker, tomb.path, tomb.retracted_at, why)


class PlaceFinder:
    """Where phrases stand in the staged tree: for messages only, so it may read more than a plan."""

    __slots__ = ("_proposal", "_repository", "_staging_blobs")

    def __init__(self, repository: Repository, proposal: Proposal) -> None:
        self._repository = repository
        self._proposal = proposal
        self._staging_blobs: dict[str, str] = {}

    def studied(self, paths: Iterable[str]) -> list[Studied]:
        """The memories at these staged paths."""
        wanted = list(paths)
        changed = {c.path: c.new for c in self._proposal.changes if c.new_mode in REGULAR}
        rest = [path for path in wanted if path not in changed]
        tree = self._proposal.head_tree
        held = blobs_at(self._repository.git, tree, rest) if rest else {}
        pairs = [
            (path, changed.get(path) or held[path].blob)
            for path in wanted
            if path in changed or path in held
        ]
        return list(self._proposal.reader(pairs))

    def texts(self, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Path -> title and body."""
        return {s.facts.path: (s.memory.title, s.memory.body) for s in self.studied(paths)}

    def lines(self, phrase: str, paths: Iterable[str]) -> list[tuple[str, int]]:
        """(path, line of the first hit) for each path."""
        return [
            (s.facts.path, find_line(phrase, s.memory.body, s.memory.body_line) or 1)
            for s in self.studied(list(paths)[:_READ])
        ]

    def holders(self, phrase: str) -> list[str]:
        """All memories that hold a phrase, however short it is."""
        proposal = self._proposal
        lookup = lookup_in(self._repository, proposal.head_tree, proposal.settings)
        gone = {change.path for change in proposal.changes}
        pairs = [pair for pair in lookup(frozenset([phrase])) if pair[0] not in gone]
        pairs += [(c.path, c.new) for c in proposal.changes if c.new_mode in REGULAR]
        return sorted(
            studied.facts.path
            for studied in proposal.reader(pairs)
            if target_hits(phrase, studied) and not studied.facts.markers
        )

    def nearest(self, phrase: str) -> list[tuple[str, int, str]]:
        """The lines nearest to a phrase that hits nothing, as (path, line of the file, text)."""
        similar = {studied.facts.path: studied.memory for studied in self._similar(phrase)}
        texts = {path: (memory.title, memory.body) for path, memory in similar.items()}
        return [
            (path, similar[path].body_line + line - 1 if line else 1, text)
            for path, line, text in nearest_lines(phrase, texts)[:_NEAR]
        ]

    def _similar(self, phrase: str) -> list[Studied]:
        """Memories that may hold something near a phrase: the search index's best, else the first."""
        from memtools.usecases.searchindex import best_paths

        paths = best_paths(self._repository, phrase, 8)
        if paths is None:
            proposal = self._proposal
            pairs = memories_of(self._repository.git, proposal.head_tree, proposal.settings.config)
            paths = [path for path, _ in pairs[:1000]]
        changed = [c.path for c in self._proposal.changes if c.new_mode in REGULAR]
        return self.studied(
            path
            for path in dict.fromkeys([*paths, *changed])
            if not self._proposal.staged.rows.get(path)
            or not self._proposal.staged.rows[path].markers
        )

    def untracked(self, phrase: str) -> list[str]:
        """Files git does not track that hold the phrase (rule 6: they cannot be hit)."""
        config = self._proposal.settings.config
        out = self._repository.git.run("ls-files", "--others", "-z", "--directory")
        paths = [name for name in _decoded(out) if config.selection.holds(name)]
        found = []
        for path in paths[:_READ]:
            raw = read_plain_file(self._repository.top, path)
            if raw is not None:
                studied = self._proposal.reader.study(path, "", raw)
                if target_hits(phrase, studied):
                    found.append(path)
        return found


def _decoded(listing: bytes) -> list[str]:
    import os

    return [os.fsdecode(name) for name in listing.split(b"\0") if name]
