"""What a killed writer leaves, and how the next one finishes it or clears it away.

Knows no tantivy but the checksum in its files and the line in `meta.json` that counts commits.
"""

from __future__ import annotations

import os
from binascii import crc32

from memtools.core.pattern import lazy
from memtools.files import read_plain, write_own
from memtools.search.manifest import META, Manifest, measure, opstamp

_PENDING = "pending"
_DOCUMENTS = lazy(rb'"max_doc":\s*(\d+)')
_DELETED = lazy(rb'"num_deleted_docs":\s*(\d+)')
_CRC = lazy(rb'"crc":\s*(\d+)')


def announce(folder: str, found: Manifest, stamp: str) -> None:
    """Make ready for a commit on top of `found`: leave word of its stamp, for `recovered`.

    Files of a killed commit go: the next one would use a name again and fail (FileAlreadyExists).
    """
    place = os.path.join(folder, found.generation)
    known = {entry.name for entry in found.entries} | {META}
    for name in os.listdir(place):
        if name not in known and not name.startswith("."):
            os.unlink(os.path.join(place, name))
    hidden = stamp.encode("utf-8", "surrogateescape").hex()
    said = f"{crc32(found.raw):08x} {hidden} .\n"
    write_own(os.path.join(folder, _PENDING), said.encode("ascii"))


def recovered(folder: str, found: Manifest) -> Manifest | None:
    """The manifest that a killed writer did not come to write; None when that is not what happened.

    Its commit is whole or not there at all (tantivy renames meta.json), and each new file must pass
    the checksum that tantivy left in it. Raises OSError or ValueError.
    """
    crc, stamp, end = read_plain(os.path.join(folder, _PENDING)).split(b" ")
    if int(crc, 16) != crc32(found.raw) or end != b".\n":
        return None
    place = os.path.join(folder, found.generation)
    meta = read_plain(os.path.join(place, META))
    committed = opstamp(meta) != found.opstamp
    named = bytes.fromhex(stamp.decode()).decode("utf-8", "surrogateescape")
    deleted = sum(int(number) for number in _DELETED.findall(meta))
    memories = sum(int(number) for number in _DOCUMENTS.findall(meta)) - deleted
    made = measure(
        folder, found.generation, named if committed else found.stamp, memories, found.entries
    )
    before = {entry.name: entry for entry in found.entries}
    for entry in made.entries:
        old = before.get(entry.name)
        if entry == old:
            continue
        if old is not None or not _has_own_sum(os.path.join(place, entry.name)):
            return None
    return made


def _has_own_sum(path: str) -> bool:
    """Does the file agree with the CRC in tantivy's footer (JSON, its length, a magic number)?"""
    raw = read_plain(path)
    length = int.from_bytes(raw[-8:-4], "little")
    body, footer = raw[: -8 - length], raw[-8 - length : -8]
    written = _CRC.search(footer)
    return written is not None and int(written[1]) == crc32(body)
