"""What stands between us and the search engine: its panics, and a second writer.

Knows no schema and no document.
"""

from __future__ import annotations

import errno
import os

from memtools.core.wording import say
from memtools.errors import MemtoolsError, SearchError
from memtools.files import is_open_at, open_plain, take_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import NoReturn

# Why a search index cannot be used: what the caller does next depends on it.
MISSING = "missing"  # rebuild
DAMAGED = "damaged"  # rebuild
BUSY = "busy"  # try later, or scan
MOVED = "moved"  # another writer was first: take the new stamp and work out the changes again
FAILED = "failed"  # disk full, no permission: scan

_LOG = "engine.log"
_LOG_LIMIT = 65_536
# What the disk said, as the engine passes it on.
_REFUSALS = tuple(
    map(os.strerror, (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EFBIG))
)


class StoreError(SearchError):
    """The search index cannot be used; `reason` is one of the words above."""

    def __init__(self, reason: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.reason = reason


class Guard:
    """Around each call of tantivy: panics and errors come out as StoreError, its prints in a log.

    A Rust panic writes to file descriptor 2 before Python sees PanicException, which is a
    BaseException. So fd 2 points at a log for the time of the call (for every thread).
    """

    def __init__(self, folder: str, reason: str = DAMAGED) -> None:
        self._folder = folder
        self._reason = reason
        self._saved = -1

    def __enter__(self) -> Guard:
        try:
            self._saved = os.dup(2)
        except OSError:  # no standard error at all: nothing to protect
            return self
        log = _open_log(self._folder)
        os.dup2(log, 2)
        os.close(log)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._saved >= 0:
            os.dup2(self._saved, 2)
            os.close(self._saved)
            self._saved = -1
        if error is not None and _is_engine_error(error):
            _raise(self._folder, self._reason, error)


def _is_engine_error(error: BaseException) -> bool:
    if isinstance(error, MemtoolsError):
        return False
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def _raise(folder: str, reason: str, error: BaseException) -> NoReturn:
    text = " ".join(str(error).split())[:200]
    refusal = next((words for words in _REFUSALS if words in text), "")
    if refusal:
        raise not_written(f"{folder}: {refusal}") from error
    if "LockBusy" in text:
        reason = BUSY
    raise StoreError(
        reason,
        say("the search index cannot be used: {error}", error=text),
        say("memtools index --rebuild"),
    ) from error


def _open_log(folder: str) -> int:
    path = os.path.join(folder, _LOG)
    try:
        log = open_plain(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        if os.fstat(log).st_size > _LOG_LIMIT:
            os.ftruncate(log, 0)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)
    return log


class WriterLock:
    """Only one process writes: a lock that vanishes with the process that holds it.

    Waits at most `wait` seconds, then raises StoreError(BUSY).
    """

    def __init__(self, path: str, wait: float) -> None:
        self._path = path
        self._wait = wait
        self._handle = -1

    def __enter__(self) -> WriterLock:
        try:
            self._handle = take_lock(self._path, self._wait)
        except BlockingIOError as error:
            raise busy() from error
        except OSError as error:
            raise not_written(f"{self._path}: {error.strerror}") from error
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        is_ours = self.is_ours()
        os.close(self._handle)  # closing gives the lock back
        self._handle = -1
        if isinstance(error, StoreError) and error.reason == DAMAGED and not is_ours:
            raise moved() from error  # whoever came in took our files for leftovers

    def is_ours(self) -> bool:
        """Does the path still name the file that is locked?"""
        return is_open_at(self._path, self._handle)


def busy() -> StoreError:
    """The error for a lock that was not given back in time."""
    return StoreError(
        BUSY,
        say("another process is writing the search index"),
        say("wait for it to end and try again"),
    )


def moved() -> StoreError:
    """The error for a writer that comes second."""
    return StoreError(MOVED, say("the search index has moved on meanwhile"), say("try again"))


def not_written(what: str) -> StoreError:
    """The error for a disk that does not let us write; `what`: where, and what it said."""
    return StoreError(FAILED, say("the search index cannot be written: {error}", error=what))
