"""What is printed, and that nothing printed can harm a terminal or crash on an odd one."""

import io
import json
import sys

import pytest

from memtools.core.problem import problem
from memtools.core.wording import lines, say
from memtools.entrypoints import text
from memtools.entrypoints.japanese import JA
from memtools.entrypoints.streams import prepare_streams
from memtools.errors import GitError
from memtools.usecases.outcome import Outcome

HOSTILE = "\x1b]0;pwned\x07\x9b31m\u202egnp.exe\udcff\r\n"


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    monkeypatch.setenv("MEMTOOLS_LANG", "en")
    text.language.cache_clear()
    yield
    text.language.cache_clear()


@pytest.fixture
def japanese(monkeypatch):
    monkeypatch.setenv("MEMTOOLS_LANG", "ja")
    monkeypatch.setitem(JA, "{count} hits", "{count} 件")
    monkeypatch.setitem(JA, "found: {what}", "見つかりました: {what}")


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def is_harmless(shown):
    return all(ch.isprintable() or ch in "\t\n" for ch in shown)


def test_a_problem_is_shown_with_place_rule_and_hint_on_stderr(capsys):
    text.show_problem(problem("a.md", 3, "phrase-empty", "no phrase", "type one"))
    out, err = capsys.readouterr()
    assert (out, err) == ("", "a.md:3: phrase-empty: no phrase\n  hint: type one\n")


def test_a_problem_without_a_line_or_a_path_names_what_it_has(capsys):
    text.show_problems(
        [problem("a.md", 0, "phrase-empty", "x"), problem("", 0, "phrase-empty", "y")]
    )
    assert capsys.readouterr().err == "a.md: phrase-empty: x\nmemtools: phrase-empty: y\n"


def test_an_error_says_what_to_type(capsys):
    text.show_error(GitError("no repository", "type: memtools init"))
    assert capsys.readouterr().err == "memtools: no repository\n  hint: type: memtools init\n"


def test_nothing_from_a_memory_reaches_the_terminal_raw(capsys):
    text.result(HOSTILE)
    text.row("a", HOSTILE)
    text.note(HOSTILE)
    text.block(f"{HOSTILE}\n{HOSTILE}")
    text.show_problem(problem(HOSTILE, 1, "phrase-empty", HOSTILE, HOSTILE))
    text.show_error(GitError(HOSTILE, HOSTILE))
    text.show_json({"text": HOSTILE})
    out, err = capsys.readouterr()
    assert is_harmless(out) and is_harmless(err)
    assert "\\x1b]0;pwned" in out


def test_a_block_keeps_its_lines(capsys):
    text.block("one\r\ntwo\n")
    assert capsys.readouterr().out == "one\ntwo\n\n"


def test_json_says_its_version_and_keeps_every_character(capsys):
    text.show_json({"text": HOSTILE, "word": "根本原因", "far": "\U000e0041"})
    out = capsys.readouterr().out
    assert json.loads(out) == {
        "schema_version": 1,
        "text": HOSTILE,
        "word": "根本原因",
        "far": "\U000e0041",
    }
    assert "根本原因" in out


def test_json_stays_english_and_holds_all_of_a_problem(japanese):
    found = problem("a.md", 3, "phrase-empty", say("{count} hits", count=2))
    assert text.problem_values(found) == {
        "path": "a.md",
        "line": 3,
        "rule": "phrase-empty",
        "severity": "error",
        "message": "2 hits",
        "hint": "",
    }


@pytest.mark.parametrize("codec", ["ascii", "latin-1", "cp932", "utf-8"])
def test_any_encoding_takes_any_text(monkeypatch, codec):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=codec))
    text.result("日本 \U0001f600 \udcff é")
    text.show_json({"text": "日本 \U0001f600 \udcff é"})
    sys.stdout.flush()
    shown = raw.getvalue().decode(codec).splitlines()
    assert json.loads(shown[1])["text"] == "日本 \U0001f600 \udcff é"


def test_prepared_streams_take_any_text_too(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    prepare_streams()
    sys.stdout.write("日\n")
    sys.stdout.flush()
    assert raw.getvalue() == b"\\u65e5\n"


def test_colours_are_for_terminals_only(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for stream, coloured in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stdout", stream)
        text.result("x", "red", "bold")
        assert stream.getvalue() == ("\033[31;1mx\033[0m\n" if coloured else "x\n")


@pytest.mark.parametrize("name", [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_who_wants_no_colours_gets_none(monkeypatch, name):
    monkeypatch.setenv(*name)
    monkeypatch.setattr(sys, "stdout", Terminal())
    text.result("x", "red")
    assert sys.stdout.getvalue() == "x\n"


def test_a_closed_stream_is_no_terminal_and_swallows_text(monkeypatch):
    closed = io.StringIO()
    closed.close()
    assert not text.is_terminal(closed)
    monkeypatch.setattr(sys, "stdout", None)
    text.result("x")


def test_a_sentence_is_said_in_japanese_with_its_values(japanese):
    inner = say("{count} hits", count=2)
    assert text.sentence(inner) == "2 件"
    assert text.sentence(say("found: {what}", what=inner)) == "見つかりました: 2 件"


def test_lines_of_ours_stay_and_line_ends_of_a_memory_do_not(japanese):
    shown = text.sentence(lines(["one", "two\nthree", say("{count} hits", count=2)]))
    assert shown == "one\n    two\\nthree\n    2 件"
    assert text.sentence(say("broken: {error}", error=OSError("\x1b[2J"))) == "broken: \\x1b[2J"
    assert text.sentence(say("{share:.1f} of them", share=0.25)) == "0.2 of them"


def test_what_has_no_twin_stays_english(japanese):
    assert text.sentence(say("nobody knows {this}", this=1)) == "nobody knows 1"
    assert text.sentence("plain") == "plain"


def test_the_language_comes_from_git_when_no_variable_says_it(repo, monkeypatch):
    monkeypatch.delenv("MEMTOOLS_LANG")
    monkeypatch.chdir(repo.top)
    monkeypatch.setitem(JA, "{count} hits", "{count} 件")
    repo.git("config", "memtools.lang", "ja")
    assert text.sentence(say("{count} hits", count=2)) == "2 件"


def test_a_refused_commit_begins_with_one_whole_line(repo, capsys):
    long = "word " * 60
    warning = problem("b.md", 1, "retract-no-match", "found nothing")
    refusal = problem("notes/a.md", 3, "retract-ambiguous", long, f"type {long}")
    text.print_outcome(Outcome(1, (warning, refusal), ("done",)))
    out, err = capsys.readouterr()
    shown = err.splitlines()
    assert out == ""
    assert shown[0].startswith("memtools: notes/a.md:3: word") and "; type word" in shown[0]
    assert len(shown[0]) <= 160
    assert shown[1].startswith("notes/a.md:3: retract-ambiguous: word")
    assert shown[-2:] == ["b.md:1: retract-no-match: found nothing", "done"]


def test_the_first_line_holds_a_short_refusal_whole():
    refusal = problem("a.md", 3, "phrase-empty", "no phrase", "type one")
    assert text.headline(refusal) == "memtools: a.md:3: no phrase; type one"
    far = problem("x/" * 100 + "a.md", 3, "phrase-empty", "no phrase")
    assert len(text.headline(far)) <= 160 and "a.md:3: no phrase" in text.headline(far)


def test_an_outcome_that_is_fine_has_no_headline(capsys):
    text.print_outcome(Outcome(0, (), ("retracted notes/a.md",)))
    assert capsys.readouterr().err == "retracted notes/a.md\n"


def test_a_hook_that_failed_says_how_to_go_on(capsys):
    text.print_hook_failure(GitError("a lock is held"), "pre-commit")
    assert "git commit -n" in capsys.readouterr().err
    text.print_hook_failure(None, "post-commit")
    assert capsys.readouterr().err == "type: memtools doctor\n"
