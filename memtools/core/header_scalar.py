"""Reading one value of a header without a YAML parser: plain, quoted, or a `[list]` on one line.

Must not know keys or lines: it gets what stands behind a colon or an item's dash.
"""

from __future__ import annotations

import re

from memtools.core.pattern import lazy

# Everything a YAML reader rejects, breaks a line at, or skips; and the tab, whose rules are odd.
NOT_PRINTABLE = lazy("[\x00-\t\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_ESCAPE = (
    r"""\\(?:["\\ntr]|x[0-9a-fA-F]{2}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"""
    r"""|U000[1-9a-fA-F][0-9a-fA-F]{4})"""
)
_DOUBLE = rf'"[^"\\]*(?:{_ESCAPE}[^"\\]*)*"'
_SINGLE = "'[^']*(?:''[^']*)*'"
_QUOTED = lazy(rf"({_DOUBLE}|{_SINGLE})(?: +#.*| *)$")
_ESCAPES = lazy(r"\\(?:x(.{2})|u(.{4})|U(.{8})|(.))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_WORDS = r"[\w][\w./-]*(?: +[\w./-]+)*"
_ITEM = rf""""[^"\\]*"|'[^']*'|{_WORDS}"""
_FLOW = lazy(rf"\[ *((?:{_ITEM})(?: *, *(?:{_ITEM}))*)? *\](?: +#.*| *)$")
_ITEMS = lazy(_ITEM)
DATE = lazy(
    r"[12]\d{3}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))"
    r"(?:[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?"
    r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$",
    re.ASCII,
)
_NUMBER = lazy(r"\d{1,18}(?:\.\d{1,18})?$", re.ASCII)
# A text of these characters alone might be a number or a date, and an impossible one is an error.
NUMERIC = lazy(r"[-+0-9.:_eExXbBTtZz ]*$")


def scalar(rest: str) -> str | tuple[str, ...] | None:
    """The value of what stands behind a colon, comment and blanks off; None when not plain."""
    first = rest[:1]
    if first in ('"', "'"):
        quoted = _QUOTED.match(rest)
        if quoted is None:
            return None
        return unquoted(quoted[1])
    if first == "[":
        return _flow_list(rest)
    if first in ("", "#"):
        return ""
    cut = rest.find(" #")
    if cut >= 0:
        rest = rest[:cut].rstrip(" ")
    if not (first.isalnum() or first in "_(/" or first > "\x7f"):
        return None
    if ": " in rest or rest[-1] == ":":
        return None
    return None if first.isdigit() and _may_fail(rest) else rest


def _may_fail(text: str) -> bool:
    """Might YAML take this text for a number or date that does not exist?"""
    return bool(NUMERIC.match(text)) and not (_NUMBER.match(text) or DATE.match(text))


def unquoted(value: str) -> str:
    """The text of a value that stands in quotes; any other value as it is."""
    if len(value) < 2 or value[0] not in "\"'" or value[-1] != value[0]:
        return value
    if value[0] == "'":
        return value[1:-1].replace("''", "'")
    return _ESCAPES.sub(_unescaped, value[1:-1]) if "\\" in value else value[1:-1]


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    return chr(int(code, 16)) if code else _ESCAPED.get(match[4], match[4])


def _flow_list(rest: str) -> tuple[str, ...] | None:
    match = _FLOW.match(rest)
    if match is None:
        return None
    items: list[str] = []
    for item in _ITEMS.findall(match[1] or ""):
        if item[0] in "\"'":
            items.append(item[1:-1])
        elif item[0].isdigit() and _may_fail(item):
            return None
        else:
            items.append(item)
    return tuple(items)
