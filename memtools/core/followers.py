"""Memories that go with their sources: what was derived from retracted memories alone (rule 7).

Must not know markers, only what they retract.
"""

from __future__ import annotations

from memtools.core.facts import Facts, source_target
from memtools.core.vocabulary import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.core.ledger import Ledger
    from memtools.core.retraction import Target


def add_followers(ledger: Ledger, targets: dict[str, Target]) -> tuple[tuple[str, str], ...]:
    """Add memories all of whose sources are retracted, one of them by this plan; through chains.

    Returns the memories that keep a living source: (path, retracted source).
    """
    derived = [row for row in ledger.rows.values() if is_follower(row)]
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


def is_follower(row: Facts) -> bool:
    """May this memory go with its sources? One that holds a marker corrects them: it stays."""
    return bool(row.derived_from) and row.status == Status.ACTIVE and not row.markers


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
