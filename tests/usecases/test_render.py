"""`render`: the activation layer in files that agents read, and as a folder of memories."""

import json
import os

import pytest

from tests.helpers import copied

UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}
HIGH = "---\npriority: high\n---\n"
NOTES = {
    "notes/wrong.md": HIGH + "The cache was the root cause of it all.\n",
    "notes/right.md": HIGH + "Never restart the blue pool.\n",
    "notes/low.md": "---\ntitle: Low\n---\nA small thing.\n",
    "notes/alpha.md": "---\npriority: high\nscope: alpha\n---\nAlpha only.\n",
    "notes/draft.md": "---\npriority: high\nstatus: candidate\n---\nNobody approved this.\n",
    "fix.md": "It was DNS.\n\nRETRACTS: A sentence that is nowhere to be found\n",
}


@pytest.fixture(scope="module")
def template(_installed_template, tmp_path_factory):
    made = copied(_installed_template, tmp_path_factory.mktemp("render") / "repo")
    made.save(NOTES, "Start")
    return made


@pytest.fixture
def notes(template, tmp_path):
    return copied(template, tmp_path / "repo")


def rendered(repo, *args, code=0, cwd=""):
    said = json.loads(repo.memtools("render", *args, "--json", code=code, cwd=cwd).out)
    return {done["path"]: done["state"] for done in said["files"]}


def rules(repo, *args):
    said = json.loads(repo.memtools("render", *args, "--json", code=1).out)
    return [(p["path"], p["rule"]) for p in said["problems"]]


def folder_files(repo, folder):
    top = repo.path(folder)
    return sorted(str(p.relative_to(top)) for p in top.rglob("*") if p.is_file() or p.is_symlink())


def test_a_missing_file_is_made_and_holds_the_layer(notes):
    assert rendered(notes, "--to", "AGENTS.md") == {"AGENTS.md": "written"}
    text = notes.read("AGENTS.md").decode()
    assert text.startswith("<!-- memtools:begin -->\n")
    assert text.endswith("<!-- memtools:end -->\n")
    assert "> The cache was the root cause of it all." in text
    for kept_out in ("Alpha", "Nobody approved", "small thing", "RETRACTS"):
        assert kept_out not in text
    assert rendered(notes, "--to", "AGENTS.md") == {"AGENTS.md": "current"}
    assert rendered(notes) == {"AGENTS.md": "current"}


def test_what_render_writes_is_what_the_commit_would_write(notes):
    rendered(notes, "--to", "AGENTS.md")
    before = notes.read("AGENTS.md")
    notes.stage("AGENTS.md")
    notes.commit("Agents")
    assert notes.show("HEAD", "AGENTS.md") == before
    notes.memtools("check")


def test_a_file_without_comments_gets_the_block_at_its_end(notes):
    notes.write("CLAUDE.md", "# Mine\r\n\r\nText.")
    rendered(notes, "--to", "CLAUDE.md")
    data = notes.read("CLAUDE.md")
    assert data.startswith(b"# Mine\r\n\r\nText.\r\n\r\n<!-- memtools:begin -->\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_new_cursor_rule_is_always_applied(notes):
    rendered(notes, "--to", ".cursor/rules/memories.mdc")
    data = notes.read(".cursor/rules/memories.mdc").decode()
    assert data.startswith(
        "---\ndescription: Memories of this repository\nalwaysApply: true\n---\n"
    )
    notes.write(".cursor/rules/memories.mdc", data.replace("alwaysApply: true", "globs: '*.py'"))
    assert rendered(notes) == {".cursor/rules/memories.mdc": "current"}


def test_a_scope_is_named_in_the_comment_and_kept(notes):
    rendered(notes, "--to", "AGENTS.md", "--scope", "alpha")
    assert b"> Alpha only." in notes.read("AGENTS.md")
    assert rendered(notes) == {"AGENTS.md": "current"}
    rendered(notes, "--scope", "")
    assert b"Alpha only." not in notes.read("AGENTS.md")
    assert notes.memtools("render", "--to", "AGENTS.md", "--scope", 'a"b', code=2).out == ""


def test_check_writes_nothing_and_names_file_and_command(notes):
    assert rendered(notes, "--check") == {}
    rendered(notes, "--to", "AGENTS.md")
    stale = notes.read("AGENTS.md").replace(b"> Never", b"> Always")
    notes.write("AGENTS.md", stale)
    done = notes.memtools("render", "--check", code=1)
    assert "AGENTS.md: render-stale: " in done.err
    assert "memtools render" in done.err
    assert notes.read("AGENTS.md") == stale
    assert rules(notes, "--check", "--to", "GEMINI.md") == [("GEMINI.md", "render-stale")]
    assert not notes.path("GEMINI.md").exists()
    rendered(notes)
    assert rendered(notes, "--check") == {"AGENTS.md": "current"}


@pytest.mark.parametrize("how", ["marker", "staged", "saved", "deleted"])
def test_a_retraction_of_any_kind_is_gone_at_the_next_render(notes, how):
    rendered(notes, "--to", "AGENTS.md")
    wrong = NOTES["notes/wrong.md"].replace("priority", "status: retracted\npriority")
    if how == "marker":
        notes.write("now.md", "RETRACTS: The cache was the root cause of it all.\n")
        notes.stage("now.md")
        notes.commit("Fix", "--no-verify")
    elif how == "deleted":
        notes.path("notes/wrong.md").unlink()
    else:
        notes.write("notes/wrong.md", wrong)
        if how == "staged":
            notes.stage("notes/wrong.md")
    done = notes.memtools("render")
    assert b"The cache was" not in notes.read("AGENTS.md")
    assert ("withheld" in done.err) == (how in ("staged", "saved"))


def test_without_a_file_it_says_what_to_type(notes):
    done = notes.memtools("render", code=2)
    assert "memtools render --to AGENTS.md" in done.err
    notes.write("AGENTS.md", "No comments here.\n")
    notes.memtools("render", code=2)


def test_broken_comments_are_named_and_nothing_is_written(notes):
    notes.write("AGENTS.md", "<!-- memtools:begin -->\nold\n")
    notes.write("CLAUDE.md", "<!-- memtools:begin -->\n<!-- memtools:end -->\n")
    assert rules(notes) == [("AGENTS.md", "render-broken")]
    assert notes.read("AGENTS.md") == b"<!-- memtools:begin -->\nold\n"
    assert b"> Never" in notes.read("CLAUDE.md")
    notes.write("GEMINI.md", "a".encode("utf-16"))
    assert rules(notes, "--to", "GEMINI.md") == [("GEMINI.md", "render-broken")]


def test_nothing_is_written_into_a_memory_a_link_or_outside(notes, tmp_path):
    notes.memtools("render", "--to", "notes/AGENTS.md", code=1)
    notes.memtools("render", "--to", "notes/right.md", code=1)
    assert notes.read("notes/right.md").decode() == NOTES["notes/right.md"]
    outside = tmp_path / "outside.md"
    outside.write_text("Mine.\n")
    notes.path("CLAUDE.md").symlink_to(outside)
    notes.memtools("render", "--to", "CLAUDE.md", code=1)
    notes.path(".linked").symlink_to(tmp_path)
    notes.memtools("render", "--to", ".linked/a.txt", code=3)
    notes.memtools("render", "--to", ".linked/", code=1)
    for place in ("../outside.md", str(outside), ".git/AGENTS.md", ".git/x/"):
        notes.memtools("render", "--to", place, code=2)
    assert outside.read_text() == "Mine.\n"
    assert not (tmp_path / "a.txt").exists()
    assert notes.status() == "?? .linked\n?? CLAUDE.md\n"


def test_a_file_of_another_place_is_told_to_be_kept_by_hand(notes):
    done = notes.memtools("render", "--to", "docs.txt")
    assert "memtools render --to docs.txt" in done.err
    assert b"> Never" in notes.read("docs.txt")


def test_the_file_is_meant_from_the_folder_it_is_typed_in(notes):
    assert rendered(notes, "--to", "../AGENTS.md", cwd="notes") == {"AGENTS.md": "written"}


def test_a_folder_holds_what_may_be_read_and_nothing_else(notes):
    done = rendered(notes, "--to", ".agents/memories/")
    assert set(done.values()) == {"written"}
    assert folder_files(notes, ".agents/memories") == [
        ".memtools-rendered",
        "fix.md",
        "notes/low.md",
        "notes/right.md",
        "notes/wrong.md",
    ]
    fix = notes.read(".agents/memories/fix.md").decode()
    assert fix.startswith('Memory path="fix.md"')
    assert "> It was DNS." in fix
    assert "RETRACTS" not in fix
    assert set(rendered(notes, "--to", ".agents/memories/").values()) == {"current"}
    again = rendered(notes, "--to", ".agents/memories", "--check")
    assert set(again.values()) == {"current"}


def test_a_folder_loses_what_may_not_be_read_any_more(notes):
    rendered(notes, "--to", ".m/", "--scope", "alpha")
    assert b"> Alpha only." in notes.read(".m/notes/alpha.md")
    wrong = NOTES["notes/wrong.md"].replace("---", "---\nstatus: retracted", 1)
    notes.git("rm", "-q", "notes/low.md", "notes/right.md", "notes/alpha.md")
    notes.save({"notes/wrong.md": wrong}, "Fewer")
    assert rules(notes, "--to", ".m/", "--check").count((".m/notes/wrong.md", "render-stale")) == 1
    done = rendered(notes, "--to", ".m/")
    assert [path for path, state in done.items() if state == "removed"] == [
        ".m/notes/alpha.md",
        ".m/notes/low.md",
        ".m/notes/right.md",
        ".m/notes/wrong.md",
    ]
    assert not notes.path(".m/notes").exists()
    assert notes.path(".m/fix.md").exists()


def test_files_that_memtools_did_not_write_are_never_touched(notes):
    notes.write(".m/fix.md", "Mine.\n")
    notes.write(".m/notes/own.md", "Mine too.\n")
    assert rules(notes, "--to", ".m/") == [(".m/fix.md", "render-foreign")]
    notes.write(".m/notes/wrong.md", "Changed by hand.\n")
    notes.memtools("retract", "The cache was the root cause of it all.", "--apply")
    assert sorted(rules(notes, "--to", ".m/")) == [
        (".m/fix.md", "render-foreign"),
        (".m/notes/wrong.md", "render-foreign"),
    ]
    assert notes.read(".m/fix.md") == b"Mine.\n"
    assert notes.read(".m/notes/own.md") == b"Mine too.\n"
    assert notes.read(".m/notes/wrong.md") == b"Changed by hand.\n"
    notes.path(".m/notes/wrong.md").unlink()
    notes.path(".m/fix.md").unlink()
    rendered(notes, "--to", ".m/")


@pytest.mark.parametrize(
    "manifest",
    [
        "not json",
        "[]",
        '{"memtools_render": 1, "scope": "", "files": {"../outside.md": ["x"], "": []}}',
        '{"memtools_render": 1, "scope": "a-->", "files": {}}',
        '{"memtools_render": 1, "scope": 5, "files": {}}',
        '{"memtools_render": 1, "scope": "", "files": {"a.md": 5}}',
        '{"memtools_render": 1, "scope": "", "files": [1]}',
        "[" * 100000,
    ],
)
def test_a_hostile_manifest_reaches_nothing(notes, manifest):
    from hashlib import sha256

    notes.write("outside.txt", "Mine.\n")
    digest = sha256(b"Mine.\n").hexdigest()
    notes.write(".m/.memtools-rendered", manifest.replace('"x"', f'"{digest}"'))
    rendered(notes, "--to", ".m/")
    assert notes.read("outside.txt") == b"Mine.\n"
    assert notes.path(".m/notes/right.md").exists()


def test_a_link_inside_the_folder_is_not_followed(notes, tmp_path):
    notes.path(".m").mkdir()
    (tmp_path / "elsewhere").mkdir()
    notes.path(".m/notes").symlink_to(tmp_path / "elsewhere")
    notes.memtools("render", "--to", ".m/", code=3)
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_folder_whose_files_would_be_memories_is_refused(notes):
    before = notes.status()
    for folder in ("copies/", "notes/"):
        notes.memtools("render", "--to", folder, code=1)
    notes.memtools("render", "--to", "./", code=2)
    assert notes.status() == before


def test_a_bound_reader_sees_the_approved_ref_except_in_tracked_files(notes):
    notes.save({"AGENTS.md": "<!-- memtools:begin -->\n<!-- memtools:end -->\n"})
    notes.git("branch", "approved")
    notes.save({"new.md": HIGH + "Not merged yet.\n"})
    notes.git("config", "memtools.readRef", "approved")
    rendered(notes, "--to", "CLAUDE.md")
    assert b"Not merged yet." not in notes.read("CLAUDE.md")
    assert b"> Never" in notes.read("CLAUDE.md")
    assert b"Not merged yet." in notes.read("AGENTS.md")
    assert rendered(notes, "--check") == {"AGENTS.md": "current", "CLAUDE.md": "current"}
    rendered(notes, "--to", ".m/")
    assert not notes.path(".m/new.md").exists()
    assert notes.path(".m/notes/right.md").exists()


def test_an_empty_repository_and_none_at_all_say_so(repo, tmp_path):
    assert rendered(repo, "--to", "AGENTS.md") == {"AGENTS.md": "written"}
    assert b"No memory of high priority stands here." in repo.read("AGENTS.md")
    assert repo.memtools("-C", str(tmp_path), "render", code=3).out == ""
