"""Writing one file of git's own folders, or of ours, in one step.

Must not be used on notes: `worktree` looks after those.
"""

from __future__ import annotations

import contextlib
import os


def write_file(path: str, data: bytes, mode: int) -> None:
    """Put a file there in one step: a new file of this mode beside it, synced, then renamed."""
    folder, name = os.path.split(path)
    fresh = os.path.join(folder, f".memtools-{name}-{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(fresh)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(fresh, mode)
        os.replace(fresh, path)
    except BaseException:
        os.unlink(fresh)
        raise
