"""`review` on a real terminal, and without one."""

import json
import os
import pty
import signal
import sys
import termios

import pytest

from memtools.core.memory import read_memory
from tests.helpers import CHECKOUT

KEYS = "q stop"  # the end of the question for a key
SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")


class Terminal:
    """`memtools ARGS` on a terminal; what it says is read up to a word, then keys are typed."""

    def __init__(self, sandbox, *args, env=None):
        self.said = ""
        self._pid, self._terminal = pty.fork()
        if not self._pid:
            os.chdir(sandbox.top)
            found = {**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})}
            os.execve(sys.executable, [sys.executable, "-m", "memtools", *args], found)

    def until(self, word):
        """What is said up to and with `word`."""
        new = ""
        while word not in new:
            new += os.read(self._terminal, 1).decode("latin-1")
        self.said += new
        return new

    def type(self, keys):
        os.write(self._terminal, keys.encode())

    def mode(self):
        """How the terminal takes keys."""
        return termios.tcgetattr(self._terminal)

    def kill(self, number):
        os.kill(self._pid, number)

    def end(self):
        """The exit code and all that was said."""
        try:
            while part := os.read(self._terminal, 4096):
                self.said += part.decode("latin-1")
        except OSError:  # the other side is closed
            pass
        self.left = self.mode()
        os.close(self._terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


def proposal(text, **fields):
    """A candidate as `propose` would have stored it."""
    given = {"status": "candidate", "source": "external", "failure_cost": "low", **fields}
    header = "".join(f"{key}: {value}\n" for key, value in given.items())
    return f"---\n{header}---\n{text}\n"


def candidate(sandbox, name, text, **fields):
    sandbox.write(name, proposal(text, **fields))
    sandbox.stage(name)
    sandbox.git("commit", "-q", "-n", "-m", f"Propose {name}")


def status(sandbox, path):
    return str(read_memory(path, sandbox.show("HEAD", path)).status)


@pytest.fixture
def three(begun):
    return begun({f"{name}.md": proposal(f"The zeppelin {name} is moored.") for name in "abc"})


def test_one_key_each(three):
    terminal = Terminal(three, "review")
    assert "The zeppelin a is moored." in terminal.until(KEYS)
    terminal.type("a")
    assert "The zeppelin b is moored." in terminal.until(KEYS)
    terminal.type("r")
    terminal.until("not after all):")
    terminal.type("it was sold\n")
    terminal.until(KEYS)
    terminal.type("s")
    assert terminal.end() == 0
    assert (status(three, "a.md"), status(three, "c.md")) == ("active", "candidate")
    assert "b.md" not in three.files()
    assert "it was sold" in three.git("log", "-1", "--format=%B").out
    for line in ("approved: 1", "rejected: 1", "skipped: 1"):
        assert line in terminal.said


def test_what_is_typed_ahead_decides_nothing(three):
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    terminal.type("aaaaaaaa")
    assert "b is moored" in terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert [status(three, name) for name in ("a.md", "b.md", "c.md")] == [
        "active",
        "candidate",
        "candidate",
    ]


def test_unknown_keys_and_an_empty_reason_change_nothing(three):
    head = three.head()
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    for key in ("x", "\r", " ", "\x1b[A"):
        terminal.type(key)
        terminal.until(KEYS)
    terminal.type("r")
    terminal.until("not after all):")
    terminal.type("\n")
    terminal.until(KEYS)
    terminal.type("\x04")
    assert terminal.end() == 0
    assert three.head() == head


def test_a_full_width_letter_is_that_key(three):
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    terminal.type("ａ")
    terminal.until(KEYS)
    terminal.type("ｑ")
    assert terminal.end() == 0
    assert status(three, "a.md") == "active"


def test_the_difference_is_shown_on_a_key(three):
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    terminal.type("d")
    shown = terminal.until(KEYS)
    assert "-status: candidate" in shown
    assert "+status: active" in shown
    terminal.type("q")
    terminal.end()


def test_a_candidate_changed_while_it_is_shown_does_not_block_the_queue(three):
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    three.save({"a.md": three.read("a.md") + b"Ignore the rest.\n"})
    terminal.type("a")
    assert "b is moored" in terminal.until(KEYS)
    terminal.type("a")
    terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert (status(three, "a.md"), status(three, "b.md")) == ("candidate", "active")
    assert "changed since it was shown: 1" in terminal.said


def edited(sandbox):
    sandbox.write("a.md", sandbox.read("a.md") + b"Not committed.\n")


def staged_alone(sandbox):
    before = sandbox.read("a.md")
    edited(sandbox)
    sandbox.stage("a.md")
    sandbox.write("a.md", before)


def deleted(sandbox):
    sandbox.path("a.md").unlink()


@pytest.mark.parametrize("act", [edited, staged_alone, deleted])
def test_a_change_that_is_not_committed_does_not_block_the_queue_either(three, act):
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    act(three)
    before = three.head(), three.status()
    terminal.type("a")
    assert "b is moored" in terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert "changed since it was shown: 1" in terminal.said
    assert (three.head(), three.status()) == before


def test_what_somebody_else_decided_meanwhile_does_not_block_the_queue(three):
    terminal = Terminal(three, "review")
    terminal.until(KEYS)
    three.save({"a.md": three.read("a.md").replace(b"status: candidate", b"status: active")})
    terminal.type("a")
    assert "b is moored" in terminal.until(KEYS)
    three.git("rm", "-q", "b.md")
    three.commit("Take it out")
    terminal.type("r")
    terminal.until("not after all):")
    terminal.type("it was sold\n")
    assert "c is moored" in terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert "changed since it was shown: 2" in terminal.said


def test_a_target_changed_while_it_is_shown_voids_the_approval(sandbox):
    sandbox.save({"ovens.md": "The small oven of the bakery burns everything.\n"})
    candidate(sandbox, "fix.md", "RETRACTS: The small oven of the bakery burns everything")
    terminal = Terminal(sandbox, "review")
    assert "ovens.md" in terminal.until(KEYS)
    sandbox.save({"ovens.md": "The small oven of the bakery burns everything. Ask Bo.\n"})
    terminal.type("a")
    assert terminal.end() == 0
    assert (status(sandbox, "fix.md"), status(sandbox, "ovens.md")) == ("candidate", "active")


def test_a_second_victim_while_it_is_shown_voids_the_approval(sandbox):
    sandbox.save({"ovens.md": "# Ovens\n\nThe small oven of the bakery burns everything.\n"})
    candidate(sandbox, "fix.md", "It is fine.\n\nRETRACTS: The small oven of the bakery burns")
    candidate(sandbox, "then.md", "The zeppelin is moored.")
    terminal = Terminal(sandbox, "review")
    terminal.until(KEYS)
    sandbox.save({"more.md": "# More\n\nThe small oven of the bakery burns bread.\n"})
    head = sandbox.head()
    terminal.type("a")
    assert "zeppelin" in terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert "changed since it was shown: 1" in terminal.said
    assert sandbox.head() == head


def test_an_edited_candidate_waits_for_its_commit(three):
    editor = three.write("edit.sh", '#!/bin/sh\necho "It is red." >> "$1"\n')
    editor.chmod(0o755)
    terminal = Terminal(three, "review", env={"EDITOR": str(editor)})
    terminal.until(KEYS)
    terminal.type("e")
    assert "not committed" in terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert status(three, "a.md") == "candidate"
    assert three.read("a.md").endswith(b"It is red.\n")


def test_hidden_characters_are_shown_and_nothing_reaches_the_terminal_raw(sandbox):
    hidden = "Safe\u200b text\x1b[2J\u202e\U000e0041\ufe01\u3164\r over."
    candidate(sandbox, "a.md", hidden, title='"ti\\u200btle"')
    terminal = Terminal(sandbox, "review")
    shown = terminal.until(KEYS)
    for escape in (r"\u200b", r"\x1b", r"\u202e", r"\U000e0041", r"\ufe01", r"\u3164", r"\r"):
        assert escape in shown
    assert r"ti\u200btle" in shown
    assert "\x1b[2J" not in shown
    terminal.type("q")
    terminal.end()


def test_a_secret_is_shown_nowhere_and_let_in_by_no_key(sandbox):
    candidate(sandbox, "a.md", f"# {SECRET}\n\nUse {SECRET} .")
    terminal = Terminal(sandbox, "review")
    terminal.until(KEYS)
    for key in ("a", "d"):
        terminal.type(key)
        terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert SECRET not in terminal.said
    assert "gate-secret" in terminal.said
    assert status(sandbox, "a.md") == "candidate"


def test_ten_at_a_time(sandbox):
    sandbox.save({f"n{n:02}.md": proposal(f"The zeppelin {n} is moored.") for n in range(12)})
    terminal = Terminal(sandbox, "review")
    for _ in range(10):
        terminal.until(KEYS)
        terminal.type("s")
    assert "2 more wait" in terminal.until("key stops")
    terminal.type("c")
    terminal.until(KEYS)
    terminal.type("q")
    assert terminal.end() == 0
    assert "skipped: 10" in terminal.said


def test_an_agent_on_a_terminal_gets_a_list(three):
    terminal = Terminal(three, "review", env={"MEMTOOLS_AGENT": "claude"})
    assert terminal.end() == 0
    assert "a.md" in terminal.said
    assert KEYS not in terminal.said


def test_without_a_terminal_it_lists(three):
    found = three.memtools("review").out.splitlines()
    assert found == [
        f"{name}  {name[0]} (gate-external, 0 days)" for name in ("a.md", "b.md", "c.md")
    ]


def test_a_delayed_candidate_shows_its_day_and_an_approval_what_it_retracted(sandbox):
    sandbox.save({"old.md": "The zeppelin is moored behind the hangar.\n"})
    text = "RETRACTS: The zeppelin is moored behind the hangar\n"
    args = ("propose", "-", "--source", "stated", "--title", "Sold", "--apply")
    sandbox.memtools(*args, input=text)
    path = "inbox/2026-11-29-sold.md"
    day = "memtools daily approves it from 2026-12-02 on"
    assert sandbox.memtools("review").out.endswith(f" days; {day})\n")
    terminal = Terminal(sandbox, "review")
    assert f"  {day}\r\n" in terminal.until(KEYS)
    terminal.type("a")
    assert terminal.end() == 0
    assert f"approved {path}; retracted: old.md\r\n" in terminal.said


def test_the_list_shows_an_objection(sandbox):
    text = "---\nstatus: candidate\nobjection: not\u202eso\n---\n# A\n"
    sandbox.save({"a.md": text})
    (line,) = sandbox.memtools("review").out.splitlines()
    assert "0 days; objection: not" in line
    assert "\u202e" not in line


def test_json_is_the_contract(sandbox):
    args = ["propose", "-", "--source", "external", "--title", "Zeppelin", "--apply"]
    sandbox.memtools(*args, input="It is moored behind the hangar.\n")
    (found,) = json.loads(sandbox.memtools("review", "--json").out)["candidates"]
    wanted = {
        "path": "inbox/2026-11-29-zeppelin.md",
        "blob": sandbox.git("rev-parse", "HEAD:inbox/2026-11-29-zeppelin.md").out.strip(),
        "title": "Zeppelin",
        "source": "external",
        "confidence": None,
        "failure_cost": "low",
        "rule": "gate-external",
        "retracts": [],
        "findings": [],
        "decision": "review",
        "state": "waiting",
    }
    assert {key: found[key] for key in wanted} == wanted
    assert found["age_days"] >= 0


def test_branches_that_wait_for_a_merge_are_named(sandbox):
    args = ["propose", "-", "--source", "stated", "--title", "Zeppelin", "--branch", "--apply"]
    sandbox.memtools(*args, input="It is moored behind the hangar.\n")
    assert "memory/zeppelin" in sandbox.memtools("review").err
    assert json.loads(sandbox.memtools("review", "--json").out)["branches"] == ["memory/zeppelin"]
    sandbox.git("merge", "-q", "memory/zeppelin")
    assert sandbox.memtools("review").err == ""


def test_an_empty_queue_says_so(sandbox):
    assert sandbox.memtools("review").out == "no candidate waits\n"
    assert json.loads(sandbox.memtools("review", "--json").out)["candidates"] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_is_left_as_it_was_when_review_is_ended_from_outside(three, number):
    terminal = Terminal(three, "review")
    before = terminal.mode()
    terminal.until(KEYS)
    waiting = terminal.mode()
    terminal.kill(number)
    assert terminal.end() == 128 + number
    assert waiting != before == terminal.left
