"""Plain ASCII text is read by short ways; each must say what the long way says."""

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from memtools.core import header_lines, header_value, invisible, phrase, vocabulary
from memtools.core.header_scalar import NOT_PRINTABLE
from memtools.core.lookalike import find_lookalikes
from memtools.core.pattern import lazy
from memtools.search import analysis

ASCII = st.text(st.characters(max_codepoint=127), max_size=60) | st.text(" \n\tab*_.", max_size=30)


def the_long_strip(text):
    return invisible._INVISIBLE.sub("", text)


@given(ASCII)
@example("".join(map(chr, range(128))))
def test_stripping(text):
    assert invisible.strip_invisible(text) == the_long_strip(text)


@given(ASCII)
@example("a\x1cb  c")
@example("a\n\n\x01 b")
def test_normalising(text):
    assert phrase.normalise(text) == phrase._join(the_long_strip(" ".join(text.split())))


@given(ASCII)
def test_folding_words(text):
    long = unicodedata.normalize("NFKC", text).casefold().replace("-", " ").replace("_", " ")
    assert vocabulary.folded(text) == " ".join(long.split())


@given(ASCII)
def test_lines_of_a_header(text):
    breaks = list(header_lines._BREAK.finditer(text))
    starts = [0, *(match.end() for match in breaks)]
    ends = [*(match.start() for match in breaks), len(text)]
    assert header_lines._spans(text) == list(zip(starts, ends, strict=True))


@given(ASCII)
def test_what_cannot_be_printed(text):
    assert header_value._has_unprintable(text) == (NOT_PRINTABLE.search(text) is not None)
    if NOT_PRINTABLE.search(text):
        assert header_lines.read_simple(f"a: b\n{text}") is None


@given(ASCII)
def test_tokens(text):
    folded = analysis.fold(text)
    assert folded == the_long_strip(text).casefold()
    assert analysis.tokens(text) == analysis._TOKEN.findall(folded)
    assert analysis.runs(text) == analysis._RUN.findall(folded)


@given(ASCII)
def test_near_misses_of_a_marker(text):
    with_more = find_lookalikes(f"{text}\n日本語")
    assert [near.row for near in find_lookalikes(text)] == [near.row for near in with_more]


def test_a_pattern_is_compiled_when_it_is_used_and_has_all_methods():
    words = lazy(r"[a-z]+")
    assert "match" not in vars(words)
    assert words.findall("a b") == ["a", "b"]
    assert words.sub("x", "a b") == "x x"
    assert "match" in vars(words)
