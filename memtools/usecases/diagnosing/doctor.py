"""doctor: the health of a repository of memories, and the mending of what can be mended safely.

No memory is ever changed here, and nothing is committed: what needs a person is named with the line
to type. A table of small checks; the ids are part of the contract (docs/doctor.md).
"""

from __future__ import annotations

from memtools.config import environ as own_environ
from memtools.errors import GitError
from memtools.usecases.diagnosing import (
    agents,
    authority,
    damage,
    locks,
    memories,
    ownfiles,
    rendered,
    scopes,
    setup,
    state,
    symptoms,
    unattended,
)
from memtools.usecases.diagnosing.patient import Check, Patient, read_patient
from memtools.usecases.diagnosing.server import examine_server
from memtools.usecases.installing.init import this_machine
from memtools.usecases.repository import open_repository
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from memtools.core.wording import Said
    from memtools.usecases.installing.init import Machine
    from memtools.usecases.repository import Repository

CHECKS: tuple[Callable[[Patient], Iterable[Check]], ...] = (
    setup.git_version,
    setup.yaml_parser,
    setup.hooks,
    setup.hook_versions,
    setup.interpreter,
    setup.merge_driver,
    ownfiles.state_files,
    damage.records,
    damage.backup_ref,
    damage.backups,
    ownfiles.erasure,
    agents.connected,
    state.journal,
    state.staged_reversal,
    state.leftover_files,
    locks.git_locks,
    unattended.unattended_reports,
    state.ledger,
    state.search_index,
    state.lost_tombstones,
    memories.settings,
    memories.unapplied_markers,
    memories.idle_markers,
    memories.unmatched_markers,
    memories.orphaned_tombstones,
    memories.status_words,
    memories.headers,
    memories.ids,
    memories.priority_inflation,
    memories.low_confidence,
    memories.look_alikes,
    scopes.scope_leaks,
    scopes.scope_links,
    scopes.missing_scopes,
    rendered.rendered_files,
    authority.approvals_signed,
    symptoms.queue,
    symptoms.repeated,
    symptoms.classes,
    symptoms.unread,
    symptoms.bulk,
    symptoms.waits,
    symptoms.retracted_later,
    symptoms.findings,
    symptoms.returned,
)
# id of a check (or how it begins) -> what mends it
FIXES: tuple[tuple[str, Callable[[Patient], Said]], ...] = (
    ("hook", setup.fix_setup),
    ("interpreter", setup.fix_setup),
    ("merge-driver", setup.fix_setup),
    ("state-files", ownfiles.fix_state_files),
    ("state-damaged", damage.fix_records),
    ("backup-ref", damage.fix_backup_ref),
    ("agents-connected", agents.fix_agents),
    ("half-done", state.fix_journal),
    ("leftover-files", state.fix_leftovers),
    ("unattended-reports", unattended.fix_reports),
    ("ledger", state.fix_ledger),
    ("search-index", state.fix_index),
)

_ROUNDS = 2  # what is finished may leave something else behind: the search index


class Health(NamedTuple):
    """All answers; `fixed` says what was mended before they were given."""

    healthy: bool
    checks: tuple[Check, ...]
    fixed: tuple[str, ...] = ()


def doctor(
    repository: Repository,
    *,
    fix: bool = False,
    machine: Machine | None = None,
    now: datetime | None = None,
) -> Health:
    """Examine the repository; with `fix` mend what can be mended, and examine it again.

    Of a bare one: whether it judges what is pushed to it, and no more.

    `machine` is how hooks start memtools (default: as it runs now); `now` (aware) is what ages are
    counted to (default: the clock).

    Raises:
        GitError: no work tree in a repository that is not bare.
        SearchError: the search index cannot be written.
    """
    if repository.is_bare:
        environ = (machine or this_machine(own_environ())).environ
        told = tuple(examine_server(repository, environ))
        return Health(all(check.ok for check in told), told)
    patient = read_patient(repository, machine, now)
    checks = examine(patient)
    fixed: list[str] = []
    for _ in range(_ROUNDS if fix else 0):
        if not any(check.fixable for check in checks):
            break
        fixed += _mend(patient, checks)
        patient = read_patient(open_repository(repository.top), machine, now)
        checks = examine(patient)
    return Health(all(check.ok for check in checks), checks, tuple(dict.fromkeys(fixed)))


def examine(patient: Patient) -> tuple[Check, ...]:
    """All answers of all checks."""
    return tuple(check for examine in CHECKS for check in examine(patient))


def _mend(patient: Patient, checks: tuple[Check, ...]) -> list[str]:
    """Apply each fix that a check asks for, once; what a lock keeps from it stays ill."""
    ill = [check.id for check in checks if check.fixable]
    wanted = [fix for name, fix in FIXES if any(id.startswith(name) for id in ill)]
    done: list[str] = []
    for fix in dict.fromkeys(wanted):
        try:
            done.append(fix(patient))
        except GitError as error:
            if not error.is_lock:
                raise
    return done
