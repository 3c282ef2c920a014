"""Explain says where a memory speaks, and for each place it does not, why."""

import pytest

from memtools.errors import RefusedError
from memtools.usecases.reading.explain import explain
from memtools.usecases.repository import open_repository

HIGH = "---\npriority: high\n---\nAlways pin the parser.\n"


def ask(repo, address):
    return explain(open_repository(str(repo.top)), address)


def reasons(repo, address):
    found = ask(repo, address)
    assert not found.in_search and not found.in_activation
    return "; ".join(found.why_not_search)


def test_a_memory_of_high_priority_is_in_both(sandbox):
    sandbox.save({"a.md": HIGH})
    found = ask(sandbox, "pin the parser")
    assert (found.path, found.in_search, found.in_activation) == ("a.md", True, True)
    assert found.why_not_search == found.why_not_activation == ()
    assert (found.status, found.exposure, found.priority) == ("active", "full", "high")
    assert found.is_tracked and not found.is_uncommitted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n", "its priority is normal"),
        ('---\npriority: high\ntitle: "x\n---\nx\n', "only search shows it"),
        ("---\npriority: high\n---\n" + "x" * 3000, "does not fit"),
    ],
)
def test_in_search_alone_and_why(sandbox, text, said):
    sandbox.save({"a.md": text})
    found = ask(sandbox, "a.md")
    assert found.in_search and not found.in_activation
    assert said in found.why_not_activation[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\nstatus: candidate\n---\nx\n", "candidate"),
        ("---\nstatus: retracted\nretracted_by: '[[fix]]'\n---\nx\n", r"retracted, by [[fix]]"),
        ("---\nstatus: retracted\n---\nx\n", "it is retracted"),
        ("---\nstatus: odd\n---\nx\n", "outside the vocabulary"),
        ("---\ntitle: open\n", "cannot be read for sure"),
    ],
)
def test_what_head_says_keeps_it_out(sandbox, text, said):
    sandbox.save({"a.md": text})
    assert said in reasons(sandbox, "a.md")


def test_an_unknown_status_is_the_one_reason(sandbox):
    sandbox.save({"a.md": "---\nstatus: odd\n---\nx\n"})
    assert "cannot be read" not in reasons(sandbox, "a.md")


def test_what_is_no_memory_of_head(sandbox):
    sandbox.save({".memtools.toml": 'roots = ["notes"]\nexclude = ["notes/drafts"]\n'})
    sandbox.write("notes/new.md", "x\n")
    assert "does not track" in reasons(sandbox, "notes/new.md")
    sandbox.stage()
    assert "not committed yet" in reasons(sandbox, "notes/new.md")
    for path in ("other.md", "notes/drafts/a.md"):
        sandbox.write(path, "x\n")
        assert "outside the roots" in reasons(sandbox, path)
    sandbox.write("notes/a.txt", "x\n")
    assert "end in .md" in reasons(sandbox, "notes/a.txt")
    with pytest.raises(RefusedError):
        ask(sandbox, "notes/none.md")


def test_links_and_deleted_files(sandbox):
    sandbox.path("link.md").symlink_to("a.md")
    sandbox.save({"a.md": HIGH, "b.md": "b\n"})
    sandbox.stage()
    sandbox.commit()
    assert "symlink" in reasons(sandbox, "link.md")
    sandbox.path("b.md").unlink()
    assert "deleted here" in reasons(sandbox, "b.md")
    sandbox.path("b.md").symlink_to("a.md")
    assert "link" in reasons(sandbox, "b.md")


def test_who_hides_it_without_a_tombstone(sandbox):
    sandbox.save({"a.md": HIGH, "b.md": "The zebra lives in the cache.\n", "c.md": "c\n"})
    sandbox.write("fix.md", "RETRACTS: Always pin the parser\n")
    sandbox.stage()
    sandbox.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "skip")
    assert "marker in fix.md:1" in reasons(sandbox, "a.md")
    assert ask(sandbox, "a.md").hidden_by == "fix.md:1"
    sandbox.write("two.md", "RETRACTS: zebra lives in the cache\n")
    sandbox.stage()
    assert "unapproved retraction (two.md:1)" in reasons(sandbox, "b.md")
    sandbox.write("c.md", "---\nstatus: retracted\n---\nc\n")
    found = ask(sandbox, "c.md")
    assert "its file here says status: retracted" in found.why_not_search[0]
    assert found.is_uncommitted and found.status == "retracted"


def test_scope_and_uncommitted_changes_are_told(sandbox):
    sandbox.save({"a.md": "---\npriority: high\nscope: alpha\n---\nx\n"})
    sandbox.write("a.md", "---\npriority: high\nscope: alpha\n---\ny\n")
    found = ask(sandbox, "a.md")
    assert found.in_activation
    assert "--scope alpha" in found.notes[0] and "uncommitted" in found.notes[1]


def test_the_scope_of_a_session_here_says_who_gets_it(sandbox, monkeypatch):
    sandbox.save(
        {"a.md": "---\nscope: alpha\n---\nOne.\n", "b.md": "Two.\n", "c.md": "RETRACTS: b.md\n"}
    )
    monkeypatch.chdir(sandbox.top)
    assert "has the scope repo and does not get it" in ask(sandbox, "a.md").notes[0]
    assert "it has no scope" in ask(sandbox, "c.md").notes[0]
    sandbox.git("config", "memtools.scope", "alpha")
    assert ask(sandbox, "a.md").notes == ("its scope is alpha, that of a session in this folder",)
