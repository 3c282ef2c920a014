"""Rules 4 and 5: what a phrase hits, where, and what is offered instead."""

import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtools.core.near import difference, longer_phrases, nearest_lines
from memtools.core.phrase import (
    bare,
    columns,
    find_line,
    haystack,
    hits,
    normalise,
    phrase_fault,
)
from tests.helpers import examples

NASTY = st.lists(
    st.sampled_from(
        [
            "*",
            "**",
            "_",
            "`",
            "~",
            "~~",
            "[",
            "]",
            "[[",
            "]]",
            "|",
            "(",
            ")",
            "](u)",
            "!",
            "\\",
            "<",
            " ",
            "\n",
            "  ",
            "a",
            "b1",
            "root cause",
            "原因",
            "は",
            "、",
            "が",
            "か\u3099",
            "\u200b",
            "é",
            "e\u0301",
            "\u3000",
            ">",
            "- ",
            "\r\n",
            "한",
            "\u2028",
            '"',
            "'",
            ".",
            ":",
            "2",
        ]
    ),
    max_size=30,
).map("".join)


def holds(phrase, body, title="t"):
    return hits(phrase, haystack(title, body))


# --- normalise ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("the  root\n\tcause ", "the root cause"),
        ("原因は\nこれ", "原因はこれ"),
        ("原因 は\u3000これ、\nだ", "原因はこれ、だ"),
        ("原因は DNS の\nせい", "原因は DNS のせい"),
        ("다음 원인", "다음 원인"),
        ("か\u3099", "が"),
        ("ro\u200bot\u00ad", "root"),
        ("e\u200d\u0301", "é"),
        ("a\u2028b\x0cc\x85d\xa0e", "a b c d e"),
        ("葛\U000e0100\n城", "葛\U000e0100城"),
        ("ro\x08ot", "root"),
        ("a \u200b b", "a b"),
    ],
)
def test_texts_that_look_alike_are_compared_as_one(text, same):
    assert normalise(text) == same


@given(NASTY | st.text())
@settings(max_examples=examples(100))
def test_normalising_twice_is_normalising_once(text):
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


# --- bare --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("the **root** cause", "the root cause"),
        ("the ***root*** _cause_", "the root cause"),
        ("the `root` cause, ``a`b``", "the root cause, ab"),
        ("the ~~root~~ cause", "the root cause"),
        ("see [the report](https://example.com/a_b) now", "see the report now"),
        ("see [the report](<a b> 'title') now", "see the report now"),
        ('see [the report](a(b)c "x") now', "see the report now"),
        ("see [[page|the report]] now", "see the report now"),
        ("see [[page]] now", "see page now"),
        ("a ![chart of 3](c.png) b", "a chart of 3 b"),
        ("a [![alt](i.png)](u) b", "a alt b"),
        ("snake_case stays", "snake_case stays"),
        ("原因_A は", "原因_A は"),
        ("2 * 3 and a _ b", "2 * 3 and a _ b"),
        (r"1\. not a \_list\_", "1. not a list"),
        (r"C:\Users\me", r"C:\Users\me"),
        ("~/notes and ~5", "/notes and ~5"),
        ("日本 **語**", "日本語"),
        ("[x](the root)", "x(the root)"),
        ("", ""),
    ],
)
def test_inline_marks_are_dropped_and_their_text_stays(source, text):
    assert bare(source) == text


@given(NASTY, st.data())
@settings(max_examples=examples(150))
def test_what_stands_in_a_source_without_links_stands_bare_in_the_bare_source(text, data):
    """Left out are only the target of a link, the page of a wikilink and the `!` of an image."""
    source = normalise(text.replace("(", "").replace("|", "").replace("!", ""))
    start = data.draw(st.integers(0, len(source)))
    part = normalise(source[start : data.draw(st.integers(start, len(source)))])
    if part in source:
        assert bare(part) in bare(source)


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "*",
        "`",
        "(",
        "](",
        "[[",
        "![",
        "_",
        "a_",
        "_ ",
        " *",
        "\\",
        "~",
        '](x "',
        "](x (",
        "[a|",
        "](<",
        "](a(b)",
        "](()",
        "[![a](",
        "](\\",
        "(a+)+$",
    ],
)
def test_a_quarter_megabyte_of_marks_costs_no_more_than_text(unit):
    text = (unit * 262_144)[:262_144]
    start = time.process_time()
    bare(text)
    bare(f"x{text} y{text[:1000]}z")
    assert time.process_time() - start < 1.0


# --- hits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "body"),
    [
        ("the root cause", "we saw the **root**\ncause today"),
        ("the **root** cause", "the **root** cause"),
        ("the **root** cause", "the root cause"),
        ("原因はキャッシュ", "障害の原因は\nキャッシュだった"),
        ("か\u3099原因だった", "が原因だった"),
        ("https://example.com/cause", "see [it](https://example.com/cause)"),
        ("uses foo_bar here", "it uses foo_bar here"),
        ("uses foo_bar here", "it uses `foo_bar` here"),
        ("weight (a+)+$ [x\\", "the weight (a+)+$ [x\\ is literal"),
        ("itgc後の", "再実行gen-itgc後の手順"),
        ('"the root cause"', 'he said "the root cause"'),
    ],
)
def test_a_phrase_hits_as_written_or_without_inline_marks(phrase, body):
    assert holds(phrase, body)


@pytest.mark.parametrize(
    ("phrase", "body"),
    [
        ("The root cause", "the root cause"),
        ("ｷｬｯｼｭが原因", "キャッシュが原因"),
        ('"the root cause"', "the root cause"),
        ("root.*cause", "root of the cause"),
        ("the root causes", "the root cause"),
        ("", "anything"),
        ("  \u200b ", "anything"),
        ("a title here in body", "a title here"),
    ],
)
def test_a_phrase_is_never_a_pattern_and_never_near_enough(phrase, body):
    assert not holds(phrase, body)


def test_title_and_body_are_searched_apart():
    stack = haystack("Sync fails because of", "the DNS cache")
    assert hits("Sync fails because", stack)
    assert hits("the DNS cache", stack)
    assert not hits("because of the DNS", stack)


def test_two_common_words_do_not_hit_apart():
    """https://github.com/alphaonedev/ai-memory-mcp/issues/1601: words were OR-ed."""
    assert not holds("cache cause", "the cache is full; the cause is unknown")


def test_a_two_character_word_is_found_inside_a_run():
    """https://github.com/basicmachines-co/basic-memory/issues/1294."""
    assert holds("遅延", "同期遅延対策")


# --- find_line ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "body", "line"),
    [
        ("root cause", "x\n\nthe root cause\nroot cause", 12),
        ("the root cause is", "x\nsee **the\nroot** cause\nis this", 11),
        ("原因はこれ", "一\n二\n原因は\nこれ", 12),
        ("see the report now", "a\nsee [the report](http://x/y) now", 11),
        ("nowhere", "a\nb", 0),
        ("", "a\nb", 0),
        ("first line", "first line", 10),
    ],
)
def test_the_line_of_the_first_hit_is_where_it_starts(phrase, body, line):
    assert find_line(phrase, body, 10) == line


@given(st.lists(NASTY, min_size=1, max_size=8), st.data())
@settings(max_examples=examples(80))
def test_a_hit_in_the_body_always_has_a_line(lines, data):
    body = "\n".join(lines)
    start = data.draw(st.integers(0, len(body)))
    phrase = body[start : start + data.draw(st.integers(1, 20))]
    line = find_line(phrase, body, 1)
    if hits(phrase, haystack("", body)):
        assert 1 <= line <= body.count("\n") + 1
    else:
        assert line == 0


# --- phrase_fault ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "fault"),
    [
        ("cache", "short"),
        ("原因はこれ", ""),
        ("原因だ", "short"),
        ("root cause", ""),
        ("aaaaaaaaaaaaaaab", "short"),
        ("abc abc abc abc", "short"),
        ("*", "short"),
        ("%", "short"),
        ("**cache**, `*`", "short"),
        ("[a](https://example.com/long)", "short"),
        ("", "empty"),
        (" \u3000\u200b ", "empty"),
        ("ab" * 150, "short"),
        ("abcdef" * 50, ""),
        ("abcdef" * 50 + "g", "long"),
        ("x" * 5000, "long"),
    ],
)
def test_a_phrase_must_be_neither_too_short_nor_too_long(phrase, fault):
    """Columns and keywords count CJK text: https://github.com/matrixarkai/TemporalStore/pull/426."""
    assert phrase_fault(phrase, 10) == fault


def test_wide_characters_count_two_columns_and_combining_ones_none():
    assert columns("原因はこれ") == 10
    assert columns("か\u3099x\u0301") == 3
    assert columns(" cache  a ") == 7


# --- longer phrases ----------------------------------------------------------------------------


def test_each_hit_is_offered_the_shortest_longer_phrase_that_hits_it_alone():
    texts = {
        "a.md": ("A", "the cache is full of old names"),
        "b.md": ("B", "the cache is **cold** after a start"),
        "c.md": ("C", "I saw that the cache"),
        "d.md": ("D", "nothing of the kind"),
    }
    assert longer_phrases("cache", texts, 10) == {
        "a.md": "cache is full",
        "b.md": "cache is cold",
        "c.md": "that the cache",
    }


def test_japanese_phrases_grow_by_characters():
    texts = {"a.md": ("", "原因は鍵の期限切れ"), "b.md": ("", "原因は鍵の紛失だった")}
    assert longer_phrases("原因は鍵の", texts, 10) == {
        "a.md": "原因は鍵の期",
        "b.md": "原因は鍵の紛",
    }


def test_no_phrase_runs_from_a_heading_into_the_text_below():
    texts = {
        "a.md": ("a", "# a\n\nCats sleep a lot, said Taro.\n"),
        "b.md": ("b", "# b\n\nCats sleep a lot, said Jiro.\n"),
        "c.md": ("Long tails", "# Long tails\n\nCats sleep a lot, said Taro.\n"),
        "d.md": ("Cats sleep a lot at night", "# Cats sleep a lot at night\n\nSo it is.\n"),
    }
    assert longer_phrases("Cats sleep a lot", texts, 10) == {
        "a.md": "",
        "b.md": "Cats sleep a lot, said Jiro",
        "c.md": "",
        "d.md": "Cats sleep a lot at",
    }


def test_equal_texts_are_offered_nothing():
    texts = {"a.md": ("", "the root cause is DNS"), "b.md": ("", "the root cause is DNS")}
    assert longer_phrases("root cause", texts, 10) == {"a.md": "", "b.md": ""}


def test_a_thousand_hits_are_answered_at_once():
    texts = {f"{i}.md": (f"note {i}", f"the cache number {i} is full " * 20) for i in range(1000)}
    start = time.process_time()
    found = longer_phrases("cache", texts, 10)
    assert found["7.md"] == "cache number 7 is"
    assert time.process_time() - start < 4.0


@given(st.lists(NASTY, min_size=2, max_size=5), st.sampled_from(["root cause", "原因", "a", "b1"]))
@example(["a root cause * b1", "a root cause b1"], "root cause")
@settings(max_examples=examples(100))
def test_an_offered_phrase_hits_its_memory_alone(bodies, phrase):
    texts = {f"{i}.md": ("", body) for i, body in enumerate(bodies)}
    for path, longer in longer_phrases(phrase, texts, min_columns=4).items():
        if longer:
            assert len(longer) >= len(phrase)
            assert [p for p, text in texts.items() if hits(longer, haystack(*text))] == [path]


# --- nearest lines -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phrase", "body", "line", "why"),
    [
        ("The Root Cause is DNS", "x\nthe root cause\nis DNS", 2, "case"),
        ("ｷｬｯｼｭが原因", "一\nキャッシュが原因だ", 2, "width"),
        ("“the root cause”", "x\n\nthe root cause is DNS", 3, "quotes"),
        ("the root cause of the outage", "y\nthe cause of an outage", 2, ""),
        ("原因はキャッシュの期限", "二\n原因がキャッシュの期限だ", 2, ""),
    ],
)
def test_the_nearest_line_is_named_and_what_differs(phrase, body, line, why):
    texts = {"far.md": ("far", "nothing alike"), "near.md": ("near", body)}
    assert not hits(phrase, haystack(*texts["near.md"]))
    ((path, found, text),) = nearest_lines(phrase, texts)
    assert (path, found) == ("near.md", line)
    assert difference(phrase, text) == why


def test_a_near_title_is_line_nought_and_a_far_phrase_has_no_neighbour():
    assert nearest_lines("ROOT CAUSES", {"a.md": ("root causes", "x")}) == (
        ("a.md", 0, "root causes"),
    )
    assert nearest_lines("entirely other words", {"a.md": ("root", "cause")}) == ()
    assert nearest_lines("", {"a.md": ("root", "cause")}) == ()


def test_what_differs_in_case_only_comes_before_what_shares_words():
    texts = {
        "a.md": ("", "root cause of the DNS outage was"),
        "b.md": ("", "the root cause was DNS"),
    }
    assert nearest_lines("The root cause was DNS", texts)[0][0] == "b.md"


def test_an_offered_phrase_begins_and_ends_with_a_word():
    texts = {
        "a.md": ("", "Stop it. Renew the certificate now (at once)."),
        "b.md": ("", "Wait - Renew the certificate now (at once)."),
    }
    offered = longer_phrases("Renew the certificate", texts, 10)
    assert offered == {
        "a.md": "it. Renew the certificate",
        "b.md": "Wait - Renew the certificate",
    }


def test_no_words_of_a_memory_with_a_secret_are_offered():
    key = "AKIA" + "QWERTYUIOPASDFGH"
    texts = {"a.md": ("", f"{key} the disk cache failed\n"), "b.md": ("", "the disk cache held\n")}
    offered = longer_phrases("the disk cache", texts, 10)
    assert offered == {"a.md": "", "b.md": "the disk cache held"}
    assert nearest_lines("The Disk Cache failed", {"a.md": texts["a.md"]}) == ()
