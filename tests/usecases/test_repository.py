"""Finding the repository and its settings, wherever a command is started."""

import os

import pytest

from memtools.config import UNREADABLE, Config
from memtools.errors import GitError
from memtools.usecases.repository import (
    STAGING,
    load_config,
    make_state_dir,
    open_repository,
    require_top,
)
from tests.helpers import Sandbox, run

NINE = "[gate]\ndelay_days = 9\n"


def top_of(sandbox):
    return os.path.realpath(sandbox.top)


def test_a_repository_before_its_first_commit_is_open(repo):
    found = open_repository(str(repo.top))
    assert found.top == top_of(repo)
    assert found.git_dir == found.common_dir == os.path.join(found.top, ".git")
    assert (found.is_bare, found.head_tree) == (False, "")
    assert found.git.cwd == found.top


def test_a_folder_below_and_a_link_to_it_give_the_same_top(repo, tmp_path):
    repo.save({"deep/er/a.md": "x\n"})
    os.symlink(repo.path("deep/er"), tmp_path / "link")
    for start in (repo.path("deep/er"), tmp_path / "link"):
        found = open_repository(str(start))
        assert found.top == top_of(repo)
        assert found.head_tree == repo.git("rev-parse", "HEAD^{tree}").out.strip()


def test_the_current_folder_is_the_default(repo, monkeypatch):
    monkeypatch.chdir(repo.top)
    assert open_repository().top == top_of(repo)


def test_a_bare_repository_has_no_top_and_git_runs_in_it(repo, tmp_path):
    repo.save({"a.md": "x\n", ".memtools.toml": NINE})
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    found = open_repository(str(tmp_path / "bare.git"))
    assert found.is_bare and found.top == "" and found.git.cwd == found.git_dir
    assert found.head_tree
    assert load_config(found)[0].gate.delay_days == 9
    with pytest.raises(GitError, match="no work tree"):
        require_top(found)


def test_inside_the_git_dir_there_is_no_top(repo):
    found = open_repository(str(repo.path(".git")))
    assert (found.top, found.is_bare) == ("", False)
    assert found.git_dir == os.path.join(top_of(repo), ".git")


def test_a_linked_work_tree_has_its_own_state(repo, tmp_path):
    repo.save({"a.md": "x\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    found = open_repository(str(tmp_path / "linked"))
    assert found.top == os.path.realpath(tmp_path / "linked")
    assert found.common_dir == os.path.join(top_of(repo), ".git")
    assert found.git_dir == os.path.join(found.common_dir, "worktrees", "linked")
    assert found.state_dir == os.path.join(found.git_dir, "memtools")


def test_a_submodule_is_its_own_repository(repo, tmp_path):
    repo.save({"a.md": "x\n"})
    outer = Sandbox(tmp_path / "outer")
    outer.top.mkdir()
    outer.git("init", "-q")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo.top), "sub")
    found = open_repository(str(outer.path("sub")))
    assert found.top == os.path.realpath(outer.path("sub"))
    assert found.git_dir == os.path.join(top_of(outer), ".git", "modules", "sub")


def test_variables_of_git_choose_the_repository(repo, tmp_path, monkeypatch):
    repo.save({"a.md": "x\n"})
    repo.path("sub").mkdir()
    monkeypatch.chdir(repo.top)
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_WORK_TREE", ".")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    found = open_repository()
    assert found.top == top_of(repo)
    assert found.git.line("rev-parse", "--absolute-git-dir") == found.git_dir
    assert found.git.env["GIT_INDEX_FILE"] == os.path.join(found.git_dir, "index")
    monkeypatch.chdir(tmp_path)
    assert found.git.line("ls-files") == "a.md"


def test_a_git_dir_variable_that_names_nothing_is_said(repo, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere/at/all")
    with pytest.raises(GitError, match="GIT_DIR names no git repository") as caught:
        open_repository(str(repo.top))
    assert "unset GIT_DIR" in caught.value.hint


def test_outside_a_repository_the_hint_is_init(tmp_path):
    with pytest.raises(GitError, match="is not in a git repository") as caught:
        open_repository(str(tmp_path))
    assert caught.value.hint == "type: cd into your notes, or: memtools init DIR"
    assert caught.value.exit_code == 3


def test_a_folder_that_is_missing_is_said(tmp_path):
    with pytest.raises(GitError, match="is not a folder"):
        open_repository(str(tmp_path / "gone"))


def test_a_current_folder_that_was_deleted_is_said(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(GitError, match="is not a folder"):
        open_repository()


def test_a_repository_git_does_not_trust_says_how_to_trust_it(repo, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitError, match="dubious ownership") as caught:
        open_repository(str(repo.top))
    assert "safe.directory" in caught.value.hint


def test_broken_git_settings_are_said_in_the_words_of_git(repo):
    repo.write(".git/config", "[core\n")
    with pytest.raises(GitError, match="bad config"):
        open_repository(str(repo.top))


def test_a_top_with_odd_names_is_found(tmp_path):
    odd = Sandbox(tmp_path / "日本 -x 'q'")
    odd.top.mkdir()
    odd.git("init", "-q")
    assert open_repository(str(odd.top)).top == top_of(odd)


def test_the_state_folder_is_private_and_made_on_demand(repo):
    found = open_repository(str(repo.top))
    assert not os.path.exists(found.state_dir)
    assert make_state_dir(found) == make_state_dir(found) == found.state_dir
    assert os.stat(found.state_dir).st_mode & 0o777 == 0o700


def test_settings_are_read_from_each_source(repo):
    repo.save({".memtools.toml": NINE})
    repo.write(".memtools.toml", NINE.replace("9", "8"))
    repo.stage()
    repo.write(".memtools.toml", NINE.replace("9", "7"))
    found = open_repository(str(repo.top))
    assert load_config(found)[0].gate.delay_days == 7
    assert load_config(found, STAGING)[0].gate.delay_days == 8
    assert load_config(found, "HEAD")[0].gate.delay_days == 9
    assert load_config(found, repo.head())[0].gate.delay_days == 9


def test_no_file_gives_the_defaults_in_each_source(repo):
    found = open_repository(str(repo.top))
    assert load_config(found) == load_config(found, "HEAD") == (Config(), ())
    assert load_config(found, STAGING) == (Config(), ())
    repo.save({"a.md": "x\n"})
    assert load_config(found, "main") == (Config(), ())


@pytest.mark.parametrize("name", ["nowhere", "a\nb", "origin/main"])
def test_a_revision_that_is_not_there_is_an_error(repo, name):
    repo.save({"a.md": "x\n"})
    with pytest.raises(GitError, match="there is no revision") as refused:
        load_config(open_repository(str(repo.top)), name)
    assert "git tag" in refused.value.hint and "unshallow" not in refused.value.hint


def test_in_a_shallow_clone_a_revision_that_is_not_there_may_be_fetched(repo):
    repo.save({"a.md": "x\n"})
    repo.write(".git/shallow", repo.head() + "\n")
    for args in (
        ["check", "--range", "nowhere..HEAD"],
        ["export", "--to", "ndjson", "--since", "v1.2"],
    ):
        assert "git fetch --unshallow" in repo.memtools(*args, code=2).err
    repo.path(".git/shallow").unlink()
    for args in (
        ["check", "--range", "nowhere..HEAD"],
        ["export", "--to", "ndjson", "--since", "v1.2"],
    ):
        told = repo.memtools(*args, code=2).err
        assert "git tag" in told and "unshallow" not in told


def test_a_link_is_not_followed_out_of_the_repository(repo, tmp_path):
    (tmp_path / "outside.toml").write_text(NINE)
    os.symlink(tmp_path / "outside.toml", repo.path(".memtools.toml"))
    config, problems = load_config(open_repository(str(repo.top)))
    assert config == UNREADABLE
    assert [(p.path, p.rule) for p in problems] == [(".memtools.toml", "config-invalid")]


def test_a_folder_or_pipe_in_its_place_is_a_problem(repo):
    os.mkfifo(repo.path(".memtools.toml"))
    assert load_config(open_repository(str(repo.top)))[0] == UNREADABLE


def test_while_staging_has_conflicts_our_side_counts(repo):
    repo.save({".memtools.toml": NINE})
    repo.git("switch", "-q", "-c", "other")
    repo.save({".memtools.toml": NINE.replace("9", "1")})
    repo.git("switch", "-q", "main")
    repo.save({".memtools.toml": NINE.replace("9", "2")})
    assert repo.git("merge", "other", check=False).code
    found = open_repository(str(repo.top))
    assert load_config(found, STAGING)[0].gate.delay_days == 2
    assert load_config(found)[0] == UNREADABLE


def test_a_variable_wins_over_the_file(repo, monkeypatch):
    repo.write(".memtools.toml", "read_ref = 'main'\n")
    monkeypatch.setenv("MEMTOOLS_READ_REF", "origin/main")
    assert load_config(open_repository(str(repo.top)))[0].read_ref == "origin/main"


def test_a_reftable_or_sha256_repository_opens(tmp_path):
    made = run(["git", "init", "-q", "--object-format=sha256", "x"], tmp_path)
    if made.code:
        pytest.skip("this git has no SHA-256")
    sandbox = Sandbox(tmp_path / "x")
    sandbox.save({"a.md": "x\n"})
    assert len(open_repository(str(sandbox.top)).head_tree) == 64
