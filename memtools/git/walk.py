"""Walks of history for a person who waits, by GitPython, with the argv and the policy of `run`.

Must not be loaded by a hook: to import GitPython takes as long as thirty calls of git.
"""

from __future__ import annotations

import os

from memtools.git.run import DROPPED
from memtools.git.trouble import git_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git


def walk(git: Git, *args: str) -> bytes:
    """Run `git ARGS` and return its stdout.

    GitPython starts git without a shell, adds the variables it is given to those of the process,
    and cannot take one away: those that `run` drops are set to nothing.

    Raises:
        GitError: git ended with a status other than 0.
    """
    from git import Git as Runner

    code, out, err = Runner(git.cwd).execute(
        [*git.argv, *args],
        env={**dict.fromkeys(DROPPED, ""), **git.alone},
        stdout_as_string=False,
        strip_newline_in_stdout=False,
        with_extended_output=True,
        with_exceptions=False,
        shell=False,
    )
    if code:
        raise git_error(args, code, os.fsencode(err))
    return out if isinstance(out, bytes) else os.fsencode(out)
