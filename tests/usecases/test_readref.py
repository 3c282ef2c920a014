"""Bound to an approved ref, readers see what was merged there, and the work tree can only hide."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from memtools.errors import GitError, RefusedError
from memtools.usecases.reading.explain import explain
from memtools.usecases.reading.history import history
from memtools.usecases.reading.recall import layer_lines, recall
from memtools.usecases.reading.search import search
from memtools.usecases.reading.view import read_view
from memtools.usecases.readref import ref_age_notice
from memtools.usecases.repository import open_repository
from tests.helpers import Sandbox

UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}


def high(text, **fields):
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\npriority: high\n{head}---\n{text}\n"


NOTES = {
    "pin.md": high("Always pin the parser."),
    "dear.md": high("Never deploy on a zebra day.", failure_cost="high"),
    "zebra.md": "The zebra lives in the cache.\n",
}


@pytest.fixture
def notes(begun):
    """On the branch `work`, which began at main, the approved ref."""
    sandbox = begun(NOTES)
    sandbox.git("config", "memtools.readRef", "main")
    sandbox.git("checkout", "-q", "-b", "work")
    return sandbox


def here(repo):
    return open_repository(str(repo.top))


def handed(repo, query="zebra parser", **more):
    return {memory.path: memory for memory in recall(here(repo), query, **more).memories}


def hits(repo, query="zebra parser"):
    return sorted(hit.path for hit in search(here(repo), query).hits)


def withheld(repo):
    return [tuple(held) for held in recall(here(repo), "zebra parser").withheld]


ALL = ["dear.md", "pin.md", "zebra.md"]


def on_main(repo, action):
    repo.git("checkout", "-q", "main")
    action()
    repo.git("checkout", "-q", "work")


def test_an_addition_counts_after_the_merge_only(notes):
    notes.write("draft.md", high("The zebra parser is quick."))
    notes.stage()
    assert (sorted(handed(notes)), hits(notes)) == (ALL, ALL)
    notes.commit()
    assert (sorted(handed(notes)), hits(notes)) == (ALL, ALL)
    with pytest.raises(RefusedError):
        history(here(notes), "quick zebra")
    with pytest.raises(RefusedError, match=r"there is no memory draft\.md in main"):
        history(here(notes), "draft.md")
    assert "main" in explain(here(notes), "draft.md").why_not_search[0]
    on_main(notes, lambda: notes.git("merge", "-q", "work"))
    assert sorted(handed(notes)) == hits(notes) == sorted([*ALL, "draft.md"])
    assert explain(here(notes), "draft.md").in_activation


def test_an_edit_is_not_seen_before_the_merge(notes):
    notes.write("zebra.md", "The zebra lives in the quagga.\n")
    assert handed(notes)["zebra.md"].text == "The zebra lives in the cache."
    notes.save({"zebra.md": "---\npriority: high\n---\nThe zebra lives in the quagga.\n"})
    found = handed(notes)["zebra.md"]
    assert (found.text, found.priority) == ("The zebra lives in the cache.", "normal")
    assert hits(notes, "quagga") == []
    assert found.blob == notes.git("rev-parse", "main:zebra.md").out.strip()


def test_a_deletion_hides_nothing_that_was_approved(notes):
    notes.git("rm", "-q", "zebra.md", "pin.md")
    assert (sorted(handed(notes)), hits(notes), withheld(notes)) == (ALL, ALL, [])
    notes.commit()
    assert (sorted(handed(notes)), hits(notes), withheld(notes)) == (ALL, ALL, [])


def test_a_retraction_in_the_ref_counts_on_every_branch(notes):
    on_main(notes, lambda: notes.save({"fix.md": "RETRACTS: Always pin the parser\n"}))
    assert "pin.md" not in handed(notes) and "pin.md" not in hits(notes)
    assert withheld(notes) == []


def test_a_marker_in_the_ref_without_tombstone_counts_too(notes):
    notes.git("checkout", "-q", "main")
    notes.write("fix.md", "RETRACTS: Always pin the parser\n")
    notes.stage()
    notes.commit("Skipped", env=UNSEEN)
    notes.git("checkout", "-q", "work")
    assert "pin.md" not in handed(notes) and "pin.md" not in hits(notes)


@pytest.mark.parametrize("commits", ["nothing", "unseen", "hooked"])
def test_an_unapproved_retraction_hides_here_and_is_named(notes, commits):
    notes.write("fix.md", "RETRACTS: Always pin the parser\n")
    notes.stage()
    if commits != "nothing":
        notes.commit("Fix", env=UNSEEN if commits == "unseen" else None)
    assert "pin.md" not in handed(notes) and "pin.md" not in hits(notes)
    assert withheld(notes) == [("pin.md", "fix.md:1")]
    assert "unapproved retraction (fix.md:1)" in explain(here(notes), "pin.md").why_not_search[0]
    other = notes.top.parent / "other"
    notes.git("worktree", "add", "-q", str(other), "main")
    assert sorted(handed(Sandbox(other))) == ALL


def test_a_marker_in_unstaged_text_is_a_draft(notes):
    notes.write("fix.md", "RETRACTS: Always pin the parser\n")
    assert sorted(handed(notes)) == ALL and withheld(notes) == []


def test_a_file_saved_as_retracted_hides_and_is_named(notes):
    notes.write("pin.md", high("Always pin the parser.", status="retracted"))
    notes.write("zebra.md", "---\nstatus: retracted\n---\nThe zebra.\n")
    assert sorted(handed(notes)) == hits(notes) == ["dear.md"]
    assert withheld(notes) == [("pin.md", "pin.md"), ("zebra.md", "zebra.md")]
    notes.stage()
    notes.commit(env=UNSEEN)
    assert sorted(handed(notes)) == ["dear.md"]
    assert withheld(notes) == [("pin.md", "pin.md:1"), ("zebra.md", "zebra.md:1")]


def test_a_dear_memory_stays_and_is_contested(notes):
    notes.write("fix.md", "# Fix\n\nRETRACTS: Never deploy on a zebra day\n")
    notes.stage()
    for _ in ("staged", "committed"):
        found = recall(here(notes), "zebra")
        assert {one.path: one.contested for one in found.memories}["dear.md"] == "fix.md:3"
        assert found.withheld == () and "dear.md" in hits(notes)
        assert "contested by fix.md:3" in "\n".join(layer_lines(found, "x"))
        assert "contested by fix.md:3" in "; ".join(explain(here(notes), "dear.md").notes)
        notes.commit("Fix", "--allow-empty")
    on_main(notes, lambda: notes.git("merge", "-q", "work"))
    assert "dear.md" not in handed(notes)


def test_a_dear_memory_saved_as_retracted_is_contested_by_its_file(notes):
    notes.write("dear.md", high("x", status="retracted", failure_cost="high"))
    assert handed(notes)["dear.md"].contested == "dear.md" and withheld(notes) == []


def test_without_a_read_ref_nothing_is_contested(notes):
    notes.git("config", "--unset", "memtools.readRef")
    notes.write("fix.md", "RETRACTS: Never deploy on a zebra day\n")
    notes.stage()
    assert "dear.md" not in handed(notes)
    assert withheld(notes) == [("dear.md", "fix.md:1")]


def test_what_the_ref_restored_speaks_on_a_branch_that_lags_behind(notes):
    notes.save({"fix.md": "RETRACTS: Always pin the parser\n"})
    on_main(notes, lambda: notes.git("merge", "-q", "work"))
    assert "pin.md" not in handed(notes)
    on_main(
        notes,
        lambda: notes.memtools("restore", "pin.md", "--why", "x", "--drop-marker", "--apply"),
    )
    assert b"status: retracted" in notes.read("pin.md")
    assert sorted(handed(notes)) == hits(notes) == ALL and withheld(notes) == []
    notes.write("new.md", "own work\n")
    notes.stage()
    notes.commit()
    assert sorted(handed(notes)) == ALL and withheld(notes) == []


def test_a_branch_that_lags_behind_retracts_what_only_the_ref_holds(notes):
    on_main(notes, lambda: notes.save({"late.md": high("The zebra parser is late.")}))
    notes.write("fix.md", "RETRACTS: The zebra parser is late\n")
    notes.stage()
    assert "late.md" not in handed(notes)
    assert withheld(notes) == [("late.md", "fix.md:1")]


def test_the_settings_come_from_the_ref(notes):
    notes.save({".memtools.toml": "roots = ['nowhere']\n[activation]\nbudget_bytes = 1\n"})
    assert sorted(handed(notes)) == ALL
    on_main(notes, lambda: notes.git("merge", "-q", "work"))
    assert handed(notes) == {} and recall(here(notes)).budget == 1


def test_no_branch_unbinds_and_a_variable_wins(notes, monkeypatch):
    notes.save({".memtools.toml": "read_ref = 'work'\n", "own.md": "An own zebra.\n"})
    assert "own.md" not in hits(notes)
    monkeypatch.setenv("MEMTOOLS_READ_REF", "work")
    assert "own.md" in hits(notes)
    monkeypatch.setenv("MEMTOOLS_READ_REF", "no good name~")
    assert "own.md" not in hits(notes)


def test_the_environment_of_an_agent_binds_and_never_unbinds(notes, monkeypatch):
    notes.save({"own.md": "An own zebra.\n"})
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    for ref in ("work", "HEAD", ""):
        monkeypatch.setenv("MEMTOOLS_READ_REF", ref)
        assert "own.md" not in hits(notes)
    notes.git("config", "--unset", "memtools.readRef")
    assert "own.md" in hits(notes)
    monkeypatch.setenv("MEMTOOLS_READ_REF", "main")
    assert "own.md" not in hits(notes)
    monkeypatch.setenv("MEMTOOLS_READ_REF", "work")
    notes.write(".memtools.toml", "read_ref = 'main'\n")
    assert "own.md" not in hits(notes)


def test_a_broken_settings_file_unbinds_nobody(notes):
    notes.git("config", "--unset", "memtools.readRef")
    notes.save({".memtools.toml": "read_ref = 'main'\n", "own.md": "An own zebra.\n"})
    notes.write(".memtools.toml", "read_ref = \n")
    assert "own.md" not in hits(notes)


@pytest.mark.parametrize("read", [recall, search])
def test_a_ref_that_is_gone_shows_nothing_and_says_so(notes, read):
    notes.git("config", "memtools.readRef", "origin/main")
    with pytest.raises(GitError, match="there is no revision origin/main") as refused:
        read(here(notes), "zebra")
    assert "git fetch origin main" in refused.value.hint
    assert notes.memtools("recall", code=3).out == ""


def test_a_tag_cannot_stand_in_for_a_branch(notes):
    notes.save({"own.md": "An own zebra.\n"})
    notes.git("update-ref", "refs/remotes/origin/main", "main")
    notes.git("tag", "origin/main")
    notes.git("branch", "origin/main")
    notes.git("config", "memtools.readRef", "origin/main")
    assert hits(notes) == ALL


def test_a_name_without_a_remote_is_the_local_branch(notes):
    notes.save({"own.md": "An own zebra.\n"})
    notes.git("update-ref", "refs/remotes/main", "HEAD")
    assert hits(notes) == ALL


def test_the_two_trees_keep_ledger_and_index_apart(notes):
    notes.save({"own.md": "An own zebra.\n"})
    index = notes.memtools("index").out
    assert hits(notes) == ALL
    assert notes.memtools("index").out == index and "up to date" in index
    folders = [path.name for path in notes.path(".git/memtools").glob("ref-*")]
    assert len(folders) == 1
    assert {path.name for path in notes.path(f".git/memtools/{folders[0]}").iterdir()} >= {
        "ledger",
        "search",
    }
    for path in (".git/memtools", f".git/memtools/{folders[0]}"):
        assert notes.path(path).stat().st_mode & 0o077 == 0


def test_the_index_of_the_ref_follows_and_heals(notes):
    assert hits(notes) == ALL
    on_main(notes, lambda: notes.save({"more.md": "One more zebra.\n"}))
    assert hits(notes) == sorted([*ALL, "more.md"])
    for path in notes.path(".git/memtools").glob("ref-*/search/**/*"):
        if path.is_file():
            path.write_bytes(b"x")
    assert hits(notes) == sorted([*ALL, "more.md"])


def test_an_unborn_branch_reads_the_ref(notes):
    notes.git("checkout", "-q", "--orphan", "fresh")
    notes.git("rm", "-rq", "--cached", ".")
    assert (sorted(handed(notes)), hits(notes)) == (ALL, ALL)


def test_a_bare_repository_is_read_when_it_is_bound(notes, tmp_path):
    bare = Sandbox(tmp_path / "bare.git")
    notes.git("clone", "-q", "--bare", ".", str(bare.top))
    with pytest.raises(GitError, match="no work tree"):
        recall(here(bare))
    bare.git("config", "memtools.readRef", "main")
    assert (sorted(handed(bare)), hits(bare)) == (ALL, ALL)
    assert explain(here(bare), "pin.md").in_activation
    assert [event.what for event in history(here(bare), "pin.md").events] == ["added"]


@pytest.fixture
def fetched(notes, tmp_path):
    notes.git("config", "memtools.readRef", "origin/main")
    notes.git("remote", "add", "origin", ".")
    notes.git("fetch", "-q")
    return notes


def age(repo, now):
    return ref_age_notice(read_view(here(repo)).repository, now)


def test_what_was_fetched_over_a_day_ago_says_its_age(fetched):
    now = datetime.now(UTC)
    assert age(fetched, now) is None
    said = age(fetched, now + timedelta(hours=25))
    assert said == "what was fetched of origin/main is 1 day old; type: git fetch origin"
    assert "is 3 days old" in age(fetched, now + timedelta(days=3, hours=1))
    old = now.timestamp() - 5 * 24 * 60 * 60
    for path in (".git/FETCH_HEAD", ".git/refs/remotes/origin/main"):
        os.utime(fetched.path(path), (old, old))
    for path in fetched.path(".git/logs/refs/remotes/origin").iterdir():
        os.utime(path, (old, old))
    shown = fetched.memtools("recall")
    assert "is 5 days old; type: git fetch origin" in shown.err and "pin the parser" in shown.out


def test_a_local_branch_has_no_age(notes):
    assert age(notes, datetime.now(UTC) + timedelta(days=9)) is None


@pytest.fixture
def candidates(begun):
    """On a branch of candidates, bound to nothing by any setting."""
    sandbox = begun(NOTES)
    sandbox.git("checkout", "-q", "-b", "memory/zoo")
    sandbox.save({"new.md": high("The zebra parser is new."), "pin.md": high("Unpin the parser.")})
    return sandbox


def test_a_branch_of_candidates_is_not_believed(candidates):
    assert sorted(handed(candidates)) == ALL
    assert handed(candidates)["pin.md"].text == "Always pin the parser."
    assert hits(candidates) == ALL
    candidates.git("checkout", "-q", "main")
    candidates.git("merge", "-q", "memory/zoo")
    assert "new.md" in handed(candidates)


def test_a_head_detached_at_a_branch_of_candidates_is_not_believed(candidates):
    candidates.git("checkout", "-q", "--detach")
    assert sorted(handed(candidates)) == ALL
    candidates.git("branch", "release")
    assert "new.md" in handed(candidates)  # somebody gave it another name
    candidates.git("branch", "-D", "release")
    candidates.git("update-ref", "refs/remotes/origin/memory/zoo", "HEAD")
    candidates.git("branch", "-D", "memory/zoo")
    assert sorted(handed(candidates)) == ALL
    candidates.git("update-ref", "-d", "refs/remotes/origin/memory/zoo")
    assert "new.md" in handed(candidates)  # no branch at all: what CI checks out


def test_a_branch_of_candidates_names_no_branch_that_is_believed(candidates):
    candidates.save({".memtools.toml": '[approval]\nprotected = ["memory/zoo"]\n'})
    candidates.git("branch", "-m", "main", "master")
    assert sorted(handed(candidates)) == ALL


def test_a_branch_of_candidates_without_an_approved_one_shows_nothing(candidates):
    candidates.git("branch", "-m", "main", "trunk")
    with pytest.raises(GitError, match=r"no revision main here \(HEAD: memory/zoo\)"):
        recall(here(candidates))


def test_a_turn_follows_from_a_branch_of_candidates_and_back(candidates):
    def told():
        event = '{"hook_event_name": "SessionStart", "session_id": "s"}'
        return "The zebra parser is new." in candidates.memtools("turn", input=event).out

    assert not told() and not told()
    candidates.git("branch", "-f", "main", "HEAD")
    assert told() and told()
    candidates.git("branch", "-f", "main", "HEAD~1")
    assert not told()
