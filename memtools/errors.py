"""The errors and exit codes: what stops a run is raised, what a person can mend is a Problem.

Also the sentences they are made of: `say` stands here, since every room may raise an error.

MemtoolsError
|- UsageError   2   wrong usage
|- RefusedError 1   refused because of the content
|- GitError     3   no repository, a lock held, git said no
|- SearchError  3   the search index cannot be used
|- ExtraError   3   an optional package is not installed
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


class Said(str):
    """A finished English sentence; `template` and `values` are what it was made from."""

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]


def say(template: str, **values: object) -> Said:
    """Fill `template` (str.format fields) and keep both, so that the sentence can be translated."""
    said = Said(template.format(**values) if values else template)
    said.template = template
    said.values = values
    return said


def pip_install(*words: str) -> str:
    """A command line that installs something where this very memtools runs."""
    import shlex
    import sys

    return shlex.join([sys.executable or "python3", "-m", "pip", "install", *words])


class MemtoolsError(Exception):
    """This run cannot go on; `message` says what and where, `hint` what to type next.

    Both are made by `say`.
    """

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
    another process holds one of git's locks; `is_overtaken`: another one moved the ref just now.
    """

    exit_code = ENVIRONMENT

    def __init__(
        self,
        message: str,
        hint: str = "",
        returncode: int = -1,
        *,
        is_lock: bool = False,
        is_overtaken: bool = False,
    ) -> None:
        super().__init__(message, hint)
        self.returncode = returncode
        self.is_lock = is_lock
        self.is_overtaken = is_overtaken


class SearchError(MemtoolsError):
    """The search index cannot be opened, read or written."""

    exit_code = ENVIRONMENT


class ExtraError(MemtoolsError):
    """An optional package or program is not there, or too old; `extra` of memtools brings it."""

    exit_code = ENVIRONMENT

    def __init__(self, message: str, *, extra: str = "") -> None:
        command = pip_install(f"memtools[{extra}]")
        super().__init__(message, say("type: {command}", command=command) if extra else "")


class PolicyError(MemtoolsError):
    """The policy of the repository does not allow it."""

    exit_code = POLICY
