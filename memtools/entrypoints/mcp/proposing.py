"""The tools that ask for a change: propose and retract. They never make it.

Must not approve or retract anything: a person does (rule 20).
"""

from __future__ import annotations

from memtools.core.handout import handed_line, handed_title
from memtools.entrypoints.commands.propose import proposal_values
from memtools.entrypoints.mcp.session import Answer, data_lines
from memtools.entrypoints.plans import count_values, victim_values
from memtools.entrypoints.text import problem_values
from memtools.usecases.proposing.remote import Asker, Wanted, propose_remotely
from memtools.usecases.proposing.retraction import plan_retraction, propose_retraction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.problem import Problem
    from memtools.entrypoints.mcp.session import Turn, Values
    from memtools.usecases.changing.head import Victim
    from memtools.usecases.proposing.propose import Proposal

NOTHING: Values = {"decision": "", "rule": "", "reasons": [], "path": ""}


def run_propose(
    turn: Turn,
    text: str,
    source: str,
    title: str = "",
    confidence: float | None = None,
    failure_cost: str = "",
    shared: bool = False,
    dry_run: bool = False,
) -> Answer:
    """Store a candidate, or only say what the gate says of it."""
    scope = "" if shared else turn.scope
    wanted = Wanted(text, source, title, confidence, failure_cost, scope)
    found = propose_remotely(_asker(turn), wanted, apply=not dry_run)
    victims = _cleaned(found.retracts)
    values = proposal_values(found) | {"retracts": victim_values(victims)}
    shown = _proposal_lines(found)
    if victims:
        shown.append("Once a person approves it, it retracts:")
        shown += _victim_lines(victims)
    return Answer(values, shown)


def run_retract(turn: Turn, phrase: str, reason: str = "", propose: bool = False) -> Answer:
    """What a retraction would do; with `propose` a candidate that asks a person for it."""
    asker = _asker(turn)
    plan = plan_retraction(asker, phrase, reason)
    made: Proposal | None = None
    if propose:
        plan, made = propose_retraction(asker, plan, reason)
    victims = _cleaned(plan.targets)
    values: Values = {
        "applied": False,
        "markers": count_values(plan.markers),
        "targets": victim_values(victims),
        "declared_in": plan.declared_in,
        "problems": [problem_values(problem) for problem in plan.problems],
        "proposal": proposal_values(made) if made is not None else NOTHING,
    }
    shown = [*map(_problem_line, plan.problems), *map(str, plan.notices)]
    if made is not None:
        shown += _proposal_lines(made)
    elif victims and not plan.notices:
        shown.append("Nothing was changed. Call again with propose: true to ask a person for it:")
    return Answer(values, [*shown, *_victim_lines(victims)])


def _asker(turn: Turn) -> Asker:
    return Asker(turn.repository, turn.view, turn.scopes)


def _proposal_lines(found: Proposal) -> list[str]:
    first = f"{found.decision} ({found.rule}): {'; '.join(map(str, found.reasons))}"
    findings = [f"found: {one.kind} in line {one.line}" for one in found.findings]
    alike = [f"reads like {one.path} ({one.status})" for one in found.lookalikes]
    if not found.path:
        last = "Nothing is stored."
    elif found.applied:
        last = f"Stored as a candidate in {found.path}; nobody is told it until a person approves."
    else:
        last = f"Would be stored as a candidate in {found.path}."
    return [first, *findings, *alike, last]


def _victim_lines(victims: Iterable[Victim]) -> list[str]:
    return data_lines(
        (
            {
                "path": f"{one.path}:{one.line}",
                "title": one.title,
                "priority": one.priority,
                "state": one.state,
            },
            one.text,
        )
        for one in victims
    )


def _cleaned(victims: Iterable[Victim]) -> list[Victim]:
    return [
        one._replace(title=handed_title(one.title), text=handed_line(one.text)) for one in victims
    ]


def _problem_line(problem: Problem) -> str:
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{problem.rule}: {problem.message}{hint}"
