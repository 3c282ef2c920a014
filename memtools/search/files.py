"""Files of the search index as bytes: read, summed, told apart by their times, copied.

Must not know what is in them.
"""

from __future__ import annotations

import os
from binascii import crc32

_CHUNK = 1 << 20


def contents(path: str) -> bytes:
    """All bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def size_and_crc(path: str) -> tuple[int, int]:
    """Size and CRC-32 of a file, read in pieces."""
    size = crc = 0
    with open(path, "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            crc = crc32(chunk, crc)
    return size, crc


def identity(now: os.stat_result) -> tuple[int, int, int]:
    """Size and times: while they stay, so does the content (as git believes too)."""
    return now.st_size, now.st_mtime_ns, now.st_ctime_ns


def copy_file(old: str, new: str, name: str) -> tuple[int, int]:
    """Copy a file from one folder to another, where there is none; size and CRC of what came."""
    size = crc = 0
    with (
        open(os.path.join(old, name), "rb") as reader,
        open(os.path.join(new, name), "xb") as writer,
    ):
        while chunk := reader.read(_CHUNK):
            writer.write(chunk)
            size += len(chunk)
            crc = crc32(chunk, crc)
        writer.flush()
        os.fsync(writer.fileno())
    return size, crc


def sync_folder(folder: str) -> None:
    """Make renames in the folder last; a system that cannot (Windows) is left alone."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
