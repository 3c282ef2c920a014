"""doctor: the health of a repository of memories, and the mending of what can be mended safely.

No memory is ever changed here, and nothing is committed: what needs a person is named with the line
to type. A table of small checks; the ids are part of the contract (docs/doctor.md).
"""

from __future__ import annotations

from memtools.usecases import doctor_memories, doctor_setup, doctor_state
from memtools.usecases.repository import open_repository
from memtools.usecases.ward import Check, Ward, open_ward
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtools.core.wording import Said
    from memtools.usecases.install import Machine
    from memtools.usecases.repository import Repository

CHECKS: tuple[Callable[[Ward], Iterable[Check]], ...] = (
    doctor_setup.git_version,
    doctor_setup.yaml_parser,
    doctor_setup.hooks,
    doctor_setup.hook_versions,
    doctor_setup.interpreter,
    doctor_setup.merge_driver,
    doctor_state.journal,
    doctor_state.staged_reversal,
    doctor_state.leftover_files,
    doctor_setup.git_locks,
    doctor_state.unattended_reports,
    doctor_state.ledger,
    doctor_state.search_index,
    doctor_state.lost_tombstones,
    doctor_memories.settings,
    doctor_memories.unapplied_markers,
    doctor_memories.idle_markers,
    doctor_memories.unmatched_markers,
    doctor_memories.orphaned_tombstones,
    doctor_memories.status_words,
    doctor_memories.headers,
    doctor_memories.ids,
    doctor_memories.priority_inflation,
    doctor_memories.low_confidence,
    doctor_memories.look_alikes,
    doctor_memories.scope_leaks,
)
# id of a check (or how it begins) -> what mends it
FIXES: tuple[tuple[str, Callable[[Ward], Said]], ...] = (
    ("hook", doctor_setup.fix_setup),
    ("interpreter", doctor_setup.fix_setup),
    ("merge-driver", doctor_setup.fix_setup),
    ("half-done", doctor_state.fix_journal),
    ("leftover-files", doctor_state.fix_leftovers),
    ("unattended-reports", doctor_state.fix_reports),
    ("ledger", doctor_state.fix_ledger),
    ("search-index", doctor_state.fix_index),
)


class Health(NamedTuple):
    """All answers; `fixed` says what was mended before they were given."""

    healthy: bool
    checks: tuple[Check, ...]
    fixed: tuple[str, ...] = ()


def doctor(repository: Repository, *, fix: bool = False, machine: Machine | None = None) -> Health:
    """Examine the repository; with `fix` mend what can be mended, and examine it again.

    `machine` is how hooks start memtools (default: as it runs now).

    Raises:
        GitError: no work tree, or a lock is held while something is mended.
        SearchError: the search index cannot be written.
    """
    ward = open_ward(repository, machine)
    checks = _examine(ward)
    fixed: list[str] = []
    if fix and any(check.fixable for check in checks):
        fixed = _mend(ward, checks)
        ward = open_ward(open_repository(repository.top), machine)
        checks = _examine(ward)
    return Health(all(check.ok for check in checks), checks, tuple(fixed))


def _examine(ward: Ward) -> tuple[Check, ...]:
    return tuple(check for examine in CHECKS for check in examine(ward))


def _mend(ward: Ward, checks: tuple[Check, ...]) -> list[str]:
    """Apply each fix that a check asks for, once."""
    ill = [check.id for check in checks if check.fixable]
    wanted = [fix for name, fix in FIXES if any(id.startswith(name) for id in ill)]
    return [fix(ward) for fix in dict.fromkeys(wanted)]
