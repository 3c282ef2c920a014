"""Invisible characters, the CJK class, text for a terminal."""

import sys
import unicodedata

import pytest

from memtools.core import invisible
from memtools.core.invisible import bytes_of, escape_for_terminal, is_cjk, strip_invisible


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b",
        "\u200d",
        "\u200e",
        "\u202e",
        "\u2066",
        "\xad",
        "\u2060",
        "\ufeff",
        "\U000e0041",
        "\u115f",
        "\u3164",
        "\uffa0",
        "\u034f",
        "\u061c",
        "\x00",
        "\x08",
        "\x7f",
        "\x9b",
    ],
)
def test_a_character_that_shows_nothing_is_taken_out(hidden):
    """https://github.com/block/berd/pull/289: review is no control if text is invisible."""
    assert strip_invisible(f"ro{hidden}ot") == "root"


@pytest.mark.parametrize("seen", ["\ufe0f", "\U000e0100", " ", "\t", "\n", "\u3000", "\x85", "が"])
def test_variation_selectors_white_space_and_letters_stay(seen):
    assert strip_invisible(f"a{seen}b") == f"a{seen}b"


def test_the_quick_way_never_lets_an_invisible_character_through():
    every = (chr(code) for code in range(sys.maxunicode + 1))
    assert not [ch for ch in every if invisible._INVISIBLE.match(ch) and strip_invisible(ch)]


@pytest.mark.parametrize("ch", "漢あアｱ、。「」ー々〇！（㍻豈𠮷")
def test_scripts_without_blanks_between_words_are_cjk(ch):
    assert is_cjk(ch)


@pytest.mark.parametrize("ch", ["a", "é", "한", "\u3000", " ", "😀", "\u3099"])
def test_latin_hangul_blanks_and_combining_marks_are_not_cjk(ch):
    assert not is_cjk(ch)


def test_no_cjk_character_combines_with_the_one_before():
    every = (chr(code) for code in range(sys.maxunicode + 1))
    assert not [ch for ch in every if unicodedata.combining(ch) and is_cjk(ch)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 原因 😀", "plain 原因 😀"),
        ("a\x1b[31mred", "a\\x1b[31mred"),
        ("two\nlines\tand\rmore", "two\\nlines\\tand\\rmore"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("bad\udcff name", "bad\\udcff name"),
        ("csi \x9b", "csi \\x9b"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("half\u3000width", "half\u3000width"),
    ],
)
def test_nothing_that_steers_a_terminal_is_printed(text, shown):
    assert escape_for_terminal(text) == shown
    assert escape_for_terminal(shown) == shown


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("原因", "原因".encode()),
        ("bad\udcff name", b"bad\xff name"),
        ("half \ud83d", b"half \xed\xa0\xbd"),
        ("\ud83d\udcff", b"\xed\xa0\xbd\xed\xb3\xbf"),
    ],
)
def test_any_text_of_a_header_or_a_name_has_bytes(text, data):
    assert bytes_of(text) == data
