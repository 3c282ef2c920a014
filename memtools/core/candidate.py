"""The bytes of a candidate: what it may say of itself, and what only the proposing tool says.

Rule 20: provenance is never believed from the text. Must not know where the candidate is stored.
"""

from __future__ import annotations

from memtools.core.conflict_marks import find_conflict_marks
from memtools.core.edit import Remove, Set, SetRaw, change, raw_value
from memtools.core.memory import MAX_FILE, Exposure, read_memory
from memtools.core.problem import Problem, problem
from memtools.core.vocabulary import Status, Vocabulary
from memtools.core.wording import say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.edit import Change
    from memtools.core.header import Header
    from memtools.core.memory import Memory

# What a text may not say of itself; what the tool leaves empty is taken out.
PROVENANCE = (
    "source",
    "confidence",
    "failure_cost",
    "proposed_at",
    "proposed_by",
    "imported_from",
    "gate",
    "approve_after",
    "retracted_at",
    "retracted_by",
    "retracted_reason",
    "restored_at",
    "restored_reason",
)


class Provenance(NamedTuple):
    """What the proposing tool says of a candidate; "" and None: nothing.

    Dates are ISO: `proposed_at` a date-time with offset, `approve_after` a date. `gate` is the
    rule id that decided.
    """

    source: str
    confidence: float | None = None
    failure_cost: str = ""
    proposed_at: str = ""
    proposed_by: str = ""
    imported_from: str = ""
    gate: str = ""
    approve_after: str = ""


def says_candidate(header: Header) -> bool:
    """Does a front matter say so in this very word? Drafts in other words are a person's own.

    A key may stand there twice: the status is then the most restrictive one.
    """
    words = (str(entry.value) for entry in header.entries if entry.key.casefold() == "status")
    return any(word.strip().casefold() == Status.CANDIDATE for word in words)


# Keys of ours that notes of the wild use for something else, as in `source: https://…`.
_SHARED = ("status", *PROVENANCE[:3])
_KEPT_AS = "original_"
_OWN_WORDS = Vocabulary({}, {})


def unfit(raw: bytes) -> Problem | None:
    """Why bytes cannot be a candidate at all, without a word of them; None when they can."""
    if len(raw) > MAX_FILE:
        what = say("the candidate is larger than {limit} bytes", limit=MAX_FILE)
        return problem("", 0, "file-too-large", what, say("split it into smaller memories"))
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        what = say("the candidate is not UTF-8 text")
        return problem("", 0, "body-not-utf8", what, say("save it as UTF-8"), "error")
    if "\0" in text:
        return problem("", 0, "body-not-utf8", say("the candidate is no text"), "", "error")
    memory = read_memory("", raw)
    marks = find_conflict_marks(memory)
    if marks:
        what = say("the candidate holds conflict marks in line {line}", line=marks[0].line)
        return problem("", 0, "conflict-marks", what, say("resolve the conflict first"))
    if memory.exposure is Exposure.NONE and not memory.has_header:
        return next((found for found in memory.problems if found.is_error), None)
    if not memory.body.strip() and not memory.title:
        return problem("", 0, "field-invalid", say("the candidate is empty"), "", "error")
    return None


def candidate_bytes(
    path: str, raw: bytes, provenance: Provenance, *, title: str, scope: str, is_active: bool
) -> bytes | Problem:
    """The whole file to store: the text as it came, with our fields set; a Problem when it cannot.

    Unknown keys, body, line ends and BOM stay byte for byte. `title` and `scope` "": as the text
    says.
    """
    status = Status.ACTIVE if is_active else Status.CANDIDATE
    edited = change(path, raw, [*_changes(path, raw, provenance, title, scope, status)])
    if isinstance(edited, Problem):
        return edited
    memory = read_memory(path, edited.data)
    if memory.status is not status or memory.exposure is Exposure.NONE or _lies(memory, provenance):
        what = say("the header of the candidate cannot be set for sure")
        return problem(path, 1, "header-unprovable", what, say("mend it, or leave it out"))
    return edited.data


def _changes(
    path: str, raw: bytes, provenance: Provenance, title: str, scope: str, status: Status
) -> list[Change]:
    memory = read_memory(path, raw, _OWN_WORDS)
    found: list[Change] = [
        SetRaw(_KEPT_AS + key, theirs)
        for key in _SHARED
        if (theirs := raw_value(raw, key)) and _is_foreign(memory, key)
    ]
    if title and memory.title != title:
        found.append(Set("title", title))
    found.append(Set("status", str(status)))
    if scope:
        found.append(Set("scope", scope))
    values = provenance._asdict()
    for key in PROVENANCE:
        value = values.get(key)
        text = _number(value) if isinstance(value, float) else str(value or "")
        if text or key in memory.header_text:
            found.append(Set(key, text) if text else Remove(key))
    if not memory.created and provenance.proposed_at:
        found.append(Set("created", provenance.proposed_at))
    return found


def _is_foreign(memory: Memory, key: str) -> bool:
    """Is the value of a key of ours no word of ours, so that it must not be lost?"""
    if key == "status":
        return memory.status is Status.UNKNOWN
    return getattr(memory, key) in ("", None)


def _number(value: float) -> str:
    """A number from 0 to 1 as the reader of front matter takes it: no exponent."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _lies(memory: Memory, provenance: Provenance) -> bool:
    """Does the file still say another provenance than the tool did?"""
    given = provenance.confidence
    confidence = None if given is None else float(_number(given))
    said = (memory.source, memory.confidence, memory.failure_cost)
    return said != (provenance.source, confidence, provenance.failure_cost)
