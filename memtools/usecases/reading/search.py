"""`search`: ranked memories of HEAD, each verified against its file before anybody sees it.

The search index only proposes (rule 16): what is hidden is left out inside its query, and text,
line and snippet of a hit come from the work-tree file. Without an index, HEAD's memories are
scanned.
"""

from __future__ import annotations

from memtools.core.memory import Exposure, read_memory
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import SearchError
from memtools.git.objects import blob_id
from memtools.git.worktree import read_plain_file
from memtools.search.store import DAMAGED, MOVED, StoreError
from memtools.search.words import Words, is_left, ranked, words_of
from memtools.usecases.reading.effective import effective_status, is_of_scope, is_tagged
from memtools.usecases.reading.hit import Hit, make_hit, searched_text
from memtools.usecases.reading.uncommitted import read_uncommitted
from memtools.usecases.reading.view import View, read_view, settings_notices, withheld_sentence
from memtools.usecases.repository import require_top
from memtools.usecases.searchindex import follow_tree
from memtools.usecases.tree import Reader, memories_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memtools.core.memory import Memory
    from memtools.search.store import SearchStore
    from memtools.usecases.repository import Repository

    Progress = Callable[[int, int], None] | None

_MOST = 10_000  # hits of one search


class Wish(NamedTuple):
    """What is looked for. `scopes`: any of them ("": without a scope); None: all. `limit`: hits."""

    query: str
    limit: int = 10
    scopes: tuple[str, ...] | None = None
    tag: str | None = None
    include_retracted: bool = False
    include_candidates: bool = False

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
    `notices`: sentences for the person beside the hits.
    """

    query: str
    total: int
    stale: bool
    hits: tuple[Hit, ...]
    uncommitted: int
    at_least: bool
    notices: tuple[str, ...]


def search(
    repository: Repository,
    query: str,
    *,
    limit: int = 10,
    scope: str | None = None,
    tag: str | None = None,
    include_retracted: bool = False,
    include_candidates: bool = False,
    progress: Progress = None,
) -> Answer:
    """The best `limit` memories for a person's words; all scopes unless one is given.

    Raises:
        GitError: there is no work tree here.
    """
    require_top(repository)
    scopes = None if scope is None else (scope,)
    wish = Wish(query, limit, scopes, tag, include_retracted, include_candidates)
    view = read_view(repository)
    found = find(repository, view, wish, progress)
    uncommitted = read_uncommitted(repository, view)
    paths = set(uncommitted.paths)
    if not uncommitted.is_all:
        paths.update(hit.path for hit in found.hits if hit.is_changed)
    notices = [*found.notices, *_notices(view, len(paths), uncommitted.is_all)]
    return Answer(
        query,
        found.total,
        found.stale,
        found.hits,
        len(paths),
        not uncommitted.is_all,
        tuple(notices),
    )


def find(repository: Repository, view: View, wish: Wish, progress: Progress = None) -> Answer:
    """The same for a view at hand; nothing is said about uncommitted changes."""
    words = words_of(wish.query)
    if not words.strong or wish.limit < 1:
        return Answer(wish.query, 0, False, (), 0, False, ())
    try:
        return _from_index(repository, view, wish, words, progress)
    except SearchError as error:
        reason = error.message
    answer = _from_scan(repository, view, wish, words)
    notice = say("the search index could not be used ({reason}); HEAD was scanned", reason=reason)
    return answer._replace(notices=(notice,))


def _from_index(
    repository: Repository, view: View, wish: Wish, words: Words, progress: Progress
) -> Answer:
    for attempt in (1, 2):
        try:
            index = follow_tree(
                repository, view.tree, view.settings, rebuild=attempt > 1, progress=progress
            )
            return _asked(repository, view, wish, words, index)
        except StoreError as error:
            if attempt > 1 or error.reason not in (DAMAGED, MOVED):
                raise
    raise SearchError(say("the search index is damaged"))


def _asked(
    repository: Repository, view: View, wish: Wish, words: Words, index: SearchStore
) -> Answer:
    """Ask for more until `limit` hits hold, or there are no more."""
    excluded = () if wish.include_retracted else view.excluded
    limit = min(wish.limit, _MOST)
    want = limit
    page = _Page(repository, view, wish, words, limit)
    while True:
        found = index.search(
            wish.query, want, wish.scopes, wish.tag, wish.statuses, exclude=excluded
        )
        page.take((hit.path, hit.blob, hit.score) for hit in found.hits)
        if page.is_full or len(found.hits) < want:
            return page.answer(found.total, stale=False)
        want *= 2


def _from_scan(repository: Repository, view: View, wish: Wish, words: Words) -> Answer:
    """Rank HEAD's memories by the same words, without an index."""
    blobs: dict[str, str] = {}

    def texts() -> Iterator[tuple[str, str]]:
        reader = Reader(repository.git, view.settings.config)
        for studied in reader(memories_of(repository.git, view.tree, view.settings.config)):
            memory = studied.memory
            if may_show(view, wish, memory):
                blobs[memory.path] = studied.facts.blob
                yield memory.path, searched_text(memory)

    found = ranked(words, texts())
    page = _Page(repository, view, wish, words, min(wish.limit, _MOST))
    page.take((path, blobs[path], score) for path, score in found)
    return page.answer(len(found), stale=True)


class _Page:
    """Hits that hold, in the order proposed, at most `limit`."""

    def __init__(
        self, repository: Repository, view: View, wish: Wish, words: Words, limit: int
    ) -> None:
        self._repository, self._view, self._wish, self._words = repository, view, wish, words
        self._limit = limit
        self._shown: list[Hit] = []
        self._seen: set[str] = set()
        self._dropped = 0

    @property
    def is_full(self) -> bool:
        """Are there as many as were asked for?"""
        return len(self._shown) >= self._limit

    def take(self, proposed: Iterable[tuple[str, str, float]]) -> None:
        """Verify proposals (path, blob, score) not seen yet, until the page is full."""
        for path, blob, score in proposed:
            if self.is_full:
                return
            if path in self._seen:
                continue
            self._seen.add(path)
            hit = self._verified(path, blob, score)
            if hit is None:
                self._dropped += 1
            else:
                self._shown.append(hit)

    def answer(self, total: int, *, stale: bool) -> Answer:
        """The page as an answer."""
        left = max(total - self._dropped, len(self._shown))
        return Answer(self._wish.query, left, stale, tuple(self._shown), 0, False, ())

    def _verified(self, path: str, blob: str, score: float) -> Hit | None:
        """The hit as its file has it; None when nobody may see it, or no word is left in it."""
        raw = read_plain_file(self._repository.top, path)
        if raw is None:
            return None
        memory = read_memory(path, raw, self._view.settings.config.vocabulary)
        if not may_show(self._view, self._wish, memory):
            return None
        is_changed = blob_id(raw, len(blob)) != blob
        if is_changed and not is_left(self._words, searched_text(memory)):
            return None
        status = effective_status(self._view, memory)
        return make_hit(memory, self._words, score, status, self._view.by(path), is_changed)


def may_show(view: View, wish: Wish, memory: Memory) -> bool:
    """May a reader with this wish see the memory (as read from HEAD, or from its file)?"""
    if memory.exposure is Exposure.NONE or effective_status(view, memory) not in wish.statuses:
        return False
    if wish.scopes is not None and not is_of_scope(memory, wish.scopes):
        return False
    return wish.tag is None or is_tagged(memory, wish.tag)


def _notices(view: View, count: int, is_all: bool) -> list[str]:
    notices = [*settings_notices(view), *map(withheld_sentence, view.withheld)]
    if count and not is_all:
        notices.append(say("at least {count} memories have uncommitted changes", count=count))
    elif count == 1:
        notices.append(say("1 memory has uncommitted changes"))
    elif count:
        notices.append(say("{count} memories have uncommitted changes", count=count))
    return notices
