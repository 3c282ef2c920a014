"""What no agent retracts by itself (rule 20): which memories those are, and the sentences.

Must not know how a session is known to be an agent's. Guards against haste, not malice.
"""

from __future__ import annotations

from memtools.core.problem import Problem, problem
from memtools.core.vocabulary import Priority
from memtools.core.wording import Said, say, shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.facts import Facts
    from memtools.core.retraction import Target

STATED = "stated"


def guard(facts: Facts) -> Said | None:
    """Why only a person retracts this memory; None when an agent may."""
    if facts.priority == Priority.HIGH:
        return say("high priority")
    if facts.source == STATED:
        return say("stated by a person")
    return None


def by_agent(target: Target, why: Said) -> Problem:
    """A commit of an agent adds a marker against such a memory."""
    what = say(
        "an agent cannot retract {path} ({why}); type: memtools propose {declaring} "
        "--source extracted --apply",
        path=target.path,
        why=why,
        declaring=shell_word(target.declared_in),
    )
    return problem(target.declared_in, target.declared_line, "retract-by-agent", what, pending())


def pending() -> Said:
    """What an agent can do instead."""
    return say(
        "only a candidate can carry this marker: there it is pending until a person approves it; "
        "leave it out of this commit"
    )
