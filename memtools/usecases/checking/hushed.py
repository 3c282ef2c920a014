"""What a check tells, without a word that looks like a secret, whichever file it comes from.

Must not know how anything was found.
"""

from __future__ import annotations

from memtools.core.screen_secrets import quotes_secret
from memtools.core.wording import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from memtools.core.problem import Problem
    from memtools.usecases.checking.check import Checked


def hushed(checked: Checked) -> Checked:
    """The same; of files in which a secret was found neither titles nor phrases are told."""
    told = {problem.path for problem in checked.problems if problem.rule == "secret-found"}

    def quiet(rows: Iterable[Any], *fields: str) -> tuple[Any, ...]:
        return tuple(_without(row, fields, row.path in told) for row in rows)

    return checked._replace(
        problems=tuple(map(_unquoted, checked.problems)),
        enters=quiet(checked.enters, "title", "scope"),
        leaves=quiet(checked.leaves, "title", "scope"),
        changes=quiet(checked.changes, "title", "scope"),
        retractions=tuple(
            _without(one, ("phrase",), one.declared_in in told)
            for one in quiet(checked.retractions, "title")
        ),
        returned=tuple(_without(one, ("why",)) for one in checked.returned),
        memories=quiet(checked.memories, "title"),
        alike=tuple(_without(one, ("why",)) for one in checked.alike),
    )


def _without(row: Any, fields: Iterable[str], is_told: bool = False) -> Any:
    gone = {name: "" for name in fields if is_told or quotes_secret(getattr(row, name))}
    return row._replace(**gone) if gone else row


def _unquoted(problem: Problem) -> Problem:
    if problem.rule == "secret-found" or not quotes_secret(f"{problem.message}\n{problem.hint}"):
        return problem
    what = say("what this is about looks like a secret, so it is not shown")
    return problem._replace(message=what, hint="")
