"""The real memtools beside the pre-commit framework: the tombstone is in the commit either way."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.helpers import copied, new_repository, run

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
"""
TARGET = "---\ntitle: Target\npriority: high\n---\nThe disk cache was the root cause.\n\nEnd.\n"
FIX = "---\ntitle: Fix\n---\nRETRACTS: disk cache was the root cause\n"


@pytest.fixture(scope="module")
def framework():
    beside = Path(sys.executable).with_name("pre-commit")
    found = str(beside) if beside.exists() else shutil.which("pre-commit")
    if not found:
        pytest.skip("the pre-commit framework is not installed")
    return found


def saved(repo):
    """The target is committed; the hooks of this commit are skipped."""
    repo.write("target.md", TARGET)
    repo.stage()
    repo.commit("Start", "-n")


ORDERS = {
    "memtools-first": ("init", "install"),
    "framework-first": ("install", "init"),
    "framework-again": ("install", "init", "install"),
}


@pytest.fixture(scope="module", params=ORDERS)
def _both_template(request, framework, tmp_path_factory):
    repo = new_repository(tmp_path_factory.mktemp("both") / "repo")
    repo.write(".pre-commit-config.yaml", CONFIG)
    for step in ORDERS[request.param]:
        if step == "init":
            repo.init()
        else:
            assert run([framework, "install"], repo.top).code == 0
    saved(repo)
    return repo


@pytest.fixture
def both(_both_template, tmp_path):
    """Both installed, in each order."""
    return copied(_both_template, tmp_path / "repo")


def test_the_tombstone_is_committed_and_the_framework_sees_it(both):
    both.write("fix.md", FIX)
    both.stage()
    both.commit("Fix")
    assert b"status: retracted" in both.show("HEAD", "target.md")
    assert both.status() == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("priority: high", "priority: low"),
        pytest.param("End.", "End, edited.", marks=pytest.mark.long),
    ],
)
def test_an_unstaged_edit_of_the_target_is_kept_and_not_committed(both, old, new):
    both.write("fix.md", FIX)
    both.stage()
    both.write("target.md", TARGET.replace(old, new))
    both.commit("Fix")
    committed = both.show("HEAD", "target.md").decode()
    assert "status: retracted" in committed
    assert old in committed
    text = both.read("target.md").decode()
    assert "status: retracted" in text
    assert new in text
    assert both.git("diff", "--stat").out.count("target.md") == 1
    changed = [
        line
        for line in both.git("diff", "-U0").out.splitlines()
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == [f"-{old}", f"+{new}"]
