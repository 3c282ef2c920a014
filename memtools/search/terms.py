"""Fields of the search index, and the terms that stand in them: words, names, filters, paths.

Knows neither queries nor files.
"""

from __future__ import annotations

from memtools.search import analysis
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tantivy

# `text`: all tokens in order, stemmed, with positions. `words`: the different runs of letters
# unstemmed, and the terms only the source has. `name`: what an address can say. `facet`: filters.
TEXT, WORDS, NAME, FACET, PATH, BLOB = "text", "words", "name", "facet", "path", "blob"

_LONGEST_NAME = 400


class Engine(NamedTuple):
    """An open index as queries need it."""

    schema: tantivy.Schema
    searcher: tantivy.Searcher
    analyser: tantivy.TextAnalyzer


def name_key(kind: str, value: str) -> str:
    """The term of a name: equal for all spellings that a person would mix up."""
    return _key(kind, analysis.fold(value))


def facet_key(kind: str, value: str) -> str:
    """The term of a filter; scopes are compared as they are, for none may leak into another."""
    return _key(kind, analysis.plain(value))


def _key(kind: str, value: str) -> str:
    key = f"{kind}:{' '.join(value.split())[:_LONGEST_NAME]}"
    return key if key.isascii() else key.encode("utf-8", "replace").decode()


def path_key(path: str) -> str:
    """A path as a term; bytes that are no UTF-8 (surrogates) become text that can be undone."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return "\0" + path.encode("utf-8", "surrogateescape").decode("latin-1")
    return path


def path_of(key: str) -> str:
    """The path that `path_key` was made from."""
    if key.startswith("\0"):
        return key[1:].encode("latin-1").decode("utf-8", "surrogateescape")
    return key


def total(found: tantivy.SearchResult) -> int:
    """How many documents answer (an attribute that tantivy's stubs leave out)."""
    return int(getattr(found, "count", 0) or 0)


def word_query(engine: Engine, word: str) -> tantivy.Query:
    """The memories with a word, or with a term that only their source has."""
    import tantivy

    return tantivy.Query.term_query(engine.schema, WORDS, word, "basic")
