"""What a word is to the search index: text -> tokens, the same for notes, queries and phrases.

Knows neither tantivy nor files. Tokens are made here and handed to tantivy joined by blanks, so
both sides of a search agree by construction; it is faster, too, than a regex tokenizer inside
tantivy (3,400 documents per CPU second against 2,500).
"""

from __future__ import annotations

from bisect import bisect
from functools import cache
from unicodedata import normalize, unidata_version

from memtools.core.invisible import strip_invisible
from memtools.core.pattern import lazy
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Tables of one Unicode version make other tokens than those of the next: part of the folder's name.
UNICODE = unidata_version

# Han with radicals and iteration marks, kana, bopomofo, jamo and Hangul: no blanks between words
# that could be relied on (Hangul has some, but white space beside CJK is dropped when matching).
CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096"
    "\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"
)
_TOKEN = lazy(f"[{CJK}]|[^\\W_{CJK}]+")
_RUN = lazy(f"[{CJK}]+|[^\\W_{CJK}]+")
_EITHER = lazy(f"([{CJK}]+)|([^\\W_{CJK}]+)")
_ASCII = lazy("[a-z0-9]+")
# ASCII goes byte by byte, several times as fast: letters in lower case, all else a blank, but for
# what nobody sees, which falls out.
_BYTES = bytes(byte if chr(byte).isalnum() else 32 for byte in range(128)).lower().ljust(256)
_UNSEEN = bytes((*range(9), *range(14, 28), 127))

# Tokens longer than this are cut: tantivy drops terms above 64 KiB, and no phrase is as long.
LONGEST_TOKEN = 400
# Pieces of an over-long run overlap by more than the longest phrase (300 characters).
_PIECE, _STEP = 800, 400
# Stands among the extra terms of a memory whose source has other tokens than its bare text.
DIFFERS = "*"


class Edged(NamedTuple):
    """One run of a phrase: `open_left`/`open_right` say whether the text may go on there."""

    text: str
    is_cjk: bool
    open_left: bool
    open_right: bool


def fold(text: str) -> str:
    """The form compared: invisible characters out, NFKC (which holds NFC), case folded."""
    if text.isascii():
        return text.lower() if text.isprintable() else strip_invisible(text).lower()
    return strip_invisible(normalize("NFKC", strip_invisible(text))).casefold()


def plain(text: str) -> str:
    """The form of a name that must be told apart from others: NFC, invisible characters out."""
    return text if text.isascii() else normalize("NFC", strip_invisible(text))


def tokens(text: str) -> list[str]:
    """The tokens of any text in order: each CJK character one, each run of other letters one."""
    return _blanked(text).split() if text.isascii() else _TOKEN.findall(fold(text))


def is_cjk(token: str) -> bool:
    """Is the first character of the token one that stands without blanks?"""
    return token >= "\u1100" and bisect(_bounds(), token[0]) % 2 == 1


@cache
def _bounds() -> list[str]:
    """The first character of each range of CJK, and the first behind it; ascending."""
    ends = CJK.replace("-", "")
    return [chr(ord(char) + number % 2) for number, char in enumerate(ends)]


def fields(text: str) -> tuple[str, set[str]]:
    """What a memory is indexed by: all tokens in order, parted by blanks; and its different words.

    Words are runs of letters, no CJK characters; over-long ones come in overlapping pieces.
    """
    if text.isascii():
        joined = _blanked(text)
        words = set(joined.split())
    else:
        found = _EITHER.findall(fold(text))
        joined = " ".join([" ".join(wide) if wide else word for wide, word in found])
        words = {word for _, word in found if word}
    if max(map(len, words), default=0) > LONGEST_TOKEN:
        joined = " ".join([token[:LONGEST_TOKEN] for token in joined.split()])
        for word in [word for word in words if len(word) > LONGEST_TOKEN]:
            words.discard(word)
            words.update(word[at : at + _PIECE] for at in range(0, len(word), _STEP))
    return joined, words


def _blanked(text: str) -> str:
    """The tokens of ASCII text, folded, parted by one blank or more."""
    return text.encode("ascii").translate(_BYTES, _UNSEEN).decode("ascii")


def pairs(run: str) -> Iterator[str]:
    """Each two neighbours of a run of CJK characters."""
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def runs(text: str) -> list[str]:
    """Runs of CJK characters and runs of other letters, in order, folded."""
    return _blanked(text).split() if text.isascii() else _RUN.findall(fold(text))


def only_in_source(source: str, bare: str) -> str:
    """`Document.extra`: the terms that stand in the source text but not in the text without marks.

    Link targets, or halves of a word that a mark divides. Empty when both have the same tokens in
    the same order; otherwise it begins with `DIFFERS`. A term is a run, one CJK character or two.
    """
    if source == bare:
        return ""
    mine, theirs = tokens(source), tokens(bare)
    if mine == theirs:
        return ""
    missing = fields(source)[1] - fields(bare)[1]
    missing |= {token for token in set(mine) - set(theirs) if is_cjk(token)}
    missing |= _all_pairs(source) - _all_pairs(bare)
    return " ".join([DIFFERS, *sorted(missing)])


def _all_pairs(text: str) -> set[str]:
    return {pair for run in runs(text) if is_cjk(run) for pair in pairs(run)}


def edged(phrase: str) -> list[Edged]:
    """The runs of a phrase, with the ends at which the text it was cut from may go on."""
    folded = fold(phrase)
    last = len(folded)
    found = []
    for match in (_ASCII if folded.isascii() else _RUN).finditer(folded):
        run = match.group()
        found.append(Edged(run, is_cjk(run), match.start() == 0, match.end() == last))
    if found and found[-1].open_right and normalize("NFKC", phrase[-1]) != phrase[-1]:
        # A ligature or full-width letter: an accent that follows it in the text melts with its last
        # letter only once both are folded.
        end = found[-1]
        found[-1] = end if end.is_cjk else end._replace(text=end.text[:-1])
    return found


def inner(phrase: str) -> list[str]:
    """The runs of a phrase, cut to what stands as it is in every text that holds the phrase.

    Its first and last run of letters may be part of a word and are left out. A CJK character is
    whole, unless what follows in the text could melt with it (か + ﾞ is が under NFKC). What is
    left stands in a row.
    """
    found: list[str] = []
    for run in edged(phrase):
        text = run.text
        if not run.is_cjk:
            if run.open_left or run.open_right:
                continue
        else:
            if run.open_left and _is_jamo(text[0]):
                text = text[1:]
            if run.open_right and text and _may_melt(text[-1]):
                text = text[:-1]
        if text:
            found.append(text)
    return found


def split(found: list[str]) -> list[str]:
    """Runs as tokens."""
    return [token for run in found for token in (run if is_cjk(run) else (run,))]


def _is_jamo(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff" or "\uff66" <= char <= "\uffdc"


def _may_melt(char: str) -> bool:
    """Could the next character of a text become one with this one? Voiced kana and Hangul can."""
    if _is_jamo(char) or "\uac00" <= char <= "\ud7ff":
        return True
    return any(len(normalize("NFC", char + mark)) == 1 for mark in "\u3099\u309a")
