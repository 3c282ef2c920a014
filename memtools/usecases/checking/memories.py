"""The memories a range touches: what becomes of each, and what the write gate says of it.

Judged by the settings of the base. Must not know who has to approve.
"""

from __future__ import annotations

from memtools.core.gate import COSTS, Candidate, Circumstances, Proposer, Repeat
from memtools.core.gate_policy import decide
from memtools.core.retraction import MarkerState
from memtools.core.vocabulary import Priority, Status
from memtools.usecases.checking.files import changed_files
from memtools.usecases.checking.returns import SILENT
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from memtools.core.gate import Decision
    from memtools.core.memory import Memory
    from memtools.core.problem import Problem
    from memtools.core.retraction import Judged
    from memtools.core.settings import Gate
    from memtools.core.wording import Said
    from memtools.usecases.checking.alike import Alike
    from memtools.usecases.checking.change import Step
    from memtools.usecases.checking.retractions import Retraction
    from memtools.usecases.checking.returns import Return
    from memtools.usecases.checking.screens import Screens
    from memtools.usecases.tree import Reader

    T = TypeVar("T")

NEW, CHANGED, REMOVED = "new", "changed", "removed"
RETRACTED, RESTORED = "retracted", "restored"
# Rule of a problem -> kind of finding as the gate has it.
_KINDS = {
    "secret-found": "secret",
    "personal-data": "personal",
    "hidden-character": "hidden",
    "mixed-script": "mixed-script",
    "hidden-comment": "comment",
    "instruction-like": "instruction",
}
_UNCLEAR = (MarkerState.AMBIGUOUS, MarkerState.IGNORED, MarkerState.MUTUAL)


class Touched(NamedTuple):
    """One memory: `change` is a word above; statuses before and after are "" where it is not.

    `before` and `after` count markers without tombstone, too. `decision`, `rule` and `reasons` are
    the gate's for what the memory says now ("": it says nothing new, or is retracted).
    """

    path: str
    title: str
    change: str
    before: str
    after: str
    priority: str
    source: str
    confidence: float | None
    failure_cost: str
    decision: str = ""
    rule: str = ""
    reasons: tuple[Said, ...] = ()


class Evidence(NamedTuple):
    """What else is known of a change when the gate looks at it."""

    problems: Sequence[Problem]
    retractions: Sequence[Retraction]
    alike: Sequence[Alike]
    screens: Screens
    returned: Sequence[Return]


class _ByPath(NamedTuple):
    """The same by the memory it is about; a retraction by the one that declares it."""

    problems: dict[str, list[Problem]]
    retractions: dict[str, list[Retraction]]
    repeats: dict[str, list[Alike]]
    markers: dict[str, list[Judged]]


def touched_memories(step: Step, reader: Reader, evidence: Evidence) -> tuple[Touched, ...]:
    """What becomes of each memory whose bytes or effective status differ, by path."""
    old, new = step.before.statuses, step.after.statuses
    came_from = step.came_from
    written = {path for path, _ in changed_files(step.before.files, step.after.files)}
    turned = {path for path in old.keys() & new.keys() if old[path] != new[path]}
    back = {one.path: one for one in evidence.returned}
    held = {**step.before.files.memories, **step.after.files.memories}
    touched = written | turned | (back.keys() & held.keys())
    touched -= {path for path, here in step.renames.items() if path not in new and here in new}
    about = _ByPath(
        _grouped(evidence.problems, lambda one: one.path),
        _grouped(evidence.retractions, lambda one: one.declared_in),
        _grouped([one for one in evidence.alike if one.is_repeat], lambda one: one.path),
        _grouped(step.after.plan.markers, lambda one: one.path),
    )
    found = []
    for studied in reader([(path, held[path]) for path in sorted(touched)]):
        path = studied.facts.path
        before, after = old.get(came_from.get(path, path), ""), new.get(path, "")
        returned = back.get(path)
        if returned is not None:  # also from another path, where its tombstone was
            before = str(Status.RETRACTED)
        word = SILENT if returned and returned.how == SILENT else _change(before, after)
        row = _row(studied.memory, word, before, after)
        if path in written and after not in ("", Status.RETRACTED):
            is_doubtful = evidence.screens(studied).is_doubtful
            policy = step.after.settings.config.gate
            row = _judged(row, _decide(policy, studied.memory, about, is_doubtful=is_doubtful))
        found.append(row)
    return tuple(found)


def _change(before: str, after: str) -> str:
    if not after:
        return REMOVED
    if after == Status.RETRACTED and before not in ("", after):
        return RETRACTED
    if before == Status.RETRACTED and after != before:
        return RESTORED
    return CHANGED if before else NEW


def _row(memory: Memory, change: str, before: str, after: str) -> Touched:
    told = (str(memory.priority), memory.source, memory.confidence, memory.failure_cost)
    return Touched(memory.path, memory.title, change, before, after, *told)


def _judged(row: Touched, made: Decision) -> Touched:
    return row._replace(decision=str(made.decision), rule=made.rule, reasons=made.reasons)


def _decide(policy: Gate, memory: Memory, about: _ByPath, *, is_doubtful: bool) -> Decision:
    """The gate's decision about a memory of a branch.

    Trees do not tell a person's branch from an agent's, so `input_trust` of the base counts. A
    memory that names no source is a note somebody wrote: stated.
    """
    path = memory.path
    stated = memory.failure_cost if memory.failure_cost in COSTS else ""
    candidate = Candidate(
        memory.title,
        memory.body,
        memory.source or "stated",
        memory.confidence,
        "high" if "high" in (stated, policy.failure_cost) else "low",
        memory.scope,
        str(memory.priority),
    )
    mine = about.retractions.get(path, [])
    kinds = {_KINDS.get(one.rule, "") for one in about.problems.get(path, [])}
    kinds |= {"doubtful"} if is_doubtful else set()
    repeats = about.repeats.get(path, [])
    around = Circumstances(
        findings=frozenset(kinds - {""}),
        repeat=_repeat(repeats[0]) if repeats else None,
        targets=len(mine),
        loud=tuple(one.path for one in mine if is_loud(one)),
        unclear=sum(marker.state in _UNCLEAR for marker in about.markers.get(path, [])),
        proposer=Proposer.AGENT,
    )
    return decide(candidate, policy, around)


def _repeat(one: Alike) -> Repeat:
    return Repeat(one.other, one.by, one.at, one.why, one.is_copy)


def _grouped(values: Iterable[T], key: Callable[[T], str]) -> dict[str, list[T]]:
    found: dict[str, list[T]] = {}
    for value in values:
        found.setdefault(key(value), []).append(value)
    return found


def is_loud(retraction: Retraction) -> bool:
    """May only a person retract this (rule 9): high priority, or stated by a person?"""
    return retraction.priority == Priority.HIGH or retraction.source == "stated"
