"""`export`: rows for another search system; what may not be read any more is a delete."""

import json

import pytest

from tests.helpers import copied

HIGH = "---\npriority: high\n---\n"
NOTES = {
    "wrong.md": HIGH + "The cache was the root cause of it all.\n",
    "right.md": "---\ntitle: Right\nscope: alpha\ntags: [a, b]\nid: r1\nsource: stated\n---\n"
    "Blue.\n",
    "draft.md": "---\nstatus: candidate\n---\nNobody approved this.\n",
    "old.md": "---\nstatus: retracted\n---\nLong gone.\n",
    "fix.md": "It was DNS.\n\nRETRACTS: A sentence that is nowhere to be found\n",
}


@pytest.fixture(scope="module")
def template(_installed_template, tmp_path_factory):
    made = copied(_installed_template, tmp_path_factory.mktemp("export") / "repo")
    made.save(NOTES, "Start")
    return made


@pytest.fixture
def notes(template, tmp_path):
    return copied(template, tmp_path / "repo")


def rows(repo, *args):
    out = repo.memtools("export", "--to", "ndjson", *args).out
    return [json.loads(line) for line in out.splitlines()]


def ops(repo, *args):
    return {row["path"]: row["op"] for row in rows(repo, *args)}


def test_every_memory_that_may_be_read_is_a_row(notes):
    found = rows(notes)
    assert [row["path"] for row in found] == ["fix.md", "right.md", "wrong.md"]
    assert {row["op"] for row in found} == {"upsert"}
    assert found[0]["text"] == "It was DNS."
    assert found[1] == {
        "schema_version": 1,
        "op": "upsert",
        "path": "right.md",
        "id": "r1",
        "blob": notes.git("rev-parse", "HEAD:right.md").out.strip(),
        "commit": notes.head(),
        "title": "Right",
        "text": "Blue.",
        "priority": "normal",
        "scope": "alpha",
        "tags": ["a", "b"],
        "source": "stated",
        "confidence": None,
        "created": "",
    }


def test_since_a_revision_only_what_differs_is_a_row(notes):
    assert rows(notes, "--since", "HEAD") == []
    start = notes.head()
    notes.save({"now.md": "RETRACTS: The cache was the root cause of it all.\n"})
    notes.save({"right.md": NOTES["right.md"].replace("Blue", "Green")})
    notes.save({"draft.md": NOTES["draft.md"].replace("candidate", "active")})
    notes.git("mv", "fix.md", "moved.md")
    notes.commit("Move")
    assert ops(notes, "--since", start) == {
        "draft.md": "upsert",
        "fix.md": "delete",
        "moved.md": "upsert",
        "now.md": "upsert",
        "right.md": "upsert",
        "wrong.md": "delete",
    }
    gone = next(row for row in rows(notes, "--since", start) if row["path"] == "wrong.md")
    assert gone == {
        "schema_version": 1,
        "op": "delete",
        "path": "wrong.md",
        "id": "wrong",
        "blob": notes.git("rev-parse", f"{start}:wrong.md").out.strip(),
        "commit": notes.head(),
    }


def test_an_open_marker_and_an_unapproved_retraction_are_deletes(notes):
    start = notes.head()
    notes.write("now.md", "RETRACTS: The cache was the root cause of it all.\n")
    notes.stage("now.md")
    assert ops(notes, "--since", start) == {"wrong.md": "delete"}
    notes.commit("Fix", "--no-verify")
    assert ops(notes, "--since", start) == {"now.md": "upsert", "wrong.md": "delete"}
    assert ops(notes, "--since", "HEAD") == {}
    notes.write("right.md", NOTES["right.md"].replace("title", "status: retracted\ntitle"))
    assert ops(notes, "--since", "HEAD") == {"right.md": "delete"}
    assert "right.md" not in ops(notes)


def test_a_marker_that_goes_gives_its_victim_back(notes):
    notes.write("now.md", "RETRACTS: The cache was the root cause of it all.\n")
    notes.stage("now.md")
    notes.commit("Fix", "--no-verify")
    notes.git("revert", "--no-edit", "HEAD")
    assert ops(notes, "--since", "HEAD~1") == {"now.md": "delete", "wrong.md": "upsert"}


def test_a_memory_whose_scope_is_unclear_is_no_row(notes):
    notes.save({"many.md": "---\nscope: [a, b]\n---\nThe cache is ours.\n"})
    assert "many.md" not in ops(notes)
    assert ops(notes, "--since", "HEAD~1") == {}


def test_other_settings_change_what_is_exported(notes):
    start = notes.head()
    notes.save({".memtools.toml": 'exclude = ["right.md"]\n'})
    assert ops(notes, "--since", start) == {"right.md": "delete"}


def test_a_bound_reader_exports_the_approved_ref(notes):
    notes.git("branch", "approved")
    start = notes.head()
    notes.save({"new.md": "Not merged yet.\n"})
    notes.git("config", "memtools.readRef", "approved")
    assert "new.md" not in ops(notes)
    assert {row["commit"] for row in rows(notes)} == {start}


def test_wrong_usage_is_2(notes):
    notes.memtools("export", code=2)
    notes.memtools("export", "--to", "postgres", code=2)
    notes.memtools("export", "--to", "ndjson", "--since", "nowhere", code=2)
    notes.memtools("export", "--to", "ndjson", "--since=-x", code=2)


def test_an_empty_repository_has_no_rows(repo):
    assert rows(repo) == []
