"""What counts as the same words, as a paraphrase, and as another text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.likeness import (
    COPY,
    MOST,
    PARAPHRASE,
    comparable,
    holds,
    likeness,
    repeats,
    rewording,
    rewords,
    says_again,
    says_the_same,
)

SYNC = (
    "Diagnosis confirmed: the sync job fails because the proxy closes idle connections after 30 "
    "seconds."
)
CACHE = "診断確定：検索の遅延の原因はキャッシュの設定である。必ずキャッシュを無効にすること。"


def alike(one, other):
    return likeness(comparable(one), comparable(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SYNC, SYNC.upper()),
        (SYNC, f"  **{SYNC}**\n"),
        (SYNC, SYNC.replace("30 seconds", "30 s").replace("fails because", "is failing since")),
        (
            CACHE,
            "診断確定:検索の遅延の原因は キャッシュの設定である｡ 必ずキャッシュを無効にすること",
        ),
    ],
)
def test_width_case_marks_and_punctuation_make_no_other_text(one, other):
    assert alike(one, other) >= COPY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SYNC, "The proxy closes idle connections after 30 seconds, so the sync job fails."),
        (CACHE, "検索が遅延する原因はキャッシュの設定なので、キャッシュは必ず無効にする。"),
    ],
)
def test_other_words_in_another_order_are_a_paraphrase(one, other):
    assert PARAPHRASE <= alike(one, other) < COPY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            SYNC,
            "The sync job did not fail because of the proxy; the certificate of the mirror had "
            "expired. Check certificates first.",
        ),
        (
            CACHE,
            "検索の遅延の原因はキャッシュではなくディスクの故障だった。キャッシュは有効のままでよい。",
        ),
        (SYNC, ""),
    ],
)
def test_a_correction_is_another_text(one, other):
    assert alike(one, other) < PARAPHRASE


def test_a_longer_text_may_hold_the_shorter_one():
    assert holds(comparable(f"As we all know: {SYNC} Keep that in mind."), comparable(SYNC))
    assert not holds(comparable(SYNC), comparable("the sync job"))


@pytest.mark.parametrize("text", [SYNC, CACHE])
def test_a_copy_with_another_word_or_more_repeats(text):
    assert repeats(comparable(text), comparable(f"# {text}\n"))
    assert repeats(comparable(text), comparable(text + " End"))
    assert not repeats(comparable(text), comparable(text + " " + text[:40]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SYNC, SYNC.replace("30", "31")),
        (SYNC, SYNC.replace("fails", "never fails")),
        (SYNC, SYNC.replace("confirmed", "isn't confirmed")),
        (CACHE, CACHE.replace("である", "ではない")),
        (SYNC, SYNC.replace("sync", "news")),
        ("", ""),
        ("a " * MOST, "a " * MOST),
    ],
)
def test_a_number_or_a_denial_makes_another_text_and_so_does_too_great_a_length(one, other):
    assert not repeats(comparable(one), comparable(other))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("The mast was painted green in spring", "In spring the mast is painted green", True),
        ("The mast was painted green in spring", "The mast was painted blue in spring", False),
        ("Deploys happen on Fridays", "Note: deploys happen on Fridays.", True),
        ("係留塔は春に緑色に塗装した。", "係留塔は、春に緑色に塗装しました。", True),
        ("係留塔は春に緑色に塗装した。", "係留塔は春に青色に塗装した。", False),
        ("Tests are reset each Sunday", "Tests are reset each Monday", False),
        ("Enable the cache of the mast", "Disable the cache of the mast", False),
        ("The bell rings for two minutes", "The bell rings for ten minutes", False),
        ("It rings for ninety-two minutes", "It rings for ninety-six minutes", False),
        ("The job failed at the gate", "The job is failing at a gate", True),
        ("Use npm here, since pnpm breaks", "Use pnpm here, since npm breaks", False),
    ],
)
def test_another_word_of_sense_may_be_a_correction(one, other, is_same):
    assert says_the_same(comparable(one), comparable(other)) is is_same


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_is_compared_by_the_same_words_as_any_other(text):
    """ASCII is read in a quicker way: a letter beyond it at the end takes the long one."""
    assert f"{comparable(text)} é".strip() == comparable(f"{text} é")


NIGHT = "診断確定：夜間の書き出しが失敗する原因は、帳票サーバーのディスク不足である。"
DNS = "同期が失敗する原因はDNSキャッシュの古さである。"


@pytest.mark.parametrize(
    ("gone", "text"),
    [
        (NIGHT, "夜間の書き出しは、帳票サーバーのディスクが不足しているために失敗している。"),
        (DNS, "同期の失敗はDNSキャッシュが古いことが原因だ。"),
        (DNS, "ＤＮＳキャッシュが古いので、同期が失敗する。"),
        (
            "倉庫の温度計は二度高く表示されるので、表示から二度引いて記録する。",
            "温度計は倉庫では二度高く出る。記録する時は二度引く。",
        ),
    ],
)
def test_a_japanese_text_in_another_order_and_grammar_says_it_again(gone, text):
    assert PARAPHRASE <= says_again(comparable(text), comparable(gone)) < COPY


@pytest.mark.parametrize(
    ("gone", "text"),
    [
        (NIGHT, "夜間の書き出しが失敗した原因は、ディスクではなく証明書の期限切れだった。"),
        (NIGHT, "夜間の書き出しの失敗は、メール中継が止まったせいだった。"),
        (NIGHT, "帳票サーバーのディスクは六月に交換した。"),
        (DNS, "同期が失敗する原因は証明書の期限切れである。"),
        (DNS, "DNSキャッシュは毎日消している。"),
        (SYNC, "The proxy logs are kept for 30 days."),
    ],
)
def test_another_text_about_the_same_things_does_not(gone, text):
    assert not says_again(comparable(text), comparable(gone))


def test_of_many_texts_those_are_found_that_reword_one():
    said = "原因は設定の更新漏れで、夜間の処理が止まる。"
    texts = {
        "again": "夜間の処理が止まる原因は、設定の更新漏れだった。",
        "other": "証明書の期限が切れて認証に失敗した。",
        "english": "The nightly job stops.",
    }
    compared = {name: comparable(text) for name, text in texts.items()}
    assert rewording(compared)(comparable(said)) == ["again"]
    assert [n for n, text in compared.items() if rewords(text, comparable(said))] == ["again"]
