"""The one reader of front matter: its three lanes, and that they cannot disagree."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memtools.core.header import MAX_HEADER, read_header, split
from memtools.core.header_lines import OTHER, read_simple
from memtools.core.header_yaml import read_yaml
from tests.helpers import examples


def header(text, path="notes/a.md"):
    return read_header(split(b"---\n" + text.encode() + b"---\nbody\n"), path)


def rules(found):
    return [(problem.rule, problem.line) for problem in found.problems]


@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda tail: b"---\n" + tail))
@settings(max_examples=examples(200), deadline=None)
def test_the_parts_joined_are_the_file(raw):
    parts = split(raw)
    assert parts.bom + parts.opening + parts.header + parts.closing + parts.body == raw
    if parts.kind == "yaml":
        lines_before_body = raw[: len(raw) - len(parts.body)].count(b"\n") + 1
        assert parts.body_line == lines_before_body or not parts.body


@pytest.mark.parametrize(
    ("raw", "kind", "reason"),
    [
        (b"", "none", ""),
        (b"# x\n", "none", ""),
        (b"\n---\na: b\n---\n", "none", ""),
        (b"-----\na: b\n-----\n", "none", ""),
        (b"---\na: b\n---", "yaml", ""),
        (b"\xef\xbb\xbf---\t \r\na: b\r\n...  \r\nx", "yaml", ""),
        (b"+++\na = 1\n+++\n", "toml", ""),
        (b"+++\na = 1\n", "refused", "unclosed"),
        (b"---\na: b\n", "refused", "unclosed"),
        (b"---", "refused", "unclosed"),
        (b"---\rstatus: draft\r---\r", "refused", "cr-only-newlines"),
        (b"---\rstatus: draft\n---\n", "refused", "cr-only-newlines"),
        (b"# x\rtext\r", "refused", "cr-only-newlines"),
        (b'{"a": 1}\n', "refused", "json"),
        (b"{% include x %}\n", "none", ""),
        ("---\na: b\n---\n".encode("utf-16"), "refused", "utf16"),
        ("---\na: b\n---\n".encode("utf-16-le"), "refused", "utf16"),
        ("---\na: b\n---\n".encode("utf-16-be"), "refused", "utf16"),
        ("---\ntitle: 文字\n---\n".encode("shift-jis"), "refused", "non-utf8-front-matter"),
    ],
)
def test_a_file_is_taken_apart_only_at_certain_delimiters(raw, kind, reason):
    parts = split(raw)
    assert (parts.kind, parts.reason) == (kind, reason)
    assert read_header(parts).sure is (kind in ("none", "yaml", "toml"))


def test_every_scalar_is_its_source_text():
    text = "id: 007\non: yes\nn: ~\nd: 2024-01-02\nv: 1.10\nh: 12:30\nt: '0x1'\ne:\nq: ''\n"
    fields = header(text).fields
    assert fields == {
        "id": "007", "on": "yes", "n": "~", "d": "2024-01-02", "v": "1.10", "h": "12:30",
        "t": "0x1",
    }  # fmt: skip


def test_lists_are_texts_and_other_values_are_only_known_to_be_other():
    text = "a: [x, 007]\nb:\n  - y\n  - 'z: z'\nc: {d: e}\nf:\n- - g\n"
    text += "w: [[note]]\nl: ['[[n]]', [[m]]]\n"
    assert header(text).fields == {
        "a": ("x", "007"), "b": ("y", "z: z"), "c": OTHER, "f": OTHER, "w": "[[note]]",
        "l": ("[[n]]", "[[m]]"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "title: x\nstatus: active\n",
        "a: 'it''s'  # why\nb: \"c: d\"\n\n# c\n  # d\n",
        "tags: [a, b, \"c, d\"]\nmore:\n  - x\n  - 'y'\nlast:\n- z # c\n",
        "at: 2026-11-29T10:00:00+09:00\nday: 2024-02-28\nurl: https://example.org/a:b\n",
        "タイトル: 原因 # 注\nlast reviewed: (none)\nn: 12\nempty: # nothing\n",
        'r: "a \\"b\\" \\u3042 \\n"\n',
    ],
)  # fmt: skip
def test_an_ordinary_header_needs_no_yaml_parser(text):
    assert header(text).lane == "simple"
    assert read_simple(text.replace("\n", "\r\n")) == list(read_yaml(text).entries)


PIECES = st.sampled_from(
    [
        "a: ", "key: ", "k-e.y: ", "é k: ", "b:", "c :", "- ", "  - ", "\n", "\n", "\n", " #",
        "# ", "#", "'", "\"", "''", "[", "]", ", ", ",", ": ", ":", "yes", "no", "null", "~",
        "=", "<<", "0b_", "0x_", "2024-01-02", "2024-13-01", "2023-02-29",
        "2026-11-29T10:00:00+09:00", " 10:00", "Z", "1:30", "1.5", "1_0", "08", "0o7", ".inf",
        "-1", "+1", "1e5", "x", "text and words", "文字", "\u00a0", "\u2028", "\ufeff",
        "\u0085", "\t", "\r", "\r\n", "\0", "\\", "\\n", "\\x41", "\\ud800", "|", ">", "&a ",
        "*a", "!t ", "? ", "{", "}", "%", "@", "`", "---", "...", " ", "  ", "²", "１２",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=10).map("".join) | st.text(max_size=12).map("a: {}\n".format))
@example("a: 1\n\n  # c\nb: c\n")
@example("a: 'b':\n")
@example("a: b\n - c\n")
@example("a:\n - b\n- c\n")
@example("a: 9999999999999999999999\n")
@settings(max_examples=examples(1000), deadline=None)
def test_the_simple_lane_reads_what_yaml_reads(text):
    simple = read_simple(text)
    if simple is not None:
        read = read_yaml(text)
        assert read.entries is not None, read
        assert list(read.entries) == simple


def lines_of(count):
    return st.lists(
        st.builds(
            "{}{}{}\n".format,
            st.sampled_from(["title: ", "status: ", "b:", "c:  ", "  - ", "- ", "tags: [", "d: '"]),
            st.lists(PIECES, max_size=3).map("".join),
            st.sampled_from(["", "", "'", "]", " # c"]),
        ),
        max_size=count,
    ).map("".join)


@given(lines_of(5))
@settings(max_examples=examples(700), deadline=None)
def test_the_simple_lane_reads_lines_of_a_header_as_yaml_does(text):
    simple = read_simple(text)
    if simple is not None:
        assert list(read_yaml(text).entries or ()) == simple


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\nnote: Tire placard (cold): Front 36\n", 3),
        ("a: 1\nauthor: @someone\n", 3),
        ("a: 1\nb: `code`\n", 3),
        ("a: !secret x\n", 2),
        ("created: 2024-13-45\n", 2),
        ("a: 'never ends\n", 3),
    ],
)
def test_a_header_no_parser_accepts_is_read_line_by_line_with_its_line(text, line):
    found = header(text + "status: draft # why\ntags: [a, b]\n")
    assert found.lane == "lines"
    assert found.sure
    rule, at = rules(found)[0]
    assert rule == "header-yaml-unreadable"
    assert 2 <= at <= line + 3
    assert found.fields["status"] == "draft"
    assert found.fields["tags"] == ("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "status: active\nstatus: retracted\n",
        "status:retracted\n",
        "status：retracted\n",
        "Status: a\nSTATUS: b\n",
        "<<: *base\n",
        "{status: retracted}\n",
        "? status\n: retracted\n",
        "- status: retracted\n",
    ],
)
def test_a_broken_header_that_may_hide_a_restriction_fails_closed(text):
    assert not header(text + "a: b: c\n").sure
    assert not header("x: y\n" + text + "a: b: c\n").sure


@pytest.mark.parametrize("text", ["- a\n- b\n", "just words\n", "~\n", "[a, b]\n"])
def test_a_header_that_is_no_mapping_fails_closed(text):
    found = header(text)
    assert not found.sure
    assert rules(found) == [("header-not-mapping", 2)]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n"])
def test_a_header_without_fields_is_an_empty_one(text):
    found = header(text)
    assert (found.fields, found.problems, found.sure) == ({}, (), True)


def test_a_key_that_stands_twice_is_a_problem_with_the_line_of_the_second():
    for text in ("a: 1\nb: 2\na: 3\n", "a: {x: y}\nb: 2\na: 3\n"):
        found = header(text)
        assert rules(found) == [("header-duplicate-key", 4)]
        assert [entry.key for entry in found.entries] == ["a", "b", "a"]


def test_a_merge_key_brings_its_fields_and_the_own_field_wins():
    found = header("base: &b {status: retracted, scope: x}\n<<: *b\nscope: y\n")
    assert found.fields["status"] == "retracted"
    assert found.fields["scope"] == "y"
    assert found.problems == ()


def test_a_toml_header_is_read():
    raw = b'+++\ntitle = "x"\ntags = ["a"]\nn = 7\nd = 2024-01-02\ndraft = true\n'
    raw += b'[t]\nstatus = "x"\n+++\n'
    found = read_header(split(raw))
    assert found.fields == {
        "title": "x", "tags": ("a",), "n": "7", "d": "2024-01-02", "draft": OTHER, "t": OTHER,
    }  # fmt: skip
    assert rules(found) == [("header-toml", 1)]


def test_a_toml_header_that_cannot_be_read_fails_closed():
    assert not read_header(split(b"+++\ntitle = \n+++\n")).sure


def test_a_header_over_the_limit_is_not_parsed():
    found = header("a: b\n" * (MAX_HEADER // 5 + 1))
    assert (rules(found), found.sure) == ([("header-too-large", 1)], False)
