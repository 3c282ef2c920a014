"""Does a change need a person, who may that be, and why: from what a check found, nothing else.

Must not know trees or git.
"""

from __future__ import annotations

from memtools.core.gate import Verdict
from memtools.core.gate_policy import MOST_TARGETS
from memtools.core.vocabulary import Status
from memtools.core.wording import Said, say
from memtools.usecases.checking.memories import RESTORED, is_loud
from memtools.usecases.checking.retractions import PENDING
from memtools.usecases.checking.returns import SILENT
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.problem import Problem
    from memtools.core.settings import Approval as Rules
    from memtools.usecases.checking.memories import Touched
    from memtools.usecases.checking.retractions import Retraction
    from memtools.usecases.checking.tree import Speaker

_NAMED = 5  # paths in one reason
# Findings that are no error and yet not for a program to pass.
_READ_BY_A_PERSON = (
    *("reintroduction", "config-changed", "personal-data", "hidden-character"),
    *("mixed-script", "hidden-comment", "instruction-like", "derived-from-retracted"),
)


class Approval(NamedTuple):
    """`reasons` are sentences, `who` says whose approval counts.

    `signers`: the file that lists whose signature counts ("": none is asked for).
    """

    needed: bool = False
    reasons: tuple[Said, ...] = ()
    who: Said | str = ""
    signers: str = ""

    @property
    def why(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)


class Brought(NamedTuple):
    """What a range brings."""

    speakers: Sequence[Speaker]  # that enter the activation layer, leave it or speak otherwise
    memories: Sequence[Touched]
    retractions: Sequence[Retraction]
    problems: Sequence[Problem]


def approval_of(brought: Brought, rules: Rules) -> Approval:
    """Who must approve a change, by the rules of its base, and why."""
    reasons = tuple(_reasons(brought))
    if not reasons:
        return Approval()
    if rules.allowed_signers:
        who = say(
            "a person whose key stands in {path} of the base, by a commit they sign",
            path=rules.allowed_signers,
        )
    else:
        who = say("a person who may merge it into a protected branch ({names})",
                  names=", ".join(rules.protected) or "[]")  # fmt: skip
    return Approval(True, reasons, who, rules.allowed_signers)


def _reasons(brought: Brought) -> Iterator[Said]:
    speakers = [one.path for one in brought.speakers]
    if speakers:
        yield say("the activation layer changes: {paths}", paths=_named(speakers))
    acting = [one for one in brought.retractions if one.state != PENDING]
    loud = sorted({one.path for one in acting if is_loud(one)})
    if loud:
        yield say(
            "it would retract a memory only a person may retract: {paths}", paths=_named(loud)
        )
    victims = {one.path for one in acting}
    if len(victims) > MOST_TARGETS:
        yield say(
            "it would retract {count} memories, more than {most}",
            count=len(victims),
            most=MOST_TARGETS,
        )
    back = [one.path for one in brought.memories if one.change in (RESTORED, SILENT)]
    if back:
        yield say("retracted memories come back: {paths}", paths=_named(back))
    silent = [one.path for one in acting if not one.declared_in]
    if silent:
        yield say("memories are retracted by no marker: {paths}", paths=_named(silent))
    away = [one.path for one in brought.memories if _is_taken_away(one)]
    if away:
        yield say("memories are taken away without a retraction: {paths}", paths=_named(away))
    yield from _by_rule(brought.memories)
    found = {p.rule for p in brought.problems if p.is_error or p.rule in _READ_BY_A_PERSON}
    if found:
        yield say("a person has to read these findings: {rules}", rules=", ".join(sorted(found)))


def _is_taken_away(one: Touched) -> bool:
    """Is a memory, or its tombstone, gone, or no longer sure to be active?"""
    was_told = one.before in (Status.ACTIVE, Status.RETRACTED)
    return was_told and one.after not in (Status.ACTIVE, Status.RETRACTED)


def _by_rule(memories: Iterable[Touched]) -> Iterator[Said]:
    """What the gate lets nobody but a person, or time, let in; candidates are not let in yet."""
    paths: dict[str, list[str]] = {}
    for one in memories:
        if one.after == Status.ACTIVE and one.decision not in ("", Verdict.AUTO):
            paths.setdefault(f"{one.decision}: {one.rule}", []).append(one.path)
    for rule, held in sorted(paths.items()):
        yield say("the write gate says {rule}: {paths}", rule=rule, paths=_named(held))


def _named(paths: Sequence[str]) -> Said | str:
    shown = ", ".join(paths[:_NAMED])
    rest = len(paths) - _NAMED
    return say("{paths} and {count} more", paths=shown, count=rest) if rest > 0 else shown
