"""Names in a repository are UTF-8, whatever the locale of the person or program says."""

import shutil
import subprocess

import pytest

from tests.helpers import longer

# What Python must not be told: then it would take UTF-8 by itself in the C locale.
ASCII = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}


@pytest.fixture(scope="session")
def latin(tmp_path_factory):
    """The variables of a person with a Latin-1 locale, made for this run."""
    if shutil.which("localedef") is None:
        pytest.skip("no localedef to make a Latin-1 locale with")
    folder = tmp_path_factory.mktemp("locales")
    made = folder / "en_US.ISO-8859-1"
    argv = ["localedef", "-i", "en_US", "-f", "ISO-8859-1", str(made)]
    subprocess.run(argv, check=False, capture_output=True)
    if not made.exists():
        pytest.skip("localedef has no sources for a Latin-1 locale")
    return {"LOCPATH": str(folder), "LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0"}


@pytest.fixture(params=["C", *longer("POSIX"), "ascii", "latin"])
def env(request):
    if request.param == "latin":
        return request.getfixturevalue("latin")
    return ASCII if request.param == "ascii" else {"LC_ALL": request.param}


@pytest.fixture
def notes(begun):
    return begun({"メモ.md": "---\ntitle: 原因\n---\nディスクキャッシュが原因でした。\n"})


def test_a_commit_retracts_by_japanese_names(notes, env):
    notes.write("訂正.md", "---\ntitle: 訂正\n---\nRETRACTS: [[メモ]]\n")
    notes.stage()
    notes.commit(env=env)
    tombstone = notes.show("HEAD", "メモ.md").decode()
    assert "\nstatus: retracted\n" in tombstone
    assert '\nretracted_by: "[[訂正]]"\n' in tombstone
    assert notes.status() == ""
    log = notes.path(".git/memtools/log/retractions").read_text("utf-8")
    assert "訂正.md:4" in log


def test_commands_find_and_write_the_same_under_every_locale(notes, env):
    assert "メモ.md" in notes.memtools("search", "--json", "原因", env=env).out
    notes.memtools("retract", "メモ.md", "--why", "理由", "--apply", env=env)
    assert "retracted_reason: 理由\n" in notes.show("HEAD", "メモ.md").decode()
    assert notes.status() == ""
    notes.memtools("restore", "メモ.md", "--why", "再び", "--drop-marker", "--apply", env=env)
    assert "restored_reason: 再び\n" in notes.show("HEAD", "メモ.md").decode()
    notes.memtools("new", "新しい", env=env)
    assert notes.read("新しい.md").decode().startswith("# 新しい\n")
    notes.memtools("check", "--all", env=env)
