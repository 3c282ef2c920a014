"""`approve` and `reject` as a person types them."""

import json
import os
import pty
import sys

import pytest

from memtools.core.memory import read_memory
from tests.helpers import CHECKOUT

FACT = "The zeppelin of the team is moored behind the hangar.\n"


@pytest.fixture
def inbox(sandbox):
    """A repository with one candidate, and the answer of `propose`."""
    args = ["propose", "-", "--source", "external", "--title", "Zeppelin", "--apply", "--json"]
    return sandbox, json.loads(sandbox.memtools(*args, input=FACT).out)


def status(sandbox, path):
    return str(read_memory(path, sandbox.show("HEAD", path)).status)


def at_terminal(sandbox, *args, keys=b"", env=None):
    """What is said on a terminal, and the exit code."""
    pid, terminal = pty.fork()
    if not pid:
        os.chdir(sandbox.top)
        found = {**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})}
        os.execve(sys.executable, [sys.executable, "-m", "memtools", *args], found)
    os.write(terminal, keys)
    said = b""
    try:
        while part := os.read(terminal, 4096):
            said += part
    except OSError:  # the other side is closed
        pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode()


def test_a_dry_run_shows_the_bytes_it_is_about(inbox):
    sandbox, made = inbox
    found = sandbox.memtools("approve", made["path"])
    assert made["blob"] in found.out
    assert "it comes from outside (gate-external)" in found.out
    assert status(sandbox, made["path"]) == "candidate"


def test_json_names_what_is_bound_to(inbox):
    sandbox, made = inbox
    found = json.loads(sandbox.memtools("approve", made["path"], "--json").out)
    assert found == {
        "schema_version": 1,
        "path": made["path"],
        "blob": made["blob"],
        "title": "Zeppelin",
        "rule": "gate-external",
        "reasons": ["it comes from outside"],
        "findings": [],
        "retracts": [],
        "applied": False,
        "objection": "",
    }


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_an_objection_is_named_and_a_person_decides_all_the_same(inbox):
    sandbox, made = inbox
    text = sandbox.read(made["path"]).replace(b"status:", b"objection: not\xe2\x80\xaeso\nstatus:")
    sandbox.save({made["path"]: text})
    assert "  objection: not\\u202eso\n" in sandbox.memtools("approve", made["path"]).out
    code, said = at_terminal(sandbox, "approve", made["path"], "--apply")
    assert (code, status(sandbox, made["path"])) == (0, "active")
    assert "objection: not\\u202eso" in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_a_person_at_a_terminal_approves(inbox):
    sandbox, made = inbox
    code, said = at_terminal(sandbox, "approve", made["path"], "--blob", made["blob"], "--apply")
    assert (code, status(sandbox, made["path"])) == (0, "active")
    assert f"approved {made['path']}" in said


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_other_bytes_than_named_are_1(inbox):
    sandbox, made = inbox
    sandbox.save({made["path"]: sandbox.read(made["path"]) + b"More.\n"})
    code, said = at_terminal(sandbox, "approve", made["path"], "--blob", made["blob"], "--apply")
    assert (code, status(sandbox, made["path"])) == (1, "candidate")
    assert "is not what was shown" in said


def test_without_a_terminal_nothing_is_approved(inbox):
    sandbox, made = inbox
    found = sandbox.memtools("approve", made["path"], "--apply", code=4)
    assert "terminal" in found.err
    assert status(sandbox, made["path"]) == "candidate"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_an_agent_at_a_terminal_is_refused(inbox):
    sandbox, made = inbox
    for args in (["approve", made["path"]], ["reject", made["path"], "--why", "no"]):
        code, said = at_terminal(sandbox, *args, "--apply", env={"MEMTOOLS_AGENT": "claude"})
        assert (code, status(sandbox, made["path"])) == (4, "candidate")
        assert "an agent cannot decide" in said


def test_a_rejection_needs_no_terminal(inbox):
    sandbox, made = inbox
    shown = sandbox.memtools("reject", made["path"], "--why", "it was sold")
    assert shown.out.startswith(f"would reject {made['path']} (gate-external)\n")
    found = sandbox.memtools("reject", made["path"], "--why", "it was sold", "--apply", "--json")
    assert json.loads(found.out) == {
        "schema_version": 1,
        "path": made["path"],
        "blob": made["blob"],
        "rule": "gate-external",
        "why": "it was sold",
        "applied": True,
    }
    assert made["path"] not in sandbox.files()


def test_dry_run_is_stronger_than_apply(inbox):
    sandbox, made = inbox
    before = sandbox.head()
    sandbox.memtools("approve", made["path"], "--apply", "--dry-run")
    sandbox.memtools("reject", made["path"], "--why", "no", "--apply", "--dry-run")
    assert sandbox.head() == before


@pytest.mark.parametrize("args", [["approve"], ["reject", "a.md"], ["reject", "--why", "no"]])
def test_wrong_usage_is_2(sandbox, args):
    sandbox.memtools(*args, code=2)
