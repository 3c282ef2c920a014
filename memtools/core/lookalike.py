"""Near misses: lines a person may take for a marker although they are none (rule 2).

Must not know where in the Markdown a line stands; `markers.py` asks `visible.py` for that.
"""

from __future__ import annotations

import unicodedata

from memtools.core.invisible import strip_invisible
from memtools.core.pattern import lazy
from memtools.core.wording import Said, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LABEL = "RETRACTS"
MARK = "RETRACTS:"

_COLONS = ":\uff1a\ufe55\ufe13\u2236\u02d0\ua789\u0589\u05c3\u2a74\ufe30"
_LINE_HEAD = lazy(f"\n([^\n{_COLONS}]{{7,200}}+)([{_COLONS}])")
_GLYPH_CHOICE = lazy("[\ufe00-\ufe0f\u180b-\u180d\u180f\U000e0100-\U000e01ef]+")
# Cyrillic, Greek, Cherokee, Lisu and small capital letters that look like the letters of the label.
_TWINS = str.maketrans(
    "\u13a1\u13d2\ua4e3\u0280\u0415\u0435\u0395\u03b5\u13ac\ua4f0\u1d07"
    "\u0422\u0442\u03a4\u03c4\u13a2\ua4d4\u1d1b\u0410\u0430\u0391\u03b1\u13aa\ua4ee\u1d00"
    "\u0421\u0441\u03f9\u03f2\u13df\ua4da\u1d04\u0405\u0455\u13da\ua4e2\ua731",
    "RRRREEEEEEETTTTTTTAAAAAAACCCCCCCSSSSS",
)
_DRESSED = lazy(  # quote, list, task, heading, table, emphasis; then the label
    r"(?P<dress>(?:[\s>*+#|~_-]|[0-9]{1,9}[.)]|\[[ xX]\])*+)RETRACTS(?P<gap>[\s*_~]*+)\Z"
)


class Lookalike(NamedTuple):
    """`row` counts from 0; the first `width` characters are the label as typed."""

    row: int
    width: int
    phrase: str
    refuses: bool
    message: Said


def find_lookalikes(body: str) -> list[Lookalike]:
    """The near misses of a body (LF line ends), wherever they stand, by row."""
    return list(_lookalikes(body))


def _lookalikes(body: str) -> Iterator[Lookalike]:
    row, counted = 0, 0
    text = "\n" + body
    if _surely_without(text.replace("\n", " ").replace("\t", " ")):
        return
    for match in _LINE_HEAD.finditer(text):
        head, colon = match.groups()
        if head == LABEL and colon == ":":
            continue
        found = _read(head, colon)
        if found is None:
            continue
        row += text.count("\n", counted, match.start())
        counted = match.start()
        refuses, message = found
        end = text.find("\n", match.end())
        rest = text[match.end() : end if end >= 0 else len(text)]
        yield Lookalike(row, len(head) + 1, rest.strip().lstrip("*_ "), refuses, message)


def _read(head: str, colon: str) -> tuple[bool, Said] | None:
    """Is `head` and `colon` nearly the mark? Whether it refuses, and the sentence that says why."""
    if _surely_without(head) or not _may_end_label(head):
        return None
    typed = strip_invisible(_GLYPH_CHOICE.sub("", unicodedata.normalize("NFKC", head + colon)))
    if typed.startswith(MARK):
        return True, _strange(head + colon)
    dressed = _DRESSED.match(_skeleton(head))
    if dressed is None:
        return None
    return False, _near_miss(typed, dressed["dress"], dressed["gap"])


def _surely_without(text: str) -> bool:
    """The quick no for most texts: plain ASCII, and the label stands nowhere, in whatever case."""
    return text.isascii() and LABEL not in text.upper() and text.isprintable()


def _may_end_label(head: str) -> bool:
    """The next quick no: the last letters are no kind of TS."""
    tail = strip_invisible(_GLYPH_CHOICE.sub("", head)).rstrip().rstrip("*_~").rstrip()
    last = _skeleton(tail[-3:])
    return len(last) < 2 or last.endswith("TS")


def _skeleton(head: str) -> str:
    """`head` in plain capitals: no accents, nothing invisible, look-alikes replaced."""
    plain = strip_invisible(_GLYPH_CHOICE.sub("", unicodedata.normalize("NFKD", head)))
    letters = "".join(ch for ch in plain if not unicodedata.combining(ch))
    return letters.translate(_TWINS).upper()


def _strange(label: str) -> Said:
    typed, wanted = next(
        (pair for pair in zip(label, MARK, strict=False) if pair[0] != pair[1]), ("", "")
    )
    code = f"U+{ord(typed):04X}" if typed else ""
    if strip_invisible(_GLYPH_CHOICE.sub("", typed)) == "":
        return say("nearly a marker: the invisible character {code} stands in it", code=code)
    if wanted == ":":
        return say("nearly a marker: its colon is {code}, not the ASCII one", code=code)
    return say(
        "nearly a marker: {code} stands in place of the letter {letter}", code=code, letter=wanted
    )


def _near_miss(typed: str, dress: str, gap: str) -> Said:
    if ">" in dress:
        return say("a quoted RETRACTS: line retracts nothing")
    if dress.strip():
        return say("RETRACTS: retracts nothing here: only the very start of a line counts")
    if dress:
        return say("an indented RETRACTS: line retracts nothing")
    if gap.strip() or gap:
        return say("RETRACTS : retracts nothing: the colon must follow the letters directly")
    if typed.upper().startswith(MARK):
        return say("RETRACTS: counts in capital letters only; this line retracts nothing")
    return say("letters or a colon of another alphabet stand in RETRACTS:; it retracts nothing")
