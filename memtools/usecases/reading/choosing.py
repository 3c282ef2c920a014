"""What of the memories found is handed out: whole, within the budget, and nothing twice.

Must not know where they were found, nor whether they may be seen.
"""

from __future__ import annotations

from memtools.core.handout import handed_line, handed_text, handed_title
from memtools.core.likeness import comparable, repeats
from memtools.git.objects import blob_id
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.memory import Memory
    from memtools.usecases.reading.shown import Shown

_SHORT = 40  # letters; the text of so short a memory says nothing without its title


class Recalled(NamedTuple):
    """One memory as handed out; `why` is "priority" or "query", `text` is cleaned.

    `blob` is the id of the bytes the text came from; `contested` is path:line of an unapproved
    retraction that is told instead of followed ("" when there is none).
    """

    path: str
    title: str
    priority: str
    why: str
    text: str
    source: str
    created: str
    scope: str
    blob: str
    contested: str = ""


class Repeated(NamedTuple):
    """A memory that says the same as `of`, which is handed out in its place."""

    path: str
    of: str


class Chosen(NamedTuple):
    """`bytes` is the size of all texts in UTF-8; `left_out` counts what did not fit."""

    memories: tuple[Recalled, ...]
    bytes: int
    left_out: int
    repeated: tuple[Repeated, ...]


def choose(wanted: Iterable[tuple[Shown, str]], budget: int, per_memory: int) -> Chosen:
    """The memories (each with its `why`) that fit as a whole, in their order; each once.

    A copy is the usual case: the raw note and the curated one in another store.
    """
    taken: list[Recalled] = []
    words: list[str] = []
    repeated: list[Repeated] = []
    used = left_out = 0
    for shown, why in wanted:
        one = _recalled(shown, why)
        if not one.text:  # a marker alone tells an agent nothing
            continue
        size = len(one.text.encode("utf-8", "replace"))
        fits = size <= per_memory and used + size <= budget
        mine = _words(shown.memory, one.text) if fits else ""
        of = _said_by(one, mine, taken, words)
        if of:
            repeated.append(Repeated(one.path, of))
        elif not fits:
            left_out += 1
        else:
            used += size
            taken.append(one)
            words.append(mine)
    return Chosen(tuple(taken), used, left_out, tuple(repeated))


def _said_by(one: Recalled, words: str, taken: list[Recalled], known: list[str]) -> str:
    """The path of what is taken and says the same ("": none); without words only a true copy."""
    for other, theirs in zip(taken, known, strict=True):
        is_named_alike = one.title == other.title or len(one.text) >= _SHORT
        is_copy = one.text == other.text and is_named_alike
        if is_copy or repeats(words, theirs):
            return other.path
    return ""


def _recalled(shown: Shown, why: str) -> Recalled:
    memory = shown.memory
    return Recalled(
        memory.path,
        handed_title(memory.title),
        str(memory.priority),
        why,
        handed_text(memory.body),
        handed_line(memory.source),
        handed_line(memory.created, 40),
        handed_line(memory.scope),
        shown.blob,
        shown.contested,
    )


def _words(memory: Memory, text: str) -> str:
    words = comparable(text)
    return words if len(words) >= _SHORT else comparable(f"{memory.title}\n{text}")


def digest(scope: str, memories: Iterable[Recalled]) -> str:
    """Equal for equal content on every machine, whatever the fence around it."""
    # Not the blobs: the same text may be checked out with other line ends elsewhere.
    told = [field for memory in memories for field in memory._replace(blob="")]
    data = "\0".join(f"{len(part)}:{part}" for part in (scope, *told))
    return blob_id(data.encode("utf-8", "surrogatepass"))[:16]  # hashlib would load OpenSSL
