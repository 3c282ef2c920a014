"""Answers about pushes that were judged before, so that the same trees need not be read again.

Kept as plain values with a checksum: what is damaged, or of another version, is as good as none.
Must not know how an answer is found.
"""

from __future__ import annotations

from hashlib import sha256

from memtools.core.problem import Problem
from memtools.core.version import VERSION
from memtools.core.wording import Said
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import RECEIVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from memtools.git.run import Git

_SENTENCE = object  # text, or what `_plain` makes of it
_PROBLEM = (str, int, str, str, _SENTENCE, _SENTENCE)
_KEPT = 50  # answers; the oldest go first


def key_of(git: Git, base: str, tip: str, *, by_commit: bool) -> str:
    """What an answer depends on: the commit before, and each tree and message since.

    `by_commit`: also who signed them, so their ids.
    """
    form = "%H" if by_commit else "%T%x00%B"
    span = [tip, f"^{base}"] if base else [tip]
    out = git.run("log", "-z", f"--format=tformat:{form}", *span, "--")
    return sha256(b"\0".join((VERSION.encode(), base.encode(), out))).hexdigest()


def kept_answer(folder: str, key: str) -> tuple[Problem, ...] | None:
    """The problems found then; None: nobody knows."""
    rows = _read(folder).get(key)
    try:
        return None if rows is None else tuple(Problem(*map(_spoken, row)) for row in rows)
    except (ValueError, TypeError, AttributeError):
        return None


def keep_answer(folder: str, key: str, problems: Sequence[Problem]) -> None:
    """Keep an answer; when two pushes write at once, one of them is judged anew another time."""
    kept = _read(folder)
    kept.pop(key, None)
    kept[key] = [tuple(map(_plain, problem)) for problem in problems]
    write_checked(folder, RECEIVED, dict(list(kept.items())[-_KEPT:]))


def _read(folder: str) -> dict[str, Any]:
    return read_checked(folder, RECEIVED, {str: [_PROBLEM]}) or {}


def _plain(value: object) -> object:
    """A sentence as (text, template, values), so that it can be said in any language."""
    if isinstance(value, Said):
        values = {name: _plain(one) for name, one in value.values.items()}
        return (str.__str__(value), value.template, values)
    return str(value) if isinstance(value, str) else value


def _spoken(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    text, template, values = value
    said = Said(text)
    said.template, said.values = template, {name: _spoken(one) for name, one in values.items()}
    return said
