"""The retractions of a tree, or those a change brings: each with its victim and who links to it."""

from __future__ import annotations

from memtools.core.facts import hit_line
from memtools.core.links import names_of
from memtools.core.retraction import MarkerState, link_to
from memtools.core.vocabulary import Status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.memory import Memory
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.tree import Reader

WOULD_RETRACT = "would-retract"
RETRACTED = "retracted"
PENDING = "pending"


class Retraction(NamedTuple):
    """One victim. `declared_in` is "" when no marker says so (a status set by hand).

    `linked_from`: the living memories that point at it. `state` is one of the words above.
    """

    path: str
    line: int
    title: str
    priority: str
    phrase: str
    declared_in: str
    declared_line: int
    state: str
    linked_from: tuple[str, ...] = ()
    source: str = ""


class _Bare(NamedTuple):
    """A retraction before its victim is read."""

    path: str
    phrase: str
    declared_in: str
    declared_line: int
    state: str


def retractions_of(reader: Reader, tree: Tree, before: Tree | None) -> tuple[Retraction, ...]:
    """What waits for its tombstone or for approval; with `before` also what became a tombstone."""
    found = [*_waiting(tree)]
    if before is not None:
        old = set(_waiting(before))
        moved = {(one.path, one.declared_in, one.phrase, one.state) for one in old}
        found = [o for o in found if (o.path, o.declared_in, o.phrase, o.state) not in moved]
        found += _buried(tree, before)
    found = [one for one in found if one.path in tree.files.memories]
    if not found:
        return ()
    pairs = [(path, tree.files.memories[path]) for path in sorted({one.path for one in found})]
    victims = {studied.facts.path: studied.memory for studied in reader(pairs)}
    links = _links(tree, victims)
    return tuple(_whole(one, victims[one.path], links) for one in sorted(found))


def _waiting(tree: Tree) -> Iterator[_Bare]:
    for target in tree.plan.targets:
        place = (target.declared_in, target.declared_line)
        yield _Bare(target.path, target.phrase, *place, WOULD_RETRACT)
    for marker in tree.plan.markers:
        if marker.state is MarkerState.PENDING:
            for path in marker.live:
                yield _Bare(path, marker.phrase, marker.path, marker.line, PENDING)


def _buried(tree: Tree, before: Tree) -> Iterator[_Bare]:
    """Tombstones of memories that stood in `before` without one."""
    for path, row in tree.ledger.rows.items():
        old = before.ledger.rows.get(path)
        was_there = path in before.files.memories
        if row.status != Status.RETRACTED or not was_there:
            continue
        if old is not None and old.status == Status.RETRACTED:
            continue
        markers = [marker for marker in tree.plan.markers if path in marker.buried]
        named = [m for m in markers if link_to(m.path, tree.ledger) == row.retracted_by]
        marker = next(iter(named or markers), None)
        if marker is not None:
            yield _Bare(path, marker.phrase, marker.path, marker.line, RETRACTED)
        else:
            by = _declaring(tree, row.retracted_by)
            yield _Bare(path, "", by[0] if by else "", by[1] if by else 0, RETRACTED)


def _declaring(tree: Tree, link: str) -> tuple[str, int] | None:
    for path, row in tree.ledger.rows.items():
        if link and row.markers and link_to(path, tree.ledger) == link:
            return path, row.markers[0].line
    return None


def _links(tree: Tree, victims: dict[str, Memory]) -> dict[str, list[str]]:
    """Victim -> the living memories that point at it."""
    called: dict[str, list[str]] = {}
    for path, memory in victims.items():
        for name in names_of(memory):
            called.setdefault(name, []).append(path)
    found: dict[str, set[str]] = {}
    for path, seen in tree.seen.items():
        if seen.status == Status.RETRACTED:
            continue
        for name in called.keys() & seen.links:
            for victim in called[name]:
                found.setdefault(victim, set()).add(path)
    return {path: sorted(others - {path}) for path, others in found.items()}


def _whole(one: _Bare, memory: Memory, links: dict[str, list[str]]) -> Retraction:
    return Retraction(
        one.path,
        hit_line(one.phrase, memory),
        memory.title,
        str(memory.priority),
        one.phrase,
        one.declared_in,
        one.declared_line,
        one.state,
        tuple(links.get(one.path, ())),
        memory.source,
    )
