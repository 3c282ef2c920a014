"""Characters in a text that nobody sees, where they have no business.

Reads the text as it is. Joiners that a script or an emoji needs pass; that they say nothing else is
why each is judged by its two neighbours.
"""

from __future__ import annotations

import unicodedata

from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# name -> class of characters. Joiners and variation selectors are judged apart.
_CLASSES = {
    "tag-characters": "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff",
    "bidi-control": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "zero-width": "\u200b\u2060-\u2065\ufeff\u180e\u00ad\u034f\u206a-\u206f\ufff0-\ufffc",
    "filler": "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800",
    "control-character": "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029",
    "invisible-format": "\U0001bc9d\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U00013430-\U0001343f\U00016fe4",
    "no-character": "\ufdd0-\ufdef\ufffe\uffff\U0001fffe\U0001ffff\U0010fffe\U0010ffff",
}
_JOINERS = "\u200c\u200d"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"
_UNSEEN = lazy("".join(("[", *_CLASSES.values(), _JOINERS, _SELECTORS, "]")))
_BY_CLASS = {name: lazy(f"[{members}]") for name, members in _CLASSES.items()}
# The flags of regions that there are: the black flag, letters as tags, the tag that ends it. More
# letters than these could say anything.
_FLAG = lazy(
    "\U0001f3f4(?:{})\U000e007f".format(
        "|".join(
            "".join(chr(0xE0000 + ord(ch)) for ch in region)
            for region in ("gbeng", "gbsct", "gbwls")
        )
    )
)
# Arabic and its kin, Syriac, N'Ko; India, Sri Lanka, Tibet, Myanmar, Khmer, Mongolia.
_JOINING = lazy(
    "[\u0600-\u07ff\u0840-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ua8e0-\ua8ff"
    "\ufb50-\ufdff\ufe70-\ufefc]"
)
_MONGOLIAN = lazy("[\u1820-\u18aa]")
# Scripts without blanks that mark where a line may break.
_UNSPACED = lazy("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
# What parts words, or a vowel from its word, between two letters of the scripts that need it.
_BREAKING = {"\u200b": _UNSPACED, "\u180e": _MONGOLIAN}
_IDEOGRAPH = lazy("[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Besides symbols: ideographs, wide punctuation, Myanmar, Phags-pa, Manichaean.
_HAS_VARIANTS = lazy(
    "[\u1000-\u109f\u3001\u3002\u3005\u3400-\u4dbf\u4e00-\u9fff\ua840-\ua877\uaa60-\uaa7f\uf900-\ufaff"
    "\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\U00010ac0-\U00010aff\U00020000-\U0003fffd]"
)
_MODIFIER = "\U0001f3fb-\U0001f3ff"
_EMOJI_END = lazy(f"[\ufe0f{_MODIFIER}\u20e3]")


def hidden_in(text: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each unseen character that has no business where it stands."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return
    flags = {at for match in _FLAG.finditer(text) for at in range(match.start(), match.end())}
    for match in _UNSEEN.finditer(text):
        at = match.start()
        name = _judge(text, at)
        if name and at not in flags and not (at == 0 and match.group() == "\ufeff"):
            yield name, at


def _judge(text: str, at: int) -> str:
    """The name of what stands at `at`, or "" when it belongs there."""
    ch, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if ch in _JOINERS:
        return "" if _may_join(before, after) else "zero-width"
    for name, members in _BY_CLASS.items():
        if members.match(ch):
            scripts = _BREAKING.get(ch)
            is_break = scripts and scripts.match(before) and scripts.match(after)
            return "" if is_break else name
    return "" if _may_select(ch, before, after) else "variation-selector"


def _may_join(before: str, after: str) -> bool:
    """Between letters of a joining script, or between two emoji."""
    if _JOINING.match(before):
        return bool(_JOINING.match(after)) or after in ("", " ", "\n")
    return bool(before and after) and _is_emoji(before) and _is_emoji(after)


def _is_emoji(ch: str) -> bool:
    return unicodedata.category(ch) == "So" or _EMOJI_END.match(ch) is not None or ch == "\u2194"


def _may_select(ch: str, before: str, after: str) -> bool:
    """One selector directly behind what has variants: a symbol, a key, an ideograph."""
    if not before:
        return False
    if "\u180b" <= ch <= "\u180f":
        return "\u1800" <= before <= "\u18af"
    if ch > "\uffff":
        return _IDEOGRAPH.match(before) is not None
    if before.isascii():  # 1️⃣ is a digit, this selector and a key around them
        return ch == "\ufe0f" and before in "0123456789#*" and after == "\u20e3"
    category = unicodedata.category(before)
    if ch in "\ufe0e\ufe0f":
        return category in ("So", "Sm", "Sk", "Po", "Pd", "Nd") or before in "\u2139\u24c2"
    return category in ("Sm", "So") or _HAS_VARIANTS.match(before) is not None
