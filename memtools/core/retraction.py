"""Markers and memories to a plan: which memories become tombstones, by whom, what is against it.

Pure and idempotent: a function of the ledger of the whole tree; what is already retracted is left.
Rules 5 to 12 of the behaviour page (seed 1). Must not know files, git or the clock.
"""

from __future__ import annotations

from enum import StrEnum

from memtools.core.address import parse_address, target_fault
from memtools.core.facts import STEM, Facts
from memtools.core.followers import add_followers
from memtools.core.ledger import Ledger
from memtools.core.memory import stem, without_suffix
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
    """The settings a plan depends on; `store_of` names the store of a path ("": the only one)."""

    min_columns: int
    store_of: Callable[[str], str]


class Judged(NamedTuple):
    """A marker with its state.

    `live`: the memories it hits that are not retracted: its victims when it is open, all hits when
    it is ambiguous, re-introductions when it is applied. `buried`: the tombstones it matches.
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
    """A memory to be retracted, with the marker that says so.

    `source` is the retracted memory it was derived from when it goes along with that, else "".
    """

    path: str
    phrase: str
    declared_in: str
    declared_line: int
    is_new: bool
    source: str = ""


class Plan(NamedTuple):
    """Targets in the order of their paths, all markers judged, and what lost one source of several.

    `half_derived`: (path, retracted source).
    """

    targets: tuple[Target, ...]
    markers: tuple[Judged, ...]
    half_derived: tuple[tuple[str, str], ...]

    @property
    def hidden(self) -> frozenset[str]:
        """The paths of all targets: they count as retracted although they have no tombstone yet."""
        return frozenset(target.path for target in self.targets)


MarkerKey = tuple[str, str]  # path and phrase


def make_plan(
    ledger: Ledger,
    policy: Policy,
    new: frozenset[MarkerKey] = frozenset(),
    extra_hits: Mapping[str, Iterable[str]] | None = None,
) -> Plan:
    """Plan the whole tree of `ledger`.

    `new`: markers of the commit being made (a new marker also takes one live memory beside
    tombstones it matches, a standing one does not: rule 10). `extra_hits`: target -> paths hit in
    the version before this commit (rule 8).
    """
    context = _Context(ledger, policy, extra_hits or {}, _unexplained(ledger))
    judged = [
        _judge(context, row, line, phrase, (row.path, phrase) in new)
        for row in sorted(filter(_holds_markers, ledger.rows.values()), key=lambda row: row.path)
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
    half_derived = add_followers(ledger, targets)
    ordered = tuple(targets[path] for path in sorted(targets))
    return Plan(ordered, tuple(judged), half_derived)


def _holds_markers(row: Facts) -> bool:
    return bool(row.markers)


class _Context(NamedTuple):
    """What all markers of a plan are judged against; `unexplained` as the function of that name."""

    ledger: Ledger
    policy: Policy
    extra_hits: Mapping[str, Iterable[str]]
    unexplained: frozenset[str]


def _judge(context: _Context, row: Facts, line: int, phrase: str, is_new: bool) -> Judged:
    policy = context.policy
    if target_fault(phrase, policy.min_columns):
        return Judged(row.path, line, phrase, MarkerState.IGNORED)
    live, buried, passed = _sort_hits(context, row, phrase)
    if row.status == Status.CANDIDATE:
        state = MarkerState.PENDING
    elif row.status != Status.ACTIVE or not row.exposed:
        state = MarkerState.INERT
    elif buried and not (is_new and live):
        state = MarkerState.APPLIED
    elif not live:
        done = row.path in context.unexplained and not is_new
        state = MarkerState.APPLIED if done else MarkerState.UNMATCHED
    elif len({policy.store_of(path) for path in live}) < len(live):
        state = MarkerState.AMBIGUOUS
    else:
        state = MarkerState.OPEN
    return Judged(row.path, line, phrase, state, live, buried, passed)


def _sort_hits(
    context: _Context, row: Facts, phrase: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The memories `phrase` hits, beside its own: live ones, tombstones, those it passes over."""
    ledger, before = context.ledger, context.extra_hits.get(phrase, ())
    by_phrase = parse_address(phrase).kind == "phrase"
    live, buried, passed = [], [], []
    for path in sorted({*ledger.hits.get(phrase, ()), *before} - {row.path}):
        other = ledger.rows.get(path)
        if other and (other.status == Status.CANDIDATE or (by_phrase and other.markers)):
            passed.append(path)
        elif other and other.status == Status.RETRACTED:
            buried.append(path)
        else:
            live.append(path)
    return tuple(live), tuple(buried), tuple(passed)


def _unexplained(ledger: Ledger) -> frozenset[str]:
    """The declaring memories named by a tombstone that none of their markers hits any more.

    The phrase was edited away in the commit that applied it (rule 8), or the target was rewritten
    since.
    """
    named: dict[str, set[str]] = {}
    for path, row in ledger.rows.items():
        if row.status == Status.RETRACTED and row.retracted_by:
            named.setdefault(row.retracted_by, set()).add(path)
    found = set()
    for row in ledger.rows.values() if named else ():
        if not row.markers:
            continue
        names = {link_to(row.path, ledger), f"[[{stem(row.path)}]]"}
        mine = {path for name in names for path in named.get(name, ())}
        if mine and mine.difference(*(ledger.hits.get(m.phrase, ()) for m in row.markers)):
            found.add(row.path)
    return frozenset(found)


def _without_cycles(judged: list[Judged]) -> list[Judged]:
    """Take the effect from open markers whose victim retracts them back, over others perhaps."""
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


def link_to(path: str, ledger: Ledger) -> str:
    """How a tombstone names the memory at `path`: `[[stem]]`, or the path if the stem is shared."""
    name = stem(path)
    sharers = ledger.hits.get(STEM + name, ())
    if len(sharers) > 1:
        return f"[[{without_suffix(path)}]]"
    return f"[[{name}]]"
