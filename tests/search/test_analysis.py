"""Tokens: the same in Python as in tantivy, and the same on both sides of a search."""

import unicodedata

import pytest
import tantivy
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.phrase import bare, normalise
from memtools.search import analysis
from memtools.search.engine import stemmer

ANY_TEXT = st.text(max_size=200)
MIXED = st.text(alphabet="ab1_- .か゛ﾞﾟがｶ原因健康\u3099\u200bＡßΣİﬁ한국어가ﾡé\u0301\n", max_size=60)
BLANKS = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Root causes", ["root", "causes"]),
        ("今日は成語しりとりをした", list("今日は成語しりとりをした")),
        ("再実行gen-itgc後", ["再", "実", "行", "gen", "itgc", "後"]),
        ("foo_bar.py", ["foo", "bar", "py"]),
        ("ＤＮＳ１２　設定", ["dns12", "設", "定"]),
        ("ｶﾞﾗｽ", ["ガ", "ラ", "ス"]),
        ("cafe\u0301", ["café"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
        ("Привет мир", ["привет", "мир"]),
        ("", []),
        ("— … 🙂", []),
    ],
)
def test_each_cjk_character_and_each_run_of_letters_is_one_token(text, tokens):
    assert analysis.tokens(text) == tokens


@given(st.one_of(ANY_TEXT, MIXED))
def test_tantivy_takes_the_field_apart_into_the_same_tokens(text):
    tokens = analysis.tokens(text)
    assert BLANKS.analyze(analysis.fields(text)[0]) == tokens


@given(st.one_of(ANY_TEXT, MIXED))
def test_stemming_keeps_one_token_for_each(text):
    tokens = analysis.tokens(text)
    assert len(stemmer().analyze(analysis.fields(text)[0])) == len(tokens)


@given(st.text(alphabet="がぎパé原因ｶﾞabÅ", max_size=40))
def test_composed_and_decomposed_spellings_give_the_same_tokens(text):
    decomposed = unicodedata.normalize("NFD", text)
    assert analysis.tokens(decomposed) == analysis.tokens(text)


def test_a_cjk_character_is_never_changed_by_thestemmer():
    text = "原因の遅延を健康に"
    assert stemmer().analyze(" ".join(text)) == list(text)


def test_the_edges_of_a_phrase_may_be_parts_of_words_and_are_left_out():
    assert analysis.inner("oot causes are not clea") == ["causes", "are", "not"]
    assert analysis.inner("'root cause.'") == ["root", "cause"]
    assert analysis.inner("root cause") == []


def test_a_last_kana_that_could_take_a_voice_mark_is_left_out():
    assert analysis.inner("原因か") == ["原因"]
    assert analysis.inner("原因が") == ["原因が"]


def test_an_over_long_run_is_kept_in_pieces_that_overlap_by_a_phrase():
    run = "".join(f"x{number}" for number in range(2000))
    text, pieces = analysis.fields(f"before {run} after")
    assert max(map(len, text.split())) == analysis.LONGEST_TOKEN
    assert max(map(len, pieces)) <= 800
    assert all(any(run[at : at + 300] in piece for piece in pieces) for at in range(0, 5000, 7))


def test_only_what_the_source_says_beside_the_bare_text_is_extra():
    assert analysis.only_in_source("a **b** c", "a b c") == ""
    extra = analysis.only_in_source("see [原因](docs/設定.md) ro**ot**", "see 原因 root").split()
    assert extra[0] == analysis.DIFFERS
    assert set(extra[1:]) >= {"docs", "md", "設", "定", "設定", "ro", "ot"}
    assert "see" not in extra


MARKED = st.text(alphabet="ab1 *_`~[]\\!()原因か\u0301ﾞ\n", max_size=30)


@given(MARKED)
def test_the_quick_look_for_extra_terms_agrees_with_the_tokens(text):
    source, plain = normalise(text), bare(text)
    extra = analysis.only_in_source(source, plain)
    assert (extra == "") == (analysis.tokens(source) == analysis.tokens(plain))


@given(ANY_TEXT)
def test_plain_ascii_takes_a_short_way_to_the_same_tokens(text):
    short = text.encode("ascii", "ignore").decode()
    assert analysis.tokens(short) == analysis.tokens(short + " 原")[:-1]
