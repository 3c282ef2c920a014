"""Merging memories: retracted wins, key by key; every other byte as a line merge leaves it."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.memory import read_memory
from memtools.core.merge import Merged, merge

BASE = b"""---
title: Cache
status: active
priority: high
---
The cache was cold.

It was the root cause.
"""
TOMBSTONE = b"""retracted_at: 2026-11-29T12:00:00+09:00
retracted_by: "[[fix]]"
"""


def changes(old, new):
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(i, j, new[k:m]) for tag, i, j, k, m in codes if tag != "equal"]


def line_merge(base, ours, theirs):
    """A line merge as strict as git's: changes that touch each other conflict."""
    old, mine, other = (text.splitlines(keepends=True) for text in (base, ours, theirs))
    left, right = changes(old, mine), changes(old, other)
    for i, j, lines in left:
        if any(i <= m and k <= j and (i, j, lines) != (k, m, new) for k, m, new in right):
            return Merged(b"<<<<<<<\n" + ours + b"=======\n" + theirs + b">>>>>>>\n", True)
    merged = list(old)
    for i, j, lines in sorted({(i, j, tuple(new)) for i, j, new in left + right}, reverse=True):
        merged[i:j] = lines
    return Merged(b"".join(merged), False)


def never(*_):
    raise AssertionError("no line merge is needed here")


def retracted(text=BASE, by="fix", at="2026-11-29T12:00:00+09:00"):
    assert b"status: active\n" in text
    head, _, body = text.partition(b"\n---\n")
    stone = TOMBSTONE.replace(b"fix", by.encode()).replace(
        b"2026-11-29T12:00:00+09:00", at.encode()
    )
    return head.replace(b"status: active", b"status: retracted") + b"\n" + stone + b"---\n" + body


def both_ways(base, one, other):
    """The merge in both directions, which must agree."""
    there, back = merge(base, one, other, line_merge), merge(base, other, one, line_merge)
    assert there == back
    return there


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"priority: high", b"priority: low"),
        (b"priority: high", b"priority: high\ntags: [dns, cache]"),
        (b"status: active", b"status: draft"),
        (b"status: active\npriority: high", b"status: draft\npriority: low\ntags:\n  - dns"),
        (b"status: active\n", b"status: active # sure\nconfidence: 0.9\n"),
        (b"title: Cache\n", b"title: The cache\n# checked by Bo\n"),
    ],
)
def test_a_retraction_wins_and_the_other_keys_of_the_other_side_stay(before, after):
    edited = BASE.replace(before, after)
    merged = both_ways(BASE, retracted(), edited)
    assert not merged.conflicts
    kept = [line for line in edited.splitlines() if not line.startswith(b"status")]
    assert [line for line in merged.data.splitlines() if line in kept] == kept
    assert b"status: retracted" in merged.data and b"status: draft" not in merged.data
    assert merged.data.count(b"retracted_by") == merged.data.count(b"retracted_at") == 1


def test_of_two_retractions_the_first_by_path_stays():
    first = retracted(by="a-fix", at="2026-11-30T12:00:00+09:00")
    second = retracted(by="b-fix", at="2026-11-29T12:00:00+09:00")
    assert both_ways(BASE, first, second) == Merged(first, False)


def test_of_two_retractions_the_winner_stays_whole_beside_edits_of_both():
    first = retracted(BASE.replace(b"priority: high", b"priority: low"), by="a-fix")
    second = retracted(BASE.replace(b"title: Cache", b"title: Caches"), by="b-fix")
    second = second.replace(b'"[[b-fix]]"\n', b'"[[b-fix]]"\nretracted_reason: measured again\n')
    merged = both_ways(BASE, first, second)
    assert merged == Merged(first.replace(b"title: Cache", b"title: Caches"), False)


def test_the_same_retraction_on_both_sides_merges_with_an_edit():
    merged = both_ways(BASE, retracted(), retracted(BASE.replace(b"high", b"low")))
    assert merged == Merged(retracted(BASE.replace(b"high", b"low")), False)


def test_undoing_a_retraction_goes_through_beside_another_edit():
    edited = retracted().replace(b"priority: high", b"priority: low")
    merged = both_ways(retracted(), BASE, edited)
    assert merged == Merged(BASE.replace(b"priority: high", b"priority: low"), False)


def test_undoing_goes_through_when_the_other_side_only_wrote_the_tombstone_differently():
    reworded = retracted().replace(b'"[[fix]]"', b"'[[fix]]'")
    assert both_ways(retracted(), BASE, reworded) == Merged(BASE, False)


def test_undoing_one_retraction_does_not_undo_a_newer_one():
    newer = retracted(by="later")
    assert both_ways(retracted(), BASE, newer) == Merged(newer, False)


def test_a_restored_memory_keeps_who_restored_it():
    restored = BASE.replace(
        b"priority: high\n", b"priority: high\nrestored_at: 2026-12-01\nrestored_reason: it held\n"
    )
    edited = retracted().replace(b"title: Cache", b"title: Caches")
    merged = both_ways(retracted(), restored, edited)
    assert merged == Merged(restored.replace(b"title: Cache", b"title: Caches"), False)


def test_adjacent_keys_and_new_keys_of_both_sides_merge_without_a_retraction():
    one = BASE.replace(b"status: active", b"status: draft").replace(b"---\nThe", b"a: 1\n---\nThe")
    other = BASE.replace(b"priority: high", b"priority: low\nb: 2")
    merged = both_ways(BASE, one, other)
    assert not merged.conflicts
    assert sorted(merged.data.splitlines()[1:6]) == sorted(
        [b"title: Cache", b"status: draft", b"priority: low", b"a: 1", b"b: 2"]
    )


def test_one_key_changed_on_both_sides_is_a_conflict_of_that_key_only():
    one = retracted().replace(b"priority: high", b"priority: low")
    other = BASE.replace(b"priority: high", b"priority: normal")
    merged = merge(BASE, one, other, line_merge)
    assert merged.conflicts
    assert b"priority: low" in merged.data and b"priority: normal" in merged.data
    assert b"status: active" not in merged.data


def test_the_same_key_added_in_two_places_is_not_merged_silently():
    one = BASE.replace(b"title: Cache", b"scope: web\ntitle: Cache")
    other = BASE.replace(b"priority: high", b"priority: high\nscope: api")
    assert merge(BASE, one, other, line_merge).conflicts


def test_the_body_is_merged_line_by_line():
    one = retracted(BASE.replace(b"was cold", b"was warm"))
    other = BASE.replace(b"It was the root cause.", b"It was not.")
    merged = both_ways(BASE, one, other)
    assert merged == Merged(one.replace(b"It was the root cause.", b"It was not."), False)


def test_a_conflict_in_the_body_leaves_the_header_whole():
    one = retracted(BASE.replace(b"was cold", b"was warm"))
    merged = merge(BASE, one, BASE.replace(b"was cold", b"was hot"), line_merge)
    assert merged.conflicts
    assert merged.data.startswith(one.partition(b"\n---\n")[0])
    assert merged.data.count(b"---\ntitle") == 1


def test_a_retraction_of_a_file_without_header_meets_an_edit_and_a_new_header():
    base = b"# Cache\n\nThe cache was cold.\n"
    tomb = b"---\nstatus: retracted\n" + TOMBSTONE + b"---\n" + base
    edited = base.replace(b"cold", b"warm")
    assert both_ways(base, tomb, edited) == Merged(tomb.replace(b"cold", b"warm"), False)
    headed = b"---\ntitle: Cache\n---\n" + base
    merged = both_ways(base, tomb, headed)
    assert merged == Merged(
        b"---\ntitle: Cache\nstatus: retracted\n" + TOMBSTONE + b"---\n" + base, False
    )


def test_line_ends_bom_comments_and_order_stay():
    bom = b"\xef\xbb\xbf"
    base = bom + BASE.replace(b"title: Cache", b"title: Cache  # short").replace(b"\n", b"\r\n")
    one = bom + retracted(BASE.replace(b"title: Cache", b"title: Cache  # short"))
    one = one.replace(b"\n", b"\r\n")
    other = base.replace(b"priority: high", b"priority: 'low'").replace(b"cold", b"warm")
    merged = both_ways(base, one, other)
    expected = one.replace(b"priority: high", b"priority: 'low'").replace(b"cold", b"warm")
    assert merged == Merged(expected, False)


def test_a_side_that_changed_nothing_needs_no_line_merge():
    assert merge(BASE, retracted(), BASE, never) == Merged(retracted(), False)
    assert merge(BASE, BASE, retracted(), never) == Merged(retracted(), False)
    assert merge(BASE, BASE, BASE, never) == Merged(BASE, False)


@pytest.mark.parametrize(
    "unsure",
    [
        b"---\ntitle: Cache\nno end\n",
        b"---\ntitle: [Cache\nstatus: active\n---\nThe cache was cold.\n",
        b"---\nstatus: active\nstatus: draft\n---\nThe cache was cold.\n",
        b"+++\ntitle = 'Cache'\n+++\nThe cache was cold.\n",
        b"\xff\xfe-\0-\0-\0",
    ],
)
def test_a_header_that_cannot_be_read_for_sure_is_left_to_a_line_merge(unsure):
    asked = []

    def spy(*sides):
        asked.append(sides)
        return Merged(b"as git does\n", True)

    assert merge(BASE, retracted(), unsure, spy) == Merged(b"as git does\n", True)
    assert asked == [(BASE, retracted(), unsure)]


def test_a_retraction_that_a_line_merge_would_lose_is_a_conflict():
    headless = BASE.removeprefix(b"---\n")
    assert merge(BASE, headless, retracted(), line_merge).conflicts
    assert merge(BASE, retracted(), headless, line_merge).conflicts
    assert not merge(BASE, headless, BASE.replace(b"high", b"low"), line_merge).conflicts


def test_two_new_files_of_one_name_are_merged_from_nothing():
    one = b"---\ntitle: Cache\n---\nSame.\n"
    two = b"---\ntitle: Cache\nstatus: retracted\n" + TOMBSTONE + b"---\nSame.\n"
    assert both_ways(b"", one, two) == Merged(two, False)


HEADERS = st.lists(
    st.sampled_from(
        [
            b"title: Cache",
            b"status: active",
            b"status: draft",
            b"status: retracted",
            b'retracted_by: "[[fix]]"',
            b'retracted_by: "[[other]]"',
            b"retracted_at: 2026-11-29",
            b"priority: high",
            b"priority: low  # for now",
            b"tags: [a, b]",
            b"tags:\n  - a\n  - c",
            b"# a comment",
            b"source:",
        ]
    ),
    max_size=6,
    unique_by=lambda line: line.partition(b":")[0],
)


@st.composite
def memories(draw):
    lines = draw(HEADERS)
    body = draw(st.sampled_from([b"", b"One.\n", b"Two.\n\nThree.", b"One.\n\nThree.\n---\n"]))
    data = b"".join([b"---\n", *(line + b"\n" for line in lines), b"---\n"] if lines else []) + body
    data = data.replace(b"\n", b"\r\n") if draw(st.booleans()) else data
    return b"\xef\xbb\xbf" + data if draw(st.booleans()) else data


def status(data):
    return read_memory("x.md", data).status


@given(memories(), memories(), memories())
def test_any_three_versions_merge_the_same_in_both_directions(base, ours, theirs):
    merged = merge(base, ours, theirs, line_merge)
    mirrored = merge(base, theirs, ours, line_merge)
    assert merged.conflicts == mirrored.conflicts
    assert merged.conflicts or merged == mirrored


@given(memories(), memories(), memories())
def test_a_new_retraction_is_never_lost_in_a_clean_merge(base, ours, theirs):
    merged = merge(base, ours, theirs, line_merge)
    is_new = status(base) != "retracted" and "retracted" in (status(ours), status(theirs))
    assert merged.conflicts or not is_new or status(merged.data) == "retracted"


@given(memories(), memories())
def test_a_side_that_is_the_base_gives_the_other_side(base, theirs):
    assert merge(base, base, theirs, never) == Merged(theirs, False)
    assert merge(base, theirs, base, never) == Merged(theirs, False)
    assert merge(base, theirs, theirs, never) == Merged(theirs, False)
