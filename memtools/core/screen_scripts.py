"""Words that mix letters of two alphabets which look alike.

Reads the text of `plain_text`. Japanese mixes scripts in every sentence, and units and formulas
hold Greek letters: only letters that can be taken for each other count.
"""

from __future__ import annotations

from itertools import pairwise

from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LATIN = "A-Za-z\u00c0-\u024f"
_CYRILLIC = "\u0400-\u052f"
_GREEK = "\u0370-\u03ff\u1f00-\u1fff"
_OTHERS = "\u0531-\u0587\u13a0-\u13ff\uab70-\uabbf\ua4d0-\ua4ff\u10a0-\u10ff\u2c80-\u2cff"
_WORD = lazy(f"[{_LATIN}{_CYRILLIC}{_GREEK}{_OTHERS}]{{2,}}")
_HAS_LATIN = lazy(f"[{_LATIN}]")
_FOREIGN = lazy(f"[{_CYRILLIC}{_GREEK}{_OTHERS}]")
# Cyrillic letters that look like Latin ones, and Latin ones that look like Cyrillic ones.
_CYRILLIC_TWINS = frozenset("АВЕЅІЈКМНОРСТУХаеіјорсухѕһԁԛԝьгпкмтвнҮүʏӀӏ")
_LATIN_TWINS = frozenset("ABCEHIJKMOPSTXYaceijopsxyhdqwmkuTtrnb")
_GREEK_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳαγηικνορτυχωϲ")


def mixed_scripts_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each word with look-alike letters of another alphabet."""
    if plain.isascii() or not _FOREIGN.search(plain):
        return
    for match in _WORD.finditer(plain):
        word = match.group()
        if not _HAS_LATIN.search(word):
            continue
        foreign = {ch for ch in word if _FOREIGN.match(ch)}
        latin = set(word) - foreign
        if not foreign:
            continue
        if any("\u0370" <= ch <= "\u03ff" or "\u1f00" <= ch <= "\u1fff" for ch in foreign):
            name = "greek-in-latin" if _greek_poses(word, foreign) else ""
        elif any("\u0400" <= ch <= "\u052f" for ch in foreign):
            # `ITшник` is an honest word: an abbreviation with an ending.
            lurks = latin <= _LATIN_TWINS and not word[:2].isascii()
            poses = foreign <= _CYRILLIC_TWINS or lurks
            name = "cyrillic-in-latin" if poses else ""
        else:
            name = "other-letters-in-latin"
        if name:
            yield name, match.start()


def _greek_poses(word: str, foreign: set[str]) -> bool:
    """Greek twins beside small Latin letters: `pαypal`, not `TNFα`, `kΩ` or `Δt`."""
    if not foreign <= _GREEK_TWINS or sum(ch.isascii() for ch in word) < 2:
        return False
    return any(
        two[0] in foreign and two[1].isascii() and two[1].islower()
        for one, other in pairwise(word)
        for two in ((one, other), (other, one))
    )
