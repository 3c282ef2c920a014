"""The trailers of commits as git reads them: the lines `KEY: VALUE` a message ends with.

Must not know which of them mean something. Anybody who commits can write one: they are no proof.
"""

from __future__ import annotations

import os

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtools.git.run import Git

    Trailers = tuple[tuple[str, str], ...]  # (key, value) in their order

_FIELD = "\x1f"
_TRAILERS = "%(trailers:only,unfold)"


class Told(NamedTuple):
    """A commit with its trailers.

    `at`: its author's time in seconds since 1970 (0 when a hand-made commit has none); `who` the
    author's mail address.
    """

    commit: str
    at: int
    who: str
    trailers: Trailers

    def values(self, wanted: str) -> tuple[str, ...]:
        """What its trailers with this key say."""
        return tuple(value for key, value in self.trailers if key == wanted)


def commits_telling(git: Git, keys: Iterable[str]) -> Iterator[Told]:
    """The commits in the history of HEAD that have a trailer with one of these keys, newest first.

    Raises:
        GitError: nothing is committed yet.
    """
    form = f"--format=%H{_FIELD}%at{_FIELD}%ae{_FIELD}{_TRAILERS}"
    out = git.run("log", "-z", "-E", f"--grep=^({'|'.join(keys)}): ", form, "HEAD")
    for record in filter(None, os.fsdecode(out).split("\0")):
        commit, date, who, lines = record.split(_FIELD, 3)
        yield Told(commit, int(date) if date.isdigit() else 0, who, _parsed(lines))


def trailers_of(git: Git, commit: str) -> Trailers:
    """Those of one commit."""
    return _parsed(os.fsdecode(git.run("log", "-1", f"--format={_TRAILERS}", commit)))


def _parsed(lines: str) -> Trailers:
    pairs = (line.partition(": ") for line in lines.split("\n") if line)
    return tuple((key, value) for key, _, value in pairs)
