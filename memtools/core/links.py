"""Which memories a text points at: wikilinks, Markdown links, `derived_from`.

Must not know which memories exist: names are compared as text, so a link to nobody is just a name.
"""

from __future__ import annotations

from unicodedata import normalize

from memtools.core.address import page_of, parse_address
from memtools.core.facts import source_target
from memtools.core.markers import without_markers
from memtools.core.memory import stem, without_suffix
from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory

_WIKI = lazy(r"\[\[([^\[\]\n]{1,300})\]\]")
# What follows `](`, or `]:` at the start of a line: a place in angle brackets or without, a title.
# All of it is bounded, so that no text takes longer than its length.
_PLACE = r"[ \t]*(?:<([^<>\n]{1,300})>|([^\s()<>][^()<>\n]{0,299}?))"
_TITLE = r"(?:[ \t]+[\"'(][^\n]{0,300})?"
_INLINE = lazy(r"\]\(" + _PLACE + _TITLE + r"\)")
_REFERENCE = lazy(r"(?m)^ {0,3}\[[^\[\]\n]{1,300}\]:" + _PLACE + _TITLE + "$")
_ELSEWHERE = lazy(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|#")


def names_of(memory: Memory) -> frozenset[str]:
    """All a link may call this memory; `id:` stands before its id."""
    path = memory.path
    names = (
        stem(path),
        path,
        without_suffix(path),
        memory.title,
        *memory.aliases,
        f"id:{memory.id}",
    )
    return frozenset(normalize("NFC", name) for name in names)


def pointed_at(memory: Memory) -> frozenset[str]:
    """What this memory points at, in the words of `names_of`; its marker lines do not count."""
    if not (memory.derived_from or any(sign in memory.body for sign in ("[[", "](", "]:"))):
        return frozenset()
    found = set()
    for entry in memory.derived_from:
        address = parse_address(source_target(entry))
        found.add(f"id:{address.text}" if address.kind == "id" else address.text)
    body = without_markers(memory.body)
    found.update(page_of(inner) for inner in _WIKI.findall(body))
    places = [*_INLINE.findall(body), *_REFERENCE.findall(body)]
    found.update(_resolved(memory.path, closed or plain) for closed, plain in places)
    found.discard("")
    return frozenset(normalize("NFC", name) for name in found)


def _resolved(path: str, target: str) -> str:
    """The repo path a Markdown link leads to; "" when it leads out of the repository.

    `/a.md` stands at the top, as forges read it.
    """
    if _ELSEWHERE.match(target):
        return ""
    from posixpath import normpath
    from urllib.parse import unquote

    name = unquote(target.partition("#")[0])
    folder = "" if name.startswith("/") else path.rpartition("/")[0]
    found = normpath(f"{folder}/{name}" if folder else name).lstrip("/")
    return "" if found.startswith("../") else found
