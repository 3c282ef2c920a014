"""A commit of our own on real git: signed, hooked, beside the person's work, or not at all."""

import os
import shutil
import subprocess
import sys
import threading
import time

import pytest

from memtools.core.memory import read_memory
from memtools.errors import GitError
from memtools.usecases.changing.meanwhile import MeanwhileError, take_back_overtaking
from memtools.usecases.changing.owncommit import NewBytes, commit_files
from memtools.usecases.changing.retract import retract
from memtools.usecases.repository import open_repository
from tests.helpers import CHECKOUT

PHRASE = "The root cause is DNS"
DECLARING = "2026-11-29-retracts-sync.md"


def call(sandbox, phrase=PHRASE, **options):
    return retract(open_repository(str(sandbox.top)), phrase, apply=True, **options)


def status(sandbox, path="sync.md"):
    return read_memory(path, sandbox.show("HEAD", path)).status


def everything(sandbox):
    tree = {
        str(path.relative_to(sandbox.top)): path.read_bytes()
        for path in sandbox.top.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(sandbox.top).parts
    }
    return sandbox.head(), sandbox.git("ls-files", "-s").out, tree


def hook(sandbox, name, body):
    """A hook of the person, below ours where ours is installed."""
    place = sandbox.path(f".git/hooks/{name}")
    if place.exists():
        place = sandbox.path(f".git/hooks/{name}.memtools-prev")
    place.write_text(f"#!/bin/sh\n{body}\n")
    place.chmod(0o755)


@pytest.fixture
def notes(begun):
    sandbox = begun({"sync.md": "# Sync\n\nThe root cause is DNS.\n", "other.md": "# Other\n"})
    sandbox.write("other.md", "# Other\n\nStaged.\n")
    sandbox.stage("other.md")
    sandbox.write("other.md", "# Other\n\nUnstaged.\n")
    return sandbox


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg", "prepare-commit-msg"])
def test_the_persons_own_hook_can_refuse_and_then_nothing_is_changed(notes, name):
    hook(notes, name, "echo no such luck >&2; exit 1")
    before = everything(notes)
    with pytest.raises(GitError) as caught:
        call(notes)
    assert caught.value.exit_code == 3
    assert "no such luck" in caught.value.message
    assert everything(notes) == before
    assert not notes.path(".git/memtools/journal").exists()
    shutil.rmtree(notes.path(".git/hooks"))
    call(notes)
    assert status(notes) == "retracted"


def test_the_persons_own_hooks_see_what_is_committed_and_may_change_the_message(notes):
    hook(notes, "pre-commit", "git diff --cached --name-only > .git/seen")
    hook(notes, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"')
    call(notes)
    assert notes.read(".git/seen").decode().split() == [DECLARING, "sync.md"]
    assert "Reviewed-by: hook" in notes.git("log", "-1", "--format=%B").out


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")
def test_the_commit_is_signed_when_the_person_signs(notes, tmp_path):
    key = tmp_path / "key"
    made = subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)])
    assert made.returncode == 0
    signers = tmp_path / "signers"
    signers.write_text(f"cleo@example.com {key.with_suffix('.pub').read_text()}")
    for name, value in {
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "commit.gpgSign": "true",
        "gpg.ssh.allowedSignersFile": str(signers),
    }.items():
        notes.git("config", name, value)
    call(notes)
    assert notes.git("log", "-1", "--format=%G?").out.strip() == "G"


def test_a_key_that_cannot_sign_changes_nothing(notes):
    for name, value in {"gpg.format": "ssh", "user.signingKey": "/no/key"}.items():
        notes.git("config", name, value)
    notes.git("config", "commit.gpgSign", "true")
    before = everything(notes)
    with pytest.raises(GitError):
        call(notes)
    assert everything(notes) == before


@pytest.mark.parametrize("lock", ["index.lock", "HEAD.lock", "refs/heads/main.lock"])
def test_a_held_lock_is_named_and_nothing_is_changed(notes, lock):
    notes.path(f".git/{lock}").write_text("")
    before = everything(notes)
    with pytest.raises(GitError) as caught:
        call(notes)
    assert caught.value.exit_code == 3
    assert lock in caught.value.message
    assert everything(notes) == before
    notes.path(f".git/{lock}").unlink()
    call(notes)
    assert status(notes) == "retracted"


def test_a_lock_held_for_a_moment_is_waited_for(notes):
    lock = notes.path(".git/index.lock")
    lock.write_text("")
    threading.Timer(0.3, lock.unlink).start()
    call(notes)
    assert status(notes) == "retracted"


def test_a_commit_without_a_name_is_refused_and_changes_nothing(notes, monkeypatch):
    for name in ("NAME", "EMAIL"):
        for who in ("AUTHOR", "COMMITTER"):
            monkeypatch.delenv(f"GIT_{who}_{name}")
    notes.git("config", "user.useConfigOnly", "true")
    before = everything(notes)
    with pytest.raises(GitError):
        call(notes)
    assert everything(notes) == before


def test_files_that_are_as_they_shall_be_make_no_commit(notes):
    head = notes.head()
    repository = open_repository(str(notes.top))
    made = commit_files(repository, [NewBytes("sync.md", notes.read("sync.md"))], "Nothing")
    assert notes.head() == head
    assert made.repository == repository


def test_the_first_commit_of_a_repository_may_be_ours(repo):
    repo.write("staged.md", "mine\n")
    repo.stage("staged.md")
    commit_files(open_repository(str(repo.top)), [NewBytes("notes/a.md", b"a\n")], "Start")
    assert repo.files() == ["notes/a.md"]
    assert repo.read("notes/a.md") == b"a\n"
    assert repo.status() == "A  staged.md\n"


def test_a_commit_that_came_between_keeps_its_changes(notes):
    """Another commit must not be taken back by one whose plan is older."""
    repository = open_repository(str(notes.top))
    notes.commit("Between")
    commit_files(repository, [NewBytes("new.md", b"new\n")], "Add")
    assert notes.show("HEAD", "other.md") == b"# Other\n\nStaged.\n"
    stale = repository._replace(git=repository.git)
    with pytest.raises(GitError) as caught:
        commit_files(stale, [NewBytes("other.md", b"mine\n")], "Clobber")
    assert "meanwhile" in caught.value.message
    assert notes.show("HEAD", "other.md") == b"# Other\n\nStaged.\n"


def test_many_at_once_all_land(sandbox):
    names = [f"n{number}" for number in range(6)]
    sandbox.save({f"{name}.md": f"# {name}\n\nThe lesson of {name} is wrong.\n" for name in names})
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "memtools", "retract", f"{name}.md", "--apply"],
            cwd=sandbox.top,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for name in names
    ]
    said = [process.communicate(timeout=120)[0] for process in started]
    assert [process.returncode for process in started] == [0] * 6, said
    assert [status(sandbox, f"{name}.md") for name in names] == ["retracted"] * 6
    assert sandbox.status() == ""
    assert sandbox.git("fsck", "--strict").code == 0


def test_a_killed_commit_is_finished_by_the_next_hook(notes):
    """The commit landed, staging and files did not follow: as after kill -9 right behind it."""
    hook(notes, "post-commit", "kill -9 $(ps -o ppid= -p $PPID | tr -d ' ')")
    env = {"PYTHONPATH": str(CHECKOUT)}
    if not shutil.which("ps"):
        pytest.skip("ps is not installed")
    notes.memtools("retract", PHRASE, "--apply", code=None, env=env)
    until = time.monotonic() + 10
    while status(notes) != "retracted" and time.monotonic() < until:
        time.sleep(0.05)
    notes.path(".git/hooks/post-commit.memtools-prev").unlink()
    notes.memtools("hook", "post-commit")
    assert status(notes) == "retracted"
    assert notes.read("sync.md") == notes.staged("sync.md") == notes.show("HEAD", "sync.md")
    assert notes.read("other.md") == b"# Other\n\nUnstaged.\n"


def test_what_a_killed_run_left_beside_the_file_is_cleared_away(notes):
    gone = subprocess.Popen(["true"])
    gone.wait()
    notes.write(f".memtools-{gone.pid}-0123abcd", "half")
    notes.write(f".memtools-{os.getpid()}-0123abcd", "at work")
    notes.write(".memtools-notes-mine", "of the person")
    call(notes)
    left = {path.name for path in notes.top.glob(".memtools-*")}
    assert left == {f".memtools-{os.getpid()}-0123abcd", ".memtools-notes-mine"}


def test_a_file_system_without_hard_links_gets_new_files_too(notes, monkeypatch):
    def refuse(source, target):
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    call(notes)
    assert notes.read(DECLARING) == notes.show("HEAD", DECLARING)


def test_a_private_index_of_the_person_does_not_get_in(notes, monkeypatch):
    shutil.copy(notes.path(".git/index"), notes.path(".git/mine"))
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/mine")
    monkeypatch.chdir(notes.top)
    call(notes)
    assert notes.git("show", "--name-only", "--format=").out.split() == [DECLARING, "sync.md"]


def test_a_commit_that_would_undo_what_somebody_committed_just_then_is_taken_back(notes):
    """git reads HEAD anew when it begins: ours was made of a tree without `theirs.md`."""
    git = open_repository(str(notes.top)).git.with_env(GIT_INDEX_FILE=str(notes.path("private")))
    before = notes.head()
    git.run("read-tree", before)
    notes.write("theirs.md", "# Theirs\n")
    notes.stage("theirs.md")
    notes.commit("Theirs", "--no-verify", "--", "theirs.md")
    theirs = notes.head()
    git.run("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Ours")
    assert "theirs.md" not in notes.files()
    with pytest.raises(MeanwhileError):
        take_back_overtaking(git, before)
    assert notes.head() == theirs


def test_a_commit_on_the_head_it_was_made_of_stays(notes):
    git = open_repository(str(notes.top)).git.with_env(GIT_INDEX_FILE=str(notes.path("private")))
    before = notes.head()
    git.run("read-tree", before)
    git.run("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Ours")
    made = notes.head()
    take_back_overtaking(git, before)
    assert notes.head() == made
