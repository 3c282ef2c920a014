"""How alike two texts are: for look-alikes, and for what was retracted and comes back.

A hint for people and for the gate; nothing is retracted by it. Must not know memories.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from memtools.core.invisible import strip_invisible
from memtools.core.pattern import lazy

COPY = 85  # percent, from here on a text says the same in the same words
PARAPHRASE = 66
MOST = 5000  # characters of a text that are compared
_PIECE = 3  # letters
_LEAST_SHARED = 0.8  # of all the different pieces of two texts
RUN = 5  # letters, blanks not counted
_UNALIKE = 0.12  # share of common runs below which two texts are not compared letter by letter
_LEAST_PART = 20  # letters a text must have to count as a part of a longer one
# What turns the sense of a text although it changes little of it: numbers, and words of denial.
_TURNS = lazy(r"\d+|\b(?:no|not|never|none|cannot|without|t)\b|ない|なかっ|なく|ません|禁止|不要")
# Letters of words of sense in a script without blanks: kana of inflections are none.
_SENSE = lazy("[\u30a1-\u30fa\u3400-\u9fff]")
_LEAST_WORD = 4  # letters of a word of sense
_SAME_WORD = 60  # percent, from here on two words are forms of one
_WORD = lazy(r"[^\W_]+")
_NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum()}  # the same in ASCII


def comparable(text: str) -> str:
    """The words of a text as they are compared: width, case, marks and punctuation do not count."""
    seen = strip_invisible(text[: 2 * MOST])
    if seen.isascii():  # the quick way for many
        return " ".join(seen.lower().translate(_NO_WORD).split())[:MOST]
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return " ".join(_WORD.findall(folded))[:MOST]


def likeness(one: str, other: str, least: int = 0) -> int:
    """How alike two comparable texts are, in whole percent; 0 when below `least`.

    The order of words does not count; word breaks do not either (Japanese has none).
    """
    mine, theirs = runs_of(one), runs_of(other)
    if not one or not other or len(mine & theirs) < _UNALIKE * min(len(mine), len(theirs)):
        return 0
    from rapidfuzz import fuzz

    cutoff = max(least - 0.5, 0)  # what is rounded up to `least` is not below it
    tight = fuzz.ratio(one.replace(" ", ""), other.replace(" ", ""), score_cutoff=cutoff)
    found = round(max(tight, fuzz.token_sort_ratio(one, other, score_cutoff=cutoff)))
    return found if found >= least else 0


def holds(text: str, part: str) -> bool:
    """Does a comparable text hold almost all of another one, word for word?"""
    wanted = runs_of(part)
    is_enough = len(wanted) > _LEAST_PART - RUN
    return is_enough and len(wanted & runs_of(text)) >= _LEAST_SHARED * len(wanted)


def says_again(one: str, other: str) -> bool:
    """Does a comparable text say what another one says, in whole or among more, in like words?"""
    return likeness(one, other, PARAPHRASE) > 0 or holds(one, other)


def turns_alike(one: str, other: str) -> bool:
    """Do two comparable texts name the same numbers, and deny as much?"""
    return sorted(_TURNS.findall(one)) == sorted(_TURNS.findall(other))


def is_copy(one: str, other: str) -> bool:
    """Do two comparable texts say the same in the same words?"""
    return likeness(one, other, COPY) > 0 and says_the_same(one, other)


def says_the_same(one: str, other: str) -> bool:
    """Do two comparable texts that are alike also mean the same, as far as words can tell?

    Not when a number, a denial or a word of sense is another one: that may be a correction.
    """
    return turns_alike(one, other) and not _swaps(one, other)


def _swaps(one: str, other: str) -> bool:
    """Does each have a word that the other does not have in any form?"""
    mine, theirs = set(one.split()), set(other.split())
    news, losses = mine - theirs, theirs - mine
    if not news or not losses:
        return False
    from rapidfuzz import fuzz
    from rapidfuzz.distance import Levenshtein

    def is_odd(word: str, others: set[str]) -> bool:
        is_short = len(word) < _LEAST_WORD  # `is`, `was`
        return not is_short and all(fuzz.ratio(word, known) < _SAME_WORD for known in others)

    if any(is_odd(word, theirs) for word in news) and any(is_odd(word, mine) for word in losses):
        return True
    if not _SENSE.search(one) or not _SENSE.search(other):
        return False
    mine_tight, theirs_tight = one.replace(" ", ""), other.replace(" ", "")
    return any(
        block.tag == "replace"
        and _SENSE.search(mine_tight, block.src_start, block.src_end)
        and _SENSE.search(theirs_tight, block.dest_start, block.dest_end)
        for block in Levenshtein.opcodes(mine_tight, theirs_tight)
    )


def repeats(one: str, other: str) -> bool:
    """Do two comparable texts say the same in nearly the same words?

    For readers at every turn: needs no package, whose import takes longer than a search. Texts too
    long to be compared as a whole are never the same.
    """
    least, most = sorted((len(one), len(other)))
    if least < _LEAST_SHARED * most or not least or most >= MOST:
        return False
    if one == other:
        return True
    mine, theirs = _pieces(one), _pieces(other)
    shared = len(mine & theirs)
    if shared < _LEAST_SHARED * (len(mine) + len(theirs) - shared):
        return False
    return turns_alike(one, other)


@lru_cache(512)
def _pieces(text: str) -> frozenset[str]:
    return frozenset(text[start : start + _PIECE] for start in range(len(text) - _PIECE + 1))


@lru_cache(4096)
def runs_of(text: str) -> frozenset[str]:
    """All runs of five letters of a comparable text, blanks not counted."""
    tight = text.replace(" ", "")
    return frozenset(tight[start : start + RUN] for start in range(len(tight) - RUN + 1))
