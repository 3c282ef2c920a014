"""What git refused, as an error for a person.

Must not start git: it is told what git said.
"""

from __future__ import annotations

from memtools.errors import GitError, say
from memtools.git.run import verb_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOVED = " but expected "  # cannot lock ref 'HEAD': is at 1234 but expected 5678
_NO_IDENTITY = b"Please tell me who you are"  # whatever it is that git misses: name or mail


def git_error(args: Sequence[str | bytes], code: int, err: bytes) -> GitError:
    """The error for a git call that ended with `code`; a held lock is named with its path."""
    lines = [line for line in err.decode("utf-8", "replace").splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith(("fatal:", "error:"))), "")
    said = said or (lines[-1] if lines else f"exit status {code}")
    verb = verb_of(args)
    if ".lock" in said and "File exists" in said:
        return GitError(
            say(
                "another git process is running here: {what}",
                what=said.partition(": ")[2] or said,
            ),
            say("try again when it has ended; if none runs, remove the named lock file yourself"),
            code,
            is_lock=True,
        )
    hint = ""
    if _NO_IDENTITY in err:
        hint = say(
            'git has to know who you are; type: git config --global user.name "Your Name"; '
            "git config --global user.email you@example.com"
        )
    what = say("git {verb} failed: {reason}", verb=verb, reason=said)
    return GitError(what, hint, code, is_overtaken=_MOVED in said)


def line_break(folder: str) -> GitError:
    """The refusal of a repository whose folders git cannot name: it prints each on a line."""
    return GitError(
        say("the path of {folder} holds a line break", folder=repr(folder)),
        say("rename that folder"),
    )
