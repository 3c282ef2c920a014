"""What the write gate is asked and what it answers, as values; `gate_policy` decides.

Seed 2's four classes. Must not know where a candidate came from or goes to.
"""

from __future__ import annotations

from enum import StrEnum

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.screen import Finding
    from memtools.core.wording import Said

SOURCES = ("stated", "extracted", "inferred", "external")
COSTS = ("low", "high")


class Verdict(StrEnum):
    """The four classes, from the freest to the strictest."""

    AUTO = "auto"
    DELAYED = "delayed"
    REVIEW = "review"
    REJECT = "reject"


class Proposer(StrEnum):
    """Who hands a candidate in."""

    PERSON = "person"  # at a terminal
    AGENT = "agent"  # or an importer
    REMOTE = "remote"  # a program that cannot be told from any other: MCP


class Candidate(NamedTuple):
    """What is proposed. `confidence` None: not stated; `priority` is what its own text asks for."""

    title: str
    body: str
    source: str
    confidence: float | None
    failure_cost: str
    scope: str = ""
    priority: str = ""


class Repeat(NamedTuple):
    """A retracted memory a candidate says again; `is_copy`: in the same words."""

    path: str
    by: str
    at: str
    why: str
    is_copy: bool


def kind_of(finding: Finding) -> str:
    """The kind of a finding as the policy has it: "doubtful" when its shape proves nothing."""
    doubtful = finding.kind in ("secret", "personal") and not finding.is_certain
    return "doubtful" if doubtful else finding.kind


class Circumstances(NamedTuple):
    """What else the gate looks at.

    `findings`: kinds found in the text (`kind_of`); `loud`: memories it would retract that are of
    high priority, or were stated by a person while no person proposes; `unclear`: markers that
    would not act as they stand.
    """

    findings: frozenset[str] = frozenset()
    repeat: Repeat | None = None
    targets: int = 0
    loud: tuple[str, ...] = ()
    unclear: int = 0
    proposer: Proposer = Proposer.PERSON


class Decision(NamedTuple):
    """`rule`: the row of the table that decided; `reasons` are sentences, that of the row first."""

    decision: Verdict
    rule: str
    reasons: tuple[Said, ...]
