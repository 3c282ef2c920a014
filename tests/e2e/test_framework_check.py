"""`memtools check --staged` as a hook of the real pre-commit framework (repo: local)."""

import shlex
import sys

import pytest

from tests.e2e.test_under_framework import framework as framework
from tests.helpers import CHECKOUT, copied, new_repository, run
from tests.usecases.test_check import CACHE, FIX

CONFIG = f"""\
default_install_hook_types: [pre-commit, pre-merge-commit, pre-push]
repos:
- repo: local
  hooks:
  - id: memtools-check
    name: memtools check
    language: system
    entry: env PYTHONPATH={shlex.quote(str(CHECKOUT))} {shlex.quote(sys.executable)} -m memtools check --staged
    stages: [pre-commit, pre-merge-commit, pre-push, manual]
    always_run: true
    pass_filenames: false
    require_serial: true
"""  # noqa: E501  # one line for the framework


@pytest.fixture(scope="module")
def _checked_template(framework, tmp_path_factory):
    repo = new_repository(tmp_path_factory.mktemp("checked") / "repo")
    repo.save({".pre-commit-config.yaml": CONFIG, "a.md": CACHE})
    assert run([framework, "install"], repo.top).code == 0
    return repo


@pytest.fixture
def checked(_checked_template, tmp_path):
    """A repository with the framework alone: no hook of ours writes anything."""
    return copied(_checked_template, tmp_path / "repo")


def test_a_clean_commit_passes(checked):
    checked.save({"b.md": "A plain note.\n"})
    assert checked.status() == ""


def test_a_marker_without_tombstone_is_stopped_and_the_command_is_named(checked):
    checked.write("fix.md", FIX)
    checked.stage()
    result = checked.commit("Fix", code=1)
    assert "fix.md:4: retract-unapplied" in result.err + result.out
    assert "memtools init" in result.err + result.out


def test_after_the_named_command_the_same_commit_passes(checked):
    checked.write("fix.md", FIX)
    checked.stage()
    checked.commit("Fix", code=1)
    checked.init()
    checked.commit("Fix")
    assert b"status: retracted" in checked.show("HEAD", "a.md")


def test_an_unstaged_edit_is_not_what_is_judged(checked):
    checked.write("b.md", "A plain note.\n")
    checked.stage()
    checked.write("a.md", CACHE + "\nRETRACTS: b.md\n")
    checked.commit("Note")


def test_ci_judges_all_of_head(checked, framework):
    checked.write("fix.md", FIX)
    checked.stage()
    checked.commit("Unguarded", "-n")
    result = run([framework, "run", "--all-files"], checked.top)
    assert result.code == 1
    assert "memtools sweep --apply" in result.out
    checked.memtools("sweep", "--apply")
    assert run([framework, "run", "--all-files"], checked.top).code == 0


def test_a_push_of_an_open_marker_is_stopped(checked, framework, tmp_path):
    checked.git("init", "-q", "--bare", str(tmp_path / "remote"))
    checked.git("remote", "add", "origin", str(tmp_path / "remote"))
    checked.git("push", "-q", "origin", "HEAD:refs/heads/main")
    checked.write("fix.md", FIX)
    checked.stage()
    checked.commit("Unguarded", "-n")
    pushed = checked.git("push", "-q", "origin", "HEAD:refs/heads/main", check=False)
    assert pushed.code == 1
    assert "retract-unapplied" in pushed.out + pushed.err
