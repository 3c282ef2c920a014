"""The real memtools in linked worktrees, submodules and commits started from elsewhere."""

import os

from tests.helpers import Sandbox, run

TARGET = "---\ntitle: Target\n---\nThe disk cache was the root cause.\n"
FIX = "---\ntitle: Fix\n---\nRETRACTS: disk cache was the root cause\n"


def is_retracted(data):
    return b"status: retracted" in data


def marked(repo):
    """A target in HEAD, a marker and another edit staged."""
    repo.write("fix.md", FIX)
    repo.write("other.md", "other, edited\n")
    repo.stage("fix.md", "other.md")


def start(repo):
    repo.save({"target.md": TARGET, "other.md": "other\n"})


def test_a_partial_commit_in_a_linked_worktree_stays_there(sandbox, tmp_path):
    start(sandbox)
    sandbox.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Sandbox(tmp_path / "linked")
    marked(linked)
    linked.git("commit", "-q", "-m", "Fix", "--", "fix.md")
    assert is_retracted(linked.show("HEAD", "target.md"))
    assert is_retracted(linked.staged("target.md"))
    assert linked.status() == "M  other.md\n"
    assert sandbox.status() == ""
    assert not is_retracted(sandbox.staged("target.md"))
    assert not is_retracted(sandbox.read("target.md"))
    assert not sandbox.path(".git/memtools/journal").exists()


def linked_to(sandbox, tmp_path):
    sandbox.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    return Sandbox(tmp_path / "linked")


def test_the_first_commit_of_a_linked_worktree_starts_from_the_ledger_of_another(sandbox, tmp_path):
    start(sandbox)
    sandbox.save({"more.md": "More.\n"})
    linked = linked_to(sandbox, tmp_path)
    linked.git("reset", "-q", "--hard", "HEAD^")
    marked(linked)
    trace = tmp_path / "trace"
    done = linked.commit("Fix", env={"GIT_TRACE": str(trace)})
    assert "were read once" not in done.err
    assert "ls-tree -r" not in trace.read_text()
    assert is_retracted(linked.show("HEAD", "target.md"))
    assert linked.memtools("doctor").code == 0


def test_a_ledger_of_other_settings_or_a_damaged_one_serves_no_linked_worktree(sandbox, tmp_path):
    start(sandbox)
    linked = linked_to(sandbox, tmp_path)
    state = sandbox.path(".git/memtools")
    (state / "ledger").write_bytes((state / "ledger").read_bytes()[:-1])
    marked(linked)
    assert "were read once" in linked.commit("Fix").err
    assert is_retracted(linked.show("HEAD", "target.md"))
    third = Sandbox(tmp_path / "third")
    sandbox.git("worktree", "add", "-q", "-b", "third", str(third.top))
    third.save({".memtools.toml": 'exclude = ["x/**"]\n'})
    assert third.memtools("doctor").code == 0


def test_a_submodule_of_memories_retracts_by_its_own_hooks(sandbox, tmp_path):
    start(sandbox)
    outer = Sandbox(tmp_path / "outer")
    outer.top.mkdir()
    outer.git("init", "-q")
    local = ("-c", "protocol.file.allow=always")
    outer.git(*local, "submodule", "add", "-q", str(sandbox.top), "sub")
    inner = Sandbox(outer.top / "sub")
    inner.init()
    marked(inner)
    inner.commit("Fix")
    assert is_retracted(inner.show("HEAD", "target.md"))
    assert inner.status() == ""
    assert not outer.path(".git/memtools").exists()


def test_git_dir_and_work_tree_from_another_folder_retract(sandbox, tmp_path):
    start(sandbox)
    marked(sandbox)
    base = os.path.relpath(sandbox.top, tmp_path)
    done = run(
        ["git", f"--git-dir={base}/.git", f"--work-tree={base}", "commit", "-q", "-m", "x"],
        tmp_path,
    )
    assert done.code == 0, done
    assert is_retracted(sandbox.show("HEAD", "target.md"))
    assert sandbox.status() == ""


def test_a_commit_from_a_subfolder_with_a_relative_hooks_path_retracts(repo):
    repo.git("config", "core.hooksPath", ".githooks")
    repo.memtools("init", "--into-hooks-path")
    repo.stage()
    start(repo)
    marked(repo)
    repo.write("sub/x.txt", "x\n")
    done = run(["git", "commit", "-q", "-m", "Fix"], repo.top / "sub")
    assert done.code == 0, done
    assert is_retracted(repo.show("HEAD", "target.md"))
    assert repo.status() == "?? sub/x.txt\n"
