"""`memtools config`: the settings in force."""

from __future__ import annotations

from memtools.entrypoints import text
from memtools.entrypoints.verb import FLAG, JSON, Option, Verb
from memtools.errors import DONE, FINDINGS
from memtools.usecases.repository import open_repository
from memtools.usecases.settings import settings_in_force


def run(show_origin: bool, as_json: bool) -> int:
    """Print the settings in force; problems in them are findings."""
    found = settings_in_force(open_repository())
    if as_json:
        text.show_json(
            {
                "settings": {setting.name: setting.value for setting in found.settings},
                "origins": {setting.name: setting.origin for setting in found.settings},
                "problems": [text.problem_values(problem) for problem in found.problems],
            }
        )
    else:
        for name, value, origin in found.settings:
            line = f"{name} = {text.to_json(value)}"
            text.row(*[origin] * show_origin, line)
        text.show_problems(found.problems)
    return FINDINGS if found.problems else DONE


CONFIG = Verb(
    run,
    summary="Print the settings in force.",
    example="memtools config --show-origin",
    parameters=(
        Option(("--show-origin",), "Say where each setting was set.", FLAG),
        JSON,
    ),
    details="They come from flags, MEMTOOLS_* variables, .memtools.toml and the defaults, in this "
    "order; with read_ref from that ref.",
)
