"""The tools that ask for a change: retract. They never make it.

Must not approve or retract anything: a person does (rule 20).
"""

from __future__ import annotations

from memtools.core.handout import handed_line
from memtools.entrypoints.commands.victims import count_values, victim_values
from memtools.entrypoints.mcp.session import Answer, data_lines
from memtools.entrypoints.text import problem_values
from memtools.usecases.proposing.retraction import plan_retraction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.problem import Problem
    from memtools.entrypoints.mcp.session import Turn, Values
    from memtools.usecases.changing.head import Victim


def run_retract(turn: Turn, phrase: str, reason: str = "") -> Answer:
    """What a retraction would do."""
    found = plan_retraction(turn.repository, turn.view, phrase, reason, turn.scopes)
    victims = [
        one._replace(title=handed_line(one.title), text=handed_line(one.text))
        for one in found.targets
    ]
    values: Values = {
        "applied": False,
        "markers": count_values(found.markers),
        "targets": victim_values(victims),
        "declared_in": found.declared_in,
        "problems": [problem_values(problem) for problem in found.problems],
    }
    shown = [*map(problem_line, found.problems), *map(str, found.notices)]
    if victims and not found.notices:
        shown.append("Nothing was changed. A person can retract this:")
    shown += data_lines((_about(one), one.text) for one in victims)
    return Answer(values, shown)


def _about(victim: Victim) -> dict[str, str]:
    return {
        "path": f"{victim.path}:{victim.line}",
        "title": victim.title,
        "priority": victim.priority,
        "state": victim.state,
    }


def problem_line(problem: Problem) -> str:
    """One problem with what to do about it."""
    hint = f" ({problem.hint})" if problem.hint else ""
    return f"{problem.rule}: {problem.message}{hint}"
