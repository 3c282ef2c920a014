"""Markers that do nothing although somebody wrote them to: one judge, of a commit and of a tree.

Must not know where the memories stand: it is handed a finder of places.
"""

from __future__ import annotations

from memtools.core import refusals
from memtools.core.address import parse_address, target_fault
from memtools.core.retraction import MarkerState
from memtools.core.selection import stores_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from memtools.config import Config
    from memtools.core.problem import Problem
    from memtools.core.retraction import Judged

    class Places(Protocol):
        """Where phrases stand. A finder may read only some of many memories."""

        def lines(self, phrase: str, paths: Sequence[str]) -> list[tuple[str, int]]:
            """(path, line of the first hit) for each path that is read."""

        def longer(self, phrase: str, paths: Sequence[str]) -> dict[str, str]:
            """For each path a longer phrase that hits it alone among these ("": none)."""

        def holders(self, phrase: str) -> list[str]:
            """All memories that hold a phrase, however short, and are no declaring ones."""

        def nearest(self, phrase: str) -> list[tuple[str, int, str]]:
            """The lines nearest to a phrase that hits nothing."""

        def untracked(self, phrase: str) -> list[str]:
            """Files git does not track that hold the phrase."""


def unheeded(
    marker: Judged, config: Config, places: Places, *, refuses_unmatched: bool
) -> Problem | None:
    """What stands against a marker; None when it is open, applied, pending or inert."""
    if marker.state is MarkerState.IGNORED:
        return _faulty(marker, config.retraction.min_columns, places)
    if marker.state is MarkerState.AMBIGUOUS:
        hits = places.lines(marker.phrase, marker.live)
        stores = {} if config.stores else stores_between(marker.live)
        is_phrase = parse_address(marker.phrase).kind == "phrase"
        longer = places.longer(marker.phrase, marker.live) if is_phrase else {}
        return refusals.ambiguous(marker, hits, longer, stores)
    if marker.state is MarkerState.UNMATCHED:
        near, untracked = places.nearest(marker.phrase), places.untracked(marker.phrase)
        return refusals.unmatched(marker, near, refuses_unmatched, untracked)
    return refusals.mutual(marker) if marker.state is MarkerState.MUTUAL else None


def _faulty(marker: Judged, min_columns: int, places: Places) -> Problem:
    fault = target_fault(marker.phrase, min_columns)
    if fault == "empty":
        return refusals.empty(marker)
    if fault == "long":
        return refusals.too_long(marker)
    paths = [path for path in places.holders(marker.phrase) if path != marker.path]
    # the places are shown, the number is of all
    hits = places.lines(marker.phrase, paths)
    hits += [(path, 1) for path in paths[len(hits) :]]
    return refusals.too_short(marker, min_columns, hits, places.longer(marker.phrase, paths))
