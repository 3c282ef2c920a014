"""A survey as one HTML page that needs nothing else: no script, no network, no other file.

Must not decide what is told. Titles and paths come from memories: everything is escaped.
"""

from __future__ import annotations

from pathlib import Path

from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.errors import ExtraError
from memtools.usecases.tending.survey import health_in, survey_line, symptoms_in
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.diagnosing.patient import Check
    from memtools.usecases.tending.survey import Survey

_TEMPLATE = Path(__file__).with_name("page.html")
_MOST = 200  # rows of one table
_SYMPTOMS = say("Symptoms of a wrongly set gate")


class Table(NamedTuple):
    """One table: its heading, those of its columns, its rows of texts and numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


def render_page(found: Survey, name: str) -> str:
    """The page about the repository called `name`.

    Raises:
        ExtraError: jinja2 is not installed.
    """
    try:
        from jinja2 import Environment
    except ImportError as error:
        raise ExtraError(
            say("the page needs a package that is not installed: jinja2"), extra="report"
        ) from error
    template = Environment(autoescape=True).from_string(_TEMPLATE.read_text("utf-8"))
    return template.render(
        lang=text.language(),
        name=text.sentence(name),
        now=found.now,
        head=found.head,
        line=text.sentence(survey_line(found)),
        t=_words(),
        groups=[
            (text.sentence(title), [(text.sentence(word), count) for word, count in rows])
            for title, rows in _groups(found)
            if rows
        ],
        tables=[_plain(table) for table in tables_of(found)],
        health=[
            (text.sentence(_SYMPTOMS), [_check(check) for check in symptoms_in(found)]),
            (text.sentence(say("Health")), [_check(check) for check in health_in(found)]),
        ],
    )


def tables_of(found: Survey) -> tuple[Table, ...]:
    """What the report lists, in this order."""
    return (
        Table(
            say(
                "Activation layer: {bytes} of {budget} bytes",
                bytes=found.layer_bytes,
                budget=found.budget,
            ),
            (say("memory"), say("title"), say("scope"), say("bytes")),
            tuple((one.path, one.title, one.scope, one.bytes) for one in found.layer),
        ),
        Table(say("Candidates that wait"), (say("candidate"), say("days")), found.signs.queue),
        Table(
            say("Retracted in the last 30 days"),
            (say("memory"), say("title"), say("when"), say("by"), say("why")),
            tuple((one.path, one.title, one.at, one.by, one.why) for one in found.retractions),
        ),
        Table(
            say("Markers that are not applied"),
            (say("place"), say("phrase"), say("state")),
            tuple((f"{one.path}:{one.line}", one.phrase, one.state) for one in found.markers),
        ),
    )


def _groups(found: Survey) -> tuple[tuple[Said, tuple[tuple[str, int], ...]], ...]:
    return (
        (say("By status"), found.statuses),
        (say("By store"), found.stores),
        (say("By scope"), found.scopes),
    )


def _plain(table: Table) -> Table:
    """The same in the person's language, without characters nobody sees."""
    rows = tuple(tuple(_cell(cell) for cell in row) for row in table.rows[:_MOST])
    if len(table.rows) > _MOST:
        rows += ((f"(+{len(table.rows) - _MOST})",),)
    return Table(text.sentence(table.title), tuple(map(text.sentence, table.heads)), rows)


def _cell(cell: object) -> object:
    return cell if isinstance(cell, int) else text.sentence(cell if isinstance(cell, str) else "")


def _check(check: Check) -> dict[str, object]:
    told = {"message": text.sentence(check.message), "hint": text.sentence(check.hint)}
    return {"id": check.id, "ok": check.ok, **told}


def _words() -> dict[str, str]:
    words = {
        "title": say("Memories"),
        "none": say("none"),
        "ok": say("ok"),
        "ill": say("ILL"),
    }
    return {name: text.sentence(word) for name, word in words.items()}
