"""Git-native Markdown memory: one `RETRACTS:` line, one commit, and a wrong memory stops speaking.

The same use cases as the command line, as plain typed functions on values. Names are imported when
they are first used, so that a hook pays for none of them.
"""

from __future__ import annotations

import sys

from memtools.core.version import VERSION as __version__

_HOMES = {
    "open_repository": "memtools.usecases.repository",
    "Repository": "memtools.usecases.repository",
    "retract": "memtools.usecases.changing.retract",
    "restore": "memtools.usecases.changing.restore",
    "sweep": "memtools.usecases.changing.sweep",
    "propose": "memtools.usecases.proposing.propose",
    "review": "memtools.usecases.proposing.review",
    "approve": "memtools.usecases.proposing.approve",
    "reject": "memtools.usecases.proposing.reject",
    "import_memories": "memtools.usecases.proposing.importing",
    "check": "memtools.usecases.checking.check",
    "doctor": "memtools.usecases.diagnosing.doctor",
    "backup": "memtools.usecases.tending.backup",
    "daily": "memtools.usecases.tending.daily",
    "survey": "memtools.usecases.tending.survey",
    "search": "memtools.usecases.reading.search",
    "recall": "memtools.usecases.reading.recall",
    "explain": "memtools.usecases.reading.explain",
    "history": "memtools.usecases.reading.history",
    "render": "memtools.usecases.rendering.render",
    "export": "memtools.usecases.rendering.export",
    "memory_tool": "memtools.usecases.proposing.memorytool",
    "resolve_address": "memtools.usecases.addresses",
}
__all__ = ["__version__", *_HOMES]  # noqa: PLE0604  # the keys are texts


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'memtools' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _FrontDoor(type(sys)):  # type: ignore[misc]  # ModuleType, without `types`
    """`memtools.search` is the function, although a package (the room) has that name, too."""

    @property
    def search(self) -> object:
        """`memtools.usecases.reading.search.search`."""
        from memtools.usecases.reading.search import search

        return search

    @search.setter
    def search(self, package: object) -> None:
        """What importing the package `memtools.search` would put here stays out."""


sys.modules[__name__].__class__ = _FrontDoor
