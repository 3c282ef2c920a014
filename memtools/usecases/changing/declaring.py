"""The declaring memory `retract` adds: what it says, where it goes, and HEAD with it.

Must not know how it is committed.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.invisible import is_utf8
from memtools.core.lookalike import MARK
from memtools.core.markers import find_markers
from memtools.core.memory import read_memory, stem
from memtools.core.retraction import make_plan
from memtools.core.selection import SUFFIX
from memtools.core.wording import say
from memtools.errors import RefusedError
from memtools.git.objects import blobs_at
from memtools.usecases.addresses import paths_meant
from memtools.usecases.changing.head import ledger_with
from memtools.usecases.changing.newfile import free_path, memory_bytes, plain_text
from memtools.usecases.tree import policy_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.core.retraction import Judged, Plan
    from memtools.usecases.changing.head import Head

# Where the declaring memory is thought to stand until its victim is known: no path git can hold.
NOWHERE = "\0.md"


class Declared(NamedTuple):
    """The declaring memory as it would be, and HEAD with it."""

    path: str
    data: bytes
    ledger: Ledger
    plan: Plan
    marker: Judged


def marker_text(head: Head, phrase: str) -> str:
    """What the marker says: the words as typed, in one line; a path as seen from the top.

    A whole marker line, as a hint shows it, stands for its phrase.

    Raises:
        RefusedError: no text.
    """
    text = " ".join(part.strip() for part in phrase.splitlines()).strip()
    text = text.removeprefix(MARK).strip()
    if not is_utf8(text):
        raise RefusedError(
            say("{text} is not UTF-8, so no marker can say it", text=text),
            say("type words of the memory instead"),
        )
    if parse_address(text).kind != "path":
        return text
    meant = paths_meant(head.repository, text)
    held = blobs_at(head.repository.git, head.tree, meant) if meant else {}
    return next((path for path in meant if path in held), text)


def declare(head: Head, path: str, phrase: str, why: str, at: str) -> Declared:
    """HEAD with the declaring memory at `path` ("": somewhere no memory of HEAD is)."""
    name = path or NOWHERE
    data = _declaring_bytes(path, phrase, why, at)
    found = find_markers(read_memory(name, data)).markers
    if [marker.phrase for marker in found] != [phrase]:
        raise RefusedError(
            say("{text} cannot stand in a marker", text=phrase),
            say("type other words of the memory, or its path"),
        )
    ledger = ledger_with(head, {name: data})
    plan = make_plan(ledger, policy_of(head.settings.config), frozenset({(name, phrase)}))
    marker = next(marker for marker in plan.markers if marker.path == name)
    return Declared(path, data, ledger, plan, marker)


def _declaring_bytes(path: str, phrase: str, why: str, at: str) -> bytes:
    reason = plain_text(why)
    name = stem(path).partition("-retracts-")[2]
    fields = {"title": f"Retraction of {name}", "created": at}
    if reason:
        fields["reason"] = reason
    return memory_bytes(fields, f"RETRACTS: {phrase}")


def is_as_declared(path: str, raw: bytes) -> bool:
    """Is it a declaring memory just as `retract` wrote it: one marker, and nothing else said?"""
    memory = read_memory(path, raw)
    markers = find_markers(memory).markers
    if len(markers) != 1:
        return False
    return raw == _declaring_bytes(path, markers[0].phrase, memory.reason, memory.created)


def place_beside(head: Head, victim: str, at: str) -> str:
    """`DATE-retracts-STEM.md` in the victim's folder, else in a root."""
    name = "".join(char if is_utf8(char) else "_" for char in stem(victim))
    folder = victim.rpartition("/")[0]
    roots = [root for root in head.settings.config.roots if root[-3:].lower() != SUFFIX]
    for place in (folder, *roots):
        path = free_path(
            head.repository, head.settings.config.selection, place, f"{at[:10]}-retracts-{name}"
        )
        if path:
            return path
    raise RefusedError(
        say("there is no place for a declaring memory beside {path}", path=victim),
        say("add a line RETRACTS: {path} to any memory and commit it", path=victim),
    )
