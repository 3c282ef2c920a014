"""What users of such tools ran into: wrong memories that stayed, retractions that went too far."""

import json

import pytest

from tests.e2e.scene import (
    UNSEEN,
    assert_retracted,
    assert_same,
    given,
    is_retracted,
    lesson,
    memory,
    put,
    refused,
    retracts,
    state,
)

HIGH = "title: T\npriority: high\n"


def found(repo, query, *args):
    """The paths `memtools search` shows."""
    shown = json.loads(repo.memtools("search", query, "--json", *args).out)
    return [hit["path"] for hit in shown["hits"]]


def recalled(repo, *args):
    """Everything an agent is handed."""
    return repo.memtools("recall", *args).out


def spoken(repo, query):
    """All text search and recall give for a query."""
    texts = [repo.memtools("search", query).out, recalled(repo), recalled(repo, "--query", query)]
    return "\n".join(texts)


def test_only_the_correction_of_two_memories_on_one_subject_is_found(sandbox):
    """A1: https://github.com/openclaw/openclaw/issues/95606."""
    given(sandbox, {"old.md": memory("the sync fails because of the proxy")})
    text = retracts("fails because of the proxy") + "\nThe sync fails because the disk is full.\n"
    put(sandbox, {"new.md": text})
    sandbox.commit("Correct")
    assert found(sandbox, "why the sync fails") == ["new.md"]
    assert "proxy" not in spoken(sandbox, "why the sync fails")


def test_a_wrong_memory_that_matches_better_than_its_correction_is_gone(sandbox):
    """A2: https://github.com/danieljustus/symaira-memory/issues/556."""
    given(sandbox, {"old.md": memory("importer retry importer retry importer retry twice")})
    put(sandbox, {"new.md": retracts("importer retry importer") + "\nOne retry of the importer.\n"})
    sandbox.commit("Correct")
    assert found(sandbox, "importer retry") == ["new.md"]


def test_search_and_activation_both_lose_it(sandbox):
    """A4: https://github.com/matrixorigin/memoria/issues/10."""
    given(sandbox, {"old.md": memory(lesson("a4"), HIGH)})
    assert lesson("a4") in recalled(sandbox)
    put(sandbox, {"fix.md": retracts(lesson("a4"))})
    sandbox.commit("Fix")
    assert lesson("a4") not in spoken(sandbox, lesson("a4"))


@pytest.mark.parametrize("word", ["superseded", "deprecated", "retracted", "archived"])
def test_tombstones_of_any_word_never_rank_above_the_living(sandbox, word):
    """A5: https://github.com/garrytan/gbrain/issues/3672."""
    dead = memory("the ledger is kept in the ledger file", f"title: L\nstatus: {word}\n")
    given(sandbox, {**{f"dead{n}.md": dead for n in range(4)}, "live.md": memory("see the ledger")})
    assert found(sandbox, "ledger kept in the ledger file") == ["live.md"]


def test_a_status_that_flips_after_indexing_counts_at_once(sandbox):
    """A6: https://github.com/yantrikos/yantrikdb/issues/8."""
    sandbox.save({"a.md": memory("a flipping status", "title: T\nstatus: active\n")})
    assert found(sandbox, "flipping status") == ["a.md"]
    sandbox.write("a.md", memory("a flipping status", "title: T\nstatus: retracted\n"))
    assert found(sandbox, "flipping status") == []
    sandbox.stage("a.md")
    sandbox.commit("Flip")
    assert found(sandbox, "flipping status") == []


def test_a_derived_summary_goes_with_what_it_quotes(sandbox):
    """A7: https://github.com/MemPalace/mempalace/issues/2325."""
    summary = f"---\nderived_from: '[[old]]'\npriority: high\n---\nAs seen, {lesson('a7')}.\n"
    given(sandbox, {"old.md": memory(lesson("a7")), "closet.md": summary})
    put(sandbox, {"fix.md": retracts("old.md")})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "closet.md")
    assert lesson("a7") not in spoken(sandbox, lesson("a7"))


def test_retracted_hits_take_no_place_in_the_result(sandbox):
    """A10: https://github.com/rohitg00/agentmemory/issues/632."""
    dead = memory("queue queue queue of the mail", "title: T\nstatus: retracted\n")
    given(sandbox, {**{f"dead{n}.md": dead for n in range(6)}, "live.md": memory("one mail queue")})
    assert found(sandbox, "queue of the mail", "-n", "5") == ["live.md"]


def test_a_raw_note_and_its_curated_copy_go_at_once(sandbox):
    """A13: https://github.com/vshulcz/deja-vu/issues/841."""
    given(
        sandbox,
        {
            ".memtools.toml": '[stores]\nraw = ["raw"]\nwisdom = ["wisdom"]\n',
            "raw/a.md": memory(lesson("a13")),
            "wisdom/b.md": memory(lesson("a13"), HIGH),
        },
    )
    put(sandbox, {"fix.md": retracts(lesson("a13"))})
    sandbox.commit("Fix")
    assert lesson("a13") not in spoken(sandbox, lesson("a13"))


def test_a_retracted_text_that_comes_back_is_said_at_once(sandbox):
    """A15: https://github.com/joshuaswarren/remnic/pull/1631."""
    given(sandbox, {"a.md": memory(lesson("a15"))})
    put(sandbox, {"fix.md": retracts(lesson("a15"))})
    sandbox.commit("Fix")
    put(sandbox, {"b.md": memory(lesson("a15"))})
    assert "b.md:4: reintroduction: " in sandbox.commit("Again").err


def test_a_chain_of_three_is_handed_out_at_its_end_only(sandbox):
    """A18: https://github.com/plur-ai/plur/issues/997 and 481."""
    given(sandbox, {"one.md": memory("the port is 8001", HIGH)})
    put(sandbox, {"two.md": retracts("one.md", header=HIGH) + "\nThe port is 8002.\n"})
    sandbox.commit("Two")
    put(sandbox, {"three.md": retracts("two.md", header=HIGH) + "\nThe port is 8003.\n"})
    sandbox.commit("Three")
    for text in (recalled(sandbox, "--budget", "600"), spoken(sandbox, "which port")):
        assert "8003" in text
        assert "8001" not in text and "8002" not in text


def test_a_memory_can_be_retracted_without_printing_its_text(sandbox):
    """A21: https://github.com/anthropics/claude-code/issues/67122."""
    given(sandbox, {"a.md": memory("words that trip a filter", "title: T\nid: m-21\n")})
    put(sandbox, {"fix.md": retracts("id:m-21")})
    done = sandbox.commit("Fix")
    assert is_retracted(sandbox, "a.md")
    assert "trip a filter" not in done.err


def test_an_unknown_word_in_a_phrase_hits_nothing(sandbox):
    """B1: https://github.com/alphaonedev/ai-memory-mcp/issues/1601."""
    files = {f"{n}.md": memory(f"common words here {n}") for n in range(3)}
    given(sandbox, files)
    for phrase, rule in (("common words", "retract-ambiguous"), ("common words qzx", "no-match")):
        put(sandbox, {"fix.md": retracts(phrase)})
        assert rule in sandbox.commit("Fix", code=None).err
    for path, text in files.items():
        assert_same(sandbox, path, text)


def test_a_tree_that_changed_between_dry_run_and_apply_stops_the_apply(sandbox):
    """B4: https://github.com/supermemoryai/supermemory/pull/1367."""
    given(sandbox, {"a.md": memory(lesson("b4"))})
    sandbox.memtools("retract", lesson("b4"))
    sandbox.git("rm", "-q", "a.md")
    put(sandbox, {"b.md": memory(lesson("b4"))})
    sandbox.commit("Moved", env=UNSEEN)
    before = state(sandbox)
    done = sandbox.memtools("retract", lesson("b4"), "--apply", code=1)
    assert "b.md" in done.out + done.err
    assert state(sandbox) == before
    sandbox.memtools("retract", lesson("b4"), "--apply")
    assert is_retracted(sandbox, "b.md")


def test_a_memory_that_only_mentions_the_subject_is_never_touched(sandbox):
    """B6: https://github.com/getzep/graphiti/issues/1728."""
    files = {f"true{n}.md": memory(f"the importer does step {n}") for n in range(5)}
    given(sandbox, {**files, "wrong.md": memory("the importer drops the last row")})
    put(sandbox, {"fix.md": retracts("importer drops the last row") + "\nThe importer is fine.\n"})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "wrong.md")
    for path, text in files.items():
        assert_same(sandbox, path, text)


def test_no_hook_deletes_a_file_and_each_change_has_a_commit(sandbox):
    """B7: https://github.com/anthropics/claude-code/issues/47959."""
    given(sandbox, {f"{n}.md": memory(lesson(f"b7{n}")) for n in range(4)})
    put(sandbox, {"fix.md": retracts(lesson("b70"), lesson("b71"))})
    sandbox.commit("Fix")
    assert sandbox.git("log", "--diff-filter=D", "--name-only", "--format=").out == ""
    changed = sandbox.git("show", "--name-only", "--format=", "HEAD").out.split()
    assert sorted(changed) == ["0.md", "1.md", "fix.md"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("健康のために原因と遅延を調べる", "健康"),
        ("健康のために原因と遅延を調べる", "原因"),
        ("健康のために原因と遅延を調べる", "遅延"),
        ("再実行gen-itgc後に確認する", "itgc"),
        ("mixed English と日本語のメモ", "日本語"),
        ("語" * 2001 + "末尾の言葉", "末尾の言葉"),
    ],
    ids=["D1", "D2", "D2", "D2", "D5", "D4", "D7"],
)
def test_japanese_words_are_found_and_retracted_without_spaces(sandbox, text, query):
    """D1, D2, D4, D5, D6, D7.

    https://github.com/openclaw/openclaw/issues/20730,
    https://github.com/basicmachines-co/basic-memory/issues/1294,
    https://github.com/chandra447/pi-hermes-memory/issues/174,
    https://github.com/tommy0103/obelisk/issues/9,
    https://github.com/abhigyanpatwari/GitNexus/pull/2339.
    """
    sandbox.save({"a.md": memory(text), "b.md": memory("another memory 別のこと")})
    assert "a.md" in found(sandbox, query)
    put(sandbox, {"fix.md": retracts(text[-12:])})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "a.md", memory(text))
    assert "a.md" not in found(sandbox, query)


def test_a_short_japanese_phrase_is_told_by_columns(sandbox):
    """D8: https://github.com/matrixarkai/TemporalStore/pull/426."""
    given(sandbox, {"a.md": memory("検索が遅延した"), "b.md": memory("遅延の原因")})
    said = refused(sandbox, {"fix.md": retracts("遅延")}, "phrase-too-short")
    assert "検索が遅延した" in said or "遅延した" in said or "RETRACTS: a.md" in said
    put(sandbox, {"fix.md": retracts("検索が遅延した")})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "a.md")


def test_files_named_in_japanese_are_memories_like_any_other(sandbox):
    """D9: https://github.com/garrytan/gbrain/issues/738 and pull/598."""
    files = {"場面設計.md": memory(lesson("d9a")), "設計場面.md": memory(lesson("d9b"))}
    given(sandbox, files)
    put(sandbox, {"訂正.md": retracts("[[場面設計]]")})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "場面設計.md", memory(lesson("d9a")), by="訂正")
    assert_same(sandbox, "設計場面.md", memory(lesson("d9b")))


def test_a_title_after_a_byte_order_mark_is_hit(sandbox):
    """D11: https://github.com/garrytan/gbrain/issues/4798, akitaonrails/ai-memory pull 663."""
    bom = b"\xef\xbb\xbf"
    before = bom + b"# The title of d11 row\n\nText.\n"
    given(sandbox, {"a.md": before})
    put(sandbox, {"fix.md": retracts("[[The title of d11 row]]")})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "a.md", before)


def test_one_broken_file_among_many_stops_nothing_else(sandbox):
    """E3: https://github.com/basicmachines-co/basic-memory/pull/368."""
    files = {f"{n}.md": memory(lesson(f"e3 {n}")) for n in range(50)}
    broken = {
        "x.md": b"---\nunclosed: [\n",
        "y.md": b"\xff\xfe\x00",
        "z.md": b"---\na: &a [*a]\n---\n",
    }
    given(sandbox, {**files, **broken})
    put(sandbox, {"fix.md": retracts(lesson("e3 7"))})
    sandbox.commit("Fix")
    assert is_retracted(sandbox, "7.md")
    assert "8.md" in found(sandbox, lesson("e3 8"))


@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_notes_with_any_line_ends_are_found(sandbox, end):
    """E8, E9: https://github.com/github/copilot-cli/issues/694, oh-my-claudecode pull 2285."""
    raw = memory("line ends of every kind", HIGH).encode().replace(b"\n", end)
    sandbox.save({"a.md": raw})
    assert found(sandbox, "line ends") == ["a.md"]
    assert "line ends of every kind" in recalled(sandbox)


@pytest.mark.parametrize("text", ["a\u200bb c\u202ed\u2066e f", "plain <!-- hidden --> text"])
def test_hidden_characters_do_not_save_a_memory_from_its_phrase(sandbox, text):
    """D14: https://github.com/block/berd/pull/289."""
    before = memory(f"{text} then {lesson('d14')[:10]}\u200b{lesson('d14')[10:]}")
    given(sandbox, {"a.md": before})
    put(sandbox, {"fix.md": retracts(lesson("d14"))})
    sandbox.commit("Fix")
    assert_retracted(sandbox, "a.md", before)


def test_a_link_to_a_retracted_memory_shows_none_of_its_words(sandbox):
    """A19: https://github.com/open-octo/octo-agent/issues/1089."""
    given(sandbox, {"old.md": memory(lesson("a19")), "map.md": "# Map\n\n- [[old]]\n- other\n"})
    put(sandbox, {"fix.md": retracts("old.md")})
    sandbox.commit("Fix")
    assert lesson("a19") not in spoken(sandbox, "map other")
    assert_same(sandbox, "map.md", "# Map\n\n- [[old]]\n- other\n")
