"""What one memory contributes to the retraction of others: status, markers, sources, identity.

`Facts` are a function of path and bytes alone; the ledger keeps them so that a commit need not read
the whole tree again. Must not know where the bytes came from.
"""

from __future__ import annotations

from unicodedata import normalize

from memtools.core.address import parse_address
from memtools.core.markers import find_markers, without_markers
from memtools.core.memory import Exposure, Memory, stem, without_suffix
from memtools.core.phrase import Haystack, find_line, form_hits, forms, haystack, hits
from memtools.core.problem import Problem
from memtools.core.vocabulary import Priority, Status
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Handle = tuple[str, str]  # kind of a target, and the text

# Raise whenever the same bytes would give other facts: a ledger of another version is not believed.
FACTS_VERSION = 1


class Declared(NamedTuple):
    """One marker inside its memory: line in the file (from 1) and phrase as written."""

    line: int
    phrase: str


class Facts(NamedTuple):
    """The row of one memory. All values are plain text, so that a row can be kept as it is."""

    path: str
    blob: str
    status: str
    exposed: bool
    priority: str
    failure_cost: str
    source: str
    title: str
    reason: str
    retracted_by: str
    retracted_at: str
    derived_from: tuple[str, ...]
    markers: tuple[Declared, ...]

    @property
    def is_special(self) -> bool:
        """Must the ledger keep this row? All others are active memories of no effect on others.

        High-priority memories are kept for the activation layer.
        """
        return bool(
            self.markers
            or self.derived_from
            or self.status != Status.ACTIVE
            or not self.exposed
            or self.priority == Priority.HIGH
        )


class Studied(NamedTuple):
    """A memory, its facts, the problems of its marker lines, and its body without those lines."""

    memory: Memory
    facts: Facts
    problems: tuple[Problem, ...]
    body: str

    @property
    def text(self) -> Haystack:
        """What phrases are tried on; made when it is asked for, since most trees have few."""
        return haystack(self.memory.title, self.body)


def study(memory: Memory, blob: str) -> Studied:
    """Work out the facts of a memory read from the bytes of `blob`."""
    found = find_markers(memory)
    facts = Facts(
        path=memory.path,
        blob=blob,
        status=str(memory.status),
        exposed=memory.exposure is not Exposure.NONE,
        priority=str(memory.priority),
        failure_cost=memory.failure_cost,
        source=memory.source,
        title=memory.title,
        reason=memory.reason,
        retracted_by=memory.retracted_by,
        retracted_at=memory.retracted_at,
        derived_from=memory.derived_from,
        markers=tuple(Declared(marker.line, marker.phrase) for marker in found.markers),
    )
    body = without_markers(memory.body) if found.markers else memory.body
    return Studied(memory, facts, found.problems, body)


# A target is the text by which a memory is looked for: a marker's phrase (which may be an address),
# a `derived_from` entry, or STEM + a file stem (who else is called so?).
STEM = "\0stem:"


def target_hits(target: str, studied: Studied) -> bool:
    """Does `target` (phrase, address, or STEM + stem) point at this memory?"""
    handle = handle_of(target)
    if handle is None:
        return hits(parse_address(target).text, studied.text)
    return handle in _handles(studied.memory)


def targets_hit(targets: Iterable[str], memories: Iterable[Studied]) -> Iterator[tuple[str, str]]:
    """(target, path) for all that `target_hits`: each target is read once for all memories."""
    phrases: list[tuple[str, str, str]] = []
    named: dict[Handle, list[str]] = {}
    for target in targets:
        wanted = handle_of(target)
        if wanted is None:
            phrases.append((target, *forms(parse_address(target).text)))
        else:
            named.setdefault(wanted, []).append(target)
    for studied in memories:
        path = studied.facts.path
        haystack = studied.text if phrases else None
        for target, written, plain in phrases:
            if haystack is not None and form_hits(written, plain, haystack):
                yield target, path
        for handle in _handles(studied.memory) if named else ():
            for target in named.get(handle, ()):
                yield target, path


def handle_of(target: str) -> Handle | None:
    """What a memory must have among its handles to be hit; None: a phrase, its text decides."""
    if target.startswith(STEM):
        return "stem", normalize("NFC", target[len(STEM) :])
    kind, text = parse_address(target)
    return None if kind == "phrase" else (kind, normalize("NFC", text))


def _handles(memory: Memory) -> set[Handle]:
    """All by which targets that are no phrase mean a memory; macOS writes names decomposed."""
    path, name = memory.path, stem(memory.path)
    links = (name, path, without_suffix(path), memory.title, *memory.aliases)
    found = [("path", path), ("id", memory.id), ("stem", name)]
    found += (("link", link) for link in links)
    return {(kind, normalize("NFC", text)) for kind, text in found}


def hit_line(target: str, memory: Memory) -> int:
    """The line of the file where a phrase that hits starts; 1 for an address, and in the title."""
    address = parse_address(target)
    if address.kind != "phrase":
        return 1
    body = without_markers(memory.body, keep_lines=True)
    return find_line(address.text, body, memory.body_line) or 1


def same_name(one: str, other: str) -> bool:
    """Are two names the same text? macOS writes names decomposed."""
    return one == other or normalize("NFC", one) == normalize("NFC", other)


def source_target(entry: str) -> str:
    """The target a `derived_from` entry stands for: an address, or a path without its suffix."""
    address = parse_address(entry)
    return entry if address.kind != "phrase" else f"[[{entry}]]"
