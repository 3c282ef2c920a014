"""Rule 25: what a person is told is Japanese; ids, paths, commands and JSON stay as they are."""

import json
import re

import pytest

from tests.e2e.scene import given, lesson, memory, put, refused, retracts

JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


@pytest.fixture
def told(sandbox):
    """A repository whose person reads Japanese, as `init` wrote it down; nothing else says so."""
    given(sandbox, {"a.md": memory(lesson("ja")), "b.md": memory(lesson("ja"))})
    sandbox.git("config", "memtools.lang", "ja")
    return sandbox


def test_a_graphical_program_without_a_locale_shows_japanese(told):
    said = refused(told, {"fix.md": retracts(lesson("ja"))}, "retract-ambiguous")
    first, second, hint, *choices = said.splitlines()
    assert first.startswith("memtools: fix.md:4: ") and "2 件のメモリー" in first
    assert second.startswith("fix.md:4: retract-ambiguous: ")
    assert hint == "  ヒント: 次のどれかを書いてください:"
    assert choices[0].startswith("    a.md:4  RETRACTS: ")


@pytest.mark.parametrize(
    ("marker", "rule", "words"),
    [
        ("RETRACTS: ja", "phrase-too-short", "短すぎます"),
        ("RETRACTS:", "phrase-empty", "語句かパスを書いてください"),
        ("RETRACTS\uff1a the ja cache", "marker-lookalike", "コロンが半角ではなく U+FF1A です"),
    ],
)
def test_a_refusal_says_in_one_line_what_is_wrong_and_what_to_type(told, marker, rule, words):
    said = refused(told, {"fix.md": f"# Fix\n\n{marker}\n"}, rule)
    assert words in said.splitlines()[0]
    assert "; " not in said.splitlines()[0]


def test_a_variable_overrides_what_git_says(told):
    said = refused(
        told, {"fix.md": retracts(lesson("ja"))}, "retract-ambiguous", env={"MEMTOOLS_LANG": "en"}
    )
    assert not JAPANESE.search(said)


def test_a_lock_that_git_holds_is_told_in_japanese(told):
    told.write(".git/index.lock", "")
    found = told.memtools("retract", "a.md", "--why", "x", "--apply", code=3)
    assert "別の git プロセスがここで動いています" in found.err
    assert "index.lock" in found.err and "ヒント: 終わってから" in found.err


def test_json_stays_english(told):
    put(told, {"fix.md": retracts(lesson("ja"))})
    found = told.memtools("check", "--staged", "--format", "json", code=1)
    values = json.loads(found.out)
    assert [one["rule"] for one in values["problems"]] == ["retract-ambiguous"]
    assert not JAPANESE.search(found.out)


def test_what_is_withheld_and_what_is_not_found_is_told_in_japanese(told):
    put(told, {"fix.md": retracts("a.md")})
    assert "未承認の撤回により、メモリー 1 件を保留しています: a.md" in told.memtools("recall").out
    assert "「zzzz」に一致するメモリーはありません" in told.memtools("search", "zzzz").err


def test_wrong_usage_is_told_in_japanese(told):
    found = told.memtools("restore", "a.md", code=2)
    assert "使い方が違います: '--why' がありません" in found.err
    assert "--json のことですか?" in told.memtools("doctor", "--jso", code=2).err


def test_what_became_of_a_memory_is_told_in_japanese_and_stays_english_in_json(told):
    told.memtools("retract", "a.md", "--why", "x", "--apply")
    lines = told.memtools("history", "a.md").out.splitlines()
    assert "  追加       " in lines[1] and "  撤回       " in lines[2]
    events = json.loads(told.memtools("history", "a.md", "--json").out)["events"]
    assert [event["what"] for event in events] == ["added", "retracted"]


def test_what_an_unattended_commit_left_open_is_told_in_the_language_of_the_reader(told):
    """It was noted down by a program without a language."""
    put(told, {"fix.md": retracts(lesson("ja"))})
    told.commit("vault backup", env={"MEMTOOLS_UNATTENDED": "1", "MEMTOOLS_LANG": "en"})
    checks = json.loads(told.memtools("doctor", "--json", code=1).out)["checks"]
    (found,) = [check for check in checks if check["id"] == "unattended-reports"]
    assert "is in 2 memories" in found["message"]
    put(told, {"x.txt": "x"})
    said = told.commit("A person's own").err
    assert "fix.md:4: retract-ambiguous: " in said
    assert "2 件のメモリー" in said and "in 2 memories" not in said
