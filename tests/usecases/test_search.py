"""Search shows what HEAD holds and the file confirms, in both languages, and nothing retracted."""

import os
import stat

import pytest

from memtools.entrypoints.main import main
from memtools.usecases.reading.explain import explain
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository

NOTES = {
    "notes/cache.md": "---\ntitle: Cache\npriority: high\n---\n"
    "The disk cache was the root cause.\n",
    "notes/pool.md": "---\nscope: alpha\ntags: [db]\n---\n# Pool\n\nThe pools were too small.\n",
    "notes/ja.md": "# 障害\n\n本番の原因は遅延でした。再実行gen-itgc後に直った。\n",
}


@pytest.fixture
def notes(begun):
    return begun(NOTES)


def find(repo, query, **more):
    return search(open_repository(str(repo.top)), query, **more)


def paths(repo, query, **more):
    return [hit.path for hit in find(repo, query, **more).hits]


def test_a_hit_has_line_title_and_snippet_of_its_file(notes):
    (hit,) = find(notes, "caches").hits
    assert (hit.path, hit.id, hit.title, hit.line) == (
        "notes/cache.md",
        "notes/cache",
        "Cache",
        5,
    )
    assert hit.snippet == "The disk cache was the root cause."
    assert (hit.status, hit.priority, hit.scope) == ("active", "high", "")


def test_a_person_is_shown_the_line_of_a_comment(notes):
    """Agents are not: `tests/entrypoints/test_mcp.py`."""
    notes.save({"odd.md": "# Odd\n\nSoup. <!-- kohlrabi is meant -->\n"})
    assert find(notes, "kohlrabi").hits[0].snippet == "Soup. <!-- kohlrabi is meant -->"


@pytest.mark.parametrize("query", ["原因", "遅延", "障害", "itgc", "再実行"])
def test_words_inside_a_japanese_run_are_found(notes, query):
    """Field reports D1, D2, D4, D5."""
    assert paths(notes, query) == ["notes/ja.md"]


def test_scope_and_tag_narrow_and_no_scope_means_all(notes):
    assert paths(notes, "pool") == ["notes/pool.md"]
    assert paths(notes, "pool", scope="alpha", tag="db") == ["notes/pool.md"]
    assert paths(notes, "pool", scope="beta") == []
    assert paths(notes, "pool", scope="") == []
    assert paths(notes, "pool", tag="web") == []


def test_nothing_asked_and_nothing_found_are_no_hits(notes):
    for query in ("", "   ", "zebra", "。", '"*:^ AND ('):
        assert find(notes, query).hits == ()


def test_a_correction_alone_is_shown_and_never_the_text_of_its_marker(notes):
    """Field reports A1, A2: the wrong memory matches better, and must be gone."""
    text = "RETRACTS: disk cache was the root cause\n\nThe cause was the network.\n"
    notes.save({"fix.md": text})
    found = find(notes, "disk cache root cause")
    assert [hit.path for hit in found.hits] == ["fix.md"]
    assert "disk" not in found.hits[0].snippet
    assert find(notes, "disk").hits == ()


def test_retracted_better_hits_take_no_places(sandbox):
    """Field report A10: n=5, six retracted better hits and one live one."""
    tombstone = "---\nstatus: retracted\n---\nzebra zebra zebra\n"
    files = {f"old/{number}.md": tombstone for number in range(6)}
    sandbox.save({**files, "live.md": "A long text that names a zebra only once, among others.\n"})
    found = find(sandbox, "zebra", limit=5)
    assert [hit.path for hit in found.hits] == ["live.md"]
    assert found.total == 1


def test_tombstones_are_shown_on_request_with_who_and_when(notes):
    notes.save({"fix.md": "RETRACTS: disk cache was the root cause\n"})
    (hit,) = find(notes, "disk", include_retracted=True).hits
    assert (hit.path, hit.status, hit.by) == ("notes/cache.md", "retracted", "[[fix]]")
    assert hit.at.startswith("2026-11-29T")


def test_candidates_are_shown_on_request_only(sandbox):
    sandbox.save({"inbox/a.md": "---\nstatus: candidate\n---\nzebra\n"})
    assert paths(sandbox, "zebra") == []
    (hit,) = find(sandbox, "zebra", include_candidates=True).hits
    assert hit.status == "candidate"


@pytest.mark.parametrize(
    "text",
    [
        "---\nstatus: candidate\n---\nzebra password: xK9#mP2$vL5n\n",
        "---\nstatus: candidate\ntitle: xK9#mP2$vL5n\nkey: gh"
        + "p_"
        + "a1B2" * 9
        + "\n---\nzebra\n",
        "---\nstatus: candidate\n---\n# xK9#mP2$vL5n\n\nzebra, Tel. 090-1234-5678\n",
    ],
)
def test_no_word_is_shown_of_a_candidate_with_a_secret_somebody_committed(
    sandbox, capsys, monkeypatch, text
):
    monkeypatch.chdir(sandbox.top)
    sandbox.write("inbox/a.md", text)
    sandbox.stage()
    sandbox.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "by hand")
    assert main(["search", "zebra", "--include-candidates"]) == 0
    said = capsys.readouterr()
    assert "inbox/a.md:1" in said.out and "withheld" in said.out
    assert not [word for word in ("xK9#", "a1B2", "1234-5678") if word in said.out + said.err]
    assert main(["explain", "inbox/a.md"]) == 0
    assert "xK9#" not in capsys.readouterr().out
    assert main(["search", "zebra", "--include-candidates", "--json"]) == 0
    assert "xK9#" not in capsys.readouterr().out


def test_a_skipped_hook_hides_the_victim_all_the_same(notes):
    notes.write("fix.md", "RETRACTS: disk cache was the root cause\n")
    notes.stage()
    notes.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "skip")
    assert paths(notes, "disk cache") == []
    (hit,) = find(notes, "disk", include_retracted=True).hits
    assert (hit.status, hit.by) == ("retracted", "fix.md:1")


def test_a_staged_retraction_hides_at_once_and_says_so(notes):
    notes.write("fix.md", "RETRACTS: disk cache was the root cause\n")
    assert paths(notes, "disk cache") == ["notes/cache.md"]
    notes.stage()
    found = find(notes, "disk cache")
    assert found.hits == ()
    assert "withheld by an unapproved retraction: notes/cache.md (by fix.md:1)" in found.notices[0]


def test_saved_as_retracted_in_an_editor_it_is_gone_before_any_commit(notes):
    assert paths(notes, "disk") == ["notes/cache.md"]
    notes.write("notes/cache.md", "---\nstatus: retracted\n---\nThe disk cache was it.\n")
    found = find(notes, "disk")
    assert found.hits == () and found.total == 0
    said = "unapproved retraction: notes/cache.md (by notes/cache.md)"
    assert any(said in notice for notice in found.notices)
    notes.write("notes/cache.md", "---\nstatus: no such word\n---\nThe disk cache was it.\n")
    assert find(notes, "disk").hits == ()


def test_a_file_cannot_talk_itself_out_of_a_tombstone(notes):
    notes.save({"fix.md": "RETRACTS: disk cache was the root cause\n"})
    notes.write("notes/cache.md", NOTES["notes/cache.md"])
    assert paths(notes, "disk") == []


def test_a_changed_file_is_shown_as_it_is_and_dropped_when_no_word_is_left(notes):
    notes.write("notes/cache.md", "# New title\n\nNow the\ncaches are warm.\n")
    (hit,) = find(notes, "cache").hits
    assert (hit.title, hit.line, hit.snippet) == ("New title", 4, "caches are warm.")
    notes.write("notes/cache.md", "# New title\n\nNothing of it is left.\n")
    assert find(notes, "cache").hits == ()
    notes.write("notes/ja.md", "何も残っていない。\n")
    assert find(notes, "原因").hits == ()


def test_dropped_hits_are_replaced_by_the_next_ones(sandbox):
    sandbox.save({f"{number:02}.md": f"zebra number {number}\n" for number in range(30)})
    for number in range(25):
        sandbox.write(f"{number:02}.md", "another animal\n")
    found = find(sandbox, "zebra", limit=5)
    assert sorted(hit.path for hit in found.hits) == [f"{number}.md" for number in range(25, 30)]


def test_deleted_files_and_symlinks_are_never_shown(notes, tmp_path):
    """Field report C1."""
    outside = tmp_path / "secret.md"
    outside.write_text("disk\n")
    os.unlink(notes.path("notes/cache.md"))
    assert paths(notes, "disk") == []
    notes.path("notes/cache.md").symlink_to(outside)
    assert paths(notes, "disk") == []


def test_deleted_and_renamed_memories_leave_no_ghost(notes):
    """Field reports C2, C3, C11."""
    notes.git("mv", "notes/cache.md", "notes/moved.md")
    notes.commit("move")
    assert paths(notes, "disk") == ["notes/moved.md"]
    notes.git("rm", "-q", "-r", "notes")
    notes.commit("remove")
    assert paths(notes, "disk") == []


def test_a_header_no_parser_accepts_is_shown_with_its_problem(sandbox):
    sandbox.save({"a.md": '---\ntitle: "open\nscope: x: y\n---\nzebra\n'})
    (hit,) = find(sandbox, "zebra").hits
    assert hit.problems[0].rule == "header-yaml-unreadable"


def test_what_cannot_be_read_for_sure_is_not_shown(sandbox):
    sandbox.save({"a.md": "---\ntitle: never closed\n\nzebra\n"})
    assert paths(sandbox, "zebra") == []


def test_the_index_follows_commits_no_hook_saw(repo):
    repo.save({"a.md": "zebra\n"})
    assert paths(repo, "zebra") == ["a.md"]
    repo.save({"b.md": "zebra\n", "a.md": "horse\n"})
    assert paths(repo, "zebra") == ["b.md"]
    repo.git("checkout", "-q", "HEAD^")
    assert paths(repo, "zebra") == ["a.md"]


def test_an_index_that_was_deleted_or_damaged_is_made_anew(notes):
    assert find(notes, "disk").stale is False
    folder = notes.path(".git/memtools/search")
    for file in folder.rglob("*"):
        if file.is_file() and file.suffix not in (".lock",):
            file.write_bytes(b"noise")
    found = find(notes, "disk")
    assert [hit.path for hit in found.hits] == ["notes/cache.md"] and found.stale is False


def test_without_any_index_head_is_scanned_and_says_so(notes, monkeypatch):
    from memtools.errors import SearchError
    from memtools.usecases.reading import search as module

    def broken(*args, **more):
        raise SearchError("the disk is full")

    monkeypatch.setattr(module, "follow_tree", broken)
    found = find(notes, "cause of the cache", limit=1)
    assert [hit.path for hit in found.hits] == ["notes/cache.md"]
    assert found.stale is True and "the disk is full" in found.notices[0]
    assert paths(notes, "原因") == ["notes/ja.md"]
    assert paths(notes, "pool", scope="beta") == []
    notes.save({"fix.md": "RETRACTS: disk cache was the root cause\n"})
    assert paths(notes, "disk") == []


def test_a_state_folder_that_refuses_leads_to_a_scan(repo):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    repo.save(NOTES)
    repo.path(".git").chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert find(repo, "disk").stale is True
    finally:
        repo.path(".git").chmod(0o755)


def test_uncommitted_changes_are_counted_by_content(notes):
    assert find(notes, "disk").uncommitted == 0
    os.utime(notes.path("notes/pool.md"), (1, 1))
    assert find(notes, "disk").uncommitted == 0
    notes.write("notes/pool.md", "other\n")
    notes.write("new.md", "not tracked\n")
    os.unlink(notes.path("notes/ja.md"))
    notes.write("notes/cache.md", "staged cache\n")
    notes.stage("notes/cache.md")
    found = find(notes, "disk")
    assert found.uncommitted == 3
    assert found.notices == ("3 memories have uncommitted changes",)


def test_a_pipe_in_the_place_of_a_note_is_not_waited_for(notes):
    os.unlink(notes.path("notes/cache.md"))
    os.mkfifo(notes.path("notes/cache.md"))
    found = find(notes, "disk pools")
    assert ([hit.path for hit in found.hits], found.uncommitted) == (["notes/pool.md"], 1)
    assert explain(open_repository(str(notes.top)), "notes/cache.md").is_uncommitted


def test_above_the_bound_only_what_costs_nothing_is_counted(notes, monkeypatch):
    monkeypatch.setattr("memtools.usecases.reading.uncommitted.FILES_LOOKED_AT", 1)
    notes.write("notes/cache.md", "the disk changed\n")
    notes.write("notes/pool.md", "unseen\n")
    notes.write("notes/ja.md", "staged\n")
    notes.stage("notes/ja.md")
    found = find(notes, "disk")
    assert (found.uncommitted, found.at_least) == (2, True)
    assert found.notices == ("at least 2 memories have uncommitted changes",)


def test_many_touched_files_are_compared_by_git_itself(notes, monkeypatch):
    monkeypatch.setattr("memtools.usecases.reading.uncommitted._COMPARED", 1)
    for path in NOTES:
        os.utime(notes.path(path), (1, 1))
    assert find(notes, "disk").uncommitted == 0


def test_long_lines_are_cut_around_the_word(sandbox):
    sandbox.save(
        {"a.md": f"{'left ' * 200}zebra {'right ' * 200}\n", "b.md": f"{'あ' * 900}縞馬\n"}
    )
    (hit,) = find(sandbox, "zebra").hits
    assert "zebra" in hit.snippet and len(hit.snippet) < 210
    (hit,) = find(sandbox, "縞馬").hits
    assert "縞馬" in hit.snippet and len(hit.snippet) < 210


def test_a_crlf_checkout_is_not_a_changed_text(repo):
    repo.git("config", "core.autocrlf", "true")
    repo.save({"a.md": "zebra\r\nhorse\r\n"})
    found = find(repo, "zebra")
    assert [hit.path for hit in found.hits] == ["a.md"] and found.uncommitted == 0


def test_the_function_is_reached_from_the_package(notes):
    import memtools
    import memtools.search.store

    found = memtools.search(memtools.open_repository(str(notes.top)), "disk")
    assert found.hits[0].path == "notes/cache.md"
