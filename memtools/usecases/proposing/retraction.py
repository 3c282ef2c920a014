"""A retraction an agent asks for: the plan, and a candidate that carries it out when approved.

Must not retract anything: a person does.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.lookalike import MARK
from memtools.core.memory import stem
from memtools.core.vocabulary import Status
from memtools.usecases.addresses import memories_named
from memtools.usecases.changing.head import PENDING, Counts
from memtools.usecases.changing.newfile import memory_bytes, plain_text
from memtools.usecases.changing.retract import Retraction, retract
from memtools.usecases.proposing.remote import Wanted, propose_remotely, shown_victims
from memtools.usecases.reading.read import refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.proposing.propose import Earlier, Proposal
    from memtools.usecases.proposing.remote import Asker


def plan_retraction(asker: Asker, phrase: str, why: str) -> Retraction:
    """What a retraction would do; nothing is written, not even the plan.

    Words are looked for in the memories of the asker's scopes, as if there were no others.

    Raises:
        RefusedError: a memory an address names may not be seen by these scopes.
    """
    target = " ".join(phrase.split()).removeprefix(MARK).strip()
    if parse_address(target).kind != "phrase":
        _refuse_unseen(asker, target)
    found = retract(asker.repository, target, why=why, sees=asker.sees)
    problems = tuple(
        # the nearest lines may be those of any memory
        one._replace(hint="") if one.rule == "retract-no-match" else one
        for one in found.problems
        if not one.path or asker.sees(one.path)
    )
    return found._replace(problems=problems, targets=shown_victims(asker, found.targets))


def _refuse_unseen(asker: Asker, address: str) -> None:
    view = asker.view
    hits = memories_named(view.repository, view.tree, view.settings, address)
    active = [hit for hit in hits if hit.memory.status == Status.ACTIVE]
    unseen = [hit for hit in active if not asker.may_read(hit.memory.path)]
    if unseen:
        raise refusal(view, unseen, asker.scopes)


def propose_retraction(
    asker: Asker, plan: Retraction, why: str, earlier: Earlier | None = None
) -> tuple[Retraction, Proposal | None]:
    """A candidate whose approval carries out a plan that has one; nothing acts until then.

    It takes the place of the candidate `earlier`.

    Raises: as `propose`.
    """
    if not plan.declared_in or not plan.targets or any(one.is_error for one in plan.problems):
        return plan, None
    first = plan.targets[0]
    shown = asker.may_read(first.path)
    fields = {"title": f"Retraction of {plain_text(stem(first.path))}"}
    if why.strip():
        fields["reason"] = plain_text(why)
    text = memory_bytes(fields, f"{MARK} {first.phrase}").decode()
    scope = shown.memory.scope if shown is not None else ""
    wanted = Wanted(text, "extracted", scope=scope, earlier=earlier)
    made = propose_remotely(asker, wanted, apply=True)
    if not made.path:
        return plan, made
    targets = tuple(one._replace(state=PENDING, declared_in=made.path) for one in plan.targets)
    return plan._replace(targets=targets, declared_in=made.path, markers=Counts(1, pending=1)), made
