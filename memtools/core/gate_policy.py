"""The write gate's policy: what a candidate is worth a mistake, as one table; pure, reproducible.

Must not know where a candidate came from or goes to: it is given values.
"""

from __future__ import annotations

from memtools.core.gate import Decision, Proposer, Verdict
from memtools.core.wording import Said, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memtools.core.gate import Candidate, Circumstances, Repeat
    from memtools.core.settings import Gate

MOST_TARGETS = 5  # rule 9: more than these are never retracted without a person


class Case(NamedTuple):
    """All that one decision depends on."""

    candidate: Candidate
    policy: Gate
    around: Circumstances

    def has(self, *kinds: str) -> bool:
        """Was one of these kinds found in the text?"""
        return not self.around.findings.isdisjoint(kinds)

    @property
    def is_below(self) -> bool:
        """Is the confidence too low to be kept at all?"""
        given = self.candidate.confidence
        return given is not None and given < self.policy.min_confidence

    @property
    def is_sure(self) -> bool:
        """Is the confidence at or over the threshold? What a person stated needs none."""
        given = self.candidate.confidence
        if given is None:
            return self.candidate.source == "stated"
        return given >= self.policy.auto_confidence


class Row(NamedTuple):
    """One line of the policy; `reason` may name what the case is about."""

    rule: str
    decision: Verdict
    applies: Callable[[Case], bool]
    reason: Callable[[Case], Said]


# First match wins. docs/gate.md shows the same table (a test compares the two).
POLICY: tuple[Row, ...] = (
    Row(
        "gate-secret",
        Verdict.REJECT,
        lambda case: case.has("secret"),
        lambda case: say("it holds what looks like a secret"),
    ),
    Row(
        "gate-personal",
        Verdict.REJECT,
        lambda case: case.has("personal"),
        lambda case: say("it holds what looks like personal data"),
    ),
    Row(
        "gate-unsure",
        Verdict.REJECT,
        lambda case: case.is_below,
        lambda case: say(
            "its confidence {given} is below min_confidence {least}",
            given=case.candidate.confidence,
            least=case.policy.min_confidence,
        ),
    ),
    Row(
        "gate-inferred",
        Verdict.REJECT,
        lambda case: case.candidate.source == "inferred" and not case.policy.store_inferred,
        lambda case: say("it was inferred, and inferred attributes are not stored"),
    ),
    Row(
        "gate-reintroduction",
        Verdict.REJECT,
        lambda case: case.around.repeat is not None and case.around.repeat.is_copy,
        lambda case: _said_again(case.around.repeat),
    ),
    Row(
        "gate-paraphrase",
        Verdict.REVIEW,
        lambda case: case.around.repeat is not None,
        lambda case: _said_again(case.around.repeat),
    ),
    Row(
        "gate-doubtful",
        Verdict.REVIEW,
        lambda case: case.has("doubtful"),
        lambda case: say("it may hold a secret or personal data; the shape alone does not tell"),
    ),
    Row(
        "gate-hidden",
        Verdict.REVIEW,
        lambda case: case.has("hidden", "mixed-script", "comment"),
        lambda case: say("it holds text that a reader would not see, or not see right"),
    ),
    Row(
        "gate-instruction",
        Verdict.REVIEW,
        lambda case: case.has("instruction"),
        lambda case: say("it gives orders to an assistant"),
    ),
    Row(
        "gate-retracts-loud",
        Verdict.REVIEW,
        lambda case: bool(case.around.loud),
        lambda case: say(
            "it would retract a memory only a person may retract: {paths}",
            paths=", ".join(case.around.loud),
        ),
    ),
    Row(
        "gate-retracts-many",
        Verdict.REVIEW,
        lambda case: case.around.targets > MOST_TARGETS,
        lambda case: say(
            "it would retract {count} memories, more than {most}",
            count=case.around.targets,
            most=MOST_TARGETS,
        ),
    ),
    Row(
        "gate-retracts-unclear",
        Verdict.REVIEW,
        lambda case: case.around.unclear > 0,
        lambda case: say("it has a RETRACTS: line that would not act as it stands"),
    ),
    Row(
        "gate-external",
        Verdict.REVIEW,
        lambda case: case.candidate.source == "external",
        lambda case: say("it comes from outside"),
    ),
    Row(
        "gate-inferred-review",
        Verdict.REVIEW,
        lambda case: case.candidate.source == "inferred",
        lambda case: say("it was inferred"),
    ),
    Row(
        "gate-high-cost",
        Verdict.REVIEW,
        lambda case: case.candidate.failure_cost == "high",
        lambda case: say("a mistake in it would be costly"),
    ),
    Row(
        "gate-high-priority",
        Verdict.REVIEW,
        lambda case: case.candidate.priority == "high",
        lambda case: say("it asks to be put before every agent at every turn"),
    ),
    Row(
        "gate-not-sure-enough",
        Verdict.REVIEW,
        lambda case: not case.is_sure,
        lambda case: say(
            "its confidence is not at or over auto_confidence {wanted}",
            wanted=case.policy.auto_confidence,
        ),
    ),
    Row(
        "gate-extracted",
        Verdict.DELAYED,
        lambda case: case.candidate.source == "extracted",
        lambda case: say("it is a fact from a conversation, sure enough and of low cost"),
    ),
    Row(
        "gate-stated",
        Verdict.AUTO,
        lambda case: case.candidate.source == "stated",
        lambda case: say("a person stated it, and a mistake in it would cost little"),
    ),
)
_STEPS = {Verdict.AUTO: Verdict.DELAYED, Verdict.DELAYED: Verdict.REVIEW}


def decide(candidate: Candidate, policy: Gate, around: Circumstances) -> Decision:
    """The decision for a candidate; the same values always give the same one."""
    case = Case(candidate, policy, around)
    row = next(row for row in POLICY if row.applies(case))
    reasons = [row.reason(case)]
    decision = row.decision
    if decision in _STEPS and around.proposer is Proposer.REMOTE:
        decision = Verdict.REVIEW
        reasons.append(say("what a program proposes waits for a person whatever it claims"))
    elif decision in _STEPS and around.proposer is Proposer.AGENT and policy.input_trust == "low":
        decision = _STEPS[decision]
        reasons.append(say("no person at a terminal proposes it, and input_trust is low"))
    return Decision(decision, row.rule, tuple(reasons))


def _said_again(repeat: Repeat | None) -> Said:
    if repeat is None:
        return say("it says again what was retracted")
    by, at = repeat.by or "?", repeat.at[:10] or "?"
    if not repeat.why:
        return say(
            "it says again what {path} said, retracted by {by} on {at}",
            path=repeat.path,
            by=by,
            at=at,
        )
    return say(
        "it says again what {path} said, retracted by {by} on {at} because: {why}",
        path=repeat.path,
        by=by,
        at=at,
        why=repeat.why,
    )
