"""The problems a marker can have, each as one sentence that says what is wrong and what to type.

The first line of each stands alone (graphical programs show little more): at most 160 characters
with its place. Must not know where the memories were read.
"""

from __future__ import annotations

from memtools.core.phrase import columns
from memtools.core.problem import Problem, problem
from memtools.core.retraction import Judged
from memtools.core.wording import Said, lines, say, shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Place = tuple[str, int]  # path and line

_SHOWN = 10  # places named one by one


def shorten(text: str, width: int = 40) -> str:
    """`text` cut to about `width` columns."""
    out = ""
    for char in text:
        if columns(out + char) > width:
            return out + "…"
        out += char
    return out


def too_short(
    marker: Judged, min_columns: int, places: Sequence[Place], longer: Mapping[str, str]
) -> Problem:
    """Rule 4: the phrase would drag in unrelated memories."""
    what = say(
        '"{phrase}" is too short (memories that hold it: {count}); type {columns} columns or '
        "more, 4 different characters",
        phrase=shorten(marker.phrase, 20),
        count=len(places),
        columns=min_columns,
    )
    hint = _choices(marker, places, longer)
    return problem(marker.path, marker.line, "phrase-too-short", what, hint)


def too_long(marker: Judged) -> Problem:
    """Rule 4: a paste accident."""
    what = say(
        "the phrase has {count} characters; type one of at most 300 that stands in the memory",
        count=len(marker.phrase),
    )
    return problem(marker.path, marker.line, "phrase-too-long", what)


def empty(marker: Judged) -> Problem:
    """A marker that points at nothing."""
    return problem(
        marker.path,
        marker.line,
        "phrase-empty",
        say("RETRACTS: names nothing; type words of the wrong memory after it, or its path"),
    )


def ambiguous(
    marker: Judged,
    places: Sequence[Place],
    longer: Mapping[str, str],
    stores: Mapping[str, str],
) -> Problem:
    """Rule 7: two or more hits in one store. `longer`: path -> phrase that hits it alone.

    A marker without a path is what `memtools retract` was given.

    `stores`: folder -> store name that would make these hits one retraction (empty: nothing would).
    """
    phrase, count = shorten(marker.phrase, 24), len(places)
    if marker.path:
        example = next((longer[path] for path, _ in places if longer.get(path)), places[0][0])
        what = say(
            '"{phrase}" is in {count} memories; type a phrase that is in one, e.g. '
            "RETRACTS: {example}",
            phrase=phrase,
            count=count,
            example=shorten(example, 44),
        )
    else:
        what = say(
            '"{phrase}" is in {count} memories; type a phrase that is in one',
            phrase=phrase,
            count=count,
        )
    hint: str = _choices(marker, places, longer)
    if stores:
        table = lines(["[stores]", *(f'{name} = ["{folder}"]' for folder, name in stores.items())])
        hint = say(
            "{choices}\n  or, when these are copies of one lesson, put into .memtools.toml:\n"
            "    {table}",
            choices=hint,
            table=table,
        )
    return problem(marker.path, marker.line, "retract-ambiguous", what, hint)


def _choices(marker: Judged, places: Sequence[Place], longer: Mapping[str, str]) -> Said:
    """Each hit with what to type for it alone."""
    if not places:
        return say("use more of the sentence, or the path of the memory")
    choices = [
        f"{path}:{line}  {_typed(marker, longer.get(path) or path)}"
        for path, line in places[:_SHOWN]
    ]
    if len(places) > _SHOWN:
        choices.append(say("and {count} more", count=len(places) - _SHOWN))
    return say("type one of these:\n    {choices}", choices=lines(choices))


def _typed(marker: Judged, phrase: str) -> str:
    return f"RETRACTS: {phrase}" if marker.path else f"memtools retract {shell_word(phrase)}"


def unmatched(
    marker: Judged, near: Sequence[tuple[str, int, str]], refuse: bool, untracked: Sequence[str]
) -> Problem:
    """Rule 7, zero hits: fine when the memory was deleted at once, a slip otherwise."""
    severity = "error" if refuse else ""
    if untracked:
        return problem(
            marker.path,
            marker.line,
            "retract-untracked",
            say(
                '"{phrase}" is only in {path}, which git does not track; add that file first',
                phrase=shorten(marker.phrase),
                path=untracked[0],
            ),
            say("git add {path}", path=shell_word(untracked[0])),
            severity,
        )
    if marker.passed_over:
        what = say(
            '"{phrase}" is only in {path}, which is a candidate or holds a marker itself: '
            "nothing is retracted",
            phrase=shorten(marker.phrase),
            path=marker.passed_over[0],
        )
        hint = say(
            "a candidate speaks to nobody: edit or delete it; to retract a correction type its "
            "path; to undo a retraction: memtools restore ADDRESS"
        )
        return problem(marker.path, marker.line, "retract-no-match", what, hint, severity)
    what = say(
        '"{phrase}" is in no memory: nothing is retracted (fine when you deleted it already)',
        phrase=shorten(marker.phrase),
    )
    shown = lines(_near(marker.phrase, *place) for place in near)
    nearest = say("the nearest lines:\n    {shown}", shown=shown) if near else ""
    return problem(marker.path, marker.line, "retract-no-match", what, nearest, severity)


def _near(phrase: str, path: str, line: int, text: str) -> Said:
    """A line that is nearly hit, and in what alone it differs."""
    from memtools.core.near import difference

    place = say("{path}:{line}  {text}", path=path, line=line, text=shorten(text, 80))
    why = difference(phrase, text)
    if why == "case":
        return say("{place} (differs in case only)", place=place)
    if why == "width":
        return say("{place} (differs in width only: full or half)", place=place)
    if why == "quotes":
        return say("{place} (type it without the quotes)", place=place)
    return place


def mutual(marker: Judged) -> Problem:
    """Two memories that would retract each other in one commit."""
    return problem(
        marker.path,
        marker.line,
        "retract-mutual",
        say(
            "this memory and {path} would retract each other: neither does; take one marker out",
            path=marker.live[0],
        ),
    )


def outdated(path: str, wanted: str, severity: str) -> Problem:
    """The settings ask for a newer memtools: this one would write what the newer one reads."""
    return problem(
        path,
        1,
        "memtools-outdated",
        say("this repository requires memtools {wanted}; no retraction is written", wanted=wanted),
        say("install that version, then commit again"),
        severity,
    )


def unread(path: str, line: int) -> Problem:
    """The marker's own memory cannot be read for sure, so nothing in it acts."""
    return problem(
        path,
        line,
        "marker-unread",
        say(
            "this marker retracts nothing: its own memory cannot be read; mend what is named there"
        ),
    )


def buried(marker: Judged) -> Problem:
    """The marker's own memory is a tombstone."""
    return problem(
        marker.path,
        marker.line,
        "marker-inert",
        say("this marker retracts nothing: its own memory is retracted"),
        say("put it into another memory"),
    )


def not_editable(marker_path: str, line: int, target: Problem) -> Problem:
    """The one hit has a header that no edit can be proved on."""
    return problem(
        marker_path,
        line,
        "retract-not-editable",
        say(
            "{path}:{line} cannot get a tombstone: {reason}; mend its header first",
            path=target.path,
            line=target.line,
            reason=target.message,
        ),
        target.hint,
    )


def no_text(path: str, raw: bytes | None) -> Problem | None:
    """What stands against editing a whole file whose text git does not hold; None when it does.

    `raw` is None for a missing object, and a pointer where Git LFS keeps the text elsewhere.
    """
    if raw is None:
        message = say("the repository lacks its object")
        return problem(path, 1, "header-unprovable", message, say("type: git fsck"))
    if not raw.startswith(b"version https://git-lfs.github.com/spec/"):
        return None
    message = say("git holds a pointer of Git LFS in place of its text")
    return problem(path, 1, "header-unprovable", message, say("keep notes out of Git LFS"))


def too_many(path: str, line: int, count: int, most: int) -> Problem:
    """More new markers in one commit than the settings allow."""
    return problem(
        path,
        line,
        "retract-too-many",
        say(
            "this commit adds {count} markers, more than max_new_markers = {most}; commit in parts",
            count=count,
            most=most,
        ),
    )
