"""What happens to our own bugs: the traceback goes into a file, one line tells where.

Imported only then.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path

from memtools.core.version import VERSION
from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.streams import close_pipe, flush
from memtools.errors import BUG, ENVIRONMENT, MemtoolsError
from memtools.usecases.repository import make_state_dir, open_repository

_OF_THE_MACHINE = frozenset(
    (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EROFS,
        errno.EACCES,
        errno.EPERM,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
    )
)


class OurBugError(MemtoolsError):
    """Memtools itself went wrong."""

    exit_code = BUG


class MachineError(MemtoolsError):
    """The system refused: a full disk, a folder nobody may write in."""

    exit_code = ENVIRONMENT


def report_bug(error: BaseException) -> int:
    """Say in one line what went wrong, and for our own bugs in which file it is written down.

    Returns the exit code.
    """
    told = explained(error)
    tell(told)
    return told.exit_code


def tell(error: MemtoolsError) -> None:
    """Say on stderr what went wrong; where nothing can be written to, it is not said."""
    try:
        text.show_error(error)
        flush()
    except OSError:
        close_pipe()


def explained(error: BaseException) -> MemtoolsError:
    """What to tell the person; the traceback of a bug of ours goes to a log of its own."""
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
        what, where = os.strerror(error.errno), os.fsdecode(error.filename or "")
        message = say("the system refused: {what}: {path}", what=what, path=where)
        if not where or isinstance(error.filename, int):
            message = say("the system refused: {what}", what=what)
        return MachineError(message, say("mend that, then type the command again"))
    lines = traceback.format_exception(error)
    head = f"memtools {VERSION}, Python {sys.version.split()[0]}, {sys.platform}\n"
    data = (head + "".join(lines)).encode("utf-8", "backslashreplace")
    name = type(error).__name__
    try:
        path = _write(data)
    except OSError:
        return OurBugError(say("a bug in memtools ({name}); no log could be written", name=name))
    return OurBugError(
        say("a bug in memtools ({name}); what happened is written in {path}", name=name, path=path),
    )


def _write(data: bytes) -> str:
    """Into `<git dir>/memtools/log/`, else into a temporary file; readable by the person alone."""
    name = time.strftime("crash-%Y%m%dT%H%M%SZ-", time.gmtime())
    try:
        folder = Path(make_state_dir(open_repository()), "log")
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor, path = tempfile.mkstemp(".txt", name, folder)
    except Exception:  # a bug may hide in any of these, too
        descriptor, path = tempfile.mkstemp(".txt", f"memtools-{name}")
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    return path
