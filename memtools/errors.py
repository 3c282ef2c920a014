"""The errors and exit codes: what stops a run is raised, what a person can mend is a Problem.

MemtoolsError
|- UsageError   2   wrong usage
|- RefusedError 1   refused because of the content
|- GitError     3   no repository, a lock held, git said no
|- SearchError  3   the search index cannot be used
`- PolicyError  4   refused by policy
"""

from __future__ import annotations

DONE = 0
FINDINGS = 1
USAGE = 2
ENVIRONMENT = 3
POLICY = 4
BUG = 70
INTERRUPTED = 130


class MemtoolsError(Exception):
    """This run cannot go on; `message` says what and where, `hint` what to type next."""

    exit_code = FINDINGS

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MemtoolsError):
    """The command line is wrong."""

    exit_code = USAGE


class RefusedError(MemtoolsError):
    """The content does not allow what was asked."""


class GitError(MemtoolsError):
    """Git, or the repository, cannot do what was asked of it.

    `returncode` is git's own exit status, or -1 when git was not the one that refused; `is_lock`:
    another process holds one of git's locks.
    """

    exit_code = ENVIRONMENT

    def __init__(
        self, message: str, hint: str = "", returncode: int = -1, *, is_lock: bool = False
    ) -> None:
        super().__init__(message, hint)
        self.returncode = returncode
        self.is_lock = is_lock


class SearchError(MemtoolsError):
    """The search index cannot be opened, read or written."""

    exit_code = ENVIRONMENT


class PolicyError(MemtoolsError):
    """The policy of the repository does not allow it."""

    exit_code = POLICY
