"""What is looked for, and the page of hits that hold: each verified before anybody sees it.

Must not know who proposes hits: the search index or a scan.
"""

from __future__ import annotations

from memtools.core.memory import Exposure
from memtools.core.vocabulary import Status
from memtools.search.words import Words, is_left
from memtools.usecases.reading.effective import is_of_scope, is_tagged
from memtools.usecases.reading.hit import Hit, searched_text
from memtools.usecases.reading.shown import blobs_held, shown_at
from memtools.usecases.reading.unapproved import Withheld
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.memory import Memory
    from memtools.usecases.reading.shown import Shown
    from memtools.usecases.reading.view import View


class Wish(NamedTuple):
    """What is looked for. `scopes`: any of them ("": without a scope); None: all. `limit`: hits.

    `known`: paths that need not be found, since who asks has them.
    """

    query: str
    limit: int = 10
    scopes: tuple[str, ...] | None = None
    tag: str | None = None
    include_retracted: bool = False
    include_candidates: bool = False
    known: frozenset[str] = frozenset()

    @property
    def statuses(self) -> tuple[str, ...]:
        """The effective statuses that may be shown."""
        asked = (
            (True, Status.ACTIVE),
            (self.include_retracted, Status.RETRACTED),
            (self.include_candidates, Status.CANDIDATE),
        )
        return tuple(str(status) for wanted, status in asked if wanted)


class Answer(NamedTuple):
    """`total`: memories with one of the words; `stale`: they come from a scan, not the index.

    `uncommitted`: memories whose text here is not HEAD's (`at_least`: there may be more).
    `notices`: sentences for the person beside the hits. `withheld`: what would have been a hit, had
    its file not been saved as retracted.
    """

    query: str
    total: int
    stale: bool
    hits: tuple[Hit, ...]
    uncommitted: int
    at_least: bool
    notices: tuple[str, ...]
    withheld: tuple[Withheld, ...] = ()


class Match(NamedTuple):
    """A memory that answers, as readers have it; `is_changed`: that is not what the tree holds."""

    shown: Shown
    score: float
    is_changed: bool


class Matches(NamedTuple):
    """What answers a wish; the fields beside `found` are those of an `Answer`."""

    found: tuple[Match, ...] = ()
    total: int = 0
    stale: bool = False
    notices: tuple[str, ...] = ()
    withheld: tuple[Withheld, ...] = ()


class Page:
    """Matches that hold, in the order proposed, at most `limit`."""

    def __init__(self, view: View, wish: Wish, words: Words, limit: int) -> None:
        self._view, self._wish, self._words = view, wish, words
        self._limit = limit
        self._held: list[Match] = []
        self._withheld: list[Withheld] = []
        self._seen = set(wish.known)
        self._dropped = 0

    @property
    def is_full(self) -> bool:
        """Are there as many as were asked for?"""
        return len(self._held) >= self._limit

    def take(self, proposed: Sequence[tuple[str, str, float]]) -> None:
        """Verify proposals (path, blob, score) not seen yet, until the page is full."""
        new = [one for one in proposed if one[0] not in self._seen]
        held = blobs_held(self._view, (one[0] for one in new)) if self._view.is_bound else {}
        for path, blob, score in new:
            if self.is_full:
                return
            self._seen.add(path)
            match = self._verified(path, blob, score, held.get(path, ""))
            if match is None:
                self._dropped += 1
            else:
                self._held.append(match)

    def matches(self, total: int, *, stale: bool) -> Matches:
        """What is on the page."""
        left = max(total - self._dropped, len(self._held))
        return Matches(tuple(self._held), left, stale, withheld=tuple(self._withheld))

    def _verified(self, path: str, blob: str, score: float, held: str) -> Match | None:
        """The memory as readers have it; None when nobody may see it, or no word is left in it."""
        view = self._view
        shown = shown_at(view, path, held)
        if shown is None:
            return None
        memory = shown.memory
        if not may_show(self._wish, memory, shown.status):
            self._note_withheld(shown)
            return None
        is_changed = shown.blob != blob
        if is_changed and not is_left(self._words, searched_text(memory)):
            return None
        return Match(shown, score, is_changed)

    def _note_withheld(self, shown: Shown) -> None:
        """A file that retracts its memory before any commit takes no hit away in silence."""
        path, active = shown.memory.path, str(Status.ACTIVE)
        if shown.status != Status.RETRACTED or path in self._view.excluded:
            return
        row = self._view.ledger.rows.get(path)
        is_ours = row is None or row.status == Status.ACTIVE
        if is_ours and may_show(self._wish, shown.memory, active):
            self._withheld.append(Withheld(path, path))


def may_show(wish: Wish, memory: Memory, status: str) -> bool:
    """May a reader with this wish see the memory, its effective status being `status`?"""
    if memory.exposure is Exposure.NONE or status not in wish.statuses:
        return False
    if wish.scopes is not None and not is_of_scope(memory, wish.scopes):
        return False
    return wish.tag is None or is_tagged(memory, wish.tag)
