"""Plain values kept in files of ours, with a checksum: what is damaged is as good as none.

Must not know what the values mean, nor load anything big.
"""

from __future__ import annotations

import marshal
import os
from binascii import crc32

from memtools.files import read_plain, write_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def write_checked(folder: str, name: str, value: Any) -> bool:
    """Keep a value (of marshal); False when it cannot be written, which loses nothing."""
    body = marshal.dumps(value, 4)
    try:
        write_own(os.path.join(folder, name), b"%d\n" % crc32(body) + body)
    except OSError:
        return False
    return True


def read_checked(folder: str, name: str) -> Any:
    """A value kept by `write_checked`, or None when it is missing or damaged."""
    try:
        head, _, body = read_plain(os.path.join(folder, name)).partition(b"\n")
    except OSError:
        return None
    if head != b"%d" % crc32(body):
        return None
    try:
        return marshal.loads(body)
    except (ValueError, TypeError, EOFError):
        return None
