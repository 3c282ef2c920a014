"""A person's text -> what tantivy is asked. Never its query parser: it refuses or misreads prose.

Knows the fields of the schema, and no files. Called inside a Guard.
"""

from __future__ import annotations

from itertools import pairwise

from memtools.search import analysis
from memtools.search.terms import FACET, PATH, TEXT, Engine, facet_key, path_key, total, word_query
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import tantivy

# More different terms than this are no question any more.
MOST_TERMS = 256
# Weights beside single terms: two words in a row, two CJK neighbours, words that only join others.
# Measured on LoCoMo and JSQuAD; the last is worth five points where there are few memories, for
# there the words of a question ("when did ...") look rare.
_NEIGHBOURS, _DOUBLES, _JOINING = 0.1, 0.8, 0.3
# Pairs of characters that are more frequent are estimated: counting them all would take longer than
# the search.
_COUNTED = 5_000
_LISTED = (
    "a about after again all am an and any are as at be been before being both but by can could"
    " did do does doing done each few for from had has have having he her here him his how i if in"
    " into is it its just may me might more most must my no nor not of on or other our over own"
    " same shall she should so some such than that the their them then there these they this those"
    " to too us very was we were what when where which who whom whose why will with would you your"
    " d ll m re s t ve"
)
_JOINING_WORDS = frozenset(_LISTED.split())


class Filters(NamedTuple):
    """What a hit must be: allow-lists of facets (None: any), and paths it must not have."""

    statuses: Sequence[str] | None
    exposures: Sequence[str] | None
    scopes: Sequence[str] | None
    tag: str | None
    exclude: Iterable[str]


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
    found: dict[str, tantivy.Query] = {}
    for stem, word in zip(stems, words, strict=True):
        term = _term(engine, stem, word)
        is_joining = word in _JOINING_WORDS
        found[stem] = tantivy.Query.boost_query(term, _JOINING) if is_joining else term
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
    documents = searcher.num_docs
    phrase = tantivy.Query.phrase_query(engine.schema, TEXT, list(pair))
    rarer, other = sorted(searcher.doc_freq(TEXT, char) for char in pair)
    if rarer <= _COUNTED:
        holders = total(searcher.search(phrase, 1))
    else:  # between as often as chance has it, and always together
        holders = round(rarer * (other / documents) ** 0.5)
    sum_of_two = _rarity(documents, rarer) + _rarity(documents, other)
    return tantivy.Query.boost_query(phrase, _DOUBLES * _rarity(documents, holders) / sum_of_two)


def _rarity(documents: int, holders: int) -> float:
    """BM25's inverse document frequency, as tantivy computes it; above 0."""
    from math import log

    return log(1 + (documents - min(holders, documents) + 0.5) / (holders + 0.5))


def _term(engine: Engine, term: str, word: str) -> tantivy.Query:
    import tantivy

    if engine.searcher.doc_freq(TEXT, term):
        return tantivy.Query.term_query(engine.schema, TEXT, term, "freq")
    # In no text: perhaps in a link's target.
    return word_query(engine, word)


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
