"""Phrases: how they and texts are made comparable, what they hit and where (rules 4 and 5).

Must not know markers, memories or the search index, nor use markdown-it: it is too slow for this.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from memtools.core.invisible import CJK, strip_invisible
from memtools.core.pattern import lazy
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    Fault = Literal["", "empty", "short", "long"]

MAX_CHARACTERS = 300
MIN_DIFFERENT = 4

# A blank between two CJK characters; on the left also after a sound mark or an ideographic
# variation selector.
_CJK_BLANK = lazy(f" (?<=[{CJK}\u302a-\u302f\u3099\u309a\U000e0100-\U000e01ef] )(?=[{CJK}])")

# Inline marks, one expression a kind, each begun by a literal so that a text without it costs one
# look, and with possessive repeats so that nothing is read twice. Only direct neighbours decide,
# and at the ends of a text a mark is always dropped: what stands in a source then stands, bare,
# in the bare source too.
_TARGET = lazy(
    r"\]\( ?(?:<[^<>]*+>|(?:[^\s()<\\]++|\\.|\((?:[^\s()\\]++|\\.)*+\))*+)"
    r"""(?: (?:"[^"]*+"|'[^']*+'|\([^()]*+\)))? ?\)"""
)
_PAGE = lazy(r"\[\[[^\[\]|]*+\|")
_ESCAPE = lazy(r"\\(?=[!-/:-@\[-`{-~]|\Z)")
_STRIKE = lazy(r"~(?:~++|\Z|(?<![\s\S]~))")
_STARS = lazy(r"\*(?<!\*\*)(?:(?<! \*)\**+|\**+(?! ))")  # but not in `2 * 3`
_LOW_LINES = lazy(  # but not in `snake_case`
    r"_(?<!__)(?:(?<=[^\W_]_)_*+(?![^\W_])|(?<= _)_*+(?! )|(?<![^\W_]_)(?<! _)_*+)"
)


def normalise(text: str) -> str:
    """`text` as it is compared: NFC, nothing invisible, one blank a gap, none between CJK."""
    if text.isascii():
        joined = text.replace("\n", " ").replace("  ", " ").strip()  # the quick way for most notes
        if "  " in joined:
            joined = " ".join(text.split())
        if joined.isprintable():
            return joined
        return " ".join(strip_invisible(text).split())
    return _join(strip_invisible(" ".join(text.split())))


def _join(text: str) -> str:
    return _CJK_BLANK.sub("", " ".join(unicodedata.normalize("NFC", text).split()))


def bare(text: str) -> str:
    """`normalise(text)` without inline Markdown marks; links and images give their text.

    Linear in the length of `text`. Brackets are dropped whatever stands between them, so that a
    phrase cut out of the middle of a link is still found.
    """
    return _bare(normalise(text))


def _bare(normalised: str) -> str:
    text = _drop_marks(normalised)
    if len(text) == len(normalised):
        return normalised
    if text.isascii():
        return " ".join(text.split())
    return _join(text)


def _drop_marks(text: str) -> str:
    if "[" in text or "]" in text:
        text = _PAGE.sub("", _TARGET.sub("", text))
        text = text.replace("![", "").replace("[", "").replace("]", "")
    if "\\" in text:
        text = _ESCAPE.sub("", text)
    text = text.replace("`", "")
    if "*" in text:
        text = _STARS.sub("", text)
    if "_" in text:
        text = _LOW_LINES.sub("", text)
    return _STRIKE.sub("", text) if "~" in text else text


def columns(phrase: str) -> int:
    """Width of the normalised phrase on a terminal: wide characters count 2, combining ones 0."""
    text = normalise(phrase)
    if text.isascii():
        return len(text)
    return sum(_width(ch) for ch in text)


def _width(ch: str) -> int:
    if unicodedata.combining(ch):
        return 0
    return 2 if unicodedata.east_asian_width(ch) in "WF" else 1


@lru_cache(4096)  # a commit asks for the markers of the whole ledger several times
def phrase_fault(phrase: str, min_columns: int) -> Fault:
    """Why the phrase may not be used, or ""; it must be long enough without its marks too."""
    text = normalise(phrase)
    if not text:
        return "empty"
    if len(text) > MAX_CHARACTERS:
        return "long"
    for form in (text, _bare(text)):
        if columns(form) < min_columns or len(set(form) - {" "}) < MIN_DIFFERENT:
            return "short"
    return ""


class Haystack(NamedTuple):
    """A memory's title and body as they are searched: normalised, and bare."""

    title: str
    body: str
    bare_title: str
    bare_body: str


@lru_cache(8)  # each phrase asks for the text of the memory it is tried on
def haystack(title: str, body: str) -> Haystack:
    """Prepare a memory for `hits`; `body` is the text without its marker lines."""
    plain_title, plain_body = normalise(title), normalise(body)
    return Haystack(plain_title, plain_body, _bare(plain_title), _bare(plain_body))


@lru_cache(4096)
def forms(phrase: str) -> tuple[str, str]:
    """A phrase as `hits` looks for it: as written, and without its marks."""
    text = normalise(phrase)
    return text, _bare(text)


def hits(phrase: str, haystack: Haystack) -> bool:
    """Does the phrase stand in the title or the body, as written or without inline marks?"""
    return form_hits(*forms(phrase), haystack)


def form_hits(text: str, plain: str, haystack: Haystack) -> bool:
    """`hits` for who looks for a phrase in many memories and knows its `forms`."""
    if not text:
        return False
    if text in haystack.body or text in haystack.title:
        return True
    return plain != "" and (plain in haystack.bare_body or plain in haystack.bare_title)


def find_line(phrase: str, body: str, body_line: int) -> int:
    """Line of the file where the first hit in `body` starts; 0: none, it is in the title."""
    text = normalise(phrase)
    plain = _bare(text)
    if not text:
        return 0

    def holds(part: str) -> bool:
        source = normalise(part)
        return text in source or (plain != "" and plain in _bare(source))

    rows = first_rows(body.split("\n"), holds)
    return body_line + rows[0] if rows else 0


def first_rows(lines: list[str], holds: Callable[[str], bool]) -> tuple[int, int] | None:
    """The first run of lines (start, end; without end) whose text `holds`, found by halving."""
    if not holds("\n".join(lines)):
        return None
    low, end = 0, len(lines)
    while end - low > 1:
        middle = (low + end) // 2
        if holds("\n".join(lines[:middle])):
            end = middle
        else:
            low = middle
    start, high = 0, end
    while high - start > 1:
        middle = (start + high) // 2
        if holds("\n".join(lines[middle:end])):
            start = middle
        else:
            high = middle
    return start, end
