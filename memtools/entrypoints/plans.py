"""How a face shows what a dry run plans: the memories it would retract, as lines and as JSON.

Must not know which verb planned it.
"""

from __future__ import annotations

from memtools.core.refusals import shorten
from memtools.core.wording import Said, say
from memtools.entrypoints import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.problem import Problem
    from memtools.usecases.changing.head import Counts, Victim

WIDTH = 100  # columns of a matched text


def victim_lines(victims: Iterable[Victim]) -> Iterator[Said]:
    """What is (or would be) retracted: place, title, the text that was hit, who declares it."""
    for victim in victims:
        yield say("  {path}:{line}  {title}{priority}", path=victim.path, line=victim.line,
                  title=shorten(victim.title, 60), priority=_priority(victim))  # fmt: skip
        if victim.source:
            yield say("    derived from {source}", source=victim.source)
        elif victim.text and victim.text != victim.title:
            yield say("    text: {text}", text=shorten(victim.text, WIDTH))
        if victim.declared_in:
            yield say(
                '    "{phrase}", declared in {by}:{at}',
                phrase=shorten(victim.phrase, WIDTH),
                by=victim.declared_in,
                at=victim.declared_line,
            )


def show_plan(
    values: dict[str, object] | None,
    lines: Iterable[Said],
    problems: Sequence[Problem],
    *,
    is_new_plan: bool,
) -> None:
    """Print what a plan comes to: as JSON when there are `values`, else its lines and problems.

    `is_new_plan`: nothing was done although --apply was given.
    """
    if values is not None:
        found = [text.problem_values(problem) for problem in problems]
        text.show_json({**values, "problems": found})
    else:
        text.results(lines)
        text.show_problems(problems)
    if is_new_plan:
        note_new_plan()


def note_new_plan() -> None:
    """Say why nothing was done although --apply was given."""
    text.note(say("this is not what the dry run showed, so nothing was changed; once more does it"))


def _priority(victim: Victim) -> str:
    return say(" (priority: high)") if victim.priority == "high" else ""


def count_values(counts: Counts) -> dict[str, object]:
    """Counts of markers as the JSON contract names them."""
    return dict(counts._asdict())


def victim_values(victims: Iterable[Victim]) -> list[dict[str, object]]:
    """Victims as the JSON contract names them."""
    return [dict(victim._asdict()) for victim in victims]
