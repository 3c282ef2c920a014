"""The words of the wild and what they mean to us."""

import pytest

from memtools.core.vocabulary import (
    DEFAULT,
    Priority,
    Status,
    Vocabulary,
    read_priority,
    read_status,
)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("candidate draft proposed pending review wip on-hold On_Hold", Status.CANDIDATE),
        ("active accepted published current final living completed 公開", Status.ACTIVE),
        (
            "retracted superseded deprecated withdrawn obsolete archived rejected moved stagnant",
            Status.RETRACTED,
        ),
        ("maybe actve no 0 [] unknown", Status.UNKNOWN),
    ],
)
def test_words_of_the_wild_mean_one_of_our_three_or_nothing(words, status):
    assert {read_status(word) for word in words.split()} == {status}


@pytest.mark.parametrize("text", ["On Hold", "  on  hold ", "ON HOLD", "ｏｎ　ｈｏｌｄ"])
def test_words_are_compared_trimmed_in_any_case_and_width(text):
    assert read_status(text) is Status.CANDIDATE


@pytest.mark.parametrize("text", ["retracted", "Retracted", " ＲＥＴＲＡＣＴＥＤ "])
def test_our_own_words_cannot_be_mapped_away(text):
    hostile = DEFAULT.extended({"retracted": "active", "Candidate": "active"}, {"low": "high"})
    assert read_status(text, hostile) is Status.RETRACTED
    assert read_status("candidate", hostile) is Status.CANDIDATE
    assert read_priority("low", hostile) is Priority.LOW


def test_a_repository_maps_its_own_words_and_the_addition_wins():
    mine = DEFAULT.extended({"In-Kraft": "active", "draft": "active"}, {"A": "high"})
    assert read_status("in kraft", mine) is Status.ACTIVE
    assert read_status("Draft", mine) is Status.ACTIVE
    assert read_priority("a", mine) is Priority.HIGH
    assert read_status("in kraft") is Status.UNKNOWN


def test_a_mapping_to_no_word_of_ours_exposes_nothing():
    assert read_status("x", Vocabulary({"x": "exposed"}, {})) is Status.UNKNOWN


@pytest.mark.parametrize(
    ("words", "priority"),
    [
        ("high High p0 P1 高 ＨＩＧＨ", Priority.HIGH),
        ("normal p2 medium 中", Priority.NORMAL),
        ("low p3 低", Priority.LOW),
        ("huge 5", None),
    ],
)
def test_priorities_are_read_by_word_letter_and_kanji(words, priority):
    assert {read_priority(word) for word in words.split()} == {priority}
