"""The version of memtools a repository asks for (`requires`), and whether this one meets it.

Knows no file and no other setting.
"""

from __future__ import annotations

import re

from memtools.core.version import VERSION
from memtools.core.wording import Said, say

# A pattern as text: compiled when a settings file is read, not when a hook starts.
_REQUIREMENT = r"\s*(>=|>|==|<=|<)?\s*(\d{1,6}(?:\.\d{1,6}){0,3})\s*"


def requirement(value: object) -> tuple[str, tuple[Said, ...]]:
    """Comparisons with a version, joined by commas; "" for none.

    One that cannot be read is kept: it may be meant for a later memtools, so it is not met.
    """
    if isinstance(value, str) and (not value.strip() or _comparisons(value)):
        return value.strip(), ()
    return str(value), (say('must be a version requirement, as in ">=1.4"'),)


def satisfies(requires: str, version: str = VERSION) -> bool:
    """Does `version` meet `requires` (">=1.4", or several joined by commas; "" is always met)?"""
    if not requires.strip():
        return True
    mine = _numbers(version)
    wanted = _comparisons(requires)
    return bool(wanted) and all(_is_met(sign, mine, _numbers(text)) for sign, text in wanted)


def _is_met(sign: str, mine: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    if sign == "==":
        return mine == wanted
    if sign[0] == ">":
        return mine > wanted or (sign == ">=" and mine == wanted)
    return mine < wanted or (sign == "<=" and mine == wanted)


def _comparisons(requires: str) -> list[tuple[str, str]]:
    """(sign, version) of each comparison; none when one of them cannot be read."""
    found = [re.fullmatch(_REQUIREMENT, part) for part in requires.split(",")]
    return [(match[1] or ">=", match[2]) for match in found if match] if all(found) else []


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(digits) for digits in re.findall(r"\d+", version)[:4]]
    return (*numbers, *[0] * (4 - len(numbers)))
