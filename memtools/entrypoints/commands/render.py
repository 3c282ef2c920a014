"""`memtools render`: the activation layer in files that agents read."""

from __future__ import annotations

from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.verb import FLAG, JSON, Option, Verb
from memtools.usecases.reading.view import withheld_sentence
from memtools.usecases.rendering.done import CURRENT, REMOVED, STALE, Done
from memtools.usecases.rendering.render import render
from memtools.usecases.repository import open_repository


def run(to: str, scope: str | None, check: bool, as_json: bool) -> int:
    """Write the files, or say which of them are stale."""
    rendering = render(open_repository(), to, scope=scope, check=check)
    if as_json:
        text.show_json(
            {
                "files": [done._asdict() for done in rendering.files],
                "withheld": [held._asdict() for held in rendering.withheld],
                "problems": [text.problem_values(problem) for problem in rendering.problems],
            }
        )
    else:
        text.results(_line(done) for done in rendering.files)
        for held in rendering.withheld:
            text.note(withheld_sentence(held))
        text.show_problems(rendering.problems)
    for notice in rendering.notices:
        text.note(notice)
    return rendering.code


def _line(done: Done) -> Said:
    if done.state == CURRENT:
        return say("{path}: up to date", path=done.path)
    if done.state == STALE:
        return say("{path}: stale", path=done.path)
    if done.state == REMOVED:
        return say("{path}: taken away", path=done.path)
    return say("{path}: written", path=done.path)


RENDER = Verb(
    run,
    summary="Put the activation layer into AGENTS.md and the like, or memories into a folder.",
    example="memtools render --to AGENTS.md",
    parameters=(
        Option(
            ("--to",),
            "A file, made when it is missing, or a FOLDER/ for all memories that may be read; "
            "without it all files here that hold the two comments.",
            metavar="FILE",
        ),
        Option(
            ("--scope",),
            "Also memories of this scope; without it what the file names.",
            default=None,
            metavar="S",
        ),
        Option(("--check",), "Write nothing; end with 1 when a file is stale.", FLAG),
        JSON,
    ),
    details="Only what stands between <!-- memtools:begin --> and <!-- memtools:end --> changes; "
    "a file without them gets them at its end. Commits keep tracked files current.",
)
