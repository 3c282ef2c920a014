"""The history of files: when they last changed, by one walk; each version, by GitPython."""

import itertools

import pytest

from memtools.config import environ
from memtools.errors import GitError
from memtools.git.blobhistory import last_dates, versions_of
from memtools.git.run import Git, environment
from tests.helpers import Sandbox, run


@pytest.fixture
def history(repo):
    """Merges, the same change on two branches, a change taken back, a conflict, a mode."""
    days = itertools.count(1)

    def save(**files):
        for name, text in files.items():
            repo.write(f"{name}.md", text)
        repo.stage()
        date = f"2026-01-{next(days):02}T00:00:00Z"
        repo.commit("Change", "--allow-empty", env={"GIT_AUTHOR_DATE": date})

    save(plain="1", twice="1", back="1", both="1", mode="1", メモ="1", gone="1")
    save(plain="2", twice="2")
    save(back="2")
    save(back="1")
    repo.git("switch", "-q", "-c", "side")
    save(twice="3", both="side")
    save(plain="3")
    repo.git("switch", "-q", "-")
    save(twice="3")
    save(both="main")
    repo.git("merge", "-q", "side", check=False)
    repo.path("gone.md").unlink()
    save(both="resolved")
    repo.path("mode.md").chmod(0o755)
    save()
    return repo


def test_one_walk_says_what_git_says_of_each_file(history):
    git = Git(str(history.top), environment(environ()))
    names = [name for name in history.files("HEAD") if name.endswith(".md")] + ["never.md"]
    asked = ("log", "-1", "--format=%ad", "--date=raw", "HEAD", "--")
    each = {name: history.git(*asked, name).out.strip() for name in names}
    assert last_dates(git, names) == each
    assert len(set(each.values())) > 4
    assert {name: last_dates(git, [name])[name] for name in names} == each


HOSTILE = {
    "core.fsmonitor": "touch pwned",
    "core.pager": "touch pwned",
    "core.sshCommand": "touch pwned",
    "diff.external": "touch pwned",
    "diff.evil.command": "touch pwned",
    "diff.evil.textconv": "touch pwned",
    "gpg.program": "touch-pwned",
    "log.showSignature": "true",
    "alias.log": "!touch pwned",
    "protocol.ext.allow": "always",
    "remote.origin.url": "ext::touch pwned",
    "color.ui": "always",
    "diff.renames": "false",
    "log.follow": "false",
}


def test_no_configuration_and_no_variable_runs_a_program_or_changes_what_is_read(
    sandbox, monkeypatch
):
    sandbox.save({"a.md": "The same text, long enough to be known again.\n"})
    sandbox.git("mv", "a.md", ":(glob)*.md")
    sandbox.commit("Move")
    sandbox.write(".gitattributes", "*.md diff=evil\n")
    git = Git(str(sandbox.top), environment(environ()))
    before = versions_of(git, ":(glob)*.md")
    assert [version.path for version in before] == ["a.md", ":(glob)*.md"]
    for key, value in HOSTILE.items():
        sandbox.git("config", key, value)
    for name, value in {
        "GIT_EXTERNAL_DIFF": "touch pwned",
        "GIT_PAGER": "touch pwned",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_ICASE_PATHSPECS": "1",
        "GIT_DIFF_OPTS": "--unified=9",
    }.items():
        monkeypatch.setenv(name, value)
    git = Git(str(sandbox.top), environment(environ()))
    assert versions_of(git, ":(glob)*.md") == before
    assert not sandbox.path("pwned").exists()


def test_a_walk_that_git_refuses_is_an_error_with_its_words(sandbox):
    sandbox.save({"a.md": "x\n"})
    git = Git(str(sandbox.top), environment(environ()))
    with pytest.raises(GitError, match="git log failed"):
        versions_of(git, "a.md", "no-such-tip")


def test_a_sha256_repository_has_a_history_too(tmp_path):
    made = run(["git", "init", "-q", "--object-format=sha256", "x"], tmp_path)
    if made.code:
        pytest.skip("this git has no SHA-256")
    sandbox = Sandbox(tmp_path / "x")
    sandbox.save({"a.md": "x\n"})
    git = Git(str(sandbox.top), environment(environ()))
    assert len(versions_of(git, "a.md")) == 1
