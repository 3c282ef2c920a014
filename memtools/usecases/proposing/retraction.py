"""A retraction an agent asks for: the plan, without words of memories the agent may not see.

Must not retract anything: a person does.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.lookalike import MARK
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import RefusedError
from memtools.usecases.addresses import memories_named
from memtools.usecases.changing.retract import Retraction, retract
from memtools.usecases.reading.read import refusal
from memtools.usecases.reading.recall import handed_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.changing.head import Victim
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository


def plan_retraction(
    repository: Repository, view: View, phrase: str, why: str, scopes: tuple[str, ...]
) -> Retraction:
    """What a retraction would do; nothing is written, not even the plan.

    Raises:
        RefusedError: a memory it names may not be seen by these scopes.
    """
    target = " ".join(phrase.split()).removeprefix(MARK).strip()
    hits = memories_named(view.repository, view.tree, view.settings, target)
    active = [hit for hit in hits if hit.memory.status == Status.ACTIVE]
    unseen = [hit for hit in active if not handed_out(view, hit.memory.path, scopes)]
    if unseen and (len(hits) == 1 or parse_address(target).kind != "phrase"):
        raise refusal(view, unseen, scopes)
    if unseen:
        raise RefusedError(
            say("these words also stand in a memory this session may not see"),
            say("use other words of the one you mean, or its path"),
        )
    found = retract(repository, target, why=why)
    problems = tuple(
        # the nearest lines may be those of any memory
        one._replace(hint="") if one.rule == "retract-no-match" else one
        for one in found.problems
    )
    victims = tuple(_shown(view, victim, scopes) for victim in found.targets)
    return found._replace(problems=problems, targets=victims)


def _shown(view: View, victim: Victim, scopes: tuple[str, ...]) -> Victim:
    if handed_out(view, victim.path, scopes):
        return victim
    return victim._replace(title="", text="")
