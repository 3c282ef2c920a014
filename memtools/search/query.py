"""Queries: text -> what tantivy is asked. Never its query parser, which refuses or misreads prose.

Knows the fields of the schema, and no files. Called inside a Guard.
"""

from __future__ import annotations

from itertools import pairwise

from memtools.search import analysis
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import tantivy

# Fields. `text`: all tokens in order, stemmed, with positions. `words`: the different runs of
# letters unstemmed, and the terms only the source has. `name`: what an address can say. `facet`:
# filters.
TEXT, WORDS, NAME, FACET, PATH, BLOB = "text", "words", "name", "facet", "path", "blob"

# More different terms than this are no question any more.
MOST_TERMS = 256
# Weights beside single terms: two words in a row, two CJK neighbours. Measured on LoCoMo, JSQuAD.
_NEIGHBOURS, _DOUBLES = 0.1, 0.8
_LONGEST_NAME = 400
# Pairs looked up one by one when a phrase may stand in the source alone.
_MOST_CONDITIONS = 12


class Filters(NamedTuple):
    """What a hit must be: allow-lists of facets (None: any), and paths it must not have."""

    statuses: Sequence[str] | None
    exposures: Sequence[str] | None
    scopes: Sequence[str] | None
    tag: str | None
    exclude: Iterable[str]


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


def named(engine: Engine, kind: str, value: str) -> list[tantivy.Query]:
    """The memories that answer to a name; a path also byte for byte."""
    import tantivy

    asked = [tantivy.Query.term_query(engine.schema, NAME, name_key(kind, value), "basic")]
    if kind == "path":
        asked.append(tantivy.Query.term_query(engine.schema, PATH, path_key(value), "basic"))
    return asked


def ranking(engine: Engine, text: str) -> tantivy.Query | None:
    """OR of all terms of a person's text, for BM25; None when it holds no term.

    Words are stemmed, and two that stand side by side in the text as well count a little more; of a
    CJK run each character and each two neighbours count, so that a word of two characters inside a
    run is found.
    """
    import tantivy

    letters: list[str] = []
    characters: dict[str, None] = {}
    doubles: dict[str, None] = {}
    for run in analysis.runs(text):
        if analysis.is_cjk(run):
            characters.update(dict.fromkeys(run))
            doubles.update(dict.fromkeys(analysis.pairs(run)))
        else:
            letters.append(run[: analysis.LONGEST_TOKEN])
    clauses = _words(engine, letters[:MOST_TERMS])
    clauses += [_term(engine, char, char) for char in list(characters)[:MOST_TERMS]]
    clauses += [_double(engine, pair) for pair in list(doubles)[:MOST_TERMS]]
    if not clauses:
        return None
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, clause) for clause in clauses])


def _words(engine: Engine, words: list[str]) -> list[tantivy.Query]:
    import tantivy

    if not words:
        return []
    stems = engine.analyser.analyze(" ".join(words))
    found = {stem: _term(engine, stem, word) for stem, word in zip(stems, words, strict=True)}
    neighbours = dict.fromkeys(pairwise(stems))
    together = [tantivy.Query.phrase_query(engine.schema, TEXT, list(two)) for two in neighbours]
    boosted = [tantivy.Query.boost_query(query, _NEIGHBOURS) for query in together]
    return [*found.values(), *boosted]


def _double(engine: Engine, pair: str) -> tantivy.Query:
    """Two CJK neighbours, weighed as if the pair were a term of its own.

    tantivy weighs a phrase by the sum of its terms, which is too much for a pair that is a word.
    """
    import tantivy

    searcher = engine.searcher
    phrase = tantivy.Query.phrase_query(engine.schema, TEXT, list(pair))
    sum_of_two = sum(_rarity(searcher.num_docs, searcher.doc_freq(TEXT, char)) for char in pair)
    holders = total(searcher.search(phrase, 1))
    rarity = _rarity(searcher.num_docs, holders)
    return tantivy.Query.boost_query(phrase, _DOUBLES * rarity / sum_of_two)


def total(found: tantivy.SearchResult) -> int:
    """How many documents answer (an attribute that tantivy's stubs leave out)."""
    return int(getattr(found, "count", 0) or 0)


def _rarity(documents: int, holders: int) -> float:
    """BM25's inverse document frequency, as tantivy computes it; above 0."""
    from math import log

    return log(1 + (documents - min(holders, documents) + 0.5) / (holders + 0.5))


def _term(engine: Engine, term: str, word: str) -> tantivy.Query:
    import tantivy

    if engine.searcher.doc_freq(TEXT, term):
        return tantivy.Query.term_query(engine.schema, TEXT, term, "freq")
    # In no text: perhaps in a link's target.
    return tantivy.Query.term_query(engine.schema, WORDS, word, "basic")


def filtered(engine: Engine, query: tantivy.Query, filters: Filters) -> tantivy.Query:
    """The query with the filters inside it, so that a full page can come; scores unchanged."""
    import tantivy

    clauses = [(tantivy.Occur.Must, query)]
    allowed = [
        ("status", filters.statuses),
        ("exposure", filters.exposures),
        ("scope", filters.scopes),
        ("tag", None if filters.tag is None else (filters.tag,)),
    ]
    for kind, values in allowed:
        if values is None:
            continue
        terms = [facet_key(kind, value) for value in values]
        must = tantivy.Query.term_set_query(engine.schema, FACET, terms)
        clauses.append((tantivy.Occur.Must, tantivy.Query.const_score_query(must, 0.0)))
    left_out = [path_key(path) for path in filters.exclude]
    if left_out:
        none = tantivy.Query.term_set_query(engine.schema, PATH, left_out)
        clauses.append((tantivy.Occur.MustNot, none))
    return tantivy.Query.boolean_query(clauses)


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


def holding(engine: Engine, phrase: str) -> tantivy.Query | None:
    """Memories that may hold one form of a phrase: never too few; None when it cannot tell.

    All tokens that every text with the phrase must have, in a row in the text without marks; or,
    for memories whose source differs, each of them somewhere. Without such a token: words that end,
    begin or go on as the phrase does.
    """
    import tantivy

    if len(phrase) > analysis.LONGEST_TOKEN:
        return None
    inner = analysis.inner(phrase)
    if not inner:
        return _by_ends(engine, analysis.edged(phrase))
    stems = engine.analyser.analyze(" ".join(analysis.split(inner)))
    in_a_row = (
        tantivy.Query.phrase_query(engine.schema, TEXT, [*stems])
        if len(stems) > 1
        else tantivy.Query.term_query(engine.schema, TEXT, stems[0], "basic")
    )
    either = [
        (tantivy.Occur.Should, in_a_row),
        (tantivy.Occur.Should, _in_source(engine, inner)),
    ]
    return tantivy.Query.const_score_query(tantivy.Query.boolean_query(either), 1.0)


def _in_source(engine: Engine, runs: list[str]) -> tantivy.Query:
    """For memories with terms of their source alone: each term of the phrase, anywhere."""
    import tantivy

    terms = [_word(engine, analysis.DIFFERS)]
    for run in runs:
        if not analysis.is_cjk(run):
            terms.append(_word(engine, run))
        elif len(run) == 1:
            terms.append(_characters(engine, run))
        else:
            terms += [_characters(engine, pair) for pair in analysis.pairs(run)]
    return tantivy.Query.boolean_query(
        [(tantivy.Occur.Must, term) for term in terms[: _MOST_CONDITIONS + 1]]
    )


def _characters(engine: Engine, part: str) -> tantivy.Query:
    import tantivy

    in_text = (
        tantivy.Query.phrase_query(engine.schema, TEXT, [*part])
        if len(part) > 1
        else tantivy.Query.term_query(engine.schema, TEXT, part, "basic")
    )
    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should, in_text),
            (tantivy.Occur.Should, _word(engine, part)),
        ]
    )


def _by_ends(engine: Engine, runs: list[analysis.Edged]) -> tantivy.Query | None:
    import tantivy

    clauses = []
    for run in runs:
        if run.is_cjk:
            continue
        pattern = f"{'.*' if run.open_left else ''}{run.text}{'.*' if run.open_right else ''}"
        words = tantivy.Query.regex_query(engine.schema, WORDS, pattern)
        clauses.append((tantivy.Occur.Must, words))
    if not clauses:
        return None
    return tantivy.Query.const_score_query(tantivy.Query.boolean_query(clauses), 1.0)


def _word(engine: Engine, word: str) -> tantivy.Query:
    import tantivy

    return tantivy.Query.term_query(engine.schema, WORDS, word, "basic")
