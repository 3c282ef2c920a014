"""Answers about pushes that were judged before, so that the same trees need not be read again.

Kept as plain values with a checksum: what is damaged, or of another version, is as good as none.
Must not know how an answer is found.
"""

from __future__ import annotations

from hashlib import sha256

from memtools.core.problem import Problem
from memtools.core.version import VERSION
from memtools.core.wording import packed, unpacked
from memtools.git.refs import span
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import RECEIVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from memtools.git.run import Git

_SENTENCE = object  # as `packed` makes it
_PROBLEM = (str, int, str, str, _SENTENCE, _SENTENCE)
_KEPT = 50  # answers; the oldest go first


def key_of(git: Git, base: str, tip: str, *, by_commit: bool) -> str:
    """What an answer depends on: the commit before, and each tree and message since.

    `by_commit`: also who signed them, so their ids.
    """
    form = "%H" if by_commit else "%T%x00%B"
    out = git.run("log", "-z", f"--format=tformat:{form}", *span(base, tip), "--")
    return sha256(b"\0".join((VERSION.encode(), base.encode(), out))).hexdigest()


def kept_answer(folder: str, key: str) -> tuple[Problem, ...] | None:
    """The problems found then; None: nobody knows."""
    rows = _read(folder).get(key)
    return None if rows is None else tuple(map(_whole, rows))


def keep_answer(folder: str, key: str, problems: Sequence[Problem]) -> None:
    """Keep an answer; when two pushes write at once, one of them is judged anew another time."""
    kept = _read(folder)
    kept.pop(key, None)
    kept[key] = [_plain(problem) for problem in problems]
    write_checked(folder, RECEIVED, dict(list(kept.items())[-_KEPT:]))


def _read(folder: str) -> dict[str, Any]:
    return read_checked(folder, RECEIVED, {str: [_PROBLEM]}) or {}


def _plain(found: Problem) -> tuple[object, ...]:
    return (*found[:-2], packed(found.message), packed(found.hint))


def _whole(row: Sequence[Any]) -> Problem:
    *told, message, hint = row
    return Problem._make((*told, unpacked(message), unpacked(hint)))
