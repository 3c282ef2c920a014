"""Bytes that are to be erased: the forms a text can stand in, and what is left without them.

Pure. Must not know where bytes are kept, nor which memory they are of.
"""

from __future__ import annotations

import contextlib
import html
import json
import re
import unicodedata

from memtools.core.handout import about
from memtools.core.invisible import bytes_of
from memtools.core.memory import read_memory
from memtools.core.phrase import columns, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MARK = "[erased]"  # what stands where a text stood
FORMS = "UTF-8 (as typed, NFC, NFD), UTF-16 (LE, BE), JSON and HTML escapes"
SHORTEST = 4  # characters of a text that is looked for in all files
_COLUMNS, _DIFFERENT = 10, 4  # a line that tells something, as of a phrase (rule 4)
_RENDERED = b"written by `memtools render`"
_HEADING = b'Memory path="'
_NONE = b"No memory of high priority stands here."


def forms_of(text: str) -> dict[bytes, bytes]:
    """Each way a text may stand in a file, and the mark in the same encoding."""
    found: dict[bytes, bytes] = {}
    for spelling in {text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD"))}:
        found[bytes_of(spelling)] = MARK.encode()
        for ascii_only in (True, False):
            escaped = json.dumps(spelling, ensure_ascii=ascii_only)[1:-1]
            found[bytes_of(escaped)] = MARK.encode()
        named, numbered = html.escape(spelling), html.escape(spelling, quote=False)
        numbered = numbered.replace('"', "&#34;").replace("'", "&#39;")  # as our own page has it
        for escaped in (named, numbered):
            found[bytes_of(escaped)] = MARK.encode()
        with contextlib.suppress(UnicodeEncodeError):  # bytes that are no UTF-8 have no UTF-16
            for encoding in ("utf-16-le", "utf-16-be"):
                found[spelling.encode(encoding)] = MARK.encode(encoding)
    return found


class Finder:
    """Finds texts in bytes, in all their forms at once; `plain`: in UTF-8 as they are."""

    __slots__ = ("_forms", "_marks", "longest")

    def __init__(self, texts: Iterable[str], *, plain: bool = False) -> None:
        self._marks: dict[bytes, bytes] = {}
        for text in texts:
            self._marks |= {bytes_of(text): MARK.encode()} if plain else forms_of(text)
        self._forms = sorted(self._marks, key=len, reverse=True)
        self.longest = len(self._forms[0]) if self._forms else 0

    @property
    def pattern(self) -> bytes:
        """A regular expression of bytes for all forms, the longest first; b"" for no text."""
        return b"|".join(map(re.escape, self._forms))

    def finds(self, data: bytes) -> bool:
        """Does one of the texts stand in there?"""
        return any(form in data for form in self._forms)

    def erased(self, data: bytes) -> bytes:
        """The bytes with a mark in place of each text."""
        if not self.finds(data):
            return data
        return re.sub(self.pattern, lambda found: self._marks[found[0]], data)


def telling_pattern(
    texts: Iterable[str], paths: Iterable[str], others: Iterable[str], ids: Iterable[str]
) -> bytes:
    """A regular expression of bytes for what messages tell: texts, ids, and paths that stand alone.

    A path that is only the end of a longer word, or of one of the `others`, is another's.
    """
    longer = [spelling for other in others for spelling in spellings(other)]
    found = [Finder((*texts, *ids)).pattern]
    for name in sorted({one for path in paths for one in spellings(path)}, key=len, reverse=True):
        not_these = b"".join(
            b"(?<!%s)" % re.escape(other) for other in longer if other.endswith(name)
        )
        found.append(rb"(?<![\w.-])%s%s(?![\w-]|[./]\w)" % (re.escape(name), not_these))
    return b"|".join(filter(None, found))


def spellings(name: str) -> set[bytes]:
    """A name as it was typed, composed and decomposed (NFC, NFD)."""
    forms = {name, *(unicodedata.normalize(form, name) for form in ("NFC", "NFD"))}
    return {bytes_of(one) for one in forms}


def telling_lines(raw: bytes) -> frozenset[str]:
    """The lines of a memory that are long enough to be known again elsewhere."""
    memory = read_memory("", raw)
    lines = (normalise(line).strip("#> -*") for line in (memory.title, *memory.body.split("\n")))
    return frozenset(
        line for line in lines if columns(line) >= _COLUMNS and len(set(line)) >= _DIFFERENT
    )


def without_told(data: bytes, paths: Iterable[str]) -> bytes:
    """A file that `render` wrote, without what it tells of these memories; b"" for nothing left."""
    if _RENDERED not in data:
        return data
    heads = tuple(f"Memory {about({'path': path})}".encode() for path in paths)
    if data.startswith(heads):
        return b""  # of a rendered folder: a file of its own
    kept: list[bytes] = []
    is_told, was_told = False, False
    for line in data.split(b"\n"):
        bare = line.rstrip(b"\r")
        if bare.startswith(heads):
            is_told = was_told = True
        elif is_told and (not bare or bare.startswith(b">")):
            continue
        else:
            if is_told and not bare.startswith(_HEADING):
                _close(kept, line)
            is_told = False
            kept.append(line)
    return b"\n".join(kept) if was_told else data


def _close(kept: list[bytes], line: bytes) -> None:
    """End a block whose last memory went: as `render` ends one."""
    end = b"\r" if line.endswith(b"\r") else b""
    blank = kept.pop() if kept and not kept[-1].strip() else None
    if not any(one.startswith(_HEADING) for one in kept):
        kept += [end, _NONE + end]
    if blank is not None and not line.startswith(b"<!--"):
        kept.append(blank)
