"""`memtools recall`: what an agent gets this turn."""

from __future__ import annotations

import os

from memtools.core.wording import say
from memtools.entrypoints import text
from memtools.entrypoints.verb import JSON, WHOLE, Option, Verb
from memtools.errors import DONE
from memtools.usecases.reading.recall import Recall, layer_lines, recall_in
from memtools.usecases.reading.view import require_view, withheld_sentence
from memtools.usecases.readref import ref_age_notice
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.activating.sessions import Withdrawn
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository


def run(query: str, scope: str, budget: int | None, session: str, as_json: bool) -> int:
    """Print the memories as data between fences nobody can guess."""
    repository = open_repository()
    view = require_view(repository)
    gone = _withdrawn(repository, session)
    found = recall_in(view, query, scope=scope, budget=budget)
    for notice in (*found.notices, *_age(view)):
        text.note(notice)
    if as_json:
        text.show_json(recall_values(found, gone))
    else:
        _show(found, gone)
    if session:
        from memtools.usecases.activating.sessions import remember

        remember(repository, session, found)
    return DONE


def _withdrawn(repository: Repository, session: str) -> tuple[Withdrawn, ...]:
    """What left of all that the session was handed; loads nothing when there is no session."""
    if not session:
        return ()
    from memtools.usecases.activating.sessions import withdrawn

    return withdrawn(repository, session)


def _age(view: View) -> tuple[str, ...]:
    if not view.is_bound:
        return ()
    from datetime import UTC, datetime

    said = ref_age_notice(view.repository, datetime.now(UTC))
    return (said,) if said else ()


def _show(found: Recall, gone: tuple[Withdrawn, ...]) -> None:
    if gone:
        from memtools.usecases.activating.sessions import withdrawn_sentence

        for each in gone:
            text.result(withdrawn_sentence(each))
    for line in layer_lines(found, os.urandom(8).hex()):
        text.block(line)
    for held in found.withheld:
        text.result(withheld_sentence(held))
    for repeated in found.repeated:
        text.note(say("{path} says the same as {other}", path=repeated.path, other=repeated.of))
    if found.left_out:
        text.note(
            say(
                "{count} more did not fit in {budget} bytes",
                count=found.left_out,
                budget=found.budget,
            )
        )
    if not found.memories and not found.withheld:
        text.note(say("no memory to recall"))


def recall_values(found: Recall, gone: tuple[Withdrawn, ...] = ()) -> dict[str, object]:
    """The JSON of a recall."""
    return {
        "scope": found.scope,
        "bytes": found.bytes,
        "budget": found.budget,
        "left_out": found.left_out,
        "digest": found.digest,
        "withheld": [held._asdict() for held in found.withheld],
        "withdrawn": [each._asdict() for each in gone],
        "memories": [memory._asdict() for memory in found.memories],
        "repeated": [repeated._asdict() for repeated in found.repeated],
    }


RECALL = Verb(
    run,
    summary="Print what an agent gets this turn.",
    example="memtools recall --query 'deploy of the parser' --scope alpha",
    parameters=(
        Option(
            ("--query",), "Words of the turn: the best hits come after the layer.", metavar="TEXT"
        ),
        Option(
            ("--scope",), "Also memories of this scope; without it only unscoped ones.", metavar="S"
        ),
        Option(
            ("--budget",),
            "Bytes of text at most (activation.budget_bytes).",
            WHOLE,
            default=None,
            low=0,
            metavar="BYTES",
        ),
        Option(
            ("--session",),
            "The agent's session: remember what it is handed, say once what left since.",
            metavar="ID",
        ),
        JSON,
    ),
    details="Active memories of high priority first, then the best hits for --query; whole "
    "memories only. Each is fenced as data, with marker lines, HTML comments and characters nobody "
    "sees taken out.",
)
