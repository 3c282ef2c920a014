"""stdout and stderr as streams: what encoding takes, when what is buffered goes out.

Must not know what is printed; `text.py` does.
"""

from __future__ import annotations

import os
import sys


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
