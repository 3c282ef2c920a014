"""The ledger: what a whole tree says about retraction, kept so that a change costs only its size.

A ledger is a pure function of tree, configuration and parser version; `fold` brings it from one
tree to another and must give what a full pass over the new tree gives (a property test says so).
Must not know git: trees come in as changed paths, bytes through a reader.
"""

from __future__ import annotations

from memtools.core.address import target_fault
from memtools.core.facts import STEM, Facts, Studied, source_target, targets_hit
from memtools.core.memory import stem
from memtools.core.vocabulary import Status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Pairs = Sequence[tuple[str, str]]  # (path, blob id)
    # Read and study memories, in the order asked.
    Reader = Callable[[Pairs], Iterable[Studied]]
    # Which memories may these targets hit, beside the changed ones? A superset.
    Lookup = Callable[[frozenset[str]], Pairs]


# No setting can make a shorter phrase a marker (`min_columns` is not below this).
LEAST_COLUMNS = 6


class Ledger(NamedTuple):
    """Rows of the special memories by path, and for each target all paths it hits (sorted)."""

    rows: dict[str, Facts]
    hits: dict[str, tuple[str, ...]]

    @property
    def tombstones(self) -> dict[str, str]:
        """Path -> blob of the memories whose own header says that they are retracted."""
        gone = str(Status.RETRACTED)
        return {path: row.blob for path, row in self.rows.items() if row.status == gone}


EMPTY = Ledger({}, {})


def targets(facts: Facts) -> tuple[str, ...]:
    """All targets one memory asks for: phrases, sources, and who shares its stem when it declares.

    Phrases that no setting can make long enough are not looked for: they would hit everything.
    """
    asked = [
        declared.phrase
        for declared in facts.markers
        if not target_fault(declared.phrase, LEAST_COLUMNS)
    ]
    asked += [source_target(entry) for entry in facts.derived_from]
    if facts.markers:
        asked.append(STEM + stem(facts.path))
    return tuple(asked)


def fold(
    ledger: Ledger,
    changes: Sequence[tuple[str, str | None]],
    read: Reader,
    lookup: Lookup,
) -> Ledger:
    """The ledger after `changes`: (path, new blob id, or None when the memory is gone).

    `lookup` is asked only for targets the old ledger lacks; it answers for unchanged memories.
    """
    if not changes:
        return ledger
    changed = {path for path, _ in changes}
    present = [(path, blob) for path, blob in changes if blob is not None]
    rows = {path: row for path, row in ledger.rows.items() if path not in changed}
    for studied in read(present):
        if studied.facts.is_special:
            rows[studied.facts.path] = studied.facts
    asking = [row for row in rows.values() if row.markers or row.derived_from]
    wanted = {target for row in asking for target in targets(row)}
    found: dict[str, set[str]] = {
        target: {path for path in ledger.hits.get(target, ()) if path not in changed}
        for target in wanted
    }
    if wanted:
        _try(wanted, read(present), found)
    unknown = frozenset(wanted - ledger.hits.keys())
    if unknown:
        unchanged = [pair for pair in lookup(unknown) if pair[0] not in changed]
        _try(unknown, read(unchanged), found)
    return Ledger(rows, {target: tuple(sorted(paths)) for target, paths in found.items()})


def _try(wanted: Iterable[str], memories: Iterable[Studied], found: dict[str, set[str]]) -> None:
    for target, path in targets_hit(wanted, memories):
        found[target].add(path)


def full(memories: Sequence[tuple[str, str]], read: Reader) -> Ledger:
    """The ledger of a whole tree, given all its memories as (path, blob id)."""
    return fold(EMPTY, memories, read, lambda unknown: ())
