"""The state of a memory in figures: what `report` shows and `daily` ends with.

Must not change anything, nor render it.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from memtools.core.retraction import MarkerState
from memtools.core.selection import find_store
from memtools.core.vocabulary import Status
from memtools.core.wording import Said, say
from memtools.usecases.diagnosing.doctor import examine
from memtools.usecases.diagnosing.patient import read_patient
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.checking.tree import Speaker
    from memtools.usecases.diagnosing.patient import Check, Patient
    from memtools.usecases.diagnosing.signs import Signs
    from memtools.usecases.repository import Repository

RECENT_DAYS = 30  # retractions younger than this are listed
SYMPTOMS = (
    "queue",
    "queue-repeats",
    "gate-classes",
    "approved-unread",
    "approved-in-bulk",
    "time-to-approval",
    "retracted-later",
    "approved-findings",
    "reintroduced",
)
_OPEN = (MarkerState.OPEN, MarkerState.UNMATCHED, MarkerState.AMBIGUOUS, MarkerState.IGNORED,
         MarkerState.MUTUAL, MarkerState.PENDING)  # fmt: skip


class Retraction(NamedTuple):
    """A memory that was retracted of late; `at` is ISO, `by` and `why` as its tombstone says."""

    path: str
    title: str
    at: str
    by: str
    why: str


class OpenMarker(NamedTuple):
    """A marker that is not applied, and why (`state`, a word of the contract)."""

    path: str
    line: int
    phrase: str
    state: str


class Survey(NamedTuple):
    """All of it, as HEAD has it at `now` (ISO).

    `statuses`, `stores`, `scopes`: counts of memories, active ones for the last two ("" is the one
    without a name). `signs`: what tells how the gate is set.
    """

    now: str
    head: str
    statuses: tuple[tuple[str, int], ...]
    stores: tuple[tuple[str, int], ...]
    scopes: tuple[tuple[str, int], ...]
    layer: tuple[Speaker, ...]
    budget: int
    retractions: tuple[Retraction, ...]
    markers: tuple[OpenMarker, ...]
    signs: Signs
    checks: tuple[Check, ...]

    @property
    def layer_bytes(self) -> int:
        """Bytes of the activation layer when nothing is left out."""
        return sum(one.bytes for one in self.layer)

    @property
    def ill(self) -> tuple[Check, ...]:
        """What the doctor finds wrong."""
        return tuple(check for check in self.checks if not check.ok)


def survey(repository: Repository, *, now: datetime) -> Survey:
    """Look at HEAD. `now`: aware.

    Raises:
        GitError: there is no work tree.
    """
    patient = read_patient(repository, now=now)
    seen = patient.tree.seen
    active = [p for p, one in patient.tree.statuses.items() if one == Status.ACTIVE]
    config = patient.settings.config
    layer = patient.tree.layer
    code, head, _ = repository.git.call("rev-parse", "--short=12", "HEAD")
    return Survey(
        now.isoformat(timespec="seconds"),
        "" if code else head.decode().strip(),
        _counted(one.status for one in seen.values()),
        _counted(find_store(path, config.stores) for path in active),
        _counted(seen[path].scope for path in active),
        tuple(layer[path] for path in sorted(layer, key=lambda path: (-layer[path].bytes, path))),
        config.activation.budget_bytes,
        tuple(_retractions(patient, now)),
        tuple(
            OpenMarker(marker.path, marker.line, marker.phrase, str(marker.state))
            for marker in patient.tree.plan.markers
            if marker.state in _OPEN
        ),
        patient.signs,
        examine(patient),
    )


def symptoms_in(found: Survey) -> list[Check]:
    """The doctor's answers about the gate."""
    return [check for check in found.checks if check.id in SYMPTOMS]


def health_in(found: Survey) -> list[Check]:
    """All its other answers."""
    return [check for check in found.checks if check.id not in SYMPTOMS]


def survey_line(found: Survey) -> Said:
    """The counts in one line."""
    counts = dict(found.statuses)
    return say(
        "memories: {active} active ({high} of high priority, {bytes} bytes), "
        "{retracted} retracted; candidates that wait: {waiting}",
        active=counts.get("active", 0),
        high=len(found.layer),
        bytes=found.layer_bytes,
        waiting=len(found.signs.queue),
        retracted=counts.get("retracted", 0),
    )


def ill_lines(found: Survey) -> tuple[Said, ...]:
    """What the doctor finds wrong, one line each."""
    return tuple(say("{id}: {what}", id=check.id, what=check.message) for check in found.ill)


def _counted(words: Iterator[str]) -> tuple[tuple[str, int], ...]:
    """Word and count, the most frequent first."""
    return tuple(sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0])))


def _retractions(patient: Patient, now: datetime) -> Iterator[Retraction]:
    seen, held = patient.tree.seen, patient.tree.files.memories
    paths = [path for path, one in seen.items() if one.status == Status.RETRACTED]
    found = []
    for studied in patient.reader([(path, held[path]) for path in paths]):
        memory = studied.memory
        age = _age(memory.retracted_at, now)
        if age is not None and age <= timedelta(days=RECENT_DAYS):
            found.append((age, memory))
    for _, memory in sorted(found, key=lambda pair: (pair[0], pair[1].path)):
        yield Retraction(
            memory.path,
            memory.title,
            memory.retracted_at,
            memory.retracted_by,
            memory.retracted_reason,
        )


def _age(at: str, now: datetime) -> timedelta | None:
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return None
    return now - (then if then.tzinfo else then.replace(tzinfo=now.tzinfo))
