"""What the text of a marker points with: a path, a wikilink, an id, or words.

Must not know which memories exist: an address is only read here, never looked up.
"""

from __future__ import annotations

from functools import lru_cache

from memtools.core.invisible import strip_invisible
from memtools.core.phrase import phrase_fault
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from memtools.core.phrase import Fault

    Kind = Literal["path", "link", "id", "phrase"]


class Address(NamedTuple):
    """`text` is the repo path, the page of the link, the id or the phrase, and nothing else."""

    kind: Kind
    text: str


@lru_cache(4096)  # a commit asks for the markers of the whole ledger several times
def parse_address(phrase: str) -> Address:
    """Read a phrase (rule 3): a path if it ends in `.md`, `[[a link]]`, `id:…`, else words."""
    text = phrase.strip()
    clean = strip_invisible(text).strip()
    if clean.lower().endswith(".md"):
        path = text if text.lower().endswith(".md") else clean
        return Address("path", path.removeprefix("./"))
    if clean.startswith("[[") and clean.endswith("]]"):
        inner = clean[2:-2]
        page = "" if "[" in inner or "]" in inner else page_of(inner)
        if page:
            return Address("link", page)
    if clean.startswith("id:") and clean[3:].strip():
        return Address("id", clean[3:].strip())
    return Address("phrase", text)


def target_fault(target: str, min_columns: int) -> Fault:
    """Why a marker may not use this text, or ""; an exact address may have any length (rule 3)."""
    return phrase_fault(target, min_columns) if parse_address(target).kind == "phrase" else ""


def page_of(inner: str) -> str:
    """The page of a wikilink, given what stands between its brackets: no alias, no heading."""
    # Inside a Markdown table the bar before the alias is written as `\|`.
    return inner.partition("|")[0].removesuffix("\\").partition("#")[0].strip()
