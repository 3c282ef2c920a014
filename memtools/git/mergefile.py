"""`git merge-file`: three texts merged line by line, as git does it.

Must not know what is merged, nor what becomes of a conflict.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


def merge_file(
    git: Git, base: bytes, ours: bytes, theirs: bytes, *options: str
) -> tuple[int, bytes]:
    """Git's exit status (0: clean; up to 127: conflicts; else: it cannot) and the text."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="memtools-merge-") as folder:
        places = []
        for name, data in (("ours", ours), ("base", base), ("theirs", theirs)):
            places.append(os.path.join(folder, name))
            with open(places[-1], "wb") as file:
                file.write(data)
        code, out, _ = git.call("merge-file", "-p", *options, *places)
    return code, out
