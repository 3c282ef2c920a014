"""Open a file in the person's editor, on their terminal.

Must not know which editor: it gets a command line, as git takes one from its own variables.
"""

from __future__ import annotations

import os
import sys


def open_in_editor(command: str, path: str) -> bool:
    """Run the editor on a file and wait; False when it cannot be started or ends with an error."""
    import shlex
    import subprocess

    try:
        words = shlex.split(command, posix=sys.platform != "win32")
        if not words:
            return False
        done = subprocess.run([*words, path], check=False, cwd=os.path.dirname(path) or None)
    except (OSError, ValueError):
        return False
    return done.returncode == 0
