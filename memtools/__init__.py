"""Git-native Markdown memory: one `RETRACTS:` line, one commit, and a wrong memory stops speaking.

The same use cases as the command line, as plain typed functions on values. Names are imported when
they are first used, so that a hook pays for none of them.
"""

from __future__ import annotations

from memtools.core.version import VERSION as __version__

_HOMES = {
    "open_repository": "memtools.usecases.repository",
    "Repository": "memtools.usecases.repository",
    "retract": "memtools.usecases.retract",
    "restore": "memtools.usecases.restore",
    "sweep": "memtools.usecases.sweep",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'memtools' has no attribute {name!r}")
