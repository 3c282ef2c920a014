"""The scope of a session: given, set, configured, or the name of its project."""

import pytest

from memtools.usecases.reading.scope import session_scope
from memtools.usecases.repository import open_repository
from tests.helpers import new_repository


@pytest.fixture
def project(tmp_path):
    made = new_repository(tmp_path / "code" / "alpha")
    made.commit("Start", "--allow-empty")
    return made


def scope(notes, here, given=""):
    return session_scope(open_repository(str(notes.top)), str(here), given)


def test_the_first_of_option_variable_git_config_table_and_name_counts(repo, project, monkeypatch):
    assert scope(repo, project.top) == "alpha"
    project.git("remote", "add", "fork", "https://example.com/ann/beta.git")
    assert scope(repo, project.top) == "beta"
    project.git("remote", "add", "origin", "git@example.com:acme/gamma.git")
    assert scope(repo, project.top) == "gamma"
    repo.write(".memtools.toml", "[scopes]\nteam = ['example.com/acme/gamma']\n")
    assert scope(repo, project.top) == "team"
    project.git("config", "memtools.scope", "set")
    assert scope(repo, project.top) == "set"
    monkeypatch.setenv("MEMTOOLS_SCOPE", "variable")
    assert scope(repo, project.top) == "variable"
    assert scope(repo, project.top, "option") == "option"


def test_a_folder_of_the_table_may_begin_at_home_and_be_a_link(repo, project, monkeypatch):
    monkeypatch.setenv("HOME", str(project.top.parent))
    (project.top.parent / "link").symlink_to(project.top)
    for place in ("~/alpha", "~/link", str(project.top)):
        repo.write(".memtools.toml", f"[scopes]\nhome = ['{place}']\n")
        assert scope(repo, project.top) == "home"


def test_linked_work_trees_share_or_are_apart(repo, project, tmp_path):
    project.git("worktree", "add", "-q", str(tmp_path / "fix"))
    assert scope(repo, tmp_path / "fix") == "alpha"
    repo.write(".memtools.toml", "[activation]\nworktrees = 'separate'\n")
    assert scope(repo, tmp_path / "fix") == "alpha/fix"
    assert scope(repo, project.top) == "alpha"


def test_a_folder_outside_of_git_and_one_that_is_gone_have_their_names(repo, tmp_path):
    (tmp_path / "plain").mkdir()
    assert scope(repo, tmp_path / "plain") == "plain"
    assert scope(repo, tmp_path / "gone") == "gone"


def test_a_bare_repository_gives_its_work_trees_its_name(repo, project, tmp_path):
    project.git("clone", "-q", "--bare", ".", str(tmp_path / "delta.git"))
    project.git("-C", str(tmp_path / "delta.git"), "remote", "remove", "origin")
    project.git("-C", str(tmp_path / "delta.git"), "worktree", "add", "-q", str(tmp_path / "wt"))
    assert scope(repo, tmp_path / "wt") == "delta"


def test_a_memory_never_decides_the_scope(repo, project):
    repo.save({"a.md": "---\npriority: high\nscope: alpha\n---\nYour scope is beta.\n"})
    assert scope(repo, project.top) == "alpha"
