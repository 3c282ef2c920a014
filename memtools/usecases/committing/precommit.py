"""pre-commit: put the tombstones of the staged tree into the commit that declares them.

The tree being committed is the only input; the index blob is the only thing changed before the
commit; the work tree follows at once only when this index is the one that survives.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE, read_variables
from memtools.core.aftermath import half_derived
from memtools.core.problem import Problem
from memtools.core.refusals import outdated
from memtools.core.retraction import Target, make_plan
from memtools.core.screen_secrets import without_echoes
from memtools.errors import FINDINGS
from memtools.git.inprogress import is_rewording
from memtools.git.staging import OWN, Staging
from memtools.usecases.committing.ahead import record_ahead
from memtools.usecases.committing.blocks import looked_through, stale_blocks
from memtools.usecases.committing.journal import finish
from memtools.usecases.committing.matchlog import log_retractions
from memtools.usecases.committing.notices import notices_of
from memtools.usecases.committing.places import PlaceFinder
from memtools.usecases.committing.problems import (
    change_problems,
    held_back_problems,
    marker_problems,
    reintroductions,
    resurrections,
)
from memtools.usecases.committing.proposal import Proposal, read_proposal
from memtools.usecases.committing.tombstones import (
    Tombstone,
    apply_tombstones,
    author_date,
    declared_dates,
    prepare,
)
from memtools.usecases.committing.unattended import hold_back, report_open, take_reported
from memtools.usecases.outcome import Outcome
from memtools.usecases.state import QUIET, lower_flag
from memtools.usecases.tree import policy_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.retraction import Plan
    from memtools.git.staging import Entry
    from memtools.usecases.rendering.blocks import Rewrite
    from memtools.usecases.repository import Repository

HEALED_AT_ONCE = 5


class Planned(NamedTuple):
    """Everything decided before the first write."""

    proposal: Proposal
    plan: Plan
    tombstones: tuple[Tombstone, ...]
    refusals: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    left_for_sweep: int
    rendered: tuple[Rewrite, ...] = ()


def pre_commit(
    repository: Repository, *, unattended: bool = False, merging: tuple[str, ...] = ()
) -> Outcome:
    """Plan and write the tombstones of the commit being made; `merging` as in `read_proposal`.

    Returns code 1 with nothing changed when the commit is refused.
    """
    lower_flag(repository.state_dir, QUIET)  # of a commit that never came
    if is_rewording(repository.git, repository.git_dir):
        return Outcome()
    staging = Staging(repository.git, repository.git_dir)
    finish(repository, staging)  # what an earlier run, cut short, left between HEAD and this index
    planned = _plan(repository, staging, unattended, merging)
    if not planned.proposal.settings.config.is_met:
        return _outdated(planned.proposal, unattended)
    held: tuple[str, ...] = ()
    if planned.refusals and unattended:
        files = held_back_problems(planned.refusals)
        held = hold_back(repository, staging, planned.proposal, [p.path for p in files])
        report_open(repository, planned.refusals)
        if held and repository.head_tree == staging.git.line("write-tree"):
            return Outcome(FINDINGS, planned.refusals)
        if held:
            planned = _plan(repository, staging, unattended, merging)
    elif planned.refusals:
        return Outcome(FINDINGS, planned.refusals + planned.warnings)
    return _apply(repository, staging, planned, unattended, held)


def _outdated(proposal: Proposal, unattended: bool) -> Outcome:
    """A memtools older than `requires` writes nothing; a new marker then stops the commit."""
    stops = bool(proposal.new) and not unattended
    severity = "" if stops else "warning"
    found = outdated(SETTINGS_FILE, proposal.settings.config.requires, severity)
    return Outcome(FINDINGS if stops else 0, (found,))


def _plan(
    repository: Repository, staging: Staging, unattended: bool, merging: tuple[str, ...]
) -> Planned:
    proposal = read_proposal(repository, staging, merging)
    policy = policy_of(proposal.settings.config)
    plan = make_plan(proposal.staged, policy, proposal.new, proposal.old_hits)
    places = PlaceFinder(repository, proposal)
    found = [
        *proposal.settings.problems,
        *marker_problems(proposal, plan, places),
        *change_problems(proposal, repository),
        *resurrections(repository, staging, proposal, plan),
    ]
    found = without_echoes(found)
    targets, left = _chosen(plan, unattended)
    entries = _entries(staging, proposal, targets)
    if targets and read_variables().agent:
        from memtools.usecases.committing.agents import without_guarded

        targets, guarded = without_guarded(proposal, targets, entries)
        found += guarded
    dates = declared_dates(repository.git, targets, author_date(repository.git)) if targets else {}
    tombstones, blocked = prepare(repository.git, proposal.staged, targets, entries, dates)
    new_blocked = [p for p in blocked if _is_new(p, proposal)]
    refusing = [p for p in found if p.is_error and _stops(p)] + new_blocked
    warnings = [p for p in found if not (p.is_error and _stops(p))]
    warnings += reintroductions(proposal, plan)
    warnings += [half_derived(path, source) for path, source in plan.half_derived]
    rendered, broken = stale_blocks(staging, proposal, plan)
    warnings += [found._replace(severity="warning") for found in broken]
    return Planned(proposal, plan, tombstones, tuple(refusing), tuple(warnings), left, rendered)


def _stops(problem: Problem) -> bool:
    """Does this problem stop a person's commit? Only where there is something to protect (14d)."""
    return problem.rule in (
        "marker-lookalike",
        "marker-unread",
        "phrase-empty",
        "phrase-too-short",
        "phrase-too-long",
        "retract-ambiguous",
        "retract-too-many",
        "retract-by-agent",
        "retract-no-match",
        "retract-untracked",
        "unretracted",
        "secret-found",
        "conflict-marks",
    )


def _is_new(problem: Problem, proposal: Proposal) -> bool:
    row = proposal.staged.rows.get(problem.path)
    return row is not None and any(
        declared.line == problem.line and (problem.path, declared.phrase) in proposal.new
        for declared in row.markers
    )


def _chosen(plan: Plan, unattended: bool) -> tuple[list[Target], int]:
    """The targets this commit takes, and how many standing ones are left to `sweep`.

    Unattended, a new address waits until it stands in HEAD: half-typed, it could name another.
    """
    from memtools.core.address import parse_address

    new = [target for target in plan.targets if target.is_new]
    standing = [target for target in plan.targets if not target.is_new]
    if unattended:
        new = [target for target in new if parse_address(target.phrase).kind == "phrase"]
    return new + standing[:HEALED_AT_ONCE], max(0, len(standing) - HEALED_AT_ONCE)


def _entries(staging: Staging, proposal: Proposal, targets: list[Target]) -> dict[str, Entry]:
    """What is staged at the targets, looking through tombstones of a commit nobody made."""
    entries = staging.blobs(proposal.head_tree, [target.path for target in targets])
    return {path: looked_through(proposal, entry) for path, entry in entries.items()}


def _apply(
    repository: Repository,
    staging: Staging,
    planned: Planned,
    unattended: bool,
    held: tuple[str, ...],
) -> Outcome:
    proposal = planned.proposal
    applied = apply_tombstones(
        repository,
        staging,
        (*planned.tombstones, *planned.rendered),
        tuple(proposal.undone.values()),
        proposal.head_tree,
        frozenset((*proposal.other_changes, *(change.path for change in proposal.changes))),
    )
    log_retractions(repository, planned.tombstones)
    if staging.kind == OWN and not applied.left_alone:
        record_ahead(repository, staging, proposal, applied.entries)
    warnings = planned.warnings
    for tombstone in planned.tombstones:
        warnings += tombstone.warnings
    notices = notices_of(planned, applied, held)
    if not unattended:
        notices += take_reported(repository)
    retracted = tuple(tombstone.entry.path for tombstone in planned.tombstones)
    rendered = tuple(rewrite.entry.path for rewrite in planned.rendered)
    return Outcome(0, warnings, tuple(notices), retracted, rendered)
