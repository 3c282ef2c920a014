"""sweep: all markers of HEAD, and the tombstones that are missing, in one commit of their own.

The net below the hook (seed 1): merges, web edits and `--no-verify` leave markers unapplied. What
it writes is a function of the tree and its history, so a second run finds nothing.
"""

from __future__ import annotations

from memtools.core import aftermath, refusals
from memtools.core.problem import Problem
from memtools.core.retraction import Judged, MarkerState
from memtools.core.wording import Said, say
from memtools.errors import FINDINGS
from memtools.usecases.changing.head import (
    PENDING,
    RETRACTED,
    WOULD_RETRACT,
    Counts,
    Victim,
    count_markers,
    entries_at,
    own_message,
    proposal_of,
    read_head,
    victims_of,
)
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.owncommit import Committed, NewBytes, commit_files
from memtools.usecases.committing.matchlog import log_retractions
from memtools.usecases.committing.places import PlaceFinder
from memtools.usecases.committing.problems import marker_problem
from memtools.usecases.committing.tombstones import author_date, declared_dates, prepare
from memtools.usecases.outcome import Outcome, code_of
from memtools.usecases.tree import plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.core.retraction import Plan
    from memtools.usecases.changing.head import Head
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.repository import Repository

_EXPLAINED = 50  # markers whose problem is worked out in full
_NAMED = 20  # memories named one by one in the message of the commit
_IDLE = (
    MarkerState.IGNORED,
    MarkerState.AMBIGUOUS,
    MarkerState.UNMATCHED,
    MarkerState.PENDING,
    MarkerState.MUTUAL,
)


class Swept(NamedTuple):
    """What a sweep found and did.

    `applied`: it was allowed to write, and did what there was to do. `is_new_plan`: it was not
    done, since it differs from what the last dry run showed. `idle`: markers that retract nothing,
    with their state. `left`: files that could not follow the commit. `outcome` is
    the same for a hook, which is never stopped by it.
    """

    applied: bool
    is_new_plan: bool
    markers: Counts
    targets: tuple[Victim, ...]
    idle: tuple[Judged, ...]
    left: tuple[str, ...]
    problems: tuple[Problem, ...]
    outcome: Outcome

    @property
    def code(self) -> int:
        """The exit code: 1 for a problem that is an error, or a plan that was not carried out."""
        return FINDINGS if self.is_new_plan else code_of(self.problems)


def sweep(
    repository: Repository, *, apply: bool, now: float | None = None, trailer: str = ""
) -> Swept:
    """Look at all markers of HEAD; with `apply` write every missing tombstone.

    `now` (seconds since 1970): the dry run keeps its plan, and `apply` holds to it (rule 18); None
    for a caller that nobody watches. `trailer`: a line more in the message of the commit.

    Raises:
        GitError: a merge, rebase, cherry-pick or revert is under way, a lock is held, or a hook of
            the person refused the commit; nothing was changed.
    """
    if apply:
        refuse_under_way(repository)
    head = read_head(repository, writes=apply)
    plan = plan_of(head.ledger, head.settings)
    places = PlaceFinder(repository, proposal_of(head, head.ledger, frozenset()))
    tombstones, problems = _prepared(head, plan)
    problems += tuple(_problems(head, plan, places))
    rows = tuple((tombstone.entry.path, tombstone.entry.blob) for tombstone in tombstones)
    watch = Watch(repository, ("sweep",), apply, now)
    is_new = watch.is_new(rows)
    acts = apply and not is_new
    state = RETRACTED if acts else WOULD_RETRACT
    targets = victims_of(places, [tombstone.target for tombstone in tombstones], state)
    made = Committed(repository)
    counts = count_markers(plan)
    if acts and tombstones:
        made = _commit(repository, tombstones, trailer)
        after = read_head(made.repository, writes=False)
        counts = count_markers(plan_of(after.ledger, after.settings))
    watch.close(rows, has_acted=acts)
    targets += _waiting(places, plan)
    idle = tuple(marker for marker in plan.markers if marker.state in _IDLE)
    problems += tuple(w for tombstone in tombstones for w in tombstone.warnings)
    retracted = tuple(path for path, _ in rows) if acts else ()
    notices = (*_retracted(tombstones), *made.notices) if acts else ()
    outcome = Outcome(0, problems, notices, retracted)
    return Swept(acts, is_new, counts, targets, idle, made.left, problems, outcome)


def _prepared(head: Head, plan: Plan) -> tuple[tuple[Tombstone, ...], tuple[Problem, ...]]:
    git = head.repository.git
    dates = declared_dates(git, plan.targets, author_date(git)) if plan.targets else {}
    entries = entries_at(head, [target.path for target in plan.targets])
    tombstones, problems = prepare(git, head.ledger, plan.targets, entries, dates)
    return tuple(t for t in tombstones if head.repository.head_tree), problems


def _problems(head: Head, plan: Plan, places: PlaceFinder) -> Iterator[Problem]:
    """What keeps markers from acting; for the first ones with what to type instead."""
    yield from head.settings.problems
    proposal = proposal_of(head, head.ledger, frozenset())
    explained = 0
    for marker in plan.markers:
        if marker.state is MarkerState.UNMATCHED:
            yield refusals.unmatched(marker, (), False, ())
        elif marker.state in _IDLE and explained < _EXPLAINED:
            explained += 1
            yield from marker_problem(proposal, marker, places)
    for path, source in plan.half_derived:
        yield aftermath.half_derived(path, source)


def _waiting(places: PlaceFinder, plan: Plan) -> tuple[Victim, ...]:
    """The victims of markers that wait for the approval of their memory."""
    from memtools.core.retraction import Target

    waiting = [marker for marker in plan.markers if marker.state is MarkerState.PENDING]
    targets = [
        Target(path, marker.phrase, marker.path, marker.line, False)
        for marker in waiting
        for path in marker.live
    ]
    return victims_of(places, targets, PENDING)


def _commit(repository: Repository, tombstones: Sequence[Tombstone], trailer: str) -> Committed:
    count = len(tombstones)
    names = [
        f"{t.entry.path} (by {t.target.declared_in}:{t.target.declared_line})" for t in tombstones
    ]
    if count > _NAMED:
        names[_NAMED:] = [f"and {count - _NAMED} more"]
    subject = f"Retract {tombstones[0].entry.path}"
    if count > 1:
        subject = f"Retract {count} memories whose markers stood without tombstone"
    message = own_message(subject, "\n".join(names), [trailer] if trailer else [])
    files = [NewBytes(tombstone.entry.path, tombstone.after) for tombstone in tombstones]
    made = commit_files(repository, files, message)
    log_retractions(repository, tombstones)
    return made


def _retracted(tombstones: Sequence[Tombstone]) -> list[Said]:
    return [
        say(
            "retracted {path} (by {by}:{at})",
            path=tombstone.entry.path,
            by=tombstone.target.declared_in,
            at=tombstone.target.declared_line,
        )
        for tombstone in tombstones
    ]
