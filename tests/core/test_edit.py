"""The byte-exact edit of front matter, tried on every case, on odd bytes and on hostile headers."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtools.core.edit import Edited, Remove, Set, SetRaw, change, raw_value
from memtools.core.header import read_header, split
from memtools.core.header_value import rendered
from memtools.core.memory import read_memory
from memtools.core.problem import Problem
from memtools.core.vocabulary import Status
from tests.helpers import examples

CASES = Path(__file__).parent.parent / "fixtures" / "frontmatter"
MANIFEST = json.loads((CASES / "manifest.json").read_text())
TOMBSTONE = [
    Set("status", "retracted"),
    Set("retracted_at", "2026-11-29T10:00:00+09:00"),
    Set("retracted_by", "[[2026-11-29-retracts-sync]]"),
    Set("retracted_reason", 'the "cause" was a guess: see #12\nsecond line \\ end'),
]
REASONS = {
    "unclosed": "header-unclosed",
    "cr-only-newlines": "header-cr-only",
    "toml": "header-toml",
    "json": "header-json",
    "utf16": "header-utf16",
    "not-mapping": "header-not-mapping",
    "non-utf8-front-matter": "header-not-utf8",
    "yaml-unreadable": "header-yaml-unreadable",
}


def edited(raw, *changes):
    result = change("notes/a.md", raw, list(changes))
    assert isinstance(result, Edited), result
    return result.data


def retracted(header):
    return edited(b"---\n" + header + b"---\nbody\n", Set("status", "retracted"))[4:-9]


@pytest.mark.parametrize("case", MANIFEST, ids=[case["id"] for case in MANIFEST])
def test_each_case_gives_its_twin_byte_for_byte(case):
    raw, expected = ((CASES / case[name]).read_bytes() for name in ("input", "expected"))
    changes = [Set(key, text) for key, text in case["set"]]
    result = change("notes/a.md", raw, changes)
    if "refuse" in case:
        assert isinstance(result, Problem)
        assert (result.rule, result.is_error) == (REASONS[case["refuse"]], True)
        assert expected == raw
        return
    assert isinstance(result, Edited), result
    assert result.data == expected
    assert ("header-yaml-unreadable" in [p.rule for p in result.problems]) == ("warn" in case)
    again = change("notes/a.md", expected, changes)
    assert isinstance(again, Edited)
    assert again.data == expected
    assert read_memory("notes/a.md", expected).status is Status.RETRACTED


def test_every_twin_on_disk_is_in_the_manifest():
    names = {case[name] for case in MANIFEST for name in ("input", "expected")}
    assert names == {path.name for path in CASES.glob("*.md")}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"status: active\nstatus: draft\n", b"status: retracted\nstatus: retracted\n"),
        (b"status: # why\n  phase: beta\n", b"status: # why\n  retracted\n"),
        (b"status:\n  phase: beta\n  # inner\nx: 1\n", b"status: retracted\n  # inner\nx: 1\n"),
        (b"status:\n- a\n- b # c\nx: 1\n", b"status: retracted # c\nx: 1\n"),
        (b"? status\n: active\nx: 1\n", b"? status\n: retracted\nx: 1\n"),
        (b"  title: x\n  tags: [a]\n", b"  title: x\n  tags: [a]\n  status: retracted\n"),
        (b"{\n  a: b,\n}\n", b"{\n  a: b, status: retracted\n}\n"),
        (b"{}\n", b"{status: retracted}\n"),
        (b"text: |\n  one\n\n", b"text: |\n  one\n\nstatus: retracted\n"),
        (b"status: &s draft\n", b"status: retracted\n"),
        (b"status: >-\n  a\n  b\n\nx: 1\n", b"status: retracted\n\nx: 1\n"),
        (b"x: a: b\nstatus:\n  phase: beta\ny: 1\n", b"x: a: b\nstatus: retracted\ny: 1\n"),
    ],
)
def test_only_the_value_of_the_key_changes(before, after):
    assert retracted(before) == after


def test_an_anchored_value_that_an_alias_uses_is_refused_with_its_line():
    raw = b"---\ntitle: x\nstatus: &s draft\nother: *s\n---\n"
    result = change("a.md", raw, [Set("status", "retracted")])
    assert isinstance(result, Problem)
    assert (result.rule, result.line) == ("header-anchored-value", 3)


def test_an_anchor_inside_a_list_value_is_held_by_its_alias_too():
    raw = b"---\nstatus: [&s draft]\nother: *s\n---\n"
    assert change("a.md", raw, [Set("status", "retracted")]).rule == "header-anchored-value"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("retracted", "retracted"),
        ("memories/fix/0007.md", "memories/fix/0007.md"),
        ("2026-11-29T10:00:00+09:00", "2026-11-29T10:00:00+09:00"),
        ("2026-02-30", '"2026-02-30"'),
        ("[[stem]]", '"[[stem]]"'),
        ("no", '"no"'),
        ("0123", '"0123"'),
        ("a: b", '"a: b"'),
        ("a #b", '"a #b"'),
        (" a", '" a"'),
        ("", '""'),
        ("two\nlines", '"two\\nlines"'),
        ("原因は不明だった", "原因は不明だった"),
        ("tab\tand \x1b and \u2028", '"tab\\tand \\x1b and \\u2028"'),
    ],
)
def test_a_text_is_plain_only_where_it_reads_back_the_same(text, written):
    assert rendered(text) == written


def test_a_text_that_no_utf8_can_hold_is_refused():
    result = change("a.md", b"---\na: b\n---\n", [Set("retracted_by", "n\udcff.md")])
    assert isinstance(result, Problem)
    assert result.is_error


@pytest.mark.parametrize(
    "value",
    [
        b" active", b" 'active' # why", b"", b"  ", b"\n  phase: beta\n  since: x", b" [a, b]",
        b" |\n  a\n  b", b"\tdraft", b" # c", b" !!str x", b"\n- a\n- b", b' "a\n  b"',
    ],
)  # fmt: skip
def test_raw_value_bytes_put_a_field_back_as_it_stood(value):
    raw = b"---\ntitle: x\nstatus:" + value + b"\nz: 1\n---\nbody\n"
    before = raw_value(raw, "status")
    tombstone = edited(raw, Set("status", "retracted"), Set("retracted_by", "x"))
    assert read_memory("a.md", tombstone).status is Status.RETRACTED
    assert edited(tombstone, SetRaw("status", before), Remove("retracted_by")) == raw


@pytest.mark.parametrize(
    "raw", [b"# x\n", b"---\na: b\n---\n", b"---\nstatus: x\n", b"+++\nstatus = 1\n+++\n"]
)
def test_a_key_that_cannot_be_read_has_no_raw_value(raw):
    assert raw_value(raw, "status") is None


def test_raw_bytes_that_are_not_utf8_are_refused():
    for raw in (b"---\na: b\n---\n", b"# x\n"):
        assert change("a.md", raw, [SetRaw("status", b"\x95")]).is_error


def test_raw_bytes_that_would_add_another_field_are_refused():
    for raw in (b"---\na: b\nstatus: x\n---\n", b"---\na: b\n---\n", b"# x\n"):
        for value in (b"y\nscope: z", b"y\n---\nz"):
            assert isinstance(change("a.md", raw, [SetRaw("status", value)]), Problem)


def test_a_new_line_has_the_line_end_of_the_opening_delimiter_in_a_mixed_file():
    """Mixed line ends: https://github.com/github/copilot-cli/issues/694."""
    raw = b"---\r\na: b\n---\nx\n"
    assert edited(raw, Set("status", "x")) == b"---\r\na: b\nstatus: x\r\n---\nx\n"
    raw = b"---\na: b\r\nstatus: y\r\n---\r\nx\n"
    assert edited(raw, Set("status", "x")) == raw.replace(b": y", b": x")


def test_remove_takes_whole_lines_and_nothing_else():
    raw = b"---\r\na: 1\r\nb:\r\n  - x\r\n# c\r\nb: 2\r\nd: 3\r\n---\r\n"
    assert edited(raw, Remove("b")) == b"---\r\na: 1\r\n# c\r\nd: 3\r\n---\r\n"
    assert edited(raw, Remove("nothing")) == raw


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        (b"---\n{a: 1, b: 2}\n---\n", b"---\n{a: 1}\n---\n"),
        (b"---\n{b: 2, a: 1}\n---\n", b"---\n{a: 1}\n---\n"),
    ],
)
def test_remove_works_in_a_flow_header(raw, after):
    assert edited(raw, Remove("b")) == after


def test_remove_changes_nothing_in_a_file_without_header():
    assert edited(b"# x\n", Remove("status")) == b"# x\n"


@pytest.mark.parametrize("newlines", [b"", b"\n", b"\n\n\n"])
def test_final_newlines_stay(newlines):
    """python-frontmatter strips them: https://github.com/eyeseast/python-frontmatter/issues/87."""
    raw = b"---\nb: 1\na: 2 # c\n---\nx" + newlines
    assert edited(raw, *TOMBSTONE).endswith(b"---\nx" + newlines)


@pytest.mark.parametrize(
    "value", [b"`code` first", b"@home", b"%done", b"Tire placard (cold): Front 36"]
)
def test_a_value_no_yaml_parser_accepts_keeps_its_bytes(value):
    """https://github.com/vm0-ai/vm0/pull/16045 and https://github.com/Oasis-Enterprise/mylo/issues/7."""
    raw = b"---\nnote: " + value + b"\nstatus: active\n---\nx\n"
    assert edited(raw, Set("status", "retracted")) == raw.replace(b"active", b"retracted")


def test_a_body_that_is_not_utf8_is_still_edited():
    assert edited(b"---\na: 1\n---\n\x95\xb6\n", *TOMBSTONE).endswith(b"---\n\x95\xb6\n")


HOSTILE = {
    "many keys": b"".join(b"k%d: v\n" % number for number in range(100_000)),
    "many keys below the limit": b"".join(b"k%d: *a\n" % number for number in range(1400)),
    "deep flow": b"a: " + b"[" * 16000 + b"\n",
    "deep flow maps": b"a: " + b"{a: " * 3000 + b"\n",
    "deep dashes": b"a:\n  " + b"- " * 7000 + b"x\n",
    "deep questions": b"? " * 7000 + b"x\n",
    "deep indent": b"".join(b" " * depth + b"a:\n" for depth in range(170)),
    "alias bomb": b"a: &a [x, x]\n"
    + b"".join(b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a"] * 9)) for n in range(50)),
    "merge bomb": b"a: &m0 {k: v}\n"
    + b"".join(
        b"b%d: &m%d {<<: [%s]}\n" % (n, n, b", ".join([b"*m%d" % (n - 1)] * 9))
        for n in range(1, 12)
    ),
    "self merge": b"a: &a\n  <<: *a\n",
    "self reference": b"a: &a [*a]\n",
    "invalid date": b"created: 2024-13-45\n",
    "invalid date deep": b"x: {created: 2024-13-45}\n",
    "huge number": b"n: " + b"9" * 9000 + b"\n",
    "empty binary": b"n: 0b_\n",
    "lone cr": b"a: b\rstatus: active\n",
    "nul": b"a: \0\n",
    "equals": b"a: =\n",
    "many spaces": b"a" + b" " * 16000 + b"\n",
    "many hashes": b"a: " + b" #" * 7000 + b"\n",
    "many quotes": b"a: " + b"'" * 15001 + b"\n",
    "many words in a list": b"a: [" + b"b " * 7000 + b"\n",
    "many items in a list": b"a: [" + b"b, " * 5000 + b"\n",
    "documents": b"a: 1\n--- {b: 2}\n",
    "directive": b"%YAML 9.9\n",
    "bom inside": b"\xef\xbb\xbfa: 1\n",
    "unhashable": b"{a: b}: c\n[1]: 2\n",
    "line separators": "a: b\u2028status: active\u0085c: d\n".encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_header_is_edited_or_refused_in_bounded_time(name):
    raw = b"---\n" + HOSTILE[name] + b"---\nbody\n"
    started = time.process_time()
    memory = read_memory("a.md", raw)
    result = change("a.md", raw, TOMBSTONE)
    assert time.process_time() - started < 2
    assert memory.path == "a.md"
    check_result(raw, result)


def check_result(raw, result):
    if isinstance(result, Problem):
        assert result.is_error
        assert result.message
        return
    before, after = split(raw), split(result.data)
    assert (after.bom, after.body) == (before.bom, before.body)
    assert (
        read_memory("a.md", result.data).status is Status.RETRACTED or not read_header(after).sure
    )
    again = change("a.md", result.data, TOMBSTONE)
    assert isinstance(again, Edited)
    assert again.data == result.data


PLAIN_LINES = r"""
title: x
status: active
status: 'a'
Status: Draft
status:
status: [a, b]
  phase: b
- x
  - y
# c
a: 'b
a: "c"
a: b: c
b: &x y
c: *x
status: &x z
status: *x
{a: b}
? q
: v
...
text: >
  folded
retracted_by: x
status : no
"status": w
a: !t b
<<: *x
~: ~
{a: b, status: c,
d: e}
status: # c
 z: 1
a: [b
c]
d: 2024-99-99
é: ü
a: "b \\" \\x41"
"""
ODD_LINES = ["\t- t", "\ufeff", "status:\tq", "status: ", "\x85"]
LINES = st.sampled_from(PLAIN_LINES.split("\n") + ODD_LINES)
HEADERS = st.builds(
    lambda lines, end, body: (
        b"---" + end + b"".join(line.encode() + end for line in lines) + b"---" + end + body
    ),
    st.lists(LINES, max_size=7),
    st.sampled_from([b"\n", b"\r\n", b" \n"]),
    st.binary(max_size=12),
)


@given(st.binary(max_size=80) | st.binary(max_size=60).map(lambda tail: b"---\n" + tail) | HEADERS)
@example(b"---\r\n")
@example(b"---")
@example(b"+++\n+++")
@example(b"---\n---\r")
@settings(max_examples=examples(400), deadline=None)
def test_any_bytes_give_a_proved_edit_or_a_problem(raw):
    read_memory("a.md", raw)
    check_result(raw, change("a.md", raw, TOMBSTONE))


@given(HEADERS)
@settings(max_examples=examples(200), deadline=None)
def test_a_value_put_back_gives_the_old_bytes(raw):
    before = raw_value(raw, "status")
    tombstone = change("a.md", raw, [Set("status", "retracted"), Set("retracted_by", "z")])
    if isinstance(tombstone, Problem) or len(split(raw).header.split(b"status")) > 2:
        return
    back = SetRaw("status", before) if before is not None else Remove("status")
    restored = change("a.md", tombstone.data, [back])
    if not isinstance(restored, Problem) and raw_value(raw, "retracted_by") is None:
        result = change("a.md", restored.data, [Remove("retracted_by")])
        assert isinstance(result, Problem) or result.data == raw


@given(st.text(max_size=40))
@settings(max_examples=examples(300), deadline=None)
def test_any_text_reads_back_as_it_was_set(text):
    result = change("a.md", b"---\na: b\n---\n", [Set("reason", text)])
    if isinstance(result, Edited):
        assert read_header(split(result.data)).fields.get("reason", "") == text
    else:
        assert any("\ud800" <= char <= "\udfff" for char in text)
