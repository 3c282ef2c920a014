"""`search`: ranked memories of HEAD, each verified against its file before anybody sees it.

The search index only proposes (rule 16): what is hidden is left out inside its query, and text,
line and snippet of a hit come from the work-tree file; bound to an approved ref, all of it comes
from that. Without an index, the memories of the tree are scanned.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.errors import SearchError
from memtools.search.store import DAMAGED, MOVED, StoreError
from memtools.search.words import Words, ranked, words_of
from memtools.usecases.reading.effective import effective_status
from memtools.usecases.reading.hit import make_hit, searched_text
from memtools.usecases.reading.page import Answer, Matches, Page, Wish, may_show
from memtools.usecases.reading.uncommitted import Uncommitted, read_uncommitted
from memtools.usecases.reading.view import (
    View,
    require_view,
    settings_notices,
    withheld_sentence,
)
from memtools.usecases.searchindex import follow_tree
from memtools.usecases.tree import Reader, memories_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtools.core.wording import Said
    from memtools.search.store import SearchStore
    from memtools.usecases.repository import Repository

    Progress = Callable[[int, int], None] | None

_MOST = 10_000  # hits of one search


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
        GitError: there is no work tree here, or no such ref as readers are bound to.
    """
    scopes = None if scope is None else (scope,)
    wish = Wish(query, limit, scopes, tag, include_retracted, include_candidates)
    view = require_view(repository)
    found = find(view, wish, progress)
    # What is not approved is not shown, so nobody need know how much of it there is.
    uncommitted = Uncommitted((), True) if view.is_bound else read_uncommitted(repository, view)
    paths = set(uncommitted.paths)
    if not uncommitted.is_all:
        paths.update(hit.path for hit in found.hits if hit.is_changed)
    notices = [*found.notices, *_notices(view, found, len(paths), uncommitted.is_all)]
    return Answer(
        query,
        found.total,
        found.stale,
        found.hits,
        len(paths),
        not uncommitted.is_all,
        tuple(notices),
        found.withheld,
    )


def find(view: View, wish: Wish, progress: Progress = None) -> Answer:
    """The same for a view at hand; nothing is said about uncommitted changes."""
    words = words_of(wish.query)
    matches = find_matches(view, wish, progress)
    hits = tuple(
        make_hit(shown.memory, words, score, shown.status, shown.by, is_changed)
        for shown, score, is_changed in matches.found
    )
    _, total, stale, notices, withheld = matches
    return Answer(wish.query, total, stale, hits, 0, False, notices, withheld)


def find_matches(view: View, wish: Wish, progress: Progress = None) -> Matches:
    """The memories that answer, without the line that speaks to the query."""
    words = words_of(wish.query)
    if not words.strong or wish.limit < 1:
        return Matches()
    try:
        return _from_index(view, wish, words, progress)
    except SearchError as error:
        reason = error.message
    matches = _from_scan(view, wish, words)
    notice = say("the search index could not be used ({reason}); HEAD was scanned", reason=reason)
    return matches._replace(notices=(notice,))


def _from_index(view: View, wish: Wish, words: Words, progress: Progress) -> Matches:
    damage: Said | str = ""
    for attempt in (1, 2):
        try:
            index = follow_tree(
                view.repository, view.tree, view.settings, rebuild=attempt > 1, progress=progress
            )
            matches = _asked(view, wish, words, index)
            damage = damage or index.damage
            return matches._replace(notices=(_made_anew(damage),)) if damage else matches
        except StoreError as error:
            if attempt > 1 or error.reason not in (DAMAGED, MOVED):
                raise
            damage = error.message if error.reason == DAMAGED else ""
    raise SearchError(say("the search index is damaged"))


def _made_anew(damage: Said | str) -> Said:
    return say("{damage}; it was made anew", damage=damage)


def _asked(view: View, wish: Wish, words: Words, index: SearchStore) -> Matches:
    """Ask for more until `limit` hits hold, or there are no more."""
    excluded = () if wish.include_retracted else view.excluded
    limit = min(wish.limit, _MOST)
    want = limit + len(wish.known)
    page = Page(view, wish, words, limit)
    while True:
        found = index.search(
            wish.query, want, wish.scopes, wish.tag, wish.statuses, exclude=excluded
        )
        page.take([(hit.path, hit.blob, hit.score) for hit in found.hits])
        if page.is_full or len(found.hits) < want:
            return page.matches(found.total, stale=False)
        want *= 2


def _from_scan(view: View, wish: Wish, words: Words) -> Matches:
    """Rank the memories of the tree by the same words, without an index."""
    blobs: dict[str, str] = {}

    def texts() -> Iterator[tuple[str, str]]:
        git, config = view.repository.git, view.settings.config
        for studied in Reader(git, config)(memories_of(git, view.tree, config)):
            memory = studied.memory
            if may_show(wish, memory, effective_status(view, memory)):
                blobs[memory.path] = studied.facts.blob
                yield memory.path, searched_text(memory)

    found = ranked(words, texts())
    page = Page(view, wish, words, min(wish.limit, _MOST))
    page.take([(path, blobs[path], score) for path, score in found])
    return page.matches(len(found), stale=True)


def _notices(view: View, found: Answer, count: int, is_all: bool) -> list[str]:
    withheld = (*view.withheld, *found.withheld)
    notices = [*settings_notices(view), *map(withheld_sentence, withheld)]
    if count and not is_all:
        notices.append(say("at least {count} memories have uncommitted changes", count=count))
    elif count == 1:
        notices.append(say("1 memory has uncommitted changes"))
    elif count:
        notices.append(say("{count} memories have uncommitted changes", count=count))
    return notices
