"""`memtools report`: the state of the memory, as text or as one page."""

from __future__ import annotations

from pathlib import Path

from memtools.core.refusals import shorten
from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.commands.daily import NOW, moment
from memtools.entrypoints.commands.doctor import check_values
from memtools.entrypoints.report.page import render_page, tables_of
from memtools.entrypoints.verb import JSON, Option, Verb
from memtools.errors import DONE
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.page import write_page
from memtools.usecases.tending.survey import (
    Survey,
    health_in,
    survey,
    survey_line,
    symptoms_in,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.signs import Signs

_MOST = 20  # rows of a table of the text


def run(html: str, now: str, as_json: bool) -> int:
    """Print the state of HEAD; with `html` write the page."""
    repository = open_repository()
    found = survey(repository, now=moment(now))
    if html:
        write_page(html, render_page(found, Path(repository.top).name))
    if as_json:
        text.show_json(_values(found))
        return DONE
    if html:
        text.result(say("wrote {path}", path=html))
        return DONE
    text.result(survey_line(found), "bold")
    text.results(_lines(found))
    return DONE


def _lines(found: Survey) -> Iterator[Said]:
    for table in tables_of(found):
        if not table.rows:
            yield say("{title}: none", title=table.title)
            continue
        yield say("{title}:", title=table.title)
        for row in table.rows[:_MOST]:
            cells = [shorten(text.sentence(str(cell)), 80) for cell in row if cell != ""]
            yield say("  {what}", what="  ".join(cells))
        if len(table.rows) > _MOST:
            yield say("  and {count} more", count=len(table.rows) - _MOST)
    yield say("Symptoms of a wrongly set gate")
    for check in symptoms_in(found):
        yield say("  {what}", what=say("{id}: {what}", id=check.id, what=check.message))
    ill = [check for check in health_in(found) if not check.ok]
    yield say("what memtools doctor finds wrong: {count}", count=len(ill))
    for check in ill:
        yield say("  {what}", what=say("{id}: {what}", id=check.id, what=check.message))


def _values(found: Survey) -> dict[str, object]:
    return {
        "now": found.now,
        "head": found.head,
        "statuses": dict(found.statuses),
        "stores": dict(found.stores),
        "scopes": dict(found.scopes),
        "layer": {
            "bytes": found.layer_bytes,
            "budget": found.budget,
            "memories": [one._asdict() for one in found.layer],
        },
        "queue": [{"candidate": name, "days": days} for name, days in found.signs.queue],
        "retractions": [one._asdict() for one in found.retractions],
        "markers": [one._asdict() for one in found.markers],
        "symptoms": _symptom_values(found.signs),
        "checks": [check_values(check) for check in found.checks],
    }


def _symptom_values(signs: Signs) -> dict[str, object]:
    symptoms = signs.symptoms
    return {
        "queue": symptoms.queue._asdict(),
        "classes": dict(symptoms.verdicts),
        "decisions": symptoms.decisions._asdict(),
        "days_to_approval": symptoms.days_to_approval,
        "retracted_later": [fate._asdict() for fate in symptoms.fates],
        "proposed_again": [
            *({"candidate": path, "as": other, "times": 1} for path, other in signs.repeated),
            *({"candidate": path, "as": path, "times": times} for path, times in signs.again),
        ],
        "findings": list(signs.findings),
        "reintroduced": [{"path": path, "as": other} for path, other in signs.returned],
    }


REPORT = Verb(
    run,
    summary="Show the state of the memory: counts, layer, queue, retractions, symptoms.",
    example="memtools report --html report.html",
    parameters=(
        Option(("--html",), "Write one self-contained page into this file.", metavar="FILE"),
        NOW,
        JSON,
    ),
    details="Changes no memory. The page needs the extra: pip install 'memtools[report]'; it opens "
    "without a network, and holds no script.",
)
