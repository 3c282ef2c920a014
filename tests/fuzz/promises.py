"""What each parser promises of any bytes; an AssertionError or any other exception is a fault.

`tests/fuzz/run` tries them on bytes atheris makes up, `test_corpus.py` on those it kept, and
row R4 on hostile notes.
"""

from __future__ import annotations

from memtools.config import parse_config
from memtools.core.candidate import unfit
from memtools.core.edit import Edited, Remove, Set, change
from memtools.core.facts import study, target_hits
from memtools.core.handout import handed_line, handed_text
from memtools.core.header import read_header, split
from memtools.core.lookalike import find_lookalikes
from memtools.core.markers import find_markers, without_markers
from memtools.core.memory import MAX_FILE, Exposure, read_memory
from memtools.core.phrase import bare, columns, find_line, haystack, hits, normalise, phrase_fault
from memtools.core.screen import screen
from memtools.entrypoints.turn import _event
from memtools.errors import UsageError
from memtools.search import analysis

TOMBSTONE = (Set("status", "retracted"), Set("retracted_by", "[[fix]]"))


def front_matter(raw: bytes) -> None:
    """A file is taken apart without loss, read without an exception, provably changed or not."""
    parts = split(raw)
    assert b"".join((parts.bom, parts.opening, parts.header, parts.closing, parts.body)) == raw
    header = read_header(parts, "n.md")
    memory = read_memory("n.md", raw)
    assert header.sure or memory.exposure is Exposure.NONE
    edited = change("n.md", raw, TOMBSTONE)
    if len(raw) > MAX_FILE:
        is_hidden = memory.exposure is Exposure.NONE or str(memory.status) == "retracted"
        assert is_hidden  # so nothing hits it
        return
    if not isinstance(edited, Edited):
        return
    after = read_memory("n.md", edited.data)
    assert str(after.status) == "retracted"
    assert after.body == memory.body
    assert edited.data.endswith(parts.body)
    again = change("n.md", edited.data, TOMBSTONE)
    assert isinstance(again, Edited) and again.data == edited.data
    change("n.md", edited.data, (Remove("retracted_by"),))


def marker(raw: bytes) -> None:
    """Markers and near misses of a body are found, and the text without markers holds none."""
    memory = read_memory("n.md", raw)
    studied = study(memory, "")
    found = find_markers(memory)
    for one in found.markers:
        assert memory.body_line <= one.line
        target_hits(one.phrase, studied)
    find_lookalikes(memory.body)
    left = without_markers(memory.body)
    assert without_markers(memory.body, keep_lines=True).count("\n") == memory.body.count("\n")
    assert len(left) <= len(memory.body)
    handed_text(left)
    handed_line(memory.title)
    analysis.fields(left)


def phrase(raw: bytes) -> None:
    """Two halves: a phrase and a text; what is compared is stable, and a hit has a line."""
    one, _, text = raw.decode("utf-8", "replace").partition("\n")
    assert normalise(normalise(text)) == normalise(text)
    columns(one)
    bare(text)
    if not phrase_fault(one, 6):
        where = haystack("", text)
        if hits(one, where):
            assert find_line(one, text, 1) >= 1
    analysis.edged(one)
    analysis.inner(one)


def config(raw: bytes) -> None:
    """Settings are read, or are a problem with a line; never an exception."""
    found, problems = parse_config(raw)
    assert found.selection is not None
    for one in problems:
        assert one.line >= 0 and one.message


def event(raw: bytes) -> None:
    """The JSON of an agent is an event, or refused as the person's mistake."""
    try:
        found = _event(raw)
    except UsageError:
        return
    assert all(isinstance(one, str) for one in found)


def screens(raw: bytes) -> None:
    """A text is looked at for secrets, personal data, hidden characters and orders."""
    if unfit(raw) is not None and len(raw) > MAX_FILE:
        return  # no candidate, and not read as a memory
    for one in screen(raw.decode("utf-8", "replace")):
        assert one.line >= 1


TARGETS = {one.__name__: one for one in (front_matter, marker, phrase, config, event, screens)}
