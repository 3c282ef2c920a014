"""AGENTS.md and the like with a block of memories: they change in the commit that changes these."""

import pytest

from tests.e2e.scene import assert_same
from tests.helpers import Sandbox, copied

BLOCK = "<!-- memtools:begin -->\n<!-- memtools:end -->\n"
HEAD = "# Rules\n\nBe kind.\n\n"
TAIL = "\nOne more rule.\n"
WRONG = "---\npriority: high\n---\nThe cache was the root cause of it all.\n"
RIGHT = "---\npriority: high\n---\nNever restart the blue pool.\n"
FIX = "It was DNS.\n\nRETRACTS: The cache was the root cause of it all.\n"


@pytest.fixture(scope="module")
def template(_installed_template, tmp_path_factory):
    made = copied(_installed_template, tmp_path_factory.mktemp("agents") / "repo")
    made.save({"wrong.md": WRONG, "right.md": RIGHT, "AGENTS.md": HEAD + BLOCK + TAIL}, "Start")
    return made


@pytest.fixture
def agents(template, tmp_path):
    return copied(template, tmp_path / "repo")


def says(repo: Sandbox, *texts: str, rev: str = "HEAD", path: str = "AGENTS.md") -> None:
    """The block of a file in a revision says exactly these of the two memories."""
    data = repo.show(rev, path).decode()
    for text in ("The cache was the root cause", "Never restart the blue pool"):
        assert (text in data) == any(text.startswith(one) for one in texts), data
    assert data.startswith(HEAD)
    assert data.endswith(TAIL)


BOTH = ("The cache", "Never")


def test_a_file_with_the_comments_is_filled_by_its_first_commit(agents):
    says(agents, *BOTH)
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    assert agents.status() == ""


def test_a_retraction_leaves_the_file_in_the_same_commit(agents):
    before = agents.head()
    done = agents.save({"fix.md": FIX}, "Fix")
    assert "AGENTS.md: its block of memories changes in this commit" in done.err
    assert agents.git("rev-parse", "HEAD^").out.strip() == before
    says(agents, "Never")
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    assert agents.status() == ""


@pytest.mark.parametrize("how", [(), ("-a",), ("fix.md",), ("-i", "fix.md"), ("--amend",)])
def test_every_way_to_commit_takes_the_file_along(agents, how):
    agents.write("fix.md", FIX)
    agents.stage("fix.md")
    agents.commit("Fix", *how)
    says(agents, "Never")
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    assert agents.status() == ""
    agents.write("other.md", "Another.\n")
    agents.stage("other.md")
    agents.commit("Later")
    says(agents, "Never")
    assert agents.status() == ""


def test_a_new_an_edited_and_a_deleted_memory_change_it(agents):
    agents.save({"new.md": "---\npriority: high\n---\nA third thing.\n"})
    assert b"> A third thing." in agents.show("HEAD", "AGENTS.md")
    agents.save({"new.md": "---\npriority: high\n---\nAnother thing.\n"})
    assert b"> A third thing." not in agents.show("HEAD", "AGENTS.md")
    assert b"> Another thing." in agents.show("HEAD", "AGENTS.md")
    agents.git("rm", "-q", "new.md")
    agents.commit("Gone")
    assert b"thing" not in agents.show("HEAD", "AGENTS.md")
    assert agents.status() == ""


def test_unstaged_edits_of_the_person_stay_unstaged(agents):
    mine = agents.read("AGENTS.md").decode().replace("Be kind.", "Be very kind.")
    agents.write("AGENTS.md", mine)
    agents.save({"fix.md": FIX}, "Fix")
    says(agents, "Never")
    assert b"Be kind." in agents.show("HEAD", "AGENTS.md")
    here = agents.read("AGENTS.md").decode()
    assert "Be very kind." in here
    assert "The cache was" not in here
    assert agents.status() == " M AGENTS.md\n"
    lines = agents.git("diff", "-U0", "AGENTS.md").out.split("\n")
    changed = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert [line for line in changed if line] == ["-Be kind.", "+Be very kind."]


def test_a_block_edited_in_the_work_tree_is_written_anew_there(agents):
    agents.write("AGENTS.md", agents.read("AGENTS.md").replace(b"> Never", b"> Always"))
    agents.save({"fix.md": FIX}, "Fix")
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))


def test_a_block_that_was_edited_by_hand_is_set_right_when_it_is_committed(agents):
    forged = agents.read("AGENTS.md").decode().replace("> Never", "> Always")
    agents.save({"AGENTS.md": forged.replace("Be kind.", "Be bold.")})
    data = agents.show("HEAD", "AGENTS.md").decode()
    assert "Be bold." in data
    assert "> Never" in data
    assert "> Always" not in data
    assert agents.status() == ""


def test_a_refused_commit_leaves_the_file_alone(agents):
    agents.write("fix.md", "RETRACTS: no\n")
    agents.stage("fix.md")
    before = agents.read("AGENTS.md"), agents.staged("AGENTS.md")
    agents.commit("Refused", code=1)
    assert (agents.read("AGENTS.md"), agents.staged("AGENTS.md")) == before


def test_a_commit_that_is_given_up_leaves_nothing_in_the_next_one(agents):
    agents.write("fix.md", FIX)
    agents.stage("fix.md")
    agents.git("commit", "-q", check=False)  # the editor fails: no message
    agents.git("rm", "-q", "--cached", "fix.md")
    agents.path("fix.md").unlink()
    agents.save({"other.md": "Another.\n"}, "Other")
    says(agents, *BOTH)
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    assert agents.status() == ""


def test_line_ends_and_byte_order_mark_stay(agents):
    crlf = (b"\xef\xbb\xbf" + (HEAD + BLOCK + TAIL).encode()).replace(b"\n", b"\r\n")
    agents.git("config", "core.autocrlf", "false")
    agents.save({".cursor/rules/memories.mdc": crlf})
    data = agents.show("HEAD", ".cursor/rules/memories.mdc")
    assert data.startswith(crlf[:30])
    assert b"> Never restart the blue pool.\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")
    agents.save({"fix.md": FIX})
    assert b"The cache was" not in agents.show("HEAD", ".cursor/rules/memories.mdc")
    assert agents.status() == ""


def test_a_scope_in_the_comment_lets_its_memories_in(agents):
    scoped = "---\npriority: high\nscope: alpha\n---\nAlpha only.\n"
    block = BLOCK.replace("begin", 'begin scope="alpha"')
    agents.save({"alpha.md": scoped, "CLAUDE.md": block})
    assert b"Alpha only." in agents.show("HEAD", "CLAUDE.md")
    assert b"Never restart" in agents.show("HEAD", "CLAUDE.md")
    assert b"Alpha only." not in agents.show("HEAD", "AGENTS.md")


def test_comments_that_are_no_pair_warn_and_stop_nothing(agents):
    agents.write("CLAUDE.md", "<!-- memtools:begin -->\nold\n")
    agents.stage("CLAUDE.md")
    done = agents.commit("Broken")
    assert "CLAUDE.md:1: render-broken: " in done.err
    assert agents.show("HEAD", "CLAUDE.md") == b"<!-- memtools:begin -->\nold\n"


def test_a_file_without_comments_and_a_link_are_left_alone(agents):
    agents.write("GEMINI.md", "Nothing here.\n")
    agents.path("CLAUDE.md").symlink_to("AGENTS.md")
    agents.stage("GEMINI.md", "CLAUDE.md")
    agents.commit("Others")
    agents.save({"fix.md": FIX})
    assert agents.show("HEAD", "GEMINI.md") == b"Nothing here.\n"
    assert agents.path("CLAUDE.md").is_symlink()
    assert agents.status() == ""


def test_a_place_that_a_root_names_is_a_memory_and_is_left_alone(agents):
    agents.write(".memtools.toml", 'roots = ["AGENTS.md", "."]\n')
    agents.save(
        {".memtools.toml": 'roots = ["AGENTS.md", "."]\n', "AGENTS.md": HEAD + BLOCK + TAIL}
    )
    assert agents.show("HEAD", "AGENTS.md").decode() == HEAD + BLOCK + TAIL


def test_an_unattended_commit_takes_the_file_along(agents):
    agents.write("fix.md", FIX)
    agents.stage("fix.md")
    agents.commit("Backup", env={"MEMTOOLS_UNATTENDED": "1"})
    says(agents, "Never")
    assert agents.status() == ""


def test_a_linked_worktree_takes_the_file_along(agents, tmp_path):
    agents.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    linked = Sandbox(tmp_path / "linked")
    linked.save({"fix.md": FIX})
    says(linked, "Never")
    assert linked.status() == ""
    says(agents, *BOTH)


def test_a_fresh_clone_takes_the_file_along(agents, tmp_path):
    agents.git("clone", "-q", str(agents.top), str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    clone.save({"fix.md": FIX})
    says(clone, "Never")
    assert clone.status() == ""


def test_a_merge_whose_block_is_stale_stops_so_that_it_gets_into_its_commit(agents):
    agents.git("checkout", "-q", "-b", "side")
    agents.save({"fix.md": FIX})
    agents.git("checkout", "-q", "main")
    agents.write("third.md", "---\npriority: high\n---\nA third thing.\n")
    agents.stage("third.md")
    agents.commit("Unseen", env={"MEMTOOLS_IN_HOOK": "1"})  # main's own block lacks it
    agents.git("merge", "-q", "side", check=False)
    agents.git("commit", "-q", "--no-edit")
    says(agents, "Never")
    assert b"> A third thing." in agents.show("HEAD", "AGENTS.md")
    assert agents.status() == ""


def test_two_sides_that_change_the_block_alone_do_not_conflict(agents):
    """What stands outside of it merges as ever."""
    agents.git("checkout", "-q", "-b", "side")
    theirs = agents.read("AGENTS.md").decode().replace("Be kind.", "Be very kind.")
    agents.save({"right.md": RIGHT.replace("blue", "green"), "AGENTS.md": theirs})
    agents.git("checkout", "-q", "main")
    agents.save({"fix.md": FIX})
    agents.git("merge", "-q", "side", check=False)
    assert b"<<<<<<<" not in agents.read("AGENTS.md")
    agents.git("commit", "-q", "--no-edit", check=False)
    data = agents.show("HEAD", "AGENTS.md").decode()
    assert "> Never restart the green pool." in data
    assert "The cache was" not in data
    assert "Be very kind." in data
    assert agents.status() == ""


def test_a_conflict_inside_the_block_is_settled_by_the_commit(agents):
    agents.git("checkout", "-q", "-b", "side")
    agents.save({"right.md": RIGHT.replace("blue", "green")})
    agents.git("checkout", "-q", "main")
    agents.save({"fix.md": FIX})
    agents.git("merge", "-q", "side", check=False)
    agents.git("add", "AGENTS.md")
    agents.git("commit", "-q", "--no-edit")
    data = agents.show("HEAD", "AGENTS.md").decode()
    assert "> Never restart the green pool." in data
    assert "The cache was" not in data
    assert "<<<<<<<" not in data
    assert agents.status() == ""


def test_retract_restore_and_sweep_take_the_file_along(agents):
    mine = agents.read("AGENTS.md").decode().replace("Be kind.", "Be very kind.")
    agents.write("AGENTS.md", mine)
    agents.memtools("retract", "The cache was the root cause of it all.", "--apply")
    says(agents, "Never")
    assert agents.status() == " M AGENTS.md\n"
    assert b"The cache was" not in agents.read("AGENTS.md")
    assert b"Be very kind." in agents.read("AGENTS.md")
    agents.git("checkout", "-q", "AGENTS.md")
    agents.memtools("restore", "wrong.md", "--why", "right", "--drop-marker", "--apply")
    says(agents, *BOTH)
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    agents.write("fix.md", FIX)
    agents.stage("fix.md")
    agents.commit("Unseen", "--no-verify")
    says(agents, *BOTH)
    agents.memtools("sweep", "--apply")
    says(agents, "Never")
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    assert agents.status() == ""


def test_after_a_follow_up_merge_the_block_is_in_a_commit_of_its_own(agents):
    agents.save({".memtools.toml": '[retraction]\nmerge_mode = "follow-up"\n'})
    agents.git("checkout", "-q", "-b", "side")
    agents.write("third.md", "---\npriority: high\n---\nA third thing.\n")
    agents.stage("third.md")
    agents.commit("Unseen", env={"MEMTOOLS_IN_HOOK": "1"})
    agents.git("checkout", "-q", "main")
    agents.save({"other.md": "Another.\n"})
    agents.git("merge", "-q", "--no-edit", "side")
    assert b"> A third thing." in agents.show("HEAD", "AGENTS.md")
    assert agents.git("log", "-1", "--format=%s").out == "Render the memories anew\n"
    assert_same(agents, "AGENTS.md", agents.show("HEAD", "AGENTS.md"))
    assert agents.status() == ""


def test_doctor_names_a_stale_block_and_its_advice_mends_it(agents):
    agents.write("AGENTS.md", agents.read("AGENTS.md").replace(b"> Never", b"> Always"))
    agents.stage("AGENTS.md")
    agents.commit("Unseen", env={"MEMTOOLS_IN_HOOK": "1"})
    done = agents.memtools("doctor", code=1)
    assert "ILL  rendered-files: " in done.out
    agents.memtools("render")
    agents.commit("Render", "-a")
    assert "ok  rendered-files: " in agents.memtools("doctor", code=None).out
