"""Markers and memories to a plan: which memories become tombstones, by whom, and what stands against it.

Pure and idempotent: a function of the ledger of the whole tree; what is already retracted is left.
Rules 5 to 12 of the behaviour page (seed 1). Must not know files, git or the clock.
"""

from __future__ import annotations

from enum import StrEnum

from memtools.core.address import parse_address, target_fault
from memtools.core.facts import STEM, Facts, source_target
from memtools.core.ledger import Ledger
from memtools.core.memory import stem
from memtools.core.vocabulary import Status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class MarkerState(StrEnum):
    """What a marker comes to in a tree."""

    OPEN = "open"  # has victims, and none of them is retracted yet
    APPLIED = "applied"  # a tombstone matches it
    UNMATCHED = "unmatched"
    AMBIGUOUS = "ambiguous"
    PENDING = "pending"  # stands in a candidate
    IGNORED = "ignored"  # too short, too long or empty
    MUTUAL = "mutual"  # would retract the memory that retracts it
    INERT = "inert"  # stands in a memory that is retracted or cannot be read


class Policy(NamedTuple):
    """The settings a plan depends on; `store_of` names the store of a path ("" when there is one)."""

    min_columns: int
    store_of: Callable[[str], str]


class Judged(NamedTuple):
    """A marker with its state.

    `live`: the memories it hits that are not retracted: its victims when it is open, all hits when it
    is ambiguous, re-introductions when it is applied. `buried`: the tombstones it matches.
    `passed_over`: hits that it can never retract (candidates, holders of markers).
    """

    path: str
    line: int
    phrase: str
    state: MarkerState
    live: tuple[str, ...] = ()
    buried: tuple[str, ...] = ()
    passed_over: tuple[str, ...] = ()


class Target(NamedTuple):
    """A memory to be retracted, with the marker that says so; `source` is the retracted memory it was
    derived from when it goes along with that ("" otherwise).
    """

    path: str
    phrase: str
    declared_in: str
    declared_line: int
    is_new: bool
    source: str = ""


class Plan(NamedTuple):
    """Targets in the order of their paths, all markers judged, and memories that lost one source of
    several: (path, retracted source).
    """

    targets: tuple[Target, ...]
    markers: tuple[Judged, ...]
    half_derived: tuple[tuple[str, str], ...]


MarkerKey = tuple[str, str]  # path and phrase


def make_plan(
    ledger: Ledger,
    policy: Policy,
    new: frozenset[MarkerKey] = frozenset(),
    extra_hits: Mapping[str, Iterable[str]] | None = None,
) -> Plan:
    """Plan the whole tree of `ledger`.

    `new`: markers of the commit being made (a new marker also takes one live memory beside tombstones
    it matches, a standing one does not: rule 10). `extra_hits`: target -> paths hit in the version
    before this commit (rule 8).
    """
    judged = [
        _judge(ledger, policy, row, line, phrase, (row.path, phrase) in new, extra_hits or {})
        for row in sorted(ledger.rows.values(), key=lambda row: row.path)
        for line, phrase in row.markers
    ]
    judged = _without_cycles(judged)
    targets: dict[str, Target] = {}
    for marker in judged:
        if marker.state is MarkerState.OPEN:
            is_new = (marker.path, marker.phrase) in new
            for path in marker.live:
                known = targets.get(path)
                if known is None or (is_new and not known.is_new):
                    targets[path] = Target(path, marker.phrase, marker.path, marker.line, is_new)
    half_derived = _add_followers(ledger, targets)
    ordered = tuple(targets[path] for path in sorted(targets))
    return Plan(ordered, tuple(judged), half_derived)


def _judge(
    ledger: Ledger,
    policy: Policy,
    row: Facts,
    line: int,
    phrase: str,
    is_new: bool,
    extra_hits: Mapping[str, Iterable[str]],
) -> Judged:
    if target_fault(phrase, policy.min_columns):
        return Judged(row.path, line, phrase, MarkerState.IGNORED)
    live, buried, passed = _sort_hits(ledger, row, phrase, extra_hits)
    if row.status == Status.CANDIDATE:
        state = MarkerState.PENDING
    elif row.status != Status.ACTIVE or not row.exposed:
        state = MarkerState.INERT
    elif buried and not (is_new and live):
        state = MarkerState.APPLIED
    elif not live:
        state = MarkerState.APPLIED if _retracted_by(ledger, row) else MarkerState.UNMATCHED
    elif len({policy.store_of(path) for path in live}) < len(live):
        state = MarkerState.AMBIGUOUS
    else:
        state = MarkerState.OPEN
    return Judged(row.path, line, phrase, state, live, buried, passed)


def _sort_hits(
    ledger: Ledger, row: Facts, phrase: str, extra_hits: Mapping[str, Iterable[str]]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The memories `phrase` hits, beside its own: live ones, tombstones, and those it passes over."""
    by_phrase = parse_address(phrase).kind == "phrase"
    live, buried, passed = [], [], []
    for path in sorted({*ledger.hits.get(phrase, ()), *extra_hits.get(phrase, ())} - {row.path}):
        other = ledger.rows.get(path)
        if other and (other.status == Status.CANDIDATE or (by_phrase and other.markers)):
            passed.append(path)
        elif other and other.status == Status.RETRACTED:
            buried.append(path)
        else:
            live.append(path)
    return tuple(live), tuple(buried), tuple(passed)


def _retracted_by(ledger: Ledger, row: Facts) -> bool:
    """Does a tombstone name `row` that none of its markers hits any more? Then the phrase was edited
    away in the commit that applied it (rule 8), or the target was rewritten since.
    """
    explained = {path for declared in row.markers for path in ledger.hits.get(declared.phrase, ())}
    names = {link_to(row.path, ledger), f"[[{stem(row.path)}]]"}
    return any(
        other.retracted_by in names and path not in explained
        for path, other in ledger.rows.items()
        if other.status == Status.RETRACTED
    )


def _without_cycles(judged: list[Judged]) -> list[Judged]:
    """Take the effect from open markers whose victim, over other open markers, retracts them back."""
    edges: dict[str, set[str]] = {}
    for marker in judged:
        if marker.state is MarkerState.OPEN:
            edges.setdefault(marker.path, set()).update(marker.live)
    if not any(victim in edges for victims in edges.values() for victim in victims):
        return judged
    return [
        marker._replace(state=MarkerState.MUTUAL)
        if marker.state is MarkerState.OPEN
        and any(_reaches(edges, victim, marker.path) for victim in marker.live)
        else marker
        for marker in judged
    ]


def _reaches(edges: Mapping[str, set[str]], start: str, goal: str) -> bool:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        if here not in seen:
            seen.add(here)
            waiting.extend(edges.get(here, ()))
    return False


def _add_followers(ledger: Ledger, targets: dict[str, Target]) -> tuple[tuple[str, str], ...]:
    """Add memories all of whose sources are retracted, one of them by this plan; through chains.

    Returns the memories that keep a living source: (path, retracted source).
    """
    derived = [
        row for row in ledger.rows.values() if row.derived_from and row.status == Status.ACTIVE
    ]
    moved = bool(derived and targets)
    while moved:
        moved = False
        for row in sorted(derived, key=lambda row: row.path):
            gone = [_gone_source(ledger, targets, entry) for entry in row.derived_from]
            taken = next((path for path in gone if path in targets), "")
            if row.path not in targets and taken and all(gone):
                cause = targets[taken]
                targets[row.path] = cause._replace(path=row.path, source=taken)
                moved = True
    half = []
    for row in derived if targets else ():
        gone = [_gone_source(ledger, targets, entry) for entry in row.derived_from]
        taken = next((path for path in gone if path in targets), "")
        if taken and row.path not in targets:
            half.append((row.path, taken))
    return tuple(sorted(half))


def _gone_source(ledger: Ledger, targets: Mapping[str, Target], entry: str) -> str:
    """The retracted memory a `derived_from` entry names: "" when it lives, or is nobody."""
    paths = ledger.hits.get(source_target(entry), ())
    gone = [
        path
        for path in paths
        if path in targets
        or ((row := ledger.rows.get(path)) is not None and row.status == Status.RETRACTED)
    ]
    if not gone or len(gone) < len(paths):
        return ""
    return next((path for path in gone if path in targets), gone[0])


def link_to(path: str, ledger: Ledger) -> str:
    """How a tombstone names the memory at `path`: `[[stem]]`, or the path when the stem is shared."""
    name = stem(path)
    sharers = ledger.hits.get(STEM + name, ())
    if len(sharers) > 1:
        return f"[[{path[:-3]}]]"
    return f"[[{name}]]"
