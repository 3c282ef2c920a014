"""Characters a reader cannot see or UTF-8 cannot hold, the CJK class, text safe for a terminal.

Must not know what a memory, a marker or a phrase is.
"""

from __future__ import annotations

from memtools.core.pattern import lazy

# Zero-width and joining characters, bidi controls, soft hyphen, word joiner, a BOM inside the
# text, fillers, the tag block, and the controls that are no white space. Variation selectors
# stay: they choose a glyph.
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_TAGS = "\U000e0000-\U000e007f"
_INVISIBLE = lazy(
    f"[{_CONTROLS}{_BIDI}{_TAGS}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d"
    "\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a]+"
)
# Those of them that are ASCII: most texts have no others.
_ASCII_CONTROLS = dict.fromkeys((*range(0x09), *range(0x0E, 0x1C), 0x7F))
# Those of them that `str.isprintable` takes for letters and marks.
_PRINTABLE_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_SELECTORS = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_UNSAFE = lazy(f"[\x00-\x1f\x7f-\x9f{_BIDI}{_TAGS}\u2028\u2029\ud800-\udfff]")
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Regex class of the scripts that are written without blanks between words: Han, kana, bopomofo,
# their punctuation and wide forms. Hangul is not among them: Korean text keeps its blanks.
CJK = (
    "\u2e80-\u2fdf\u3001-\u3029\u3030-\u3098\u309b-\u312f\u3190-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\ufe30-\ufe4f\uff01-\uff9f\uffe0-\uffe6\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
_CJK = lazy(f"[{CJK}]")

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


def strip_invisible(text: str) -> str:
    """`text` without characters that show nothing; variation selectors and white space stay."""
    if text.isprintable() and not any(filler in text for filler in _PRINTABLE_FILLERS):
        return text
    return text.translate(_ASCII_CONTROLS) if text.isascii() else _INVISIBLE.sub("", text)


def is_cjk(ch: str) -> bool:
    """Does `ch` belong to a script written without blanks between words (not Hangul)?"""
    return _CJK.match(ch) is not None


def is_utf8(text: str) -> bool:
    """Can it be written as UTF-8? A name on disk or an argument may hold bytes that are none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def bytes_of(text: str) -> bytes:
    """`text` as bytes: odd bytes of a name are themselves, half characters of a header never fail.

    Those come from escapes of YAML or JSON, and stand in no file as they are.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def escape_for_terminal(text: str) -> str:
    r"""`text` on one line; controls, bidi controls, tags, surrogates as escapes like `\x1b`."""
    if text.isprintable():
        return text
    return _UNSAFE.sub(_escape, text)


def show_hidden(text: str) -> str:
    r"""`text` with every character that shows nothing as an escape like `\u200b`; LF and tab stay.

    For an eye that has to judge the text: joiners and variation selectors are shown, too.
    """
    shown = _INVISIBLE.sub(_escape_each, text)
    return _SELECTORS.sub(_escape_each, shown)


def _escape_each(match: re.Match[str]) -> str:
    return "".join(_escaped(char) for char in match.group())


def _escape(match: re.Match[str]) -> str:
    return _escaped(match.group())


def _escaped(ch: str) -> str:
    code = ord(ch)
    if ch in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[ch]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
