"""Regular expressions that are compiled when they are first used.

One takes 0.1 to 1 CPU ms to compile, with a class of characters over all of Unicode 4 to 8; a hook
meets few of them.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import AnyStr

_METHODS = ("match", "search", "fullmatch", "sub", "subn", "findall", "finditer", "split")


class _Lazy:
    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:  # from now on found without coming here
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, but compiled at the first use of a method."""
    return _Lazy(source, flags)  # type: ignore[return-value]  # has the methods that are used
