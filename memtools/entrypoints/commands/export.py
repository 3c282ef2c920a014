"""`memtools export`: memories as rows for another search system."""

from __future__ import annotations

from memtools.entrypoints import text
from memtools.entrypoints.verb import Option, Verb
from memtools.errors import DONE
from memtools.usecases.rendering.export import export
from memtools.usecases.repository import open_repository


def run(to: str, since: str) -> int:
    """Print one row a line."""
    del to  # there is one form so far
    for row in export(open_repository(), since):
        text.show_json(row)
    return DONE


EXPORT = Verb(
    run,
    summary="Print the memories that may be read as rows for another search system.",
    example="memtools export --to ndjson --since v1.2",
    parameters=(
        Option(("--to",), "The form: ndjson.", choices=("ndjson",), required=True, metavar="FORM"),
        Option(
            ("--since",),
            "Only what differs from this revision; what may not be read any more is a delete.",
            metavar="REV",
        ),
    ),
    details="One JSON object a line: {op, path, id, blob, commit, ...}; op is upsert or delete. "
    "Marker lines are in no text.",
)
