"""Queries that miss nothing: the memories that may hold a phrase, or that answer to a name.

The staged blob decides afterwards. Knows no files; called inside a Guard.
"""

from __future__ import annotations

from unicodedata import combining

from memtools.search import analysis
from memtools.search.terms import (
    NAME,
    PATH,
    TEXT,
    WORDS,
    Engine,
    name_key,
    path_key,
    word_query,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tantivy

# Pairs looked up one by one when a phrase may stand in the source alone.
_MOST_CONDITIONS = 12


def named(engine: Engine, kind: str, value: str) -> list[tantivy.Query]:
    """The memories that answer to a name; a path also byte for byte."""
    import tantivy

    asked = [tantivy.Query.term_query(engine.schema, NAME, name_key(kind, value), "basic")]
    if kind == "path":
        asked.append(tantivy.Query.term_query(engine.schema, PATH, path_key(value), "basic"))
    return asked


def holding(engine: Engine, phrase: str) -> tantivy.Query | None:
    """Memories that may hold one form of a phrase: never too few; None when it cannot tell.

    All tokens that every text with the phrase must have, in a row in the text without marks; or,
    for memories whose source differs, each of them somewhere. Without such a token: words that end,
    begin or go on as the phrase does.
    """
    import tantivy

    if len(phrase) > analysis.LONGEST_TOKEN or combining(phrase[0]):
        return None  # an accent in front belongs to a letter the phrase does not name
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

    terms = [word_query(engine, analysis.DIFFERS)]
    for run in runs:
        if not analysis.is_cjk(run):
            terms.append(word_query(engine, run))
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
            (tantivy.Occur.Should, word_query(engine, part)),
        ]
    )


def _by_ends(engine: Engine, runs: list[analysis.Edged]) -> tantivy.Query | None:
    import tantivy

    clauses = []
    for run in runs:
        if run.is_cjk or not run.text:
            continue
        pattern = f"{'.*' if run.open_left else ''}{run.text}{'.*' if run.open_right else ''}"
        words = tantivy.Query.regex_query(engine.schema, WORDS, pattern)
        clauses.append((tantivy.Occur.Must, words))
    if not clauses:
        return None
    return tantivy.Query.const_score_query(tantivy.Query.boolean_query(clauses), 1.0)
