"""`propose` as a person or an agent types it."""

import json
import os
import pty

import pytest

from memtools.entrypoints import text
from tests.helpers import CHECKOUT

SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"


@pytest.fixture(autouse=True)
def _language():
    text.language.cache_clear()


def asked(sandbox, *args, code=0, input="Answer in English.\n", **env):
    result = sandbox.memtools("propose", *args, "--json", code=code, input=input, env=env)
    return json.loads(result.out)


def test_json_has_the_keys_of_the_contract(sandbox):
    found = asked(sandbox, "-", "--source", "stated", "--title", "Language")
    assert found.keys() >= {
        "schema_version", "decision", "rule", "reasons", "path", "approve_after", "lookalikes",
        "findings",
    }  # fmt: skip
    assert found["path"] == "inbox/2026-11-29-language.md"


def test_who_is_no_person_at_a_terminal_moves_one_step_towards_one(sandbox):
    assert asked(sandbox, "--source", "stated")["decision"] == "delayed"
    found = asked(sandbox, "-", "--source", "stated", "--apply", MEMTOOLS_AGENT="claude")
    assert found["decision"] == "delayed"
    assert b"proposed_by: claude\n" in sandbox.read(found["path"])
    assert "Memtools-Agent: claude\n" in sandbox.git("log", "-1", "--format=%B").out


def test_a_delayed_candidate_says_how_to_object_and_how_to_approve(sandbox):
    args = ("propose", "-", "--source", "stated", "--title", "Language", "--apply")
    said = sandbox.memtools(*args, input="Answer in English.\n").out
    path = "inbox/2026-11-29-language.md"
    assert f"memtools reject {path} --why" in said and "objection: WHY" in said
    assert f"memtools approve {path} --apply" in said
    assert "memtools daily approves it from 2026-12-02 on" in said
    assert max(map(len, said.splitlines())) < 100


def at_a_terminal(sandbox, *args):
    """What `propose note.md` prints to a person."""
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "NO_COLOR": "1"}
    argv = ["python", "-m", "memtools", "-C", str(sandbox.top), "propose", "note.md"]
    pid, terminal = pty.fork()
    if not pid:
        import sys

        os.execve(sys.executable, [*argv, *args], env)
    said = b""
    try:
        while piece := os.read(terminal, 4096):
            said += piece
    except OSError:  # the other end is gone
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    return said.decode()


def test_a_person_at_a_terminal_is_taken_at_their_word(sandbox):
    sandbox.write("note.md", "Answer in English.\n")
    assert "auto (gate-stated)" in at_a_terminal(sandbox, "--source", "stated")


def test_a_person_is_told_how_to_approve_what_was_stored_and_an_agent_is_not(sandbox):
    sandbox.write("note.md", "Answer in English.\n")
    told = at_a_terminal(sandbox, "--source", "external", "--title", "One", "--apply")
    assert "memtools approve inbox/" in told
    done = sandbox.memtools("propose", "note.md", "--source", "external", "--apply")
    assert "stored as a candidate" in done.out and "approve" not in done.err


def test_a_rejected_candidate_is_exit_4_and_never_printed(sandbox):
    sandbox.write("key.md", f"# A key\n\nUse {SECRET} .\n")
    result = sandbox.memtools("propose", "key.md", "--source", "stated", "--apply", code=4)
    assert "gate-secret" in result.out
    assert "line 3" in result.out
    assert SECRET[4:] not in result.out + result.err
    found = asked(sandbox, "key.md", "--source", "stated", code=4)
    assert {(one["kind"], one["line"]) for one in found["findings"]} == {("secret", 3)}


def test_dry_run_beside_apply_wins(sandbox):
    before = sandbox.head()
    asked(sandbox, "-", "--source", "stated", "--apply", "--dry-run")
    assert sandbox.head() == before


@pytest.mark.parametrize(
    "args",
    [
        ["-"],
        ["-", "--source", "rumour"],
        ["-", "--source", "stated", "--confidence", "2"],
        ["-", "--source", "stated", "--confidence", "-1"],
        ["-", "--source", "stated", "--confidence", "much"],
        ["missing.md", "--source", "stated"],
        [".", "--source", "stated"],
    ],
)
def test_wrong_usage_is_2(sandbox, args):
    sandbox.memtools("propose", *args, code=2, input="Text.\n")


def test_wrong_usage_names_the_option_that_is_wrong(sandbox):
    args = ("propose", "-", "--source", "stated", "--confidence", "nan")
    said = sandbox.memtools(*args, code=2, input="Text.\n").err
    assert "a confidence is a number from 0 to 1" in said


def test_a_confidence_may_be_written_in_any_way_a_number_is(sandbox):
    found = asked(sandbox, "-", "--source", "stated", "--confidence", "9e-1")
    assert found["decision"] == "delayed"


def test_what_can_be_no_memory_is_1(sandbox):
    sandbox.memtools("propose", "--source", "stated", "--apply", code=1, input=b"a\0b")


def test_it_says_what_it_does_in_japanese(sandbox):
    env = {"MEMTOOLS_LANG": "ja"}
    args = ("propose", "-", "--source", "stated", "--apply")
    result = sandbox.memtools(*args, env=env, input="日本語で回答する。\n")
    assert "候補として保存しました" in result.out


def test_a_candidate_is_in_no_render_and_no_export(sandbox):
    text = "---\npriority: high\n---\nThe zeppelin is moored behind the hangar.\n"
    found = asked(sandbox, "-", "--source", "external", "--apply", input=text)
    assert found["path"] in sandbox.files()
    for args in (["export", "--to", "ndjson"], ["recall", "--query", "zeppelin"]):
        assert "zeppelin" not in sandbox.memtools(*args).out
    sandbox.memtools("render", "--to", "AGENTS.md")
    assert b"zeppelin" not in sandbox.read("AGENTS.md")


def test_what_a_candidate_would_retract_is_said_with_the_place_of_its_line(sandbox):
    sandbox.save({"a.md": "---\npriority: high\n---\nThe cache was the cause.\n"})
    line = "RETRACTS: The cache was the cause.\n"
    args = ("propose", "-", "--source", "extracted", "--title", "Fix", "--apply", "--json")
    found = json.loads(sandbox.memtools(*args, input=line).out)
    (victim,) = found["retracts"]
    assert victim["declared_in"] == found["path"]
    stored = sandbox.read(found["path"]).decode().split("\n")
    assert stored[victim["declared_line"] - 1] + "\n" == line
