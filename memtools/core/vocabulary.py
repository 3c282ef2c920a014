"""The words a status or a priority may be written with, and what they mean to us.

Must not know where a word stood: it reads one trimmed text at a time.
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum

from memtools.values import NamedTuple

BRANCHES = "memory"  # below it are the branches that hold nothing but candidates


class Status(StrEnum):
    """What a memory may do; `unknown` is every word outside the vocabulary and is never exposed."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    RETRACTED = "retracted"
    UNKNOWN = "unknown"


class Priority(StrEnum):
    """How loudly a memory speaks; `high` is put in front of the agent at every turn."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


class Vocabulary(NamedTuple):
    """Words of the wild -> our words. Our own words always mean themselves and need no entry."""

    status: dict[str, str]
    priority: dict[str, str]

    def extended(self, status: dict[str, str], priority: dict[str, str]) -> Vocabulary:
        """The vocabulary with a repository's additions; an addition wins over a built-in word."""
        return Vocabulary(
            self.status | {folded(word): meaning for word, meaning in status.items()},
            self.priority | {folded(word): meaning for word, meaning in priority.items()},
        )


_CANDIDATE = (
    "draft, drafting, proposed, proposal, pending, review, in review, needs review, on hold, wip, "
    "idea, inbox, todo, to do, in progress, doing, fleeting, seedling, budding, last call, "
    "deferred, 下書き, 草稿, 候補, 提案, 保留, レビュー中"
)
_ACTIVE = (
    "accepted, approved, published, current, final, living, completed, complete, done, stable, "
    "evergreen, permanent, live, 公開, 有効, 承認済み, 確定"
)
_RETRACTED = (
    "superseded, deprecated, withdrawn, obsolete, archived, archive, rejected, moved, stagnant, "
    "replaced, outdated, cancelled, canceled, abandoned, dropped, expired, "
    "撤回, 廃止, 非推奨, 却下, 取り下げ, アーカイブ"
)


def folded(word: str) -> str:
    """The form words are compared in: NFKC, any case, `-` and `_` as a space, trimmed."""
    plain = word.lower() if word.isascii() else unicodedata.normalize("NFKC", word).casefold()
    return " ".join(plain.replace("-", " ").replace("_", " ").split())


def _table(**words: str) -> dict[str, str]:
    return {folded(w): meaning for meaning, line in words.items() for w in line.split(",")}


DEFAULT = Vocabulary(
    status=_table(candidate=_CANDIDATE, active=_ACTIVE, retracted=_RETRACTED),
    priority=_table(
        high="p0, p1, critical, urgent, highest, 高, 最高",
        normal="p2, medium, mid, default, 中, 通常",
        low="p3, lowest, minor, 低",
    ),
)
_OWN_STATUS = {status.value: status for status in Status if status is not Status.UNKNOWN}
_OWN_PRIORITY = {priority.value: priority for priority in Priority}


def read_status(text: str, vocabulary: Vocabulary = DEFAULT) -> Status:
    """The status a written word means; `Status.UNKNOWN` for a word nobody mapped.

    Our own three words are looked up first, so no vocabulary can give them another meaning.
    """
    own = _OWN_STATUS.get(text)
    if own is not None:
        return own
    word = folded(text)
    meaning = word if word in _OWN_STATUS else vocabulary.status.get(word, "")
    return _OWN_STATUS.get(meaning, Status.UNKNOWN)


def read_priority(text: str, vocabulary: Vocabulary = DEFAULT) -> Priority | None:
    """The priority a written word means; None for a word nobody mapped."""
    own = _OWN_PRIORITY.get(text)
    if own is not None:
        return own
    word = folded(text)
    meaning = word if word in _OWN_PRIORITY else vocabulary.priority.get(word, "")
    return _OWN_PRIORITY.get(meaning)
