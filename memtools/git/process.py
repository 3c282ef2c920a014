"""Does another process still run? Files that a process left behind carry its number.

Must not know what such a file holds.
"""

from __future__ import annotations

import os


def is_running(process: int) -> bool:
    """Is there a process of this number? Where that cannot be asked (Windows) there may be one."""
    if os.name == "nt":  # there os.kill ends the process it asks after
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it runs, for somebody else
        return True
    return True
