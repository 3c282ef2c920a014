"""How alike two texts are: for look-alikes, and for what was retracted and comes back.

A hint for people and for the gate; nothing is retracted by it. Must not know memories.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import chain

from memtools.core.invisible import strip_invisible
from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
_STEM = 0.6  # of the shorter of two words; when they begin alike so far they are forms of one
_WORD = lazy(r"[^\W_]+")
_NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum()}  # the same in ASCII
_SMALL_WORDS = """
a an the this that these those it its i we you he she they our your their is are was were be been
being am has have had do does did will would shall should can could may might must of in on at to by
for from with as than then so if and or but nor since because while when which who whose what there
here s d m ll re ve gets got
"""
_SMALL = frozenset(_SMALL_WORDS.split())
# What is left of a Japanese text when inflections and small words are taken out: each kanji, each
# word of katakana or Latin letters, each number.
_UNIT = lazy("[\u3400-\u9fff]|[\u30a1-\u30fa\u30fc]{2,}|[a-z]+|[0-9]+")
_LEAST_UNITS = 5  # of a text that is compared by them
_MOST_UNITED = 200  # letters of such a text: in a longer one most kanji of its subject occur
_SHARED_UNITS = 0.7  # of those of two texts


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


def turns_alike(one: str, other: str) -> bool:
    """Do two comparable texts name the same numbers, and deny as much?"""
    return _turns(one) == _turns(other)


@lru_cache(4096)
def _turns(text: str) -> list[str]:
    return sorted(_TURNS.findall(text))


def is_copy(one: str, other: str) -> bool:
    """Do two comparable texts say the same in the same words?"""
    return likeness(one, other, COPY) > 0 and says_the_same(one, other)


def says_the_same(one: str, other: str) -> bool:
    """Do two comparable texts that are alike also mean the same, as far as words can tell?

    Not when a number, a denial or a word of sense is another one: that may be a correction.
    """
    return turns_alike(one, other) and not _swaps(one, other)


def says_again(text: str, gone: str) -> int:
    """How alike a comparable text is to a retracted one it says again, in percent; 0: it does not.

    In the same words or in others; it may hold it in the midst of more.
    """
    found = likeness(text, gone, PARAPHRASE)
    return found or (PARAPHRASE if holds(text, gone) or rewords(text, gone) else 0)


def rewords(one: str, other: str) -> bool:
    """Do two short Japanese texts share their words of sense, whatever the order and the grammar?

    Of other languages `likeness` knows more: their words have bounds.
    """
    mine, theirs = _units(one), _units(other)
    return bool(mine and theirs) and _is_enough(len(mine & theirs), len(mine), len(theirs))


def rewording(texts: Mapping[str, str]) -> Callable[[str], list[str]]:
    """What finds those of many comparable texts (name -> text) that `rewords` another one."""
    held = {name: units for name, text in texts.items() if (units := _units(text))}
    holders: dict[str, list[str]] = {}
    for name, units in held.items():
        for unit in units:
            holders.setdefault(unit, []).append(name)

    def find(other: str) -> list[str]:
        wanted = _units(other)
        shared = Counter(chain.from_iterable(holders.get(unit, ()) for unit in wanted))
        return [
            name
            for name, count in shared.items()
            if _is_enough(count, len(held[name]), len(wanted))
        ]

    return find


def _is_enough(shared: int, mine: int, theirs: int) -> bool:
    return 2 * shared >= _SHARED_UNITS * (mine + theirs)


def can_be_reworded(text: str) -> bool:
    """Is a comparable text one that `rewords` can say anything of?"""
    return bool(_units(text))


@lru_cache(4096)
def _units(text: str) -> frozenset[str]:
    """The units of a text that is compared by them; of others none."""
    if len(text) > _MOST_UNITED or not _SENSE.search(text):
        return frozenset()
    found = frozenset(_UNIT.findall(text)) - _SMALL
    return found if len(found) >= _LEAST_UNITS else frozenset()


def _swaps(one: str, other: str) -> bool:
    return _swaps_words(one, other) or _swaps_letters(one, other)


def _swaps_words(one: str, other: str) -> bool:
    """Does each have a word that the other does not have in any form, or two in exchange?"""
    mine, theirs = one.split(), other.split()
    return _is_exchange(mine, theirs) or (_has_odd(mine, theirs) and _has_odd(theirs, mine))


def _has_odd(words: list[str], others: list[str]) -> bool:
    known = set(others)
    return any(
        not any(_is_form(word, other) for other in known)
        for word in set(words) - known - _SMALL
        if not _SENSE.search(word)  # a whole sentence
    )


def _is_form(one: str, other: str) -> bool:
    """`fails`, `failing`; not `enable`, `disable`."""
    least = min(len(one), len(other))
    same = next((n for n in range(least) if one[n] != other[n]), least)
    return same >= _STEM * least


def _is_exchange(one: list[str], other: list[str]) -> bool:
    """Have two words changed places and no other? `use a, not b` is another word for `not a`."""
    if len(one) != len(other):
        return False
    pairs = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return len(pairs) == 2 and pairs[0] == pairs[1][::-1]


def _swaps_letters(one: str, other: str) -> bool:
    """Where words have no bounds: is a kanji or katakana replaced by another?"""
    if not _SENSE.search(one) or not _SENSE.search(other):
        return False
    from rapidfuzz.distance import Levenshtein

    mine, theirs = one.replace(" ", ""), other.replace(" ", "")
    return any(
        block.tag == "replace"
        and _SENSE.search(mine, block.src_start, block.src_end)
        and _SENSE.search(theirs, block.dest_start, block.dest_end)
        for block in Levenshtein.opcodes(mine, theirs)
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
    return turns_alike(one, other) and not _swaps_words(one, other)


@lru_cache(512)
def _pieces(text: str) -> frozenset[str]:
    return frozenset(text[start : start + _PIECE] for start in range(len(text) - _PIECE + 1))


@lru_cache(4096)
def runs_of(text: str) -> frozenset[str]:
    """All runs of five letters of a comparable text, blanks not counted."""
    tight = text.replace(" ", "")
    return frozenset(tight[start : start + RUN] for start in range(len(tight) - RUN + 1))
