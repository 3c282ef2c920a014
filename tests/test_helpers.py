"""The test world itself: it must not see or touch the person's own."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.conftest import _FREE, REAL_HOME, _guard_real_home
from tests.helpers import CHECKOUT, isolated, run


def test_inherited_git_and_memtools_variables_are_dropped(tmp_path):
    base = {"GIT_DIR": "/x", "MEMTOOLS_AGENT": "a", "LANG": "ja_JP.UTF-8", "PATH": "/bin"}
    env = isolated(base, tmp_path, tmp_path)
    assert "GIT_DIR" not in env and "MEMTOOLS_AGENT" not in env and "LANG" not in env
    assert env["PATH"] == "/bin" and env["GIT_CONFIG_GLOBAL"] == os.devnull


def test_home_of_a_test_is_a_temporary_folder():
    assert Path("~").expanduser().resolve() != REAL_HOME


@pytest.mark.skipif(
    str(REAL_HOME).startswith(_FREE), reason="home lies where tests may write: it is not guarded"
)
def test_writing_below_the_real_home_explodes():
    with pytest.raises(RuntimeError, match="real home"):
        _guard_real_home("open", (str(REAL_HOME / ".gitconfig"), "w", os.O_WRONLY))
    _guard_real_home("open", (str(REAL_HOME / ".gitconfig"), "r", os.O_RDONLY))


def test_repository_has_no_hooks_and_no_commit(repo):
    assert not repo.path(".git/hooks").exists()
    assert repo.git("rev-parse", "-q", "--verify", "HEAD", check=False).code == 1


def test_bytes_and_odd_names_come_back_as_they_were_written(repo):
    name = os.fsdecode(b"caf\xe9 *.md")
    repo.save({name: b"\xef\xbb\xbfa\r\n\xff"})
    assert repo.files() == [name]
    assert repo.show("HEAD", name) == repo.staged(name) == repo.read(name)
    assert repo.status() == ""


@pytest.mark.parametrize(
    ("args", "stdin"),
    [
        (("recall",), ""),
        (("check", "--json"), ""),
        (("search", "日本"), ""),
        (("no-such-verb",), ""),
        (("turn",), '{"hook_event_name": "SessionStart", "session_id": "s"}'),
    ],
)
def test_memtools_without_its_start_is_the_program(begun, args, stdin):
    notes = begun({"a.md": "---\npriority: high\n---\n日本の天気。\n"})
    notes.path("sub").mkdir()
    started = [sys.executable, "-m", "memtools", *args]
    full = run(started, notes.path("sub"), {"PYTHONPATH": str(CHECKOUT)}, stdin)
    warm = notes.memtools(*args, cwd="sub", input=stdin, code=full.code)
    assert _plain(warm) == _plain(full)


def _plain(result):
    """What was said, without the random name around what is handed out."""
    return [re.sub("memory-[0-9a-f]{16}", "memory", part) for part in result[1:]]
