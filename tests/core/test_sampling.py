"""Samples of texts: two that are alike are found by them, at the price of a few runs a text."""

import random
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from memtools.core.likeness import PARAPHRASE, comparable, likeness
from memtools.core.sampling import KEPT, near_ones, sample_of, worth_comparing

TEXT = (
    "the nightly backup copies every table before two because the vault refuses a second key "
    "while the proxy keeps idle connections open until somebody restarts that worker by hand"
)
JAPANESE = "障害番号の根本原因は設定の更新漏れであり、再起動では直らず夜間の処理が止まる。"


def essay(seed, count=60):
    chosen = random.Random(seed)
    words = (chosen.choice(TEXT.split()) for _ in range(count))
    return comparable(" ".join(w + str(seed) * (n % 9 == 0) for n, w in enumerate(words)))


def found(mine, theirs, *, all_of_them=False):
    samples = [sample_of(text) for text in mine]
    kept = [sample_of(text)[:KEPT] for text in theirs]
    return set(worth_comparing(samples, kept, all_of_them=all_of_them))


def test_a_text_is_worth_comparing_with_itself_whatever_its_script_and_length():
    texts = [
        essay(1),
        "short one here",
        comparable(JAPANESE),
        comparable("Всё сломалось " * 9),
        "x" * 9,
    ]
    assert {(n, n) for n in range(len(texts))} <= found(texts, texts)


def test_a_text_with_every_fifth_word_gone_is_worth_comparing_with_what_it_was():
    texts = [essay(seed) for seed in range(30)]
    cut = [" ".join(w for n, w in enumerate(text.split()) if n % 5) for text in texts]
    pairs = {(n, n) for n in range(30) if likeness(cut[n], texts[n], PARAPHRASE)}
    assert len(pairs) == 30
    assert pairs <= found(cut, texts)


def test_japanese_with_a_clause_changed_is_worth_comparing_with_what_it_was():
    changed = comparable(JAPANESE.replace("夜間の処理", "日次の集計"))
    assert found([changed], [comparable(JAPANESE)]) == {(0, 0)}


def test_a_short_text_that_stands_in_a_long_one_is_found_where_it_is_wanted():
    part = comparable("The staging database listens on port 6432 behind the pooler of the team.")
    whole = f"{essay(3, 300)} {part} {essay(4, 300)}"
    assert (0, 0) in found([whole], [part], all_of_them=True)


def test_what_every_text_says_makes_no_two_of_them_worth_comparing():
    opening = "Written by the weekly job for the platform team and nobody else. "
    own = [sha256(b"%d" % n).hexdigest() for n in range(60)]
    texts = [comparable(opening + text) for text in own]
    assert found(texts[:5], texts) == {(n, n) for n in range(5)}


def test_of_texts_alike_in_masses_some_are_worth_comparing_where_none_should_be_missed():
    texts = [essay(1).replace("backup", f"backup {n}") for n in range(200)]
    assert 0 < len(found(texts[:1], texts, all_of_them=True)) < 50


def test_of_few_texts_each_is_near_each_and_of_masses_what_is_alike():
    texts = [essay(seed, 30) for seed in range(150)]
    assert list(near_ones(texts[:2], texts[:3])) == [[0, 1, 2], [0, 1, 2]]
    near = list(near_ones(["nothing of the sort", *texts], texts))
    assert all(n in places for n, places in enumerate(near[1:]))
    assert sum(map(len, near)) < 150 * 50


@given(st.text())
def test_any_text_gives_the_same_runs_each_time_and_none_holds_a_blank(text):
    sample = sample_of(comparable(text))
    assert sample == sorted(set(sample)) == sample_of(comparable(text))
    assert all(run.split() == [run] for run in sample)
