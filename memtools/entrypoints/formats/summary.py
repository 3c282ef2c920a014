"""The summary of a pull request in Markdown: what a person reads before approving it.

One order for every forge. Must not know which of them shows it.
"""

from __future__ import annotations

from memtools.core.wording import Said, say
from memtools.entrypoints.formats.markdown import code, fenced, prose, table
from memtools.entrypoints.formats.sentences import return_lines, verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.problem import Problem
    from memtools.usecases.checking.alike import Alike
    from memtools.usecases.checking.approval import Approval
    from memtools.usecases.checking.check import Checked
    from memtools.usecases.checking.diff import Difference
    from memtools.usecases.checking.memories import Touched
    from memtools.usecases.checking.retractions import Retraction
    from memtools.usecases.checking.tree import Speaker

MARKER = "<!-- memtools-check -->"  # by it a workflow finds its comment again
LIMIT = 60_000  # characters; a comment on GitHub takes 65,536
_ROWS = 50  # of one section
_ROOM = 7_000  # characters each section may have, however long the names in others are


def summary(checked: Checked, differences: Sequence[Difference]) -> str:
    """The whole summary: layer, memories, retractions, look-alikes, findings, approval, diff."""
    sections = (
        ["## memtools check", "", prose(verdict(checked.problems))],
        _layer(checked),
        _memories(checked.memories),
        _retractions(checked.retractions),
        _section(say("Returns"), _list([prose(one) for one in return_lines(checked.returned)])),
        _alike(checked.alike),
        _findings(checked),
        _approval(checked.approval),
    )
    lines, room = [MARKER], LIMIT - len(MARKER) - 1
    for number, section in enumerate(sections):
        kept = _cut(section, room - _ROOM * (len(sections) - number))
        lines += [*kept, ""] if kept else []
        room = LIMIT - sum(len(line) + 1 for line in lines)
    for difference in differences:
        shown = list(_difference(difference))
        room -= sum(len(line) + 1 for line in shown)
        if room < 0:
            break
        lines += shown
    return "\n".join(lines) + "\n"


def _cut(lines: list[str], room: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return [*kept, "", prose(say("(shortened)"))]
        kept.append(line)
    return kept


def _section(title: Said, lines: list[str]) -> list[str]:
    return [f"### {prose(title)}", "", *lines] if lines else []


def _layer(checked: Checked) -> list[str]:
    rows = [
        *_speakers(say("enters"), checked.enters),
        *_speakers(say("speaks otherwise"), checked.changes),
        *_speakers(say("leaves"), checked.leaves),
    ]
    head = [prose(word) for word in ("", say("memory"), say("title"), say("scope"), say("bytes"))]
    return _section(say("Activation layer"), _table(head, rows))


def _speakers(word: Said, speakers: Iterable[Speaker]) -> Iterator[list[str]]:
    for one in speakers:
        yield [prose(word), code(one.path), code(one.title), code(one.scope), str(one.bytes)]


def _memories(memories: Sequence[Touched]) -> list[str]:
    head = [
        prose(word)
        for word in (
            *(say("memory"), say("change"), say("status"), say("source"), say("confidence")),
            *(say("cost"), say("write gate")),
        )
    ]
    rows = [
        [
            code(one.path),
            one.change,
            f"{one.before or '–'} → {one.after or '–'}",
            one.source or "–",
            "–" if one.confidence is None else str(one.confidence),
            one.failure_cost or "–",
            f"{one.decision} ({one.rule})" if one.rule else "–",
        ]
        for one in memories
    ]
    return _section(say("Memories"), _table(head, rows))


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    if not rows:
        return []
    rest = len(rows) - _ROWS
    more = ["", prose(say("and {count} more", count=rest))] if rest > 0 else []
    return [*table(head, rows[:_ROWS]), *more]


def _list(items: Sequence[str]) -> list[str]:
    rest = len(items) - _ROWS
    more = [prose(say("and {count} more", count=rest))] if rest > 0 else []
    return [f"- {item}" for item in [*items[:_ROWS], *more]]


def _retractions(retractions: Sequence[Retraction]) -> list[str]:
    return _section(say("Retractions"), _list([_retraction(one) for one in retractions]))


def _retraction(one: Retraction) -> str:
    place = f"{one.path}:{one.line}" if one.line else one.path
    said = f"**{one.state}** {code(place)} ({one.priority})"
    if one.declared_in:
        at = f"{one.declared_in}:{one.declared_line}"
        said += " " + prose(say('by {at}: "{phrase}"', at=at, phrase=one.phrase))
    else:
        said += " " + prose(say("by no marker"))
    if one.linked_from:
        said += "; " + prose(say("linked from: {paths}", paths=", ".join(one.linked_from)))
    return said


def _alike(alike: Sequence[Alike]) -> list[str]:
    items = []
    for one in sorted(alike, key=lambda one: not one.is_repeat):
        percent = round(one.score * 100)
        if one.is_repeat:
            said = say(
                "{path} says again ({percent} %) what {other} said, "
                "retracted by {by} on {at}: {why}",
                path=one.path,
                other=one.other,
                percent=percent,
                by=one.by or "?",
                at=one.at[:10] or "?",
                why=one.why or "?",
            )
        else:
            said = say(
                "{path} reads like {other} ({percent} %, {status})",
                path=one.path,
                other=one.other,
                percent=percent,
                status=one.status,
            )
        items.append(prose(said))
    return _section(say("Look-alikes and re-introductions"), _list(items))


def _findings(checked: Checked) -> list[str]:
    ordered = sorted(checked.problems, key=lambda problem: not problem.is_error)
    lines = _list([_finding(problem) for problem in ordered])
    if checked.older:
        lines.append("- " + prose(say("older problems, not counted here: {n}", n=checked.older)))
    return _section(say("Findings"), lines)


def _finding(problem: Problem) -> str:
    place = f"{problem.path}:{problem.line}" if problem.line else problem.path
    said = f"**{problem.severity}** `{problem.rule}` {code(place)}: {prose(problem.message)}"
    return f"{said} ({prose(problem.hint)})" if problem.hint else said


def _approval(approval: Approval) -> list[str]:
    if not approval.needed:
        return []
    lines = [prose(say("Needed: {who}.", who=approval.who)), ""]
    return _section(say("Approval"), lines + _list([prose(one) for one in approval.reasons]))


def _difference(one: Difference) -> Iterator[str]:
    if one.is_withheld:
        yield prose(say("The diff of {path} is not shown: a secret stands in it.", path=one.path))
        yield ""
        return
    yield f"<details><summary>{code(one.path)}</summary>"
    yield ""
    yield from fenced(list(one.lines), "diff")
    if one.is_cut:
        yield prose(say("(shortened)"))
    yield ""
    yield "</details>"
    yield ""
