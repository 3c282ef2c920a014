"""daily: seed 1's batch for a timer: backup, sweep, approvals that fell due, search index, report.

Without a good backup no memory is changed; what is safe goes on after a step that failed. Must not
ask anything, nor know the clock.
"""

from __future__ import annotations

import contextlib
import os
from enum import StrEnum

from memtools.core.trailers import BY_DAILY
from memtools.core.wording import Said, say
from memtools.errors import ENVIRONMENT, MemtoolsError
from memtools.files import append_own
from memtools.git.refs import fetch, remote_of
from memtools.usecases.changing.head import PENDING
from memtools.usecases.changing.sweep import sweep
from memtools.usecases.proposing.falling_due import approve_due
from memtools.usecases.reading.index import READY, follow_head, index_state, rebuild_index
from memtools.usecases.readref import bound, read_ref
from memtools.usecases.repository import make_state_dir, open_repository, require_top
from memtools.usecases.tending.backup import BackupState, backup
from memtools.usecases.tending.locks import alone
from memtools.usecases.tending.sentences import (
    backup_line,
    due_line,
    left_lines,
    problem_lines,
    sweep_line,
)
from memtools.usecases.tending.survey import ill_lines, survey, survey_line
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from memtools.usecases.reading.index import IndexState
    from memtools.usecases.repository import Repository


class StepState(StrEnum):
    """What became of a step."""

    NOTHING = "nothing"  # there was nothing to do
    WOULD = "would"
    DONE = "done"
    SKIPPED = "skipped"  # an earlier step it rests on failed
    FAILED = "failed"


class Step(NamedTuple):
    """One step: what it did or would do in one line, what else to tell, what to type.

    `code` is its exit code.
    """

    name: str
    state: StepState
    message: Said
    more: tuple[Said, ...] = ()
    hint: str = ""
    code: int = 0


class Daily(NamedTuple):
    """A whole run."""

    applied: bool
    now: str
    steps: tuple[Step, ...]

    @property
    def code(self) -> int:
        """The exit code: that of the first step that did not go well."""
        return next((step.code for step in self.steps if step.code), 0)


class _Run(NamedTuple):
    top: str
    now: datetime
    apply: bool

    def repository(self) -> Repository:
        return open_repository(self.top)


def daily(repository: Repository, *, now: datetime, apply: bool) -> Daily:
    """Run the batch, or with `apply` off only say what it would do. `now`: aware.

    Raises:
        GitError: there is no work tree, or another daily is at work.
    """
    run = _Run(require_top(repository), now, apply)
    if not apply:
        return Daily(False, now.isoformat(), tuple(_steps(run)))
    with alone(repository, "daily"):
        done = Daily(True, now.isoformat(), tuple(_steps(run)))
        _log(repository, done)
    return done


def _steps(run: _Run) -> Iterator[Step]:
    remote = _remote(run.repository())
    if remote:
        yield _guarded("fetch", lambda: _fetch(run, remote))
    before = run.repository().head_tree
    saved = _guarded("backup", lambda: _backup(run, "backup"))
    yield saved
    if saved.state is StepState.FAILED:
        why = say("skipped: without a good backup no memory is changed")
        yield Step("sweep", StepState.SKIPPED, why)
        yield Step("approvals", StepState.SKIPPED, why)
    else:
        yield _guarded("sweep", lambda: _sweep(run))
        yield _guarded("approvals", lambda: _approvals(run))
        if run.repository().head_tree != before:
            yield _guarded("backup-after", lambda: _backup(run, "backup-after"))
    yield _guarded("index", lambda: _index(run))
    yield _guarded("report", lambda: _report(run))


def _guarded(name: str, act: Callable[[], Step]) -> Step:
    """What a step says; one that fails is told, and the next goes on."""
    try:
        return act()
    except MemtoolsError as error:
        said = say("{why}", why=error.message)
        return Step(name, StepState.FAILED, said, (), error.hint, error.exit_code)
    except OSError as error:
        what = error.strerror or str(error)
        where = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
        said = say("the system refused: {what}: {path}", what=what, path=where)
        return Step(name, StepState.FAILED, said, (), "", ENVIRONMENT)


def _remote(repository: Repository) -> str:
    """The remote readers are bound to; only then is anything fetched (rule 17)."""
    name, _ = read_ref(repository)
    return remote_of(repository.git, name) if name else ""


def _fetch(run: _Run, remote: str) -> Step:
    if not run.apply:
        return Step("fetch", StepState.WOULD, say("would fetch {remote}", remote=remote))
    fetch(run.repository().git, remote)
    return Step("fetch", StepState.DONE, say("fetched {remote}", remote=remote))


def _backup(run: _Run, name: str) -> Step:
    repository = run.repository()
    made = backup(repository, now=run.now, apply=run.apply)
    state = {
        BackupState.WRITTEN: StepState.DONE,
        BackupState.WOULD_WRITE: StepState.WOULD,
    }.get(made.state, StepState.NOTHING)
    return Step(name, state, backup_line(repository, made), made.missing)


def _sweep(run: _Run) -> Step:
    swept = sweep(run.repository(), apply=run.apply, trailer=BY_DAILY)
    hits = [victim.path for victim in swept.targets if victim.state != PENDING]
    state = StepState.NOTHING
    if hits:
        state = StepState.DONE if run.apply else StepState.WOULD
    more = problem_lines(swept.problems)
    hint = say("type: memtools sweep") if more else ""
    return Step("sweep", state, sweep_line(hits, applied=run.apply), more, hint, swept.code)


def _approvals(run: _Run) -> Step:
    fallen = approve_due(run.repository(), run.now.isoformat(), apply=run.apply)
    state = StepState.NOTHING
    if fallen.approved:
        state = StepState.DONE if run.apply else StepState.WOULD
    hint = say("type: memtools review") if fallen.left else ""
    return Step("approvals", state, due_line(fallen), left_lines(fallen), hint)


def _index(run: _Run) -> Step:
    """HEAD's search index, and that of the ref readers are bound to."""
    mine = run.repository()
    readers = [bound(mine)] if read_ref(mine)[0] else []
    before = [index_state(repository) for repository in (*readers, mine)]
    if all(found.state == READY and not (found.is_behind or found.noted) for found in before):
        count = before[-1].memories
        message = say("the search index is at HEAD ({count} memories)", count=count)
        return Step("index", StepState.NOTHING, message)
    if not run.apply:
        return Step("index", StepState.WOULD, say("would bring the search index to HEAD"))
    after = [_brought(repository) for repository in (*readers, mine)]
    message = say("the search index is at HEAD ({count} memories)", count=after[-1].memories)
    return Step("index", StepState.DONE, message)


def _brought(repository: Repository) -> IndexState:
    found = follow_head(repository)
    return rebuild_index(repository) if found.state != READY or found.is_behind else found


def _report(run: _Run) -> Step:
    found = survey(run.repository(), now=run.now)
    return Step("report", StepState.DONE, survey_line(found), ill_lines(found))


def _log(repository: Repository, done: Daily) -> None:
    """One line a run; a log that cannot be written stops nothing."""
    steps = "\t".join(f"{step.name}={step.state}" for step in done.steps)
    line = f"{done.now}\t{steps}\texit={done.code}\n"
    with contextlib.suppress(OSError):
        append_own(os.path.join(make_state_dir(repository), "log", "daily"), line.encode())
