"""stdout and stderr as streams: what encoding takes, when what is buffered goes out.

Must not know what is printed; `text.py` does.
"""

from __future__ import annotations

import os
import sys


def restart_in_utf8() -> None:
    """Start this process anew where Python reads names in another encoding than UTF-8.

    Names and texts in a repository are the same for everybody, whatever a locale says (plain C
    with UTF-8 mode switched off, Latin-1). Does not return then.
    """
    if sys.getfilesystemencoding() != "utf-8" and "utf8" not in sys._xoptions and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def prepare_streams() -> None:
    """Make stdout and stderr take any text: what their encoding lacks is shown as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def flush() -> None:
    """Push results out, so that a closed pipe shows now and not when Python ends."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()


def close_pipe() -> None:
    """The reader has gone: what is still buffered goes nowhere, so Python ends without a word."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (AttributeError, OSError, ValueError):
            continue
    os.close(nowhere)
