"""The problems of memories whose retraction is undone, repeated or half: one sentence each.

Must not know where the memories were read.
"""

from __future__ import annotations

from memtools.core.problem import Problem, problem
from memtools.core.refusals import shorten
from memtools.core.wording import say, shell_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.facts import Facts
    from memtools.core.retraction import Judged


def unretracted(path: str, line: int) -> Problem:
    """Rule 12: a tombstone taken out by hand."""
    return problem(
        path,
        line,
        "unretracted",
        say(
            'its tombstone was taken out by hand; type: memtools restore {path} --why "…" --apply',
            path=shell_word(path),
        ),
        say(
            "git revert of the retracting commit (-m 1 for a merge) also brings it back; "
            "for a retraction just made: "
            "git reset --soft HEAD^, then git restore --staged --worktree {path}",
            path=shell_word(f":/{path}"),
        ),
    )


def merged_away(path: str, side: str) -> Problem:
    """Rule 12, of a merge that is resolved to the living memory; `side` has the tombstone."""
    return problem(
        path,
        1,
        "unretracted",
        say(
            "one side of this merge retracted it, and this would lose that; "
            "type: git checkout {side} -- {path}",
            side=side,
            path=shell_word(f":/{path}"),
        ),
        say(
            "when it is right after all, commit the merge with the tombstone, then type: "
            'memtools restore {path} --why "…" --apply',
            path=shell_word(path),
        ),
    )


def overtaken(path: str) -> Problem:
    """Git began this commit before the retraction was made, and would refuse it in the end."""
    what = say("another commit retracted it meanwhile; type the command again")
    return problem(path, 1, "unretracted", what)


def resurrected(path: str, was: str) -> Problem:
    """Rule 12, of a change that is there already: a tombstone is gone, and nobody says why."""
    if path == was:
        what = say("RESURRECTION: it was retracted, its tombstone is gone, and nobody restored it")
    else:
        what = say("RESURRECTION: this is {was}, which was retracted, under another name", was=was)
    hint = say(
        "put the tombstone of {was} back; when it is right after all, type then: "
        'memtools restore {was} --why "…" --apply',
        was=shell_word(was),
    )
    return problem(path, 1, "unretracted", what, hint)


def dropped(path: str, by: str, line: int) -> Problem:
    """Rule 12, of a memory that had no tombstone yet."""
    return problem(
        path,
        1,
        "retraction-dropped",
        say(
            "RESURRECTION: {by}:{line} retracted it before this change, and it speaks again",
            by=by,
            line=line,
        ),
        say(
            "put that marker back and type: memtools sweep --apply; when the memory is right: "
            'memtools restore {path} --why "…" --drop-marker --apply',
            path=shell_word(path),
        ),
    )


def reintroduced(path: str, line: int, marker: Judged, tombstone: Facts, why: str) -> Problem:
    """Rule 10: a text that was retracted comes in again."""
    what = say(
        'it repeats "{phrase}", retracted by {by} on {at}',
        phrase=shorten(marker.phrase),
        by=marker.path,
        at=tombstone.retracted_at[:10] or "?",
    )
    hint = say(
        "the tombstone is {tombstone}{because}; a new marker retracts this one too",
        tombstone=tombstone.path,
        because=say(" (because: {why})", why=why) if why else "",
    )
    return problem(path, line, "reintroduction", what, hint)


def half_derived(path: str, source: str) -> Problem:
    """Rule 7: one of several sources is gone."""
    return problem(
        path,
        1,
        "retract-partial-sources",
        say("it is derived from {source}, now retracted, and from living memories", source=source),
        say(
            "read it again; if it is wrong too, retract it by its path: RETRACTS: {path}", path=path
        ),
    )
