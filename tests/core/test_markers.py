"""Rules 1 and 2: which lines are markers, and what is said about lines that are nearly one."""

import itertools
import subprocess
import sys
import time
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memtools.core import visible
from memtools.core.invisible import strip_invisible
from memtools.core.markers import find_markers, header_marker_problem, without_markers
from memtools.core.visible import Head, Sight
from tests.helpers import examples


class Note(NamedTuple):
    """The fields of a Memory that find_markers reads."""

    path: str
    body: str
    body_line: int
    header_text: str = ""
    header_line: int = 2


def find(body, line=1):
    return find_markers(Note("notes/fix.md", body, line))


def acting(body):
    return [(marker.line, marker.phrase) for marker in find(body).markers]


def rules(body):
    return [(problem.line, problem.rule) for problem in find(body).problems]


PHRASE = "the root cause is DNS"


@pytest.mark.parametrize(
    ("body", "line", "phrase"),
    [
        pytest.param(f"RETRACTS: {PHRASE}", 1, PHRASE, id="14 last line without newline"),
        pytest.param(f"text\n\nRETRACTS: {PHRASE}\n", 3, PHRASE, id="1"),
        pytest.param(f"RETRACTS:{PHRASE}", 1, PHRASE, id="10 no blank"),
        pytest.param(f"RETRACTS:\t{PHRASE} \t ", 1, PHRASE, id="11 trailing blanks"),
        pytest.param(f"RETRACTS:\u00a0\u3000{PHRASE}\u3000", 1, PHRASE, id="wide blanks"),
        pytest.param("RETRACTS:", 1, "", id="9 nothing after it"),
        pytest.param("RETRACTS: lines are how we undo things", 1, "lines are how we undo things"),
        pytest.param(f"<div>\n\nRETRACTS: {PHRASE}\n\n</div>", 3, PHRASE, id="29"),
        pytest.param(f"RETRACTS: {PHRASE}\n===\n", 1, PHRASE, id="34 setext heading"),
        pytest.param(f"text\nRETRACTS: {PHRASE}\ntext", 2, PHRASE, id="inside a paragraph"),
        pytest.param(f"- item\nRETRACTS: {PHRASE}", 2, PHRASE, id="below a list item"),
        pytest.param(f"> quote\nRETRACTS: {PHRASE}", 2, PHRASE, id="below a quote"),
        pytest.param(f"**bold\nRETRACTS: {PHRASE}**", 2, f"{PHRASE}**", id="in emphasis"),
        pytest.param(f"\ufeffRETRACTS: {PHRASE}", 1, PHRASE, id="line 1 after a BOM"),
        pytest.param(f"---\nstatus: retracted\n---\nRETRACTS: {PHRASE}", 4, PHRASE, id="32"),
        pytest.param(f"```\ncode\n```\nRETRACTS: {PHRASE}", 4, PHRASE, id="after a fence"),
        pytest.param(f"a `b` [c](d) <e@f.gh>\nRETRACTS: {PHRASE}", 2, PHRASE, id="after inlines"),
        pytest.param(f"a [b\nRETRACTS: {PHRASE}", 2, PHRASE, id="after a stray bracket"),
        pytest.param(f"a\\\nRETRACTS: {PHRASE}", 2, PHRASE, id="after a hard break"),
        pytest.param("RETRACTS: [[dns]]", 1, "[[dns]]", id="a wikilink"),
        pytest.param("a\x0bb\x0cc\x85d\u2028e\nRETRACTS: x", 2, "x", id="only LF ends a line"),
        pytest.param("RETRACTS: x\u2028y", 1, "x\u2028y", id="U+2028 does not end the phrase"),
    ],
)
def test_a_line_that_begins_with_the_mark_and_is_read_as_text_is_a_marker(body, line, phrase):
    assert acting(body) == [(line, phrase)]
    assert rules(body) == []


def test_a_marker_says_path_and_line_of_the_whole_file():
    """`RETRACTS:` after a BOM: https://github.com/agentscope-ai/agentscope/issues/2732."""
    (marker,) = find(f"\n\nRETRACTS: {PHRASE}\n", line=6).markers
    assert marker == ("notes/fix.md", 8, PHRASE)


def test_carriage_returns_that_reach_us_are_line_ends_and_no_part_of_the_phrase():
    assert acting(f"a\r\nRETRACTS: {PHRASE}\r\nb") == [(2, PHRASE)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("We use RETRACTS: lines to undo", id="15 prose"),
        pytest.param(f"    RETRACTS: {PHRASE}", id="18 indented code"),
        pytest.param(f"\tRETRACTS: {PHRASE}", id="18 tab"),
        pytest.param(f"```\nRETRACTS: {PHRASE}\n```", id="19 fence"),
        pytest.param(f"~~~ text\nRETRACTS: {PHRASE}\n~~~\nmore", id="19 tilde fence"),
        pytest.param(
            "```\nRETRACTS\uff1a full width\n> RETRACTS: x\n```", id="near misses in code"
        ),
        pytest.param(f"<!-- RETRACTS: {PHRASE} -->", id="25 comment on one line"),
        pytest.param("`RETRACTS: …` lines undo", id="a code span at line start"),
        pytest.param("she retracts: nothing", id="mid-line lower case"),
        pytest.param("RETRACTS the claim", id="no colon"),
        pytest.param("RETRACTSX: the claim", id="another word"),
        pytest.param("a\u2028RETRACTS: x", id="U+2028 starts no line"),
        pytest.param("", id="empty"),
    ],
)
def test_what_nobody_takes_for_a_marker_is_passed_over_in_silence(body):
    assert find(body) == ((), ())


@pytest.mark.parametrize(
    ("body", "line"),
    [
        pytest.param(f"<!--\nRETRACTS: {PHRASE}\n-->", 2, id="26 comment block"),
        pytest.param(f"`a\nRETRACTS: {PHRASE}\nb`", 2, id="33 code span"),
        pytest.param(f"<div>\nRETRACTS: {PHRASE}\n</div>", 2, id="HTML block"),
        pytest.param(f"<!--\n\nRETRACTS: {PHRASE}\n-->", 3, id="comment over a blank line"),
        pytest.param(f'[a](b "\nRETRACTS: {PHRASE}\n") c', 2, id="link title"),
        pytest.param(f"[a]: b '\nRETRACTS: {PHRASE}\n'", 2, id="title of a definition"),
        pytest.param(f"[a]:\nRETRACTS:{PHRASE.replace(' ', '-')}", 2, id="link definition"),
        pytest.param(f"![a\nRETRACTS: {PHRASE}](b)", 2, id="image text"),
        pytest.param(f'x <b title="\nRETRACTS: {PHRASE}\n"> y', 2, id="HTML attribute"),
        pytest.param(f"![a\nRETRACTS: {PHRASE}][b]\n\n[b]: c", 2, id="image by reference"),
    ],
)
def test_a_marker_hidden_from_the_reader_does_nothing_and_is_warned_of(body, line):
    assert acting(body) == []
    assert rules(body) == [(line, "marker-inert")]
    assert PHRASE.split()[0] in find(body).problems[0].hint


def test_a_marker_swallowed_by_an_unclosed_fence_is_warned_of():
    assert acting(f"```\ncode\n\nRETRACTS: {PHRASE}\n") == []
    assert rules(f"```\ncode\n\nRETRACTS: {PHRASE}\n") == [(4, "marker-inert")]


@pytest.mark.parametrize(
    "label",
    [
        pytest.param("RETRACTS\uff1a", id="38 full-width colon"),
        pytest.param("ＲＥＴＲＡＣＴＳ:", id="39 full-width letters"),
        pytest.param("RETRACTS\ufe55", id="40 small colon"),
        pytest.param("RETRACTS\ufe13", id="40 vertical colon"),
        pytest.param("RE\u200bTRACTS:", id="43 zero-width space"),
        pytest.param("RE\u00adTRACTS:", id="43 soft hyphen"),
        pytest.param("\u2060RETRACTS:", id="43 word joiner in front"),
        pytest.param("RETRACTS\u200d:", id="43 joiner before the colon"),
        pytest.param("RETRACTS\ufe0f:", id="variation selector"),
        pytest.param("\U0001d411ETRACTS:", id="mathematical letter"),
        pytest.param("R\x08ETRACTS:", id="control character"),
    ],
)
def test_what_is_a_marker_to_the_eye_refuses_and_says_what_to_type(label):
    """https://github.com/block/berd/pull/289: zero-width inside `RETRACTS:`."""
    found = find(f"text\n{label} {PHRASE}\n")
    assert found.markers == ()
    ((_, line, rule, severity, message, hint),) = found.problems
    assert (line, rule, severity) == (2, "marker-lookalike", "error")
    assert hint.endswith(f"RETRACTS: {PHRASE}")
    assert "U+" in message


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(f" RETRACTS: {PHRASE}", id="17 one blank"),
        pytest.param(f"   RETRACTS: {PHRASE}", id="17 three blanks"),
        pytest.param(f"\u3000RETRACTS: {PHRASE}", id="17 wide blank"),
        pytest.param(f"> RETRACTS: {PHRASE}", id="22 quoted"),
        pytest.param(f"- RETRACTS: {PHRASE}", id="23 list item"),
        pytest.param(f"* RETRACTS: {PHRASE}", id="23 star"),
        pytest.param(f"12. RETRACTS: {PHRASE}", id="numbered item"),
        pytest.param(f"- [ ] RETRACTS: {PHRASE}", id="task"),
        pytest.param(f"# RETRACTS: {PHRASE}", id="heading"),
        pytest.param(f"**RETRACTS:** {PHRASE}", id="bold"),
        pytest.param(f"Retracts: {PHRASE}", id="45 one capital"),
        pytest.param(f"retracts: {PHRASE}", id="45 lower case"),
        pytest.param(f"RETRACTS : {PHRASE}", id="46 blank before the colon"),
        pytest.param(f"RETRACTS\u3000\uff1a{PHRASE}", id="46 wide blank and colon"),
        pytest.param(f"R\u0415TRACTS: {PHRASE}", id="Cyrillic letter"),
        pytest.param(f"RETR\u0391CTS: {PHRASE}", id="Greek letter"),
        pytest.param(f"RETRACTS\u2236 {PHRASE}", id="ratio sign"),
        pytest.param(f"RETRÁCTS: {PHRASE}", id="accent"),
    ],
)
def test_other_near_misses_warn_do_nothing_and_say_what_to_type(line):
    found = find(f"text\n\n{line}\n")
    assert found.markers == ()
    ((_, row, rule, severity, _, hint),) = found.problems
    assert (row, rule, severity) == (3, "marker-near-miss", "warning")
    assert hint.endswith(f"RETRACTS: {PHRASE}")


def test_a_near_miss_in_a_comment_only_warns():
    assert rules("<!--\nRETRACTS\uff1a x y\n-->") == [(2, "marker-near-miss")]


def test_an_indented_line_that_goes_on_with_a_paragraph_is_no_code_and_warns():
    assert rules("text\n    RETRACTS: x y") == [(2, "marker-near-miss")]
    assert rules("text\n\n    RETRACTS: x y") == []


def test_escapes_of_a_terminal_do_not_get_into_the_hint():
    (problem,) = find("RETRACTS\uff1a a\x1b[2Jb\u202e").problems
    assert problem.hint.endswith("RETRACTS: a[2Jb")


def test_two_markers_in_one_note_both_count():
    assert acting("RETRACTS: one claim\nRETRACTS: another") == [(1, "one claim"), (2, "another")]


def test_the_same_marker_twice_counts_once_and_warns():
    body = "RETRACTS: the  root cause\n\nRETRACTS: the root cause"
    assert acting(body) == [(1, "the  root cause")]
    assert rules(body) == [(3, "marker-duplicate")]


@pytest.mark.parametrize("key", ["RETRACTS", '"RETRACTS"', "'RETRACTS'"])
def test_a_marker_as_a_key_of_the_front_matter_is_told_to_go_into_the_body(key):
    problem = header_marker_problem("a.md", f"title: x\n{key}: {PHRASE}\n", 2)
    assert (problem.line, problem.rule) == (3, "marker-inert")
    assert problem.hint.endswith(f"RETRACTS: {PHRASE}")


def test_the_key_is_found_beside_the_markers_of_the_body():
    note = Note("a.md", "RETRACTS: x y z", 4, "RETRACTS: x y z\n")
    found = find_markers(note)
    assert [marker.line for marker in found.markers] == [4]
    assert [(problem.line, problem.rule) for problem in found.problems] == [(2, "marker-inert")]


def test_other_keys_of_the_front_matter_are_nobodys_business():
    assert header_marker_problem("a.md", "retracts: x\ntitle: RETRACTS: y\n", 2) is None


# --- without_markers ---------------------------------------------------------------------------


def test_valid_marker_lines_leave_the_text_and_nothing_else_does():
    body = "a\nRETRACTS: x y z\nb\n\n```\nRETRACTS: example\n```\n- RETRACTS: near\n"
    rest = "a\nb\n\n```\nRETRACTS: example\n```\n- RETRACTS: near\n"
    assert without_markers(body) == rest
    assert without_markers("no marker\n") == "no marker\n"
    assert without_markers("RETRACTS: x") == ""


def test_lines_keep_their_numbers_when_asked():
    assert without_markers("a\nRETRACTS: x\nb", keep_lines=True) == "a\n\nb"


# --- the short way and the parse ---------------------------------------------------------------

FRAGMENTS = [
    "text",
    "- item",
    "  - deep",
    "1. one",
    "> quote",
    "> > quotes",
    ">>>>>>>>>>>>>>>>>>>>>>>> q",
    "- - - - - - - - - - - - x",
    "\t- tab",
    "#",
    "===",
    "---",
    "***",
    "```",
    "~~~",
    "````",
    "``",
    "<div>",
    "</div>",
    "<!--",
    "-->",
    "<?php",
    "<script>",
    "</script>",
    "<b",
    "<x@y.zz>",
    "`a",
    "[a]: b '",
    "[a]: b",
    "[a]:",
    "[a",
    "](b",
    "![a",
    "](b)",
    "<a href='",
    "'>",
    "\\",
    "a\\",
    "a  ",
    "**a",
    "_b",
    "| a | b |",
    "|---|---|",
    "&amp;",
    "    code",
    "\tcode",
    " ",
    "",
    "",
    "",
    "a `",
    "` b",
    "RETRACTS: one",
    "RETRACTS: [[two]]",
    "RETRACTS: `three",
    "RETRACTS:",
    "RETRACTS: <!-- x",
    "  ```",
    "- ```",
    "> ```",
    "> <div>",
    "~~~ x",
    "<style",
    "<!DOCTYPE",
    "\x0c",
    "\u3000",
    ")",
    '"',
]
DOCUMENTS = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("\n".join)


def heads_of(lines):
    return [Head(row, 9) for row, line in enumerate(lines) if line.startswith("RETRACTS:")]


def plainly_seen(body):
    """Rule 1 word for word, one parse a marker, with nothing of ours in between."""
    lines = body.split("\n")
    seen = set()
    for row, line in enumerate(lines):
        if not line.startswith("RETRACTS:"):
            continue
        marked = [*lines[:row], "\ue123" + line[9:], *lines[row + 1 :]]
        tokens = MarkdownIt("commonmark").parse("\n".join(marked))
        for before, token in itertools.pairwise(tokens):
            if token.type == "inline" and before.type in ("paragraph_open", "heading_open"):
                for left, child in zip([None, *token.children], token.children, strict=False):
                    starts = left is None or left.type in ("softbreak", "hardbreak")
                    if child.type == "text" and starts and child.content.startswith("\ue123"):
                        seen.add(row)
    return seen


@given(DOCUMENTS)
@example("- - - - - - - - - - - - x\nRETRACTS: one")
@example("- - - - - - - - - - - - x\n \nRETRACTS: one")
@example("> ```\nRETRACTS: one")
@settings(max_examples=examples(150), deadline=None)
def test_the_short_way_finds_what_the_full_parse_finds(body):
    lines = body.split("\n")
    heads = heads_of(lines)
    short = visible._all_surely_text(lines, heads)
    full = visible.parse_and_judge(lines, heads)
    seen = plainly_seen(body)
    assert {row for row, sight in full.items() if sight is Sight.TEXT} == seen
    if short:
        assert seen == {head.row for head in heads}


@given(DOCUMENTS)
@settings(max_examples=examples(100), deadline=None)
def test_taking_markers_out_takes_out_just_those_that_were_found(body):
    found = find(body)
    duplicates = [p for p in found.problems if p.rule == "marker-duplicate"]
    gone = body.count("\n") + 1 - len(without_markers(body, True).split("\n"))
    kept = [
        line for line in without_markers(body, True).split("\n") if line.startswith("RETRACTS:")
    ]
    assert gone == 0
    assert len(heads_of(body.split("\n"))) - len(kept) == len(found.markers) + len(duplicates)


@given(st.text(alphabet="RETRACTS:retacs：\u200b\u00ad >-\n*Аа1.ＲＥＴ\u3000\ufe0f", max_size=60))
@settings(max_examples=examples(200))
def test_any_text_is_read_without_an_exception(body):
    for marker in find(body).markers:
        line = strip_invisible(body).split("\n")[marker.line - 1]
        assert line.startswith("RETRACTS:")


def test_a_plain_marker_is_found_without_loading_a_markdown_parser():
    code = (
        "import sys; from memtools.core import markers, near;"
        "from typing import NamedTuple;"
        "fields = 'path body body_line header_text header_line'.split();"
        "N = NamedTuple('N', [(name, object) for name in fields]);"
        "body = '# T\\n\\na `b` [c](d)\\n\\n- x\\nRETRACTS: [[y]]\\n\\nmore `code` <b>\\n';"
        "assert len(markers.find_markers(N('a.md', body, 1, '', 2)).markers) == 1;"
        "markers.without_markers(body); near.longer_phrases('x', {'a': ('', 'x')}, 10);"
        "heavy = {'markdown_it', 'dataclasses', 'pathlib', 'json', 'subprocess', 'logging'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


# --- limits ------------------------------------------------------------------------------------

UNITS = ["[", "*", "`", "![", "[![a](", "*a_", "> ", "- ", "<", "<!--", "a\n\n", "- a\n"]
UNITS += ["[a]: b\n", "RETRACTS: [a](b\n"]


@pytest.mark.parametrize("size", [2_000, 262_000])
@pytest.mark.parametrize("unit", UNITS)
def test_a_quarter_megabyte_of_tangled_markdown_is_decided_within_a_second(unit, size):
    """The bound leaves room for slow machines, and for two passes."""
    block = (unit * size)[:size] + "\nRETRACTS: the phrase\n\n"
    body = block * (262_144 // len(block) or 1)
    start = time.process_time()
    found = find(body)
    without_markers(body)
    assert time.process_time() - start < 4.0
    assert all(problem.rule.startswith("marker-") for problem in found.problems)


def test_what_cannot_be_decided_within_the_limits_is_inert_and_warned_of():
    (problem,) = find("[" * 70_000 + f"\nRETRACTS: {PHRASE}").problems
    assert problem.rule == "marker-inert"
    assert "own" in problem.hint


def test_ten_thousand_markers_are_found_in_one_pass():
    start = time.process_time()
    found = find("".join(f"RETRACTS: claim number {i}\n" for i in range(10_000)))
    assert len(found.markers) == 10_000
    assert time.process_time() - start < 2.0
