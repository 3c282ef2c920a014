"""`new` as a person types it."""

import json
import os
import pty
import sys

import pytest

from memtools.entrypoints import text
from memtools.entrypoints.main import main
from tests.helpers import CHECKOUT


@pytest.fixture
def notes(sandbox, monkeypatch):
    monkeypatch.chdir(sandbox.top)
    text.language.cache_clear()
    return sandbox


def test_it_prints_the_path_and_starts_no_editor_off_a_terminal(notes, capsys, monkeypatch):
    monkeypatch.setenv("EDITOR", "touch edited")
    assert main(["new", "場面設計", "--priority", "high", "--tag", "a", "--tag", "b"]) == 0
    assert capsys.readouterr().out == "場面設計.md\n"
    assert notes.read("場面設計.md").decode() == (
        "---\ntitle: 場面設計\npriority: high\ntags:\n- a\n- b\n---\n"
    )
    assert not notes.path("edited").exists()


def test_json_names_path_and_title(notes, capsys):
    assert main(["new", "A b", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == {"schema_version": 1, "path": "a-b.md", "title": "A b"}


@pytest.mark.parametrize("args", [["new"], ["new", ""], ["new", "A", "--priority", "loud"]])
def test_wrong_usage_is_2(notes, capsys, args):
    assert main(args) == 2
    assert notes.status() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
@pytest.mark.parametrize("variable", ["VISUAL", "EDITOR"])
def test_on_a_terminal_the_editor_opens_the_file(notes, variable):
    editor = notes.write("ed it.sh", '#!/bin/sh\nprintf "%s" "$1" > seen; echo written >> "$2"\n')
    editor.chmod(0o755)
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), variable: f"'{editor}' -w"}
    pid, terminal = pty.fork()
    if not pid:
        os.execve(sys.executable, [sys.executable, "-m", "memtools", "new", "A"], env)
    said = b""
    try:
        while part := os.read(terminal, 1000):
            said += part
    except OSError:  # the other side is closed
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert said.decode().endswith("a.md\r\n")
    assert notes.read("seen") == b"-w"
    assert notes.read("a.md") == b"# A\nwritten\n"
