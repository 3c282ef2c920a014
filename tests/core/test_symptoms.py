"""Symptoms of a wrongly set gate, as figures from what was proposed, approved and rejected."""

import pytest

from memtools.core.deeds import Act, Deed, followed
from memtools.core.symptoms import (
    DAY,
    PAUSE,
    RECENT,
    UNREAD,
    Decisions,
    Fate,
    Queue,
    Way,
    decided_by_persons,
    decisions_of,
    fates_of,
    queue_of,
    symptoms_of,
    verdicts_of,
)

NOW = 1_800_000_000


def proposed(path, at=NOW, verdict="review", commit=""):
    return Deed(Act.PROPOSED, path, f"b-{path}", at, "agent", commit or f"p-{path}", verdict)


def approved(path, at=NOW, who="ann", commit="", by_daily=False):
    blob, made = f"b-{path}", commit or f"a-{path}"
    return Deed(Act.APPROVED, path, blob, at, who, made, "review", by_daily)


def rejected(path, at=NOW, who="ann"):
    return Deed(Act.REJECTED, path, "", at, who, f"r-{path}")


@pytest.mark.parametrize(
    ("days", "found"),
    [
        ([], Queue()),
        ([0], Queue(1, 0, 0)),
        ([1, 2, 40], Queue(3, 40, 2)),
        ([1, 4], Queue(2, 4, 2)),
        ([-3], Queue(1, 0, 0)),  # a clock that went wrong
    ],
)
def test_the_age_of_the_queue(days, found):
    since = {f"{number}.md": NOW - day * DAY for number, day in enumerate(days)}
    assert queue_of(since, NOW) == found


@pytest.mark.parametrize(
    ("seconds", "found"),
    [
        ([], Decisions()),
        ([0], Decisions(1, 0, 1, 1, None, 0)),
        # the first of a session tells nothing: nobody knows when reading it began
        ([0, UNREAD - 1, 2 * UNREAD - 1], Decisions(3, 0, 1, 3, 4.5, 1)),
        ([0, UNREAD, 2 * UNREAD], Decisions(3, 0, 1, 3, UNREAD, 0)),
        ([0, PAUSE], Decisions(2, 0, 1, 2, PAUSE, 0)),
        ([0, PAUSE + 1], Decisions(2, 0, 2, 1, None, 0)),
    ],
)
def test_sessions_and_what_was_approved_unread(seconds, found):
    deeds = [approved(f"{at}.md", NOW + at) for at in seconds]
    assert decisions_of(reversed(deeds)) == found


def test_two_persons_have_two_sessions_and_a_quick_rejection_is_not_unread():
    deeds = [approved("a.md"), rejected("b.md", NOW + 1), approved("c.md", NOW + 1, "bo")]
    assert decisions_of(deeds) == Decisions(2, 1, 2, 2, 1, 0)


def test_neither_the_calendar_nor_the_gate_is_a_person():
    at_once = [proposed("a.md", commit="x", verdict="auto"), approved("a.md", commit="x")]
    deeds = [*at_once, approved("b.md", by_daily=True), approved("c.md"), rejected("d.md")]
    assert [deed.path for deed in decided_by_persons(deeds)] == ["c.md", "d.md"]


def test_the_gates_answers_by_class():
    deeds = [proposed("a.md"), proposed("b.md", verdict="auto"), proposed("c.md", verdict="")]
    assert dict(verdicts_of([*deeds, rejected("a.md")], refused=2)) == {
        "auto": 1,
        "delayed": 0,
        "review": 1,
        "reject": 2,
    }


def test_the_days_from_proposal_to_approval_count_for_a_mended_candidate_too():
    deeds = [
        proposed("a.md", NOW - 4 * DAY),
        approved("a.md"),
        proposed("b.md", NOW - 2 * DAY),
        approved("b.md", NOW - DAY),
        proposed("c.md", NOW - 9 * DAY),
        approved("c.md")._replace(blob="other bytes"),
        proposed("c.md", NOW + DAY),  # once more since
    ]
    assert symptoms_of(deeds, {}, {}, NOW).days_to_approval == 4


def test_a_memory_that_was_moved_out_of_the_inbox_is_the_same_one():
    deeds = [proposed("inbox/a.md"), approved("inbox/a.md"), proposed("inbox/b.md")]
    found = followed(deeds, ["notes/a.md", "other.md", "x/b.md", "y/b.md"])
    assert [deed.path for deed in found] == ["notes/a.md", "notes/a.md", "inbox/b.md"]


def test_what_was_rejected_or_stands_where_it_was_is_no_other_file_of_its_name():
    deeds = [proposed("inbox/a.md"), rejected("inbox/a.md"), proposed("inbox/b.md")]
    assert followed(deeds, ["notes/a.md", "inbox/b.md", "notes/b.md"]) == deeds


def test_what_became_of_memories_by_the_way_they_came_in():
    deeds = [
        proposed("auto.md", commit="x", verdict="auto"),
        approved("auto.md", commit="x"),
        proposed("slow.md", verdict="delayed"),
        approved("slow.md", by_daily=True),
        proposed("read.md"),
        approved("read.md"),
        proposed("merged.md"),
        proposed("waits.md"),
        proposed("gone.md"),
        approved("gone.md"),
        rejected("no.md"),
    ]
    statuses = {
        "auto.md": "retracted",
        "slow.md": "active",
        "read.md": "active",
        "merged.md": "retracted",
        "waits.md": "candidate",
        "own.md": "retracted",
    }
    assert list(fates_of(deeds, statuses)) == [
        Fate(Way.AUTO, 1, 1),
        Fate(Way.DELAYED, 1, 0),
        Fate(Way.REVIEWED, 2, 1),
    ]


def test_old_decisions_do_not_count_but_what_became_of_them_does():
    deeds = [proposed("a.md", NOW - RECENT - 2), approved("a.md", NOW - RECENT - 1)]
    found = symptoms_of(deeds, {"a.md": "active"}, {}, NOW)
    assert found.decisions == Decisions()
    assert not any(count for _, count in found.verdicts)
    assert found.fates == (Fate(Way.REVIEWED, 1, 0),)
