"""How alike two texts are: for look-alikes, and for what was retracted and comes back.

A hint for people and for the gate; nothing is retracted by it. Must not know memories.
"""

from __future__ import annotations

import re
import unicodedata

from memtools.core.invisible import strip_invisible

COPY = 85  # percent, from here on a text says the same in the same words
PARAPHRASE = 66
_MOST = 5000  # characters of a text that are compared
_LEAST_PART = 20  # letters a text must have to count as a part of a longer one
_WORD = re.compile(r"[^\W_]+")


def comparable(text: str) -> str:
    """The words of a text as they are compared: width, case, marks and punctuation do not count."""
    folded = unicodedata.normalize("NFKC", strip_invisible(text[: 2 * _MOST])).casefold()
    return " ".join(_WORD.findall(folded))[:_MOST]


def likeness(one: str, other: str, least: int = 0) -> int:
    """How alike two comparable texts are, in percent; 0 when below `least`.

    The order of words does not count; word breaks do not either (Japanese has none).
    """
    from rapidfuzz import fuzz

    if not one or not other:
        return 0
    tight = fuzz.ratio(one.replace(" ", ""), other.replace(" ", ""), score_cutoff=least)
    return round(max(tight, fuzz.token_sort_ratio(one, other, score_cutoff=least)))


def holds(text: str, part: str) -> bool:
    """Does a comparable text hold almost all of another one, word for word?"""
    from rapidfuzz import fuzz

    inner, outer = part.replace(" ", ""), text.replace(" ", "")
    if not _LEAST_PART <= len(inner) <= len(outer):
        return False
    return fuzz.partial_ratio(inner, outer, score_cutoff=COPY) >= COPY
