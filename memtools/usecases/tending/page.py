"""Where a report is written: a new file, or one that a report was written to before.

Must not know what stands in it.
"""

from __future__ import annotations

import os

from memtools.core.wording import say, shell_word
from memtools.errors import UsageError
from memtools.files import write_whole

_OURS = b"<!-- made by memtools report -->"
_LOOKED_AT = 200  # bytes


def write_page(path: str, page: str) -> None:
    """Write a page in one step.

    Raises:
        UsageError: something else stands there, which may be a note.
    """
    if os.path.lexists(path) and not _is_ours(path):
        raise UsageError(
            say("{path} is there already and is no report of memtools", path=path),
            say("name another file"),
        )
    if not os.path.isdir(os.path.dirname(path) or "."):
        folder = os.path.dirname(path)
        raise UsageError(
            say("{path} is not a folder", path=folder),
            say("type: mkdir -p {path}", path=shell_word(folder)),
        )
    write_whole(path, page.encode("utf-8", "backslashreplace"), 0o644)


def _is_ours(path: str) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return _OURS in file.read(_LOOKED_AT)
