"""How a text is written as the value of a front-matter key.

Must not know the header it is written into, but for one thing: whether that is a `{...}` header.
"""

from __future__ import annotations

import re

from memtools.core.header_scalar import DATE, NOT_PRINTABLE, NUMERIC, scalar
from memtools.core.pattern import lazy

# Plain words that other YAML readers take for something that is no text.
_NOT_TEXT = lazy(
    r"(?:yes|no|on|off|true|false|null|y|n|0x[0-9a-f_]+|[-+]?\d[\d_]*(?:e[-+]?\d+)?)\Z",
    re.IGNORECASE,
)
_FLOW_MARKS = lazy(r"[,\[\]{}]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def rendered(text: str, is_flow: bool = False) -> str:
    """A text as a YAML scalar: plain where every reader sees the same text, else double-quoted."""
    is_plain = (
        scalar(text) == text
        and text == text.strip()
        and text != ""
        and not _has_unprintable(text)
        and "\n" not in text
        and not _NOT_TEXT.match(text)
        and (not (text[0].isdigit() and NUMERIC.match(text)) or DATE.match(text))
        and not (is_flow and _FLOW_MARKS.search(text))
    )
    return text if is_plain else '"' + "".join(map(_escaped, text)) + '"'


def _has_unprintable(text: str) -> bool:
    if text.isascii() and text.isprintable():  # the quick way for most
        return False
    return NOT_PRINTABLE.search(text) is not None


def _escaped(char: str) -> str:
    known = _ESCAPES.get(char)
    if known is not None or not _has_unprintable(char):
        return known or char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return char  # no YAML text can hold it: encoding fails, and the change is refused
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )
