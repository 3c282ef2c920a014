"""The bytes a person hands in: one file or standard input, never more than a memory may have.

Must not know what they mean.
"""

from __future__ import annotations

import os
import stat
import sys

from memtools.core.memory import MAX_FILE
from memtools.core.wording import say
from memtools.errors import UsageError


def read_handed(name: str, limit: int = MAX_FILE) -> bytes:
    """The bytes of a file, or of standard input for `-`; one more than `limit` at most.

    Raises:
        UsageError: it cannot be read, or is no regular file.
    """
    if name == "-":
        return sys.stdin.buffer.read(limit + 1)
    try:
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(name, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UsageError(say("{path} is no regular file", path=name))
            return file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            say("{path} cannot be read: {reason}", path=name, reason=reason)
        ) from error
