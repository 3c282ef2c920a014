"""The words of a query against a text at hand: what the index would find, without the index.

For hits whose file changed since it was indexed, for snippets, and for the scan that stands in for
a search index. Segmentation and stems are those of the index. Must not know files.
"""

from __future__ import annotations

from functools import cache
from math import log

from memtools.search import analysis
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import tantivy

# BM25 with the parameters of the index.
_K1, _B = 1.2, 0.75
_HEAD = 3  # characters


class Words(NamedTuple):
    """What is looked for: stems of letters, and of CJK runs each two neighbours.

    `weak`: the characters of those runs; they rank, but alone they are no word left.
    """

    strong: frozenset[str]
    weak: frozenset[str]


class Line(NamedTuple):
    """The line of a text (from 0) that holds most of the words."""

    row: int
    worth: int


def words_of(query: str) -> Words:
    """The words of a person's text."""
    letters: list[str] = []
    strong: set[str] = set()
    weak: set[str] = set()
    for run in analysis.runs(query):
        if not analysis.is_cjk(run):
            letters.append(run[: analysis.LONGEST_TOKEN])
        elif len(run) == 1:
            strong.add(run)
        else:
            weak.update(run)
            strong.update(analysis.pairs(run))
    strong.update(_stems(letters))
    return Words(frozenset(strong), frozenset(weak))


def is_left(words: Words, text: str) -> bool:
    """Does the text hold one of the words?"""
    return not words.strong.isdisjoint(_terms([text])[0])


def best_line(words: Words, lines: Sequence[str]) -> Line:
    """The first of the lines with most of the words; row -1 when none has one."""
    heads = {term[:_HEAD] for term in words.strong}
    rows = [row for row, line in enumerate(lines) if _may_hold(line, heads)]
    found = _best(words, lines, rows)
    return found if found.row >= 0 else _best(words, lines, range(len(lines)))


def _may_hold(line: str, heads: set[str]) -> bool:
    """The quick look: a stem begins as its word does, but for a few (dying, die)."""
    small = line.lower()
    return any(head in small for head in heads)


def _best(words: Words, lines: Sequence[str], rows: Sequence[int]) -> Line:
    best = Line(-1, 0)
    for row, terms in zip(rows, _terms([lines[row] for row in rows]), strict=True):
        found = set(terms)
        worth = 4 * len(found & words.strong) + len(found & words.weak)
        if worth > best.worth:
            best = Line(row, worth)
    return best


def ranked(words: Words, texts: Iterable[tuple[str, str]]) -> list[tuple[str, float]]:
    """Keys of the texts that hold a word, with their BM25 score, best first."""
    wanted = words.strong | words.weak
    counts: list[tuple[str, int, dict[str, int]]] = []
    total = length = 0
    for key, text in texts:
        terms = _terms([text])[0]
        total += 1
        length += len(terms)
        held: dict[str, int] = {}
        for term in terms:
            if term in wanted:
                held[term] = held.get(term, 0) + 1
        if held:
            counts.append((key, len(terms), held))
    frequency: dict[str, int] = {}
    for _, _, held in counts:
        for term in held:
            frequency[term] = frequency.get(term, 0) + 1
    mean = length / total if total else 1.0
    scored = []
    for key, size, held in counts:
        score = 0.0
        for term, times in held.items():
            rarity = log(1 + (total - frequency[term] + 0.5) / (frequency[term] + 0.5))
            score += rarity * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * size / mean))
        scored.append((key, score))
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def _terms(texts: Sequence[str]) -> list[list[str]]:
    """The terms of each text: stems, CJK characters and each two neighbours of those."""
    letters: list[str] = []
    split: list[tuple[int, list[str]]] = []  # of each text: where its letters end, its CJK terms
    for text in texts:
        wide: list[str] = []
        for run in analysis.runs(text):
            if analysis.is_cjk(run):
                wide += run
                wide += analysis.pairs(run)
            else:
                letters.append(run[: analysis.LONGEST_TOKEN])
        split.append((len(letters), wide))
    stems = _stems(letters)
    found = []
    start = 0
    for end, wide in split:
        found.append(stems[start:end] + wide)
        start = end
    return found


def _stems(tokens: list[str]) -> list[str]:
    """The stem of each token, as the index has it."""
    if not tokens:
        return []
    return list(_stemmer().analyze(" ".join(tokens)))


@cache
def _stemmer() -> tantivy.TextAnalyzer:
    from memtools.search.engine import stemmer

    return stemmer()
