"""What a person finds, and what a phrase may hit."""

import contextlib
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtools.core.phrase import haystack, hits
from memtools.search import query
from memtools.search.store import SearchStore
from tests.helpers import examples
from tests.search.helpers import make, paths


@pytest.fixture
def store(tmp_path):
    return SearchStore(str(tmp_path / "search"))


def found(store, query, **options):
    return paths(store.search(query, 10, **options))


def test_a_japanese_word_inside_a_sentence_is_found(store):
    """https://github.com/openclaw/openclaw/issues/20730"""
    store.rebuild([make("a.md", "今日は成語しりとりをした"), make("b.md", "明日は休む")], "t")
    assert found(store, "しりとり")[0] == "a.md"


@pytest.mark.parametrize("query", ["健康", "原因", "遅延"])
def test_a_word_of_two_characters_is_found(store, query):
    """https://github.com/basicmachines-co/basic-memory/issues/1294"""
    notes = [make(f"{word}.md", f"先週の{word}について書く") for word in ("健康", "原因", "遅延")]
    store.rebuild(notes, "t")
    assert found(store, query)[0] == f"{query}.md"


def test_every_pair_of_characters_of_a_note_finds_it(store):
    text = "監視の通知が遅延した根本原因は認証設定の更新漏れだった"
    noise = [make(f"n{at}.md", text[at:] + text[:at][::-1]) for at in range(1, len(text))]
    store.rebuild([make("whole.md", text), *noise], "t")
    for at in range(len(text) - 1):
        results = store.search(text[at : at + 2], 100)
        assert "whole.md" in paths(results)


def test_one_character_is_a_query_too(store):
    store.rebuild([make("a.md", "梅雨の季節"), make("b.md", "rain")], "t")
    assert found(store, "雨") == ["a.md"]


@pytest.mark.parametrize("query", ["itgc", "gen-itgc", "再実行"])
def test_latin_identifiers_glued_to_japanese_are_found(store, query):
    """https://github.com/tommy0103/obelisk/issues/9"""
    store.rebuild([make("a.md", "再実行gen-itgc後"), make("b.md", "other")], "t")
    assert found(store, query) == ["a.md"]


def test_a_japanese_query_finds_a_mixed_note(store):
    """https://github.com/chandra447/pi-hermes-memory/issues/174"""
    store.rebuild([make("a.md", "Deploy の手順: run `make release`")], "t")
    assert found(store, "手順") == found(store, "deploy") == ["a.md"]


def test_exact_text_is_found_in_a_run_of_two_thousand_and_one_characters(store):
    """https://github.com/abhigyanpatwari/GitNexus/pull/2339"""
    run = "".join(chr(0x4E00 + number * 7 % 9000) for number in range(2001))
    store.rebuild([make("a.md", run)], "t")
    for at in (0, 998, 1998):
        assert found(store, run[at : at + 3]) == ["a.md"]
        assert store.candidates(run[at : at + 3]) == {"a.md"}


@pytest.mark.parametrize("query", ["ガラス", "ｶﾞﾗｽ", unicodedata.normalize("NFD", "ガラス")])
def test_widths_and_compositions_do_not_matter(store, query):
    notes = ["ガラスの設定", "ｶﾞﾗｽの設定", unicodedata.normalize("NFD", "ガラスの設定")]
    store.rebuild([make(f"{at}.md", text) for at, text in enumerate(notes)], "t")
    assert set(found(store, query)) == {"0.md", "1.md", "2.md"}


def test_english_words_are_found_by_their_stem(store):
    store.rebuild([make("a.md", "the deployments were failing")], "t")
    assert found(store, "deployment fails") == ["a.md"]


@pytest.mark.parametrize(
    "query", ['"', "a:b AND (", "title:", "*", "+-!^~", "\x00", "", "   ", "🙂"]
)
def test_no_text_of_a_person_is_a_syntax_error(store, query):
    store.rebuild([make("a.md", "x")], "t")
    assert store.search(query, 5).total == 0


def test_a_word_of_a_link_target_is_found(store):
    store.rebuild([make("a.md", "see [here](https://wiki.example/dns-outage)"), make("b.md")], "t")
    assert found(store, "outage") == ["a.md"]


def test_retracted_hits_leave_no_empty_places_in_the_page(store):
    """https://github.com/rohitg00/agentmemory/issues/632"""
    dead = [make(f"dead{at}.md", "sync is broken " * 3, status="retracted") for at in range(6)]
    live = make("live.md", "sync works, and much else is said here about other things")
    store.rebuild([*dead, live], "t")
    assert paths(store.search("sync broken", 5)) == ["live.md"]
    with_dead = store.search("sync broken", 10, statuses=("active", "retracted"))
    assert with_dead.total == 7


def test_candidates_and_unreadable_memories_are_not_shown(store):
    notes = [
        make("c.md", "sync", status="candidate"),
        make("u.md", "sync", status="unknown"),
        make("n.md", "sync", exposure="none"),
        make("s.md", "sync", exposure="search-only"),
    ]
    store.rebuild(notes, "t")
    assert found(store, "sync") == ["s.md"]


def test_scope_tag_and_excluded_paths_are_part_of_the_query(store):
    notes = [
        make("a.md", "sync", scope="App", tags=("dns", "net")),
        make("b.md", "sync", scope="app"),
        make("c.md", "sync"),
    ]
    store.rebuild(notes, "t")
    assert found(store, "sync", scope="App") == ["a.md"]
    assert found(store, "sync", scope="") == ["c.md"]
    assert set(found(store, "sync", scope=("app", ""))) == {"b.md", "c.md"}
    assert found(store, "sync", tag="net") == ["a.md"]
    assert set(found(store, "sync", exclude=("a.md",))) == {"b.md", "c.md"}


def test_names_are_looked_up_untokenised_and_in_any_spelling(store):
    note = make("x/場面設計.md", id="007", title="The  DNS note", aliases=("がいよう", "overview"))
    store.rebuild([note, make("y.md", id="7")], "t")
    assert store.resolve("id", "007") == {"x/場面設計.md"}
    assert store.resolve("title", "the dns note") == {"x/場面設計.md"}
    assert store.resolve("alias", unicodedata.normalize("NFD", "がいよう")) == {"x/場面設計.md"}
    assert store.resolve("stem", "場面設計") == {"x/場面設計.md"}
    assert store.resolve("path", "x/場面設計.md") == {"x/場面設計.md"}
    assert store.resolve("title", "DNS") == set()


def test_a_path_that_is_no_utf8_comes_back_as_it_was(store):
    store.rebuild([make("caf\udce9.md", "sync")], "t")
    assert found(store, "sync") == ["caf\udce9.md"]
    assert store.resolve("path", "caf\udce9.md") == {"caf\udce9.md"}
    store.update([], ["caf\udce9.md"], "u")
    assert store.count() == 0


@pytest.mark.parametrize(
    "phrase",
    [
        "the root cause",
        "he root caus",
        "root cause",
        "configurati",
        "原因は設定",
        "dns.example/out",
        "[page](https://dns.example",
        "ro**ot** word",
        "root word",
    ],
)
def test_a_phrase_finds_the_note_that_holds_it(store, phrase):
    text = "the root causes of misconfigurations. 根本原因は設定の "
    text += "[page](https://dns.example/outage) ro**ot** word"
    store.rebuild([make("a.md", text), make("b.md", "nothing of it")], "t")
    assert hits(phrase, haystack("", text))
    assert store.candidates(phrase) == {"a.md"}


def test_a_phrase_without_any_letter_cannot_be_told(store):
    store.rebuild([make("a.md", "!?!?")], "t")
    assert store.candidates("!?!?") is None


def test_a_phrase_inside_a_huge_run_is_found(store):
    run = "".join(f"x{number}" for number in range(30_000))
    store.rebuild([make("a.md", run)], "t")
    assert store.candidates(run[70_000:70_250]) == {"a.md"}


ALPHABET = "ab1 _-*`~[]()|\\.!<>/\"'\nかがｶﾞﾟは原因設定、。　\u3099\u0301éßΣσﬁＡ한국가ﾡ™½㍿\u200b"
TEXTS = st.lists(
    st.one_of(
        st.text(alphabet=ALPHABET, max_size=40),
        st.sampled_from(
            [
                "the root cause ",
                "**根本**原因は",
                "[text](https://a.example/b_c) ",
                "[[page|設定]]",
                "running_dogs ",
            ]
        ),
    ),
    min_size=1,
    max_size=5,
).map("".join)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(texts=st.lists(TEXTS, min_size=1, max_size=6), data=st.data())
def test_whatever_a_phrase_hits_is_among_its_candidates(tmp_path_factory, texts, data):
    store = SearchStore(str(tmp_path_factory.mktemp("s")))
    store.rebuild([make(f"{at}.md", text) for at, text in enumerate(texts)], "t")
    stacks = {f"{at}.md": haystack("", text) for at, text in enumerate(texts)}
    for stack in list(stacks.values()):
        for text in (stack.body, stack.bare_body):
            if not text:
                continue
            for _ in range(6):
                start = data.draw(st.integers(0, len(text) - 1))
                phrase = text[start : start + data.draw(st.integers(1, 30))]
                proposed = store.candidates(phrase)
                if proposed is not None:
                    hit = {path for path, other in stacks.items() if hits(phrase, other)}
                    assert hit <= proposed, phrase
    with contextlib.suppress(OSError):
        store.close()


def test_words_that_only_join_others_weigh_less_than_the_rare_word(store):
    notes = [make("chatter.md", "when was it rain"), make("wanted.md", "upgrade lost entries here")]
    others = [make(f"n{number}.md", f"notes on cache {number}") for number in range(9)]
    store.rebuild([*notes, *others], "t")
    assert found(store, "when was the upgrade") == ["wanted.md", "chatter.md"]


def test_a_question_of_joining_words_alone_is_answered(store):
    store.rebuild([make("a.md", "who and when"), make("b.md", "rain")], "t")
    assert found(store, "who was when") == ["a.md"]


def test_a_pair_too_frequent_to_be_counted_is_found_all_the_same(store, monkeypatch):
    monkeypatch.setattr(query, "_COUNTED", 0)
    notes = [make(f"{word}.md", f"先週の{word}について書く") for word in ("健康", "原因", "遅延")]
    store.rebuild(notes, "t")
    assert found(store, "先週の原因")[0] == "原因.md"


def test_an_accent_after_a_ligature_hides_no_candidate(tmp_path):
    store = SearchStore(str(tmp_path))
    store.rebuild([make("a.md", "see 11ﬁ\u0301 here"), make("b.md", "see 11fi here")], "t")
    assert store.candidates("11ﬁ") >= {"a.md"}
