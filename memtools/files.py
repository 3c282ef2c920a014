"""Files of our own under the git dir: regular ones only, written whole or not at all, locked.

Must not know what they hold, and must not be used on notes (`git/worktree.py` looks after those).
What else stands in the place of one (a pipe, a socket, a link, a folder, a giant) is as good as
missing for a reader, and put out of the way by a writer.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from memtools.errors import say

LIMIT = 1 << 28  # bytes; the ledger of 100,000 memories has a tenth of it
TEMPORARY = ".memtools-"  # then the name and the process of who writes
_NAP = 0.02
# As far as this system has them: no waiting for a pipe, no way out through a link.
_SAFE = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


def open_plain(path: str, flags: int = os.O_RDONLY) -> int:
    """A descriptor of a regular file (made, when `flags` say so, for its owner only).

    Raises:
        OSError: there is none, or something else stands there.
    """
    descriptor = os.open(path, flags | _SAFE, 0o600)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, say("not a regular file"), path)


def read_plain(path: str, limit: int = LIMIT) -> bytes:
    """All bytes of a regular file.

    Raises:
        OSError: there is none, something else stands there, or it is larger than `limit`.
    """
    descriptor = open_plain(path)
    try:
        left = os.fstat(descriptor).st_size
        if left > limit:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), path)
        parts = []
        while left > 0 and (part := os.read(descriptor, left)):
            parts.append(part)
            left -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def write_whole(path: str, data: bytes, mode: int = 0o600, *, durable: bool = True) -> None:
    """Put a file there in one step: a new one of this mode beside it, then renamed.

    `durable` waits for the disk: for what is lost when it is lost.
    """
    folder, name = os.path.split(path)
    fresh = os.path.join(folder, f"{TEMPORARY}{name}-{os.getpid()}")
    if os.path.lexists(fresh):
        os.unlink(fresh)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with open(descriptor, "wb") as file:
            os.chmod(fresh, mode)
            file.write(data)
            if durable:
                file.flush()
                os.fsync(descriptor)
        os.replace(fresh, path)
    except BaseException as error:
        os.unlink(fresh)
        if isinstance(error, OSError):
            name_place(error, path)
        raise


def name_place(error: OSError, path: str) -> None:
    """Let an error say where: the system does not when a disk is full."""
    if error.errno and error.filename is None:
        error.filename = path


def write_own(path: str, data: bytes, *, durable: bool = False) -> None:
    """The same for a file of ours: its folder is made, and what else stands there makes way."""
    make_folder(os.path.dirname(path))
    make_way(path)
    write_whole(path, data, durable=durable)


def append_own(path: str, data: bytes, most: int = 1_000_000) -> None:
    """Add to a log of ours; one of more than `most` bytes becomes `PATH.1` first.

    Raises:
        OSError: it cannot be written.
    """
    make_folder(os.path.dirname(path))
    make_way(path)
    if os.path.exists(path) and os.path.getsize(path) > most:
        os.replace(path, f"{path}.1")
    with open(open_plain(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as file:
        file.write(data)


def remove_own(path: str) -> None:
    """Take a file of ours away; nothing happens when there is none."""
    make_way(path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def remove_entry(path: str) -> None:
    """Take away a file of ours, or a folder with all that is in it and can be removed."""
    if not os.path.isdir(path) or os.path.islink(path):
        remove_own(path)
        return
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def make_folder(path: str) -> None:
    """Make a folder of ours, for its owner only; a file in its place is put aside."""
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        in_the_way = path
        while not os.path.isdir(os.path.dirname(in_the_way)):
            in_the_way = os.path.dirname(in_the_way)
        _put_aside(in_the_way)
        os.makedirs(path, mode=0o700, exist_ok=True)


def is_strange(path: str) -> bool:
    """Does something stand there that no reader takes for a file of ours?"""
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return not stat.S_ISREG(found.st_mode) or found.st_size > LIMIT


def make_way(path: str) -> None:
    """Take away what stands in the place of a file of ours; a folder that is not empty is kept."""
    if not is_strange(path):
        return
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)
        return
    try:
        os.rmdir(path)
    except OSError:
        _put_aside(path)


def _put_aside(path: str) -> None:
    number = 1
    while os.path.lexists(f"{path}.aside-{number}"):
        number += 1
    os.rename(path, f"{path}.aside-{number}")


def sync_folder(path: str | bytes) -> None:
    """Make renames in the folder last; a system that cannot (Windows) is left alone."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def take_lock(path: str, seconds: float) -> int:
    """Take a lock; to close the descriptor gives it back, as does the end of the process.

    It counts only while its path names the locked file: one that somebody deleted is noticed.
    Without flock (Windows) everybody gets it.

    Raises:
        BlockingIOError: another process held it for so long.
        OSError: it cannot be opened.
    """
    until = time.monotonic() + seconds
    while True:
        make_way(path)
        descriptor = open_plain(path, os.O_RDWR | os.O_CREAT)
        if _flock(descriptor) and is_open_at(path, descriptor):
            return descriptor
        os.close(descriptor)
        if time.monotonic() >= until:
            raise BlockingIOError(errno.EWOULDBLOCK, os.strerror(errno.EWOULDBLOCK), path)
        time.sleep(_NAP)


def is_locked(path: str) -> bool:
    """Does somebody hold this lock right now?"""
    try:
        descriptor = open_plain(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _flock(descriptor)
    finally:
        os.close(descriptor)


def is_open_at(path: str, descriptor: int) -> bool:
    """Does the path still name the file that is open?"""
    try:
        there, here = os.lstat(path), os.fstat(descriptor)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _flock(descriptor: int) -> bool:
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
