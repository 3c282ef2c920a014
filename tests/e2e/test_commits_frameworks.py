"""Hook managers and hooks of the person's own around ours, with the real memtools."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e.story import (
    FIX,
    OTHER,
    TARGET,
    all_three,
    buried,
    changed_lines,
    hook,
    leftovers,
    mark,
    settled,
    states,
)
from tests.helpers import run

CONFIG = """\
repos:
- repo: local
  hooks:
  - id: look
    name: look
    language: system
    entry: grep -q status:.retracted target.md
    always_run: true
    pass_filenames: false
    stages: [pre-commit]
"""


def framework(repo):
    """The real pre-commit framework over ours, with a hook that wants to see the tombstone."""
    beside = Path(sys.executable).with_name("pre-commit")
    found = str(beside) if beside.exists() else shutil.which("pre-commit")
    if not found:
        pytest.skip("the pre-commit framework is not installed")
    repo.write(".pre-commit-config.yaml", CONFIG)
    repo.stage(".pre-commit-config.yaml")
    repo.commit("Config", "-n")
    assert run([found, "install"], repo.top).code == 0
    return repo


def test_a_partial_commit_under_the_framework_keeps_three_versions_apart(notes):
    """C78, with everything git throws away."""
    framework(notes)
    mark(notes)
    staged = TARGET.replace("Top line", "Top line, staged")
    notes.write("target.md", staged)
    notes.stage("target.md")
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Fix", "--", "fix.md")
    assert states(notes)[0] == buried()
    assert states(notes)[1] == buried(staged)
    assert states(notes)[2] == buried(staged)
    assert notes.status() == "M  other.md\nM  target.md\n"
    settled(notes)


def test_a_commit_the_framework_refuses_loses_no_edit(notes):
    """C78: the tombstone stays staged as after any formatter; the person's edit is on disk."""
    framework(notes)
    notes.write(".pre-commit-config.yaml", CONFIG.replace("grep -q status:.retracted", "false"))
    notes.stage(".pre-commit-config.yaml")
    mark(notes)
    edited = TARGET.replace("End line", "End line, edited")
    notes.write("target.md", edited)
    before = notes.head()
    notes.commit("Fix", code=1)
    assert notes.head() == before
    assert "End line, edited" in notes.read("target.md").decode()
    notes.write(".pre-commit-config.yaml", CONFIG)
    notes.stage(".pre-commit-config.yaml")
    notes.commit("Fix")
    assert states(notes) == (buried(), buried(), buried(edited))
    assert changed_lines(notes) == ["-End line.", "+End line, edited."]
    settled(notes)


def test_a_formatter_below_ours_that_changes_the_target_keeps_the_tombstone(notes):
    """Failure table: its problem; the status key stays."""
    hook(notes, "pre-commit", "echo Formatted. >>target.md; git add target.md")
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried() + "Formatted.\n")
    assert notes.status() == ""
    settled(notes)


def test_a_hook_below_ours_that_refuses_leaves_a_commit_to_repeat(notes):
    refuse = hook(notes, "pre-commit", "exit 1")
    mark(notes)
    notes.commit("Fix", code=1)
    assert leftovers(notes) == []
    refuse.unlink()
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_memtools_gone_stops_only_a_commit_that_adds_a_marker(notes):
    """Failure table: not installed. The shim says how to repair it."""
    shim = notes.path(".git/hooks/pre-commit")
    shim.write_text(shim.read_text().replace(sys.executable, "/gone/python"))
    notes.git("config", "--unset-all", "memtools.python")
    bare = {"PATH": "/usr/bin:/bin"}
    if shutil.which("memtools", path=bare["PATH"]):
        pytest.skip("memtools is installed for the whole machine")
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    done = notes.commit("Other", env=bare)
    assert "memtools did not run" in done.err
    mark(notes)
    done = notes.commit("Fix", code=1, env=bare)
    assert "memtools did not run" in done.err
    assert states(notes) == all_three(TARGET)


@pytest.mark.parametrize("tool", ["prek", "lefthook", "husky"])
def test_another_manager_installed_after_memtools_is_told(notes, tool):
    """C78 and C79 with the real programs; stand-ins of their layouts are in test_chaining."""
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    if tool == "prek":
        notes.write(".pre-commit-config.yaml", CONFIG)
    if tool == "lefthook":
        notes.write("lefthook.yml", "pre-commit: {commands: {x: {run: 'true'}}}\n")
    assert run([tool, *(["install"] if tool != "husky" else [])], notes.top).code == 0
    mark(notes)
    if tool == "prek":
        notes.commit("Fix")
        assert states(notes) == all_three(buried())
        return
    assert notes.memtools("doctor", code=None).code == 1


def test_config_based_hooks_of_new_git_reach_the_writer_without_a_hooks_folder(notes):
    """C81."""
    if "hook" not in notes.git("--list-cmds=builtins").out.split() or notes.git(
        "hook", "list", "pre-commit", check=False
    ).code not in (0, 1):
        pytest.skip("this git has no config-based hooks (they came with 2.54)")
    notes.git("config", "core.hooksPath", "/dev/null")
    call = f"{sys.executable} -I -S {Path(__file__).parents[2]}/memtools/start.py hook"
    for stage in ("pre-commit", "post-commit"):
        notes.git("config", f"hook.memtools-{stage}.command", f"{call} {stage}")
        notes.git("config", f"hook.memtools-{stage}.event", stage)
    mark(notes)
    notes.commit("Fix")
    assert notes.show("HEAD", "fix.md").decode() == FIX
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_a_commit_inside_a_hook_of_ours_runs_no_hook_of_ours(notes):
    """The guard against ourselves: what memtools commits is not planned again."""
    mark(notes)
    done = notes.commit("Fix", env={"MEMTOOLS_IN_HOOK": "1"})
    assert done.err == ""
    assert states(notes) == all_three(TARGET)
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Other")
    assert states(notes) == all_three(buried())
    settled(notes)
