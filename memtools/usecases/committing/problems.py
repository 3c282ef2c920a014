"""What there is to say about a commit being made: refusals and warnings, each read on its blobs.

Only what this commit brings in counts: a line that stood in a parent is never a refusal.
"""

from __future__ import annotations

from memtools.core import aftermath, refusals
from memtools.core.conflict_marks import find_conflict_marks
from memtools.core.facts import Studied
from memtools.core.memory import numbered_lines
from memtools.core.phrase import find_line
from memtools.core.problem import Problem
from memtools.core.retraction import Judged, MarkerState, Plan
from memtools.core.screen_secrets import find_personal, find_secrets
from memtools.core.tombstone import is_restored
from memtools.core.vocabulary import Status
from memtools.git.inprogress import is_reverting
from memtools.git.objects import REGULAR, blob_id, blobs_at, list_tree
from memtools.git.staging import OTHER
from memtools.git.worktree import read_plain_file
from memtools.usecases.buried import Merging, is_undone, made_elsewhere
from memtools.usecases.state import read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from memtools.core.memory import Memory
    from memtools.git.objects import Change
    from memtools.git.staging import Staging
    from memtools.usecases.committing.places import PlaceFinder
    from memtools.usecases.committing.proposal import Proposal
    from memtools.usecases.repository import Repository


# Unmatched markers of one commit for which near lines are looked up: each costs several git calls.
_HELPED = 10
_UNHEEDED = (
    MarkerState.IGNORED,
    MarkerState.AMBIGUOUS,
    MarkerState.UNMATCHED,
    MarkerState.MUTUAL,
)
HELD_BACK = ("secret-found", "conflict-marks")
_OF_A_LINE = (*HELD_BACK, "personal-data")


def marker_problems(proposal: Proposal, plan: Plan, places: PlaceFinder) -> Iterator[Problem]:
    """What stands against the new markers of the commit."""
    new = [m for m in plan.markers if (m.path, m.phrase) in proposal.new]
    config = proposal.settings.config
    if len(new) > config.retraction.max_new_markers:
        yield refusals.too_many(
            new[0].path, new[0].line, len(new), config.retraction.max_new_markers
        )
        return
    unmatched = [m for m in new if m.state is MarkerState.UNMATCHED]
    unhelped = frozenset(unmatched[_HELPED:])
    for marker in new:
        if marker in unhelped and marker.phrase not in proposal.deleted_hits:
            refuse = config.retraction.unmatched == "refuse"
            yield refusals.unmatched(marker, (), refuse, ())
        else:
            yield from marker_problem(proposal, marker, places)


def marker_problem(proposal: Proposal, marker: Judged, places: PlaceFinder) -> Iterator[Problem]:
    """What stands against one marker: nothing when it is open, applied, pending or inert."""
    if marker.state is MarkerState.INERT:
        row = proposal.staged.rows[marker.path]
        yield refusals.buried(marker) if row.exposed else refusals.unread(marker.path, marker.line)
    elif marker.state is MarkerState.UNMATCHED and marker.phrase in proposal.deleted_hits:
        return
    elif marker.state in _UNHEEDED:
        from memtools.usecases.unheeded import unheeded

        config = proposal.settings.config
        refuses = config.retraction.unmatched == "refuse"
        found = unheeded(marker, config, places, refuses_unmatched=refuses)
        if found:
            yield found


def change_problems(proposal: Proposal, repository: Repository) -> Iterator[Problem]:
    """What the changed memories bring in themselves: near misses, headers, secrets, conflicts."""
    for change in proposal.changes:
        if change.new_mode not in REGULAR:
            continue
        studied = proposal.reader.one(change.path, change.new)
        known = _known_before(repository, proposal, change)
        yield from (p for p in _problems_of(studied) if _key(p, studied.memory) not in known)


def held_back_problems(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """Those that keep their file out of any commit."""
    return tuple(p for p in found if p.rule in HELD_BACK)


def _problems_of(studied: Studied) -> list[Problem]:
    memory = studied.memory
    return [
        *memory.problems,
        *studied.problems,
        *find_secrets(memory),
        *find_personal(memory),
        *find_conflict_marks(memory),
    ]


def _key(found: Problem, memory: Memory) -> tuple[str, str, str]:
    """What makes a problem the same one in another version of its memory.

    For what stands in one line that is the line: a second secret of a kind is not the first.
    """
    text = ""
    if found.rule.startswith("marker-") or found.rule in _OF_A_LINE:
        text = dict(numbered_lines(memory)).get(found.line, "")
    return found.rule, str(found.message), text


def _known_before(
    repository: Repository, proposal: Proposal, change: Change
) -> set[tuple[str, str, str]]:
    """The keys of the problems the parents' versions of this memory have already."""
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
    return {_key(p, studied.memory) for studied in before for p in _problems_of(studied)}


def resurrections(
    repository: Repository, staging: Staging, proposal: Proposal, plan: Plan
) -> Iterator[Problem]:
    """Rule 12: tombstones of a parent that this commit takes out without `restore` or a marker.

    A revert that a person finishes with `git commit` is a revert.
    """
    if is_reverting(repository.git_dir):
        return
    planned = plan.hidden
    holds = proposal.settings.config.selection.holds
    merging = Merging(repository.git, proposal.reader, holds, proposal.other_parents)
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
            and not is_restored(memory, proposal.reader.one(row.path, row.blob).memory)
            and not is_undone(merging, here)
        ):
            is_late = staging.kind == OTHER and _is_overtaken(repository, change)
            yield aftermath.overtaken(here) if is_late else _taken_out(proposal, here)
    if proposal.other_parents and not proposal.is_empty:  # `-s ours` is to take nothing of them
        yield from _merged_away(merging, proposal, planned)


def _taken_out(proposal: Proposal, path: str) -> Problem:
    if proposal.other_parents:
        return aftermath.merged_away(path, "HEAD")
    return aftermath.unretracted(path, 1)


def _merged_away(
    merging: Merging, proposal: Proposal, planned: Collection[str]
) -> Iterator[Problem]:
    """Tombstones of the other sides that HEAD lacks, and the merge is to lack."""
    staged = {entry.path: entry.blob for entry in list_tree(merging.git, proposal.head_tree)}
    gone = {change.path for change in proposal.changes if change.new_mode not in REGULAR}
    staged |= {change.path: change.new for change in proposal.changes}
    for path, blob, parent in made_elsewhere(merging, staged):
        if path in gone or path in planned:
            continue
        memory = proposal.reader.one(path, staged[path]).memory
        is_alive = memory.status is not Status.RETRACTED
        if is_alive and not is_restored(memory, proposal.reader.one(path, blob).memory):
            yield aftermath.merged_away(path, parent[:10])


def _is_overtaken(repository: Repository, change: Change) -> bool:
    """Did HEAD move while git put a partial commit together?

    Then nobody took the tombstone out: the file has what HEAD has, or is yet to follow.
    """
    if any(row.new == change.old for row in read_journal(repository.state_dir)):
        return True
    data = read_plain_file(repository.top, change.path)
    return data is not None and blob_id(data, len(change.old)) == change.old


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
                yield aftermath.reintroduced(path, line, marker, tomb, why)
