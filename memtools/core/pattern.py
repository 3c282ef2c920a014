"""Regular expressions that are compiled when they are first used.

A class of characters over all of Unicode takes 4 to 8 CPU ms to compile; a hook and `search` meet
most of them only in text that is not ASCII.
"""

from __future__ import annotations

import re

_METHODS = ("match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split")


class _Lazy:
    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:  # from now on found without coming here
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, but compiled at the first use of a method."""
    return _Lazy(source, flags)  # type: ignore[return-value]  # has the methods that are used
