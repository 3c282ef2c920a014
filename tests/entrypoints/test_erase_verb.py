"""`erase` as a person types it."""

import json

import pytest

MEMORY = "# Where Taro lives\n\nTaro lives in the old harbour, pier 9.\n"


@pytest.fixture
def notes(sandbox):
    sandbox.save({"private.md": MEMORY, "other.md": "# Other\n\nNothing of the kind.\n"})
    sandbox.git("remote", "add", "origin", "https://user:word@forge.example/notes.git")
    return sandbox


def test_a_dry_run_says_what_goes_and_what_is_lost(notes):
    before = notes.head()
    notes.write("other.md", "Changed.\n")
    told = notes.memtools("erase", "private.md").out
    assert "goes, at every commit: private.md" in told
    assert "LOST, not committed: other.md" in told
    assert notes.head() == before
    result = notes.memtools("erase", "private.md", "--apply", code=1)
    assert "--discard" in result.err and notes.head() == before


def test_applied_it_proves_and_names_what_is_out_of_reach(notes, tmp_path):
    (tmp_path / "old").mkdir()
    args = ("erase", "private.md", "--backup", str(tmp_path / "old"), "--apply", "--json")
    found = json.loads(notes.memtools(*args).out)
    assert found["applied"] and found["proof"]["left"] == []
    assert found.keys() >= {
        "schema_version", "paths", "versions", "texts", "copies", "changed", "quoted", "commits",
        "losses", "unreachable",
    }  # fmt: skip
    reach = " ".join(found["unreachable"])
    assert "git push --force origin" in reach and "word" not in reach.replace("words", "")
    assert [path.suffix for path in (tmp_path / "old").iterdir()] == [".bundle"]
    assert notes.files() == [".memtools.toml", "other.md"]


def test_a_text_is_never_printed(notes):
    told = notes.memtools("erase", "--text", "pier 9", "--apply")
    assert "pier 9" not in told.out + told.err
    assert notes.show("HEAD", "private.md").endswith(b"harbour, [erased].\n")


def test_an_agent_is_refused(notes):
    notes.memtools("erase", "private.md", "--apply", code=4, env={"MEMTOOLS_AGENT": "claude"})


@pytest.mark.parametrize(("args", "code"), [([], 2), (["--text", "ab"], 2), (["none.md"], 1)])
def test_what_names_nothing_is_refused(notes, args, code):
    notes.memtools("erase", *args, code=code)
