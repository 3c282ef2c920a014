"""Plain values kept in files of ours, with a checksum: what is damaged is as good as none.

So is what has another shape than its reader says. Must not know what the values mean, nor load
anything big.
"""

from __future__ import annotations

import marshal
import os
from binascii import crc32
from itertools import chain

from memtools.files import read_plain, write_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SEQUENCES = {list, tuple}


def write_checked(folder: str, name: str, value: Any) -> bool:
    """Keep a value (of marshal); False when it cannot be written, which loses nothing."""
    try:
        write_needed(folder, name, value)
    except OSError:
        return False
    return True


def write_needed(folder: str, name: str, value: Any, *, durable: bool = False) -> None:
    """The same for a value that something is lost with. `durable` waits for the disk.

    Raises:
        OSError: it cannot be written.
    """
    body = marshal.dumps(value, 4)
    write_own(os.path.join(folder, name), b"%d\n" % crc32(body) + body, durable=durable)


def read_checked(folder: str, name: str, shape: Any) -> Any:
    """A value kept by `write_checked`, or None when it is missing, damaged or of another shape."""
    try:
        body = _sound(read_plain(os.path.join(folder, name)))
        value = None if body is None else marshal.loads(body)
    except (OSError, ValueError, TypeError, EOFError):
        return None
    return value if fits(value, shape) else None


def is_damaged(folder: str, name: str) -> bool:
    """Does such a file (the journal is one, too) hold something else than its sum says?"""
    try:
        data = read_plain(os.path.join(folder, name))
    except OSError:
        return False
    return data != b"" and _sound(data) is None


def _sound(data: bytes) -> bytes | None:
    """What follows the sum in the first line, when it has that sum."""
    head, _, body = data.partition(b"\n")
    return body if head == b"%d" % crc32(body) else None


def fits(value: Any, shape: Any) -> bool:
    """Has a value this shape?

    A shape is a type; `[shape]`, a sequence of any length; a tuple of shapes, a sequence of just
    these; or `{shape: shape}`, a dict.
    """
    return _all_fit([value], shape)


def _all_fit(values: Sequence[Any], shape: Any) -> bool:
    """The same of many at once: long lists of rows are looked at column by column."""
    kinds = set(map(type, values))
    if isinstance(shape, list):
        return kinds <= _SEQUENCES and _all_fit(list(chain.from_iterable(values)), shape[0])
    if isinstance(shape, tuple):
        is_long_enough = kinds <= _SEQUENCES and set(map(len, values)) <= {len(shape)}
        return is_long_enough and all(map(_all_fit, zip(*values, strict=True), shape))
    if isinstance(shape, dict):
        ((key, held),) = shape.items()
        items = [pair for value in values for pair in value.items()] if kinds <= {dict} else [()]
        return _all_fit(items, (key, held))
    return all(issubclass(kind, shape) for kind in kinds)
