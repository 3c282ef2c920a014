"""What git calls: `memtools hook STAGE`. Runs the use case of the stage and prints its outcome.

Must stay light: nothing beyond the use case of one stage is imported.
"""

from __future__ import annotations

import os
import sys

from memtools.errors import BUG, DONE, FINDINGS, GitError, MemtoolsError
from memtools.usecases.person import is_unattended
from memtools.usecases.repository import Repository, open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.outcome import Outcome

_AFTER = ("post-commit", "post-merge", "post-rewrite", "post-applypatch")
_RECEIVES = "pre-receive"
STAGES = ("pre-commit", "pre-merge-commit", *_AFTER, "pre-push", _RECEIVES)


def run_hook(stage: str, args: list[str]) -> int:
    """Run one stage; returns the hook's exit code. `args` are what git gave the hook."""
    if stage == _RECEIVES:
        return _receive()
    repository = None
    try:
        repository = open_repository(".")
        if repository.is_bare or not repository.top:
            return DONE
        outcome = _outcome(repository, stage, args)
    except MemtoolsError as error:
        return _failed(repository, stage, error)
    except Exception as error:
        from memtools.entrypoints.crash import report_bug

        report_bug(error)
        return _failed(repository, stage, None)
    if outcome.problems or outcome.notices:
        _tell(outcome)
    return outcome.code


def _receive() -> int:
    """Judge a push. What goes wrong on our account is no answer: the shim then looks at the refs.

    A hook of the person's own that calls this refuses the push.
    """
    try:
        from memtools.usecases.checking.receiving import pre_receive

        outcome = pre_receive(open_repository("."), _fed())
    except MemtoolsError as error:
        from memtools.entrypoints.text import show_error

        show_error(error)
        return BUG
    except Exception as error:
        from memtools.entrypoints.crash import report_bug

        return report_bug(error)
    if outcome.problems or outcome.notices:
        from memtools.entrypoints.text import note, show_problems

        show_problems(outcome.problems)
        for notice in outcome.notices:
            note(notice)
    return outcome.code


def _fed() -> list[str]:
    """The lines git feeds; a name of a ref may hold other ends of lines than theirs."""
    return os.fsdecode(sys.stdin.buffer.read()).split("\n")


def _tell(outcome: Outcome) -> None:
    """What cannot be told (a full disk behind a log, say) stops no commit."""
    from memtools.entrypoints.streams import close_pipe, flush
    from memtools.entrypoints.text import print_outcome

    try:
        print_outcome(outcome)
        flush()
    except OSError:
        close_pipe()


def _outcome(repository: Repository, stage: str, args: list[str]) -> Outcome:
    if stage == "pre-commit":
        from memtools.usecases.committing.precommit import pre_commit

        return pre_commit(repository, unattended=is_unattended(repository.top))
    if stage == "pre-merge-commit":
        from memtools.usecases.committing.premerge import pre_merge_commit

        return pre_merge_commit(repository, unattended=is_unattended(repository.top))
    if stage == "pre-push":
        from memtools.usecases.committing.prepush import pre_push

        return pre_push(repository, _fed())
    from memtools.usecases.committing.afterwards import head_moved

    is_rebased = stage == "post-rewrite" and args[:1] == ["rebase"]
    outcome = head_moved(repository, is_rebased=is_rebased)
    if stage == "post-merge":
        from memtools.usecases.changing.followup import follow_up_merge

        return follow_up_merge(repository, outcome, unattended=is_unattended(repository.top))
    return outcome


def _failed(repository: Repository | None, stage: str, error: MemtoolsError | None) -> int:
    """Say what went wrong and how to go on; stop a commit only when it adds a marker (rule 14d)."""
    from memtools.entrypoints.text import print_hook_failure

    print_hook_failure(error, stage)
    if stage not in ("pre-commit", "pre-merge-commit") or repository is None:
        return DONE
    is_locked = isinstance(error, GitError) and error.is_lock
    return FINDINGS if is_locked or _adds_marker(repository) else DONE


def _adds_marker(repository: Repository) -> bool:
    asked = ("diff", "--cached", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--text")
    code, out, _ = repository.git.call(*asked)
    return code == 0 and b"\n+RETRACTS:" in out
