"""What a dry run named, kept for an hour: `--apply` of the same command changes that, no more.

Rule 18. Must not know what a plan means: it is paths and blob ids, by command and arguments.
"""

from __future__ import annotations

from typing import Any

from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import PLANS
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository

HOUR = 3600  # seconds a plan is kept
_MOST = 100  # plans kept at once, the youngest

Rows = tuple[tuple[str, str], ...]  # path and blob id of each file a plan changes
Command = tuple[str, ...]  # the verb and its arguments
_PLAN = ([str], float | int, [(str, str)])  # a Command, when it was shown, its Rows


class Watch(NamedTuple):
    """One run of a command. `now` in seconds since 1970; None: nobody watches, nothing is kept."""

    repository: Repository
    command: Command
    is_apply: bool
    now: float | None

    def is_new(self, rows: Rows) -> bool:
        """Must this run stop, since it would do something else than its dry run showed?"""
        watched = self.is_apply and self.now is not None
        return watched and not is_as_kept(self.repository, self.command, rows, self.now or 0.0)

    def close(self, rows: Rows, *, has_acted: bool) -> None:
        """Keep the plan that was shown, or forget the one that was carried out."""
        if self.now is None:
            return
        if has_acted:
            forget_plan(self.repository, self.command, self.now)
        else:
            keep_plan(self.repository, self.command, rows, self.now)


def keep_plan(repository: Repository, command: Command, rows: Rows, now: float) -> None:
    """Remember what a dry run named; `now` in seconds since 1970."""
    plans = [plan for plan in _young(repository, now) if plan[0] != list(command)]
    plans.append([list(command), now, [list(row) for row in rows]])
    write_checked(repository.state_dir, PLANS, plans[-_MOST:])


def is_as_kept(repository: Repository, command: Command, rows: Rows, now: float) -> bool:
    """Does a plan agree with the one that was shown? With none younger than an hour it does."""
    wanted = [list(row) for row in rows]
    return all(kept == wanted for known, _, kept in _young(repository, now) if known == [*command])


def forget_plan(repository: Repository, command: Command, now: float) -> None:
    """The plan was carried out."""
    plans = _young(repository, now)
    left = [plan for plan in plans if plan[0] != list(command)]
    if len(left) < len(plans):
        write_checked(repository.state_dir, PLANS, left)


def _young(repository: Repository, now: float) -> list[list[Any]]:
    plans = read_checked(repository.state_dir, PLANS, [_PLAN]) or []
    return [plan for plan in plans if 0 <= now - plan[1] < HOUR]
