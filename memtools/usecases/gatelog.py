"""What the write gate answered and no commit tells: a rejection, and what was waiting already.

Kept under the git dir, for the doctor. Must not keep a word of a candidate.
"""

from __future__ import annotations

import contextlib
import os
from datetime import datetime
from enum import StrEnum

from memtools.files import append_own, read_plain
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.repository import Repository

FOLDER, NAME = "log", "gate"


class Word(StrEnum):
    """What a line tells."""

    REJECTED = "rejected"  # by the rule it names
    AGAIN = "again"  # what waits already as the blob it names


class Answer(NamedTuple):
    """One line; `at` in seconds since 1970, `what` the rule or the blob."""

    word: Word
    at: int
    what: str


def log_answer(repository: Repository, word: Word, at: str, what: str) -> None:
    """Add a line; a log that cannot be written stops nothing. `at`: ISO date-time with offset."""
    line = f"{at}\t{word}\t{what}\n"
    with contextlib.suppress(OSError):
        os.makedirs(repository.state_dir, mode=0o700, exist_ok=True)
        append_own(os.path.join(repository.state_dir, FOLDER, NAME), line.encode())


def read_answers(state_dir: str) -> Iterator[Answer]:
    """All that can be read of it, the oldest first."""
    try:
        raw = read_plain(os.path.join(state_dir, FOLDER, NAME))
    except OSError:
        return
    for line in raw.decode("utf-8", "replace").splitlines():
        date, _, rest = line.partition("\t")
        word, _, what = rest.partition("\t")
        with contextlib.suppress(ValueError, OverflowError):
            yield Answer(Word(word), int(datetime.fromisoformat(date).timestamp()), what)
