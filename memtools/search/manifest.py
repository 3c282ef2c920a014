"""The manifest of the search index: which files belong to it, what they held, what it reflects.

Knows no tantivy; it reads the bytes of files and of one line in `meta.json`.

tantivy notices little of its own damage: of 360 flipped bits, 31 gave silently wrong answers and 17
a panic. So each writer leaves size, CRC-32 and file times of every file, and each reader compares
them. Times that agree are believed (as git believes them, with git's care for a file as young as
the manifest); any other file is read and its CRC compared before tantivy maps it.
"""

from __future__ import annotations

import os
from binascii import crc32

from memtools.core.pattern import lazy
from memtools.files import open_plain, read_plain, sync_folder, write_own
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

META = "meta.json"
_NAME = "manifest"
_CHUNK = 1 << 20
_HEAD = "memtools-search-manifest 1"
_SEGMENT = lazy(rb'"segment_id":\s*"([0-9a-f-]{36})"')
_OPSTAMP = lazy(rb'"opstamp":\s*(\d+)')


class Entry(NamedTuple):
    """One file of the index; times in nanoseconds."""

    name: str
    size: int
    crc: int
    mtime: int
    ctime: int


class Manifest(NamedTuple):
    """`stamp` is opaque, `generation` the folder that holds the files, `opstamp` tantivy's own."""

    stamp: str
    generation: str
    opstamp: int
    memories: int
    meta_crc: int
    entries: tuple[Entry, ...]
    written: int = 0
    raw: bytes = b""


def read(folder: str) -> Manifest | None:
    """The manifest in `folder`; None when there is none. Raises ValueError when it is damaged."""
    path = os.path.join(folder, _NAME)
    try:
        written = os.lstat(path).st_mtime_ns
        raw = read_plain(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    body, _, end = raw.rpartition(b"end ")
    if not body.startswith(_HEAD.encode()) or end != b"%08x\n" % crc32(body):
        raise ValueError(_NAME)
    lines = body.decode("ascii").splitlines()
    fields = dict(line.split(" ", 1) for line in lines[1:6])
    entries = []
    for line in lines[6:]:
        _, name, size, crc, mtime, ctime = line.split(" ")
        entries.append(Entry(name, int(size), int(crc, 16), int(mtime), int(ctime)))
    return Manifest(
        bytes.fromhex(fields["stamp"].strip()).decode("utf-8", "surrogateescape"),
        fields["generation"],
        int(fields["opstamp"]),
        int(fields["memories"]),
        int(fields["meta"], 16),
        tuple(entries),
        written,
        raw,
    )


def write(folder: str, manifest: Manifest) -> None:
    """Put the manifest in place: temp file, fsync, rename, fsync of the folder."""
    lines = [
        _HEAD,
        "stamp " + manifest.stamp.encode("utf-8", "surrogateescape").hex(),
        f"generation {manifest.generation}",
        f"opstamp {manifest.opstamp}",
        f"memories {manifest.memories}",
        f"meta {manifest.meta_crc:08x}",
    ]
    lines += [f"file {e.name} {e.size} {e.crc:08x} {e.mtime} {e.ctime}" for e in manifest.entries]
    body = ("\n".join(lines) + "\n").encode("ascii")
    data = body + b"end %08x\n" % crc32(body)
    write_own(os.path.join(folder, _NAME), data, durable=True)
    sync_folder(folder)


def measure(
    folder: str, generation: str, stamp: str, memories: int, known: Iterable[Entry] = ()
) -> Manifest:
    """The manifest of what meta.json names now; unchanged `known` files are not read again."""
    place = os.path.join(folder, generation)
    meta = read_plain(os.path.join(place, META))
    segments = {found.decode().replace("-", "") for found in _SEGMENT.findall(meta)}
    before = {entry.name: entry for entry in known}
    entries = []
    for name in sorted(os.listdir(place)):
        if name.split(".", 1)[0] not in segments:
            continue  # .managed.json too: it changes before the commit, only clearing up reads it
        path = os.path.join(place, name)
        old, now = before.get(name), os.stat(path)
        if old and (old.size, old.mtime, old.ctime) == _identity(now):
            entries.append(old)
            continue
        size, crc = _size_and_crc(path)
        entries.append(Entry(name, size, crc, now.st_mtime_ns, now.st_ctime_ns))
    return Manifest(stamp, generation, opstamp(meta), memories, crc32(meta), tuple(entries))


def opstamp(meta: bytes) -> int:
    """The opstamp that tantivy's meta.json ends with; -1 when there is none."""
    found = _OPSTAMP.findall(meta)
    return int(found[-1]) if found else -1


def fault(folder: str, manifest: Manifest, thorough: bool = False) -> str:
    """What does not agree with the manifest (a file name), or "" when all does."""
    place = os.path.join(folder, manifest.generation)
    try:
        meta = read_plain(os.path.join(place, META))
        strange = [e.name for e in os.scandir(place) if not e.is_file(follow_symlinks=False)]
    except OSError:
        return META
    if strange:  # tantivy would wait for a pipe
        return strange[0]
    if crc32(meta) != manifest.meta_crc or opstamp(meta) != manifest.opstamp:
        return META
    for entry in manifest.entries:
        path = os.path.join(place, entry.name)
        try:
            now = os.lstat(path)
            if now.st_size != entry.size:
                return entry.name
            # As young as the manifest: it could have changed within one tick of the clock.
            young = max(entry.mtime, entry.ctime) >= manifest.written
            if not thorough and not young and _identity(now) == entry[1:2] + entry[3:]:
                continue
            if _size_and_crc(path) != (entry.size, entry.crc):
                return entry.name
        except OSError:
            return entry.name
    return ""


def copy(source: str, found: Manifest, folder: str, generation: str) -> Manifest:
    """Copy all files to a new generation in `folder`; ValueError when one does not agree."""
    old, new = os.path.join(source, found.generation), os.path.join(folder, generation)
    os.mkdir(new, 0o700)
    meta = read_plain(os.path.join(old, META))
    if crc32(meta) != found.meta_crc:
        raise ValueError(META)
    _copy_file(old, new, META)
    for entry in found.entries:
        if _copy_file(old, new, entry.name) != (entry.size, entry.crc):
            raise ValueError(entry.name)
    sync_folder(new)
    made = measure(folder, generation, found.stamp, found.memories)
    if made.meta_crc != found.meta_crc or [e[:3] for e in made.entries] != [
        e[:3] for e in found.entries
    ]:
        raise ValueError(META)
    return made


def _size_and_crc(path: str) -> tuple[int, int]:
    """Size and CRC-32 of a file, read in pieces."""
    size = crc = 0
    with open(open_plain(path), "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            crc = crc32(chunk, crc)
    return size, crc


def _identity(now: os.stat_result) -> tuple[int, int, int]:
    """Size and times: while they stay, so does the content (as git believes too)."""
    return now.st_size, now.st_mtime_ns, now.st_ctime_ns


def _copy_file(old: str, new: str, name: str) -> tuple[int, int]:
    """Copy a file from one folder to another, where there is none; size and CRC of what came."""
    size = crc = 0
    with (
        open(open_plain(os.path.join(old, name)), "rb") as reader,
        open(os.path.join(new, name), "xb") as writer,
    ):
        while chunk := reader.read(_CHUNK):
            writer.write(chunk)
            size += len(chunk)
            crc = crc32(chunk, crc)
        writer.flush()
        os.fsync(writer.fileno())
    return size, crc
