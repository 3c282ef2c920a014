"""`demo`: the whole story, run for real; the first thing somebody types on a fresh machine."""

import os
import sys
from pathlib import Path

import pytest

from memtools.entrypoints.main import main
from tests.helpers import CHECKOUT, longer, run


def told(tmp_path, *args, **variables):
    """Run the demo as on a fresh machine: an empty home, no git settings, nothing of ours."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    (tmp_path / "tmp").mkdir(exist_ok=True)
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(CHECKOUT),
        "TMPDIR": str(tmp_path / "tmp"),
        **variables,
    }
    argv = ["env", "-i", *(f"{key}={value}" for key, value in env.items())]
    found = run([*argv, sys.executable, "-m", "memtools", "demo", *args], tmp_path)
    assert found.code == 0, found
    assert list(home.iterdir()) == []
    return found.out


def after(story, command):
    """What a command printed, the last time it was run."""
    return story.rpartition(f"$ {command}\n")[2].partition("\n$ ")[0].partition("\n\n#")[0]


def test_the_story_is_told_and_nothing_is_left(tmp_path):
    story = told(tmp_path)
    assert list((tmp_path / "tmp").iterdir()) == []
    before, fix, rest = story.partition("$ cat fix.md\n")
    retracted, way_back, restored = rest.partition("$ memtools restore sync.md")
    assert "the root cause is the DNS cache" in after(before, "memtools recall")
    assert fix and way_back
    assert "retracted sync.md:6" in retracted
    stat = after(retracted, "git show --stat --format=%s")
    assert "fix.md" in stat
    assert "sync.md" in stat
    diff = after(retracted, "git diff HEAD^ -- sync.md")
    changed = [line for line in diff.split("\n") if line[:1] in "+-" and line[3:4] != " "]
    assert all("retracted" in line for line in changed[1:]), changed
    assert "the root cause is the DNS cache" not in after(retracted, "memtools recall")
    assert "sync.md" not in after(retracted, 'memtools search "sync"')
    assert "the root cause is the DNS cache" in after(restored, "memtools recall")


def test_the_persons_variables_do_not_get_in(tmp_path):
    variables = {
        "GIT_DIR": "/nowhere",
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "MEMTOOLS_AGENT": "claude",
        "MEMTOOLS_READ_REF": "origin/main",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": "/nowhere",
    }
    assert "restored sync.md" in told(tmp_path, **variables)


def test_the_folder_stays_when_it_is_asked_for(tmp_path):
    told(tmp_path, "--keep", "kept/here")
    assert (tmp_path / "kept" / "here" / "fix.md").is_file()
    log = run(["git", "log", "--format=%an <%ae>"], tmp_path / "kept" / "here").out
    assert set(log.split("\n")[:-1]) == {"Demo <demo@example.com>"}


def test_a_folder_that_holds_something_is_not_used(tmp_path, capsys):
    (tmp_path / "mine.md").write_text("mine")
    assert main(["demo", "--keep", str(tmp_path)]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]


@pytest.mark.parametrize("place", [*longer("relative"), "with space/日本"])
def test_any_name_will_do(tmp_path, place):
    told(tmp_path, "--keep", place, LC_ALL="C.UTF-8")
    assert Path(tmp_path, place, "sync.md").is_file()


def test_the_story_is_told_in_japanese_by_its_commands_too(tmp_path):
    story = told(tmp_path, MEMTOOLS_LANG="ja")
    assert "# 空のフォルダーを" in story
    assert "を書き込みました" in story and "を撤回しました" in story
    assert "wrote " not in story
