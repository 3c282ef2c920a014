"""What else git keeps: flags, sparse, split and SHA-256 indexes, worktrees, signatures."""

import os
import subprocess
from itertools import product

import pytest

from memtools.usecases.state import read_standing
from tests.e2e.story import (
    BODY,
    FIX,
    OTHER,
    STORY,
    TARGET,
    all_three,
    buried,
    hook,
    mark,
    settled,
    states,
)
from tests.helpers import Sandbox, new_repository, part_of, run

HOW = [[], ["-a"], ["--", "fix.md"]]


def more(repo, text="More.\n"):
    repo.write("other.md", OTHER + text)
    repo.stage("other.md")


def flags(repo, path="target.md"):
    return repo.git("ls-files", "-v", "--", path).out[:1]


LETTERS = {"assume-unchanged": "h", "skip-worktree": "S"}


@pytest.mark.parametrize("case", part_of(list(product(LETTERS, HOW)), 2))
def test_flags_of_the_target_are_set_again(notes, case):
    """C43."""
    flag, how = case
    letter = LETTERS[flag]
    notes.git("update-index", f"--{flag}", "target.md")
    mark(notes)
    notes.commit("Fix", *how)
    assert flags(notes) == letter
    assert (
        notes.show("HEAD", "target.md").decode() == buried() == notes.staged("target.md").decode()
    )
    assert notes.status() == ""
    settled(notes)
    more(notes)
    notes.commit("Other", "-a")
    assert flags(notes) == letter
    assert notes.show("HEAD", "target.md").decode() == buried()


def test_both_flags_at_once_are_set_again(notes):
    """C43."""
    notes.git("update-index", "--skip-worktree", "target.md")
    notes.git("update-index", "--assume-unchanged", "target.md")
    mark(notes)
    notes.commit("Fix")
    assert flags(notes) == "s"
    settled(notes)


def test_intent_to_add_elsewhere_survives_a_retraction(notes):
    notes.write("draft.md", "Draft.\n")
    notes.git("add", "-N", "draft.md")
    mark(notes)
    notes.commit("Fix")
    assert notes.status() == " A draft.md\n"
    assert notes.files() == [".memtools.toml", "fix.md", "other.md", "target.md"]
    settled(notes)


FAR = {
    "in/near.md": "Near.\n",
    "out/target.md": TARGET,
    "out/sibling.md": "Sibling.\n",
    "out/deep/far.md": "Far.\n",
}


def sparse(repo, *how):
    repo.save(FAR)
    repo.git("sparse-checkout", "set", *how, "in")
    assert not repo.path("out").exists()


SPARSE = product(["--no-sparse-index", "--sparse-index"], [[], ["-a"], ["--", "in/fix.md"]])


@pytest.mark.parametrize("case", part_of(list(SPARSE), 2))
def test_a_target_outside_the_sparse_cone_is_retracted_and_stays_outside(sandbox, case):
    """C44 without, C45 with a sparse index."""
    kind, how = case
    sparse(sandbox, "--cone", kind)
    is_collapsed = kind == "--sparse-index"
    listing = sandbox.git("ls-files", "--sparse").out
    assert ("out/\n" in listing) is is_collapsed
    sandbox.write("in/fix.md", FIX)
    sandbox.stage("in/fix.md")
    sandbox.commit("Fix", *how)
    assert sandbox.show("HEAD", "out/target.md").decode() == buried()
    assert sandbox.status() == ""
    assert flags(sandbox, "out/target.md") == "S"
    assert not sandbox.path("out").exists()
    sandbox.write("in/near.md", "Near, edited.\n")
    sandbox.commit("Near", "-a")
    assert sandbox.files() == [".memtools.toml", "in/fix.md", *sorted(FAR)]
    for path in ("out/sibling.md", "out/deep/far.md"):
        assert sandbox.show("HEAD", path).decode() == FAR[path]
    assert sandbox.show("HEAD", "out/target.md").decode() == buried()
    names = sandbox.git("ls-files", "-s", "--sparse").out
    assert not ("out/\n" in names and "out/target.md" in names)
    assert sandbox.status() == ""
    sandbox.git("sparse-checkout", "disable")
    assert sandbox.read("out/target.md").decode() == buried()
    assert sandbox.status() == ""
    settled(sandbox)


def test_patterns_without_a_cone_are_sparse_too(sandbox):
    """C44."""
    sandbox.save(FAR)
    sandbox.git("sparse-checkout", "set", "--no-cone", "/in/")
    sandbox.write("in/fix.md", FIX)
    sandbox.stage("in/fix.md")
    sandbox.commit("Fix")
    assert sandbox.show("HEAD", "out/target.md").decode() == buried()
    assert flags(sandbox, "out/target.md") == "S"
    assert sandbox.status() == ""
    settled(sandbox)


def test_a_given_up_commit_in_a_sparse_index_is_put_back(sandbox):
    """C45 and C23."""
    sparse(sandbox, "--cone", "--sparse-index")
    refuse = hook(sandbox, "commit-msg", "exit 1")
    sandbox.write("in/fix.md", FIX)
    sandbox.stage("in/fix.md")
    sandbox.commit("Fix", code=1)
    refuse.unlink()
    sandbox.git("rm", "-q", "--cached", "in/fix.md")
    sandbox.write("in/near.md", "Near, edited.\n")
    sandbox.commit("Near", "-a")
    assert sandbox.show("HEAD", "out/target.md").decode() == TARGET
    assert flags(sandbox, "out/target.md") == "S"
    assert sandbox.status() == "?? in/fix.md\n"
    settled(sandbox)


def test_an_unattended_commit_in_a_sparse_index_holds_a_secret_back(sandbox):
    """Taking an entry out of staging needs the same care as replacing one."""
    sparse(sandbox, "--cone", "--sparse-index")
    sandbox.write("in/near.md", "Near, edited.\n")
    sandbox.write("in/bad.md", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    sandbox.stage("in")
    sandbox.commit("Backup", env={"MEMTOOLS_UNATTENDED": "1"})
    assert sandbox.show("HEAD", "in/near.md") == b"Near, edited.\n"
    assert "in/bad.md" not in sandbox.files()
    assert sandbox.status() == "?? in/bad.md\n"
    for path in ("out/sibling.md", "out/target.md"):
        assert sandbox.show("HEAD", path).decode() == FAR[path]
    settled(sandbox)


def test_a_split_index_stays_split(notes):
    """C46."""
    notes.git("config", "core.splitIndex", "true")
    notes.git("update-index", "--split-index")
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    assert list(notes.path(".git").glob("sharedindex.*"))
    settled(notes)


def test_an_index_of_version_4_stays_one(notes):
    """C46."""
    notes.git("update-index", "--index-version", "4")
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert notes.read(".git/index")[4:8] == b"\0\0\0\4"
    assert notes.status() == ""
    settled(notes)


def test_an_untracked_cache_is_kept(notes):
    """C46."""
    notes.git("config", "core.untrackedCache", "true")
    notes.git("update-index", "--untracked-cache")
    notes.status()
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    assert b"UNTR" in notes.read(".git/index")
    settled(notes)


@pytest.mark.parametrize("how", HOW)
def test_a_file_system_monitor_hook_is_no_trouble(notes, how):
    """C46."""
    monitor = notes.write(".git/monitor", "#!/bin/sh\nprintf 'token\\0/\\0'\n")
    monitor.chmod(0o755)
    notes.git("config", "core.fsmonitor", str(monitor))
    notes.git("update-index", "--fsmonitor")
    mark(notes)
    notes.commit("Fix", *how)
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    assert b"FSMN" in notes.read(".git/index")
    settled(notes)


@pytest.fixture
def long_ids(tmp_path):
    made = Sandbox(tmp_path / "sha256")
    made.top.mkdir()
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    made.init()
    made.stage()
    made.commit("Start")
    made.save(STORY)
    return made


@pytest.mark.parametrize("how", part_of(HOW, 2))
def test_a_repository_with_sha256_is_like_any_other(long_ids, how):
    """C47."""
    mark(long_ids)
    long_ids.commit("Fix", *how)
    assert len(long_ids.head()) == 64
    assert states(long_ids) == all_three(buried())
    assert long_ids.status() == ""
    settled(long_ids)
    assert "target.md" not in long_ids.memtools("search", "root cause").out


def test_an_unattended_commit_with_sha256_holds_a_file_back(long_ids):
    """C47: an entry that HEAD lacks is taken out of staging."""
    more(long_ids)
    long_ids.write("bad.md", "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    long_ids.stage("bad.md")
    done = long_ids.commit("Backup", env={"MEMTOOLS_UNATTENDED": "1"})
    assert "kept out of this commit: bad.md" in done.err
    assert "bad.md" not in long_ids.files()
    assert long_ids.show("HEAD", "other.md").decode() == OTHER + "More.\n"
    assert long_ids.status() == "?? bad.md\n"
    settled(long_ids)


def test_a_bare_repository_with_worktrees_beside_it_works_in_each(notes, tmp_path):
    """Field report F6 (gastownhall/beads#785): the `.bare` layout; also F2 and F7."""
    home = tmp_path / "project"
    home.mkdir()
    run(["git", "clone", "-q", "--bare", str(notes.top), str(home / ".bare")], tmp_path)
    (home / ".git").write_text("gitdir: ./.bare\n")
    trees = {}
    for name in ("main", "side"):
        made = [] if name == "main" else ["-b", name]
        args = ["git", "worktree", "add", "-q", *made, name, *(["main"] if name == "main" else [])]
        assert run(args, home).code == 0
        trees[name] = Sandbox(home / name)
    trees["main"].init()
    for name, how in (("main", []), ("side", ["--", "fix.md"])):
        tree = trees[name]
        mark(tree)
        more(tree)
        tree.commit("Fix", *how)
        assert states(tree) == all_three(buried())
        assert tree.status() == ("" if name == "main" else "M  other.md\n")
        settled(tree)
    assert not (home / ".bare" / "memtools" / "journal").exists()


def test_a_commit_with_an_ssh_signature_verifies_on_the_tombstoned_tree(notes, tmp_path):
    """C52."""
    key = tmp_path / "key"
    try:
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("ssh-keygen is not installed")
    public = key.with_suffix(".pub").read_text()
    (tmp_path / "signers").write_text(f"cleo@example.com {public}")
    for name, value in {
        "gpg.format": "ssh",
        "user.signingKey": str(key),
        "commit.gpgSign": "true",
        "gpg.ssh.allowedSignersFile": str(tmp_path / "signers"),
    }.items():
        notes.git("config", name, value)
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert notes.git("verify-commit", "HEAD", check=False).code == 0
    assert notes.git("log", "-1", "--format=%G?").out == "G\n"
    assert notes.status() == ""
    settled(notes)


def test_variables_of_the_person_about_pathspecs_and_diffs_change_nothing(notes):
    env = {
        "GIT_ICASE_PATHSPECS": "1",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_DIFF_OPTS": "-u0",
        "GIT_LITERAL_PATHSPECS": "",
    }
    notes.save({"Target.md": "---\nstatus: active\n---\nAnother one.\n"})
    for name, value in {
        "diff.noprefix": "true",
        "diff.renames": "copies",
        "color.ui": "always",
        "core.quotePath": "false",
        "status.short": "true",
        "core.abbrev": "4",
        "diff.external": "false",
    }.items():
        notes.git("config", name, value)
    mark(notes)
    notes.commit("Fix", env=env)
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert b"retracted" not in notes.show("HEAD", "Target.md")
    settled(notes)


def test_no_name_and_no_date_in_the_environment_is_enough(notes):
    """The author date of the commit is the tombstone's, wherever git takes it from."""
    mark(notes)
    notes.commit("Fix", "--date", "2001-02-03T04:05:06-0730", "--author", "X <x@example.com>")
    assert b"retracted_at: 2001-02-03T04:05:06-07:30\n" in notes.show("HEAD", "target.md")
    assert notes.git("log", "-1", "--format=%aI").out == "2001-02-03T04:05:06-07:30\n"
    settled(notes)


def test_a_target_that_is_a_pointer_of_git_lfs_is_refused_not_passed_over(notes):
    """Facts C: no tombstone is possible in such a blob; the hook must say so."""
    notes.git("config", "filter.lfs.clean", "cat >/dev/null; cat .git/pointer")
    notes.git("config", "filter.lfs.smudge", "cat >/dev/null; cat .git/real")
    notes.write(
        ".git/pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    )
    notes.write(".git/real", BODY)
    notes.save({".gitattributes": "big.md filter=lfs\n", "big.md": BODY})
    assert notes.show("HEAD", "big.md").startswith(b"version https://git-lfs")
    mark(notes, text="RETRACTS: big.md\n")
    before = notes.git("ls-files", "-s").out
    done = notes.commit("Fix", code=1)
    assert "big.md" in done.err
    assert notes.git("ls-files", "-s").out == before
    assert os.path.exists(notes.path("big.md"))


def test_a_submodule_git_is_told_to_ignore_is_in_the_tree_the_ledger_stands_for(notes, tmp_path):
    part = new_repository(tmp_path / "part")
    part.save({"a.txt": "1\n"})
    notes.git("clone", "-q", str(part.top), str(notes.path("part")))
    ignored = '[submodule "part"]\n\tpath = part\n\turl = ./part\n\tignore = all\n'
    notes.write(".gitmodules", ignored)
    notes.stage()
    notes.commit("Part")
    Sandbox(notes.path("part")).save({"a.txt": "2\n"})
    inner = Sandbox(notes.path("part")).head()
    notes.git("update-index", "--cacheinfo", f"160000,{inner},part")
    mark(notes)
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    kept = read_standing(str(notes.path(".git/memtools")))
    assert kept.tree == notes.git("rev-parse", "HEAD^{tree}").out.strip()
    settled(notes)
