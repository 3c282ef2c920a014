"""What the markers of a candidate would retract, were it approved: named, never done.

Must not know the gate's decision.
"""

from __future__ import annotations

from memtools.core.gate import Proposer
from memtools.core.guarded import guard
from memtools.core.retraction import MarkerState, make_plan
from memtools.core.vocabulary import Priority
from memtools.errors import RefusedError
from memtools.usecases.changing.head import (
    PENDING,
    entries_at,
    ledger_with,
    proposal_of,
    victims_of,
)
from memtools.usecases.committing.places import PlaceFinder
from memtools.usecases.committing.tombstones import prepare
from memtools.usecases.tree import policy_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.facts import Facts
    from memtools.core.ledger import Ledger
    from memtools.core.retraction import Target
    from memtools.usecases.changing.head import Head, Victim
    from memtools.usecases.committing.tombstones import Tombstone

_UNCLEAR = (MarkerState.AMBIGUOUS, MarkerState.IGNORED, MarkerState.MUTUAL)


class Pending(NamedTuple):
    """`loud`: the victims only a person may retract; `unclear`: markers that would not act.

    `ledger` is HEAD's with the candidate in it, as if approved.
    """

    ledger: Ledger
    targets: tuple[Target, ...] = ()
    victims: tuple[Victim, ...] = ()
    loud: tuple[str, ...] = ()
    unclear: int = 0


def find_pending(head: Head, path: str, data: bytes, proposer: Proposer) -> Pending:
    """Judge the markers of an active memory `data` that would stand at `path` of HEAD."""
    if b"RETRACTS:" not in data:
        return Pending(head.ledger)
    ledger = ledger_with(head, {path: data})
    row = ledger.rows.get(path)
    if row is None or not row.markers:
        return Pending(ledger)
    new = frozenset((path, marker.phrase) for marker in row.markers)
    plan = make_plan(ledger, policy_of(head.settings.config), new)
    mine = tuple(target for target in plan.targets if target.declared_in == path)
    places = PlaceFinder(head.repository, proposal_of(head, ledger, new))
    victims = places.studied(target.path for target in mine)
    loud = tuple(one.facts.path for one in victims if _is_loud(one.facts, proposer))
    states = [marker.state for marker in plan.markers if marker.path == path]
    unclear = sum(state in _UNCLEAR for state in states)
    return Pending(ledger, mine, victims_of(places, mine, PENDING), loud, unclear)


def _is_loud(victim: Facts, proposer: Proposer) -> bool:
    """Does its retraction wait for a person (rule 20), of high priority even for another look?"""
    is_by_person = proposer is Proposer.PERSON
    return victim.priority == Priority.HIGH or (not is_by_person and guard(victim) is not None)


def pending_tombstones(head: Head, pending: Pending, path: str, at: str) -> tuple[Tombstone, ...]:
    """What approving the memory at `path`, in a commit of the date `at`, writes over its victims.

    Raises:
        RefusedError: one of them cannot be edited.
    """
    entries = entries_at(head, [target.path for target in pending.targets])
    git, dates = head.repository.git, {path: at}
    made, problems = prepare(git, pending.ledger, pending.targets, entries, dates)
    if problems:
        raise RefusedError(problems[0].message, problems[0].hint)
    return made
