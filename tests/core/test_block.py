"""The block between the two comments of a rendered file: all outside of it stays byte for byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.block import (
    Block,
    block_text,
    can_name,
    carried_block,
    find_block,
    foreign_lines,
    with_lines,
    with_new_block,
)
from memtools.core.problem import Problem

BEGIN, END = b"<!-- memtools:begin -->", b"<!-- memtools:end -->"
OUTSIDE = st.binary().filter(lambda raw: b"memtools:" not in raw)
LINES = st.lists(
    st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"])).filter(
        lambda line: "memtools:" not in line
    )
)
SCOPES = st.sampled_from(["", "alpha", "日本"])


def block_of(data):
    found = find_block("AGENTS.md", data)
    assert isinstance(found, Block), found
    return found


def broken(data):
    found = find_block("AGENTS.md", data)
    assert isinstance(found, Problem), found
    assert found.rule == "render-broken"
    return found.line


@given(OUTSIDE, OUTSIDE, LINES, LINES, SCOPES, st.sampled_from([b"\n", b"\r\n"]))
def test_only_the_text_between_the_comments_changes(before, after, old, new, scope, end):
    before += b"\n"
    inside = b"".join(line.encode() + end for line in old)
    data = before + BEGIN + end + inside + END + end + after
    once = with_lines(data, block_of(data), new, "")
    assert once.startswith(before + BEGIN + end)
    assert once.endswith(END + end + after)
    assert block_text(once, block_of(once)) == new
    assert with_lines(once, block_of(once), new, "") == once
    other = with_lines(once, block_of(once), new, scope)
    assert other.startswith(before)
    assert other.endswith(END + end + after)
    assert block_of(other).scope == scope


@given(OUTSIDE, LINES, SCOPES)
def test_a_new_block_comes_after_all_that_is_there(data, lines, scope):
    added = with_new_block("AGENTS.md", data, lines, scope)
    if isinstance(added, Problem):
        assert b"\0" in data or data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\r" in data
        return
    assert added.startswith(data)
    block = block_of(added)
    assert block.scope == scope
    assert block_text(added, block) == lines
    assert with_lines(added, block, lines, scope) == added


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (BEGIN, 1),
        (b"a\n" + END, 2),
        (END + b"\n" + BEGIN, 1),
        (BEGIN + b"\n" + BEGIN + b"\n" + END, 2),
        (BEGIN + b"\n" + END + b"\nb\n" + END, 4),
        (BEGIN + b"\n" + END + b"\n" + BEGIN + b"\n" + END, 3),
        (b"<!-- memtools:begin scope=a -->\n" + END, 1),
        (b"<!-- memtools:begin --> text\n" + END, 1),
    ],
)
def test_comments_that_are_no_pair_are_named_with_their_line(data, line):
    assert broken(data) == line


def test_a_file_that_only_speaks_of_the_comments_has_no_block():
    assert find_block("AGENTS.md", b"Put `<!-- memtools:begin -->` on a line of its own.\n") is None


def test_comments_may_be_indented_and_stand_below_a_byte_order_mark():
    data = b"\xef\xbb\xbf<!--memtools:begin-->\r\nold\r\n  <!-- memtools:end -->"
    done = with_lines(data, block_of(data), ["new"], "")
    assert done == b"\xef\xbb\xbf<!--memtools:begin-->\r\nnew\r\n  <!-- memtools:end -->"
    scoped = with_lines(data, block_of(data), ["new"], "a")
    assert scoped.startswith(b'\xef\xbb\xbf<!-- memtools:begin scope="a" -->\r\nnew\r\n')


@pytest.mark.parametrize("scope", ['a"b', "a-->", "a\nb", "a<b", "a--b", "\ud800"])
def test_a_scope_that_would_end_the_comment_cannot_be_named(scope):
    assert not can_name(scope)


def test_a_block_is_carried_to_bytes_a_person_changed_elsewhere():
    new = BEGIN + b"\nnew\n" + END + b"\n"
    mine = b"Mine.\r\n" + BEGIN + b"\r\nold\r\n" + END + b"\r\nMore."
    assert carried_block("AGENTS.md", mine, new) == mine.replace(b"old", b"new")
    assert carried_block("AGENTS.md", b"Mine.\n", new) is None


def test_foreign_lines_are_told_with_their_place():
    data = b"a\n" + BEGIN + b"\nkept\n\nforged\n" + END + b"\n"
    assert foreign_lines(data, block_of(data), ["kept", "lacking"]) == ((5, "forged"),)
