"""What was proposed, approved and rejected, as the history tells it.

Pure: times are seconds since 1970. Must not know git, nor judge.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Act(StrEnum):
    """What a commit says was done."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"


class Deed(NamedTuple):
    """One trailer of one commit; `at` is its author's time, `who` its author.

    `verdict` is what the gate said ("" when the commit does not tell); `is_by_daily`: nobody
    decided, a day had come.
    """

    act: Act
    path: str
    blob: str
    at: int
    who: str
    commit: str
    verdict: str = ""
    is_by_daily: bool = False


def followed(deeds: Iterable[Deed], paths: Iterable[str]) -> list[Deed]:
    """The deeds with the path their memory has by now, of `paths` (those of HEAD).

    Who lets something in often moves it out of the inbox: a file that is gone is the one memory of
    the same name elsewhere that nobody proposed there.
    """
    every = list(deeds)
    here = set(paths)
    gone = {deed.path for deed in every if deed.act is Act.PROPOSED} - here
    gone -= {deed.path for deed in every if deed.act is Act.REJECTED}
    named: dict[str, list[str]] = {}
    for path in here - {deed.path for deed in every}:
        named.setdefault(_name(path), []).append(path)
    wanted = Counter(map(_name, gone))
    moved = {
        path: named[_name(path)][0]
        for path in gone
        if wanted[_name(path)] == 1 and len(named.get(_name(path), ())) == 1
    }
    return [deed._replace(path=moved.get(deed.path, deed.path)) for deed in every]


def _name(path: str) -> str:
    return path.rpartition("/")[2]
