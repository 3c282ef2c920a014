"""What the steps of daily say, one line each.

Must not do anything: values in, sentences out.
"""

from __future__ import annotations

from memtools.core.wording import Said, say
from memtools.usecases.bundles import own_folder
from memtools.usecases.diagnosing.patient import named
from memtools.usecases.tending.backup import BackupState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.problem import Problem
    from memtools.usecases.proposing.falling_due import FallenDue
    from memtools.usecases.repository import Repository
    from memtools.usecases.tending.backup import Backup

_SHOWN = 5


def backup_line(repository: Repository, made: Backup, folder: str = "") -> Said:
    """What a backup did or would do."""
    if made.state is BackupState.EMPTY:
        return say("nothing to back up: nothing is committed yet")
    if made.state is BackupState.CURRENT:
        return say("nothing new since {path}", path=made.path)
    if made.state is BackupState.WOULD_WRITE:
        into = folder or own_folder(repository)
        return say("would back up {refs} refs into {folder}", refs=made.refs, folder=into)
    return say(
        "backed up: {path} ({refs} refs, {size} bytes; restored once to prove it)",
        path=made.path,
        refs=made.refs,
        size=made.size,
    )


def sweep_line(paths: Sequence[str], *, applied: bool) -> Said:
    """What the sweep did or would do."""
    if not paths:
        return say("no tombstone is missing")
    if applied:
        return say("retracted {count}: {paths}", count=len(paths), paths=named(paths))
    return say("would retract {count}: {paths}", count=len(paths), paths=named(paths))


def problem_lines(problems: Sequence[Problem]) -> tuple[Said, ...]:
    """The first of some problems, errors before warnings."""
    worst_first = sorted(problems, key=lambda problem: not problem.is_error)
    return tuple(
        say("{place}: {what}", place=f"{one.path}:{one.line}", what=one.message)
        for one in worst_first[:_SHOWN]
    )


def due_line(fallen: FallenDue) -> Said:
    """What was approved by the calendar, or would be."""
    paths = fallen.approved
    if not paths:
        return say("no approval fell due")
    if fallen.applied:
        return say("approved {count}: {paths}", count=len(paths), paths=named(paths))
    return say("would approve {count}: {paths}", count=len(paths), paths=named(paths))


def left_lines(fallen: FallenDue) -> tuple[Said, ...]:
    """What a person has to decide although its day has come."""
    return tuple(
        say("{path} waits for a person: {why}", path=one.path, why=one.why) for one in fallen.left
    )
