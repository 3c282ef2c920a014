"""What text and summary tell in the same sentences: how many problems, which memories came back.

Must not know how either looks.
"""

from __future__ import annotations

from memtools.core.wording import Said, say
from memtools.usecases.checking.returns import RESTORED, SILENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.problem import Problem
    from memtools.usecases.checking.returns import Return


def verdict(problems: Sequence[Problem]) -> Said:
    """How many errors and warnings there are."""
    if not problems:
        return say("no problems")
    errors = sum(problem.is_error for problem in problems)
    return say(
        "errors: {errors}, warnings: {warnings}", errors=errors, warnings=len(problems) - errors
    )


def return_lines(returned: Iterable[Return]) -> Iterator[Said]:
    """A sentence for each, those that came back in silence first."""
    for one in sorted(returned, key=lambda one: one.how != SILENT):
        if one.how == SILENT:
            yield say(
                "RESURRECTION: {path}, retracted before as {was}, and nobody restored it",
                path=one.path,
                was=one.was,
            )
        elif one.how == RESTORED:
            yield say("restored: {path}, because {why}", path=one.path, why=one.why)
        else:
            yield say(
                "restored: {path}, by a revert of the commit that retracted it", path=one.path
            )
