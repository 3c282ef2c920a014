"""The shims under real git: whose hook runs, with what, and what happens when memtools is gone.

memtools itself is a stand-in here that writes down how it was called; what the real one does at
each stage is tested elsewhere.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from memtools.entrypoints.text import sentence
from memtools.git.shims import STAGES, Program, manager_line
from memtools.usecases.diagnosing.reachability import reachability
from memtools.usecases.installing.init import Machine, apply_init
from memtools.usecases.installing.uninstall import apply_uninstall
from tests.helpers import CHECKOUT, Sandbox, longer, run

STAND_IN = """\
import json, os, sys
here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
stage = sys.argv[2]
fed = sys.stdin.read() if stage in ("pre-push", "post-rewrite") else ""
with open(os.path.join(here, "calls"), "a") as file:
    file.write(json.dumps(["memtools", stage, sys.argv[3:], fed]) + "\\n")
answer = os.path.join(here, "exit-" + stage)
flag = os.path.join(here, "flag")
if stage == "pre-commit" and os.path.exists(flag):
    with open(open(flag).read(), "w") as file:
        file.write("=" + os.environ.get("MEMTOOLS_COMMIT", "") + "\\n")
sys.exit(int(open(answer).read()) if os.path.exists(answer) else 0)
"""
THEIRS = """\
#!/bin/sh
fed=; case $0 in */pre-push* | */post-rewrite*) fed=$(cat) ;; esac
printf '["theirs", "%s", "%s", "%s"]\\n' "${0##*/}" "$*" "$fed" >>'CALLS'
[ ! -f "FOLDER/theirs-fail" ] || exit 3
"""
MARKER = "---\ntitle: Fix\n---\nRETRACTS: the disk cache was the cause\n"


class Bench(NamedTuple):
    """A repository with the shims of a stand-in, and what was called so far."""

    repo: Sandbox
    folder: Path

    @property
    def start(self):
        return self.folder / "stand in's" / "start.py"

    @property
    def machine(self):
        return Machine(Program(sys.executable, str(self.start)), os.environ)

    def init(self):
        return apply_init(str(self.repo.top), self.machine)

    def answer(self, stage, code):
        (self.folder / f"exit-{stage}").write_text(str(code))

    def theirs(self, stage, folder=".git/hooks"):
        text = THEIRS.replace("CALLS", str(self.folder / "calls"))
        text = text.replace("FOLDER", str(self.folder))
        self.repo.write(f"{folder}/{stage}", text).chmod(0o755)

    def calls(self):
        """What ran since the last look, as (who, name, arguments, stdin)."""
        place = self.folder / "calls"
        text = place.read_text() if place.exists() else ""
        place.unlink(missing_ok=True)
        return [tuple(json.loads(line, strict=False)) for line in text.splitlines() if line]

    def names(self):
        return [(who, name) for who, name, *_ in self.calls()]

    def gone(self):
        """memtools is uninstalled behind git's back."""
        self.start.unlink()

    def change(self, text="x\n"):
        self.repo.write("a.txt", text)
        self.repo.stage("a.txt")


@pytest.fixture
def bench(repo, tmp_path):
    made = Bench(repo, tmp_path / "bench")
    made.start.parent.mkdir(parents=True)
    made.start.write_text(STAND_IN)
    repo.save({"a.txt": "start\n"})
    return made


@pytest.fixture
def chained(bench):
    """Every stage had a hook before memtools came."""
    for stage in STAGES:
        bench.theirs(stage)
    bench.init()
    return bench


def kept(stage):
    return ("theirs", f"{stage}.memtools-prev")


def test_a_commit_runs_ours_and_then_the_hook_that_was_there(chained):
    chained.change()
    chained.repo.commit()
    assert chained.names() == [
        ("memtools", "pre-commit"),
        kept("pre-commit"),
        ("memtools", "post-commit"),
        kept("post-commit"),
    ]


def test_a_merge_runs_its_own_stages_with_gits_arguments(chained):
    repo = chained.repo
    repo.git("checkout", "-q", "-b", "side")
    repo.save({"b.txt": "b\n"})
    repo.git("checkout", "-q", "main")
    repo.save({"c.txt": "c\n"})
    chained.calls()
    repo.git("merge", "-q", "--no-edit", "side")
    assert chained.calls() == [
        ("memtools", "pre-merge-commit", [], ""),
        (*kept("pre-merge-commit"), "", ""),
        ("memtools", "post-merge", ["0"], ""),
        (*kept("post-merge"), "0", ""),
    ]


def test_an_amend_gives_both_the_same_arguments_and_stdin(chained):
    old = chained.repo.head()
    chained.change()
    chained.repo.git("commit", "-q", "--amend", "-m", "x")
    rewritten = f"{old} {chained.repo.head()}"
    assert chained.calls()[-2:] == [
        ("memtools", "post-rewrite", ["amend"], f"{rewritten}\n"),
        (*kept("post-rewrite"), "amend", rewritten),
    ]


def test_a_push_gives_both_the_same_arguments_and_stdin(chained, tmp_path):
    remote = str(tmp_path / "remote.git")
    run(["git", "init", "-q", "--bare", remote], tmp_path)
    chained.repo.git("push", "-q", remote, "main")
    ours, theirs = chained.calls()
    assert ours[:3] == ("memtools", "pre-push", [remote, remote])
    assert ours[3] == f"refs/heads/main {chained.repo.head()} refs/heads/main {'0' * 40}\n"
    assert theirs == (*kept("pre-push"), f"{remote} {remote}", ours[3].rstrip("\n"))


def test_without_another_hook_stdin_still_arrives(bench, tmp_path):
    bench.init()
    remote = str(tmp_path / "remote.git")
    run(["git", "init", "-q", "--bare", remote], tmp_path)
    bench.repo.git("push", "-q", remote, "main")
    assert bench.calls()[0][3].startswith("refs/heads/main ")


def test_saved_stdin_leaves_no_file_behind(chained, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    chained.change()
    chained.repo.git("commit", "-q", "--amend", "-m", "x", env={"TMPDIR": str(temporary)})
    assert list(temporary.iterdir()) == []


def test_without_a_temporary_folder_the_other_hook_still_gets_its_stdin(chained, tmp_path):
    chained.change()
    nowhere = {"TMPDIR": str(tmp_path / "nowhere")}
    chained.repo.git("commit", "-q", "--amend", "-m", "x", env=nowhere)
    last = [call for call in chained.calls() if call[0] == "theirs"][-1]
    assert last[1] == "post-rewrite.memtools-prev"
    assert last[3].endswith(chained.repo.head())


def test_a_mailed_patch_runs_post_applypatch(chained, tmp_path):
    repo = chained.repo
    repo.save({"b.txt": "b\n"})
    patch = repo.git("format-patch", "-1", "--stdout").out
    repo.git("reset", "-q", "--hard", "HEAD^")
    chained.calls()
    repo.git("am", "-q", input=patch)
    assert chained.names() == [("memtools", "post-applypatch"), kept("post-applypatch")]


@pytest.mark.parametrize("code", [1, 130])
def test_our_refusal_stops_the_commit_before_the_other_hook_runs(chained, code):
    chained.answer("pre-commit", code)
    chained.change()
    assert chained.repo.commit(code=1).err == ""
    assert chained.names() == [("memtools", "pre-commit")]


def test_the_refusal_of_the_other_hook_stops_the_commit_too(chained):
    (chained.folder / "theirs-fail").write_text("")
    chained.change()
    chained.repo.commit(code=1)
    assert chained.names() == [("memtools", "pre-commit"), kept("pre-commit")]


def test_our_refusal_stops_a_push(chained, tmp_path):
    remote = str(tmp_path / "remote.git")
    run(["git", "init", "-q", "--bare", remote], tmp_path)
    chained.answer("pre-push", 1)
    assert chained.repo.git("push", remote, "main", check=False).code == 1
    assert chained.names() == [("memtools", "pre-push")]


def test_another_hook_without_x_bit_is_skipped_as_git_skipped_it(bench):
    bench.theirs("pre-commit")
    bench.repo.path(".git/hooks/pre-commit").chmod(0o644)
    bench.init()
    bench.change()
    bench.repo.commit()
    assert ("theirs", "pre-commit.memtools-prev") not in bench.names()


def test_a_commit_made_by_memtools_runs_only_the_other_hooks(chained):
    chained.change()
    chained.repo.commit(env={"MEMTOOLS_IN_HOOK": "1"})
    assert chained.names() == [kept("pre-commit"), kept("post-commit")]


@pytest.mark.parametrize("code", [2, 70, 126])
@pytest.mark.parametrize("has_marker", [False, True])
def test_our_own_failure_stops_a_commit_only_when_it_adds_a_marker(chained, code, has_marker):
    chained.answer("pre-commit", code)
    chained.change()
    if has_marker:
        chained.repo.write("fix.md", MARKER)
        chained.repo.stage("fix.md")
    said = chained.repo.commit(code=int(has_marker)).err
    assert said.startswith("memtools did not run: install it again")
    assert (kept("pre-commit") in chained.names()) is not has_marker


def one_line(said):
    assert said.count("\n") == 1
    assert len(said) <= 161
    assert "memtools init" in said
    return said


@pytest.fixture
def nowhere(tmp_path):
    """A PATH on which there is git and what a shell script needs, but no memtools."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("git", "sh", "grep", "cat", "rm", "mktemp", "env"):
        (folder / name).symlink_to(shutil.which(name))
    return {"PATH": str(folder)}


def lost(bench):
    """The interpreter and the program of init are gone, and no other one is known."""
    bench.gone()
    bench.repo.git("config", "--unset-all", "memtools.python")
    return bench


def test_without_memtools_a_commit_goes_through_with_one_line(chained, nowhere):
    lost(chained).change()
    said = one_line(chained.repo.commit(env=nowhere).err)
    assert "git commit -n" in said
    assert chained.names() == [kept("pre-commit"), kept("post-commit")]


def test_without_memtools_a_commit_that_adds_a_marker_is_stopped(chained, nowhere):
    lost(chained)
    chained.repo.write("fix.md", MARKER)
    chained.repo.stage("fix.md")
    before = chained.repo.head()
    one_line(chained.repo.commit(env=nowhere, code=1).err)
    assert chained.repo.head() == before
    assert chained.names() == []
    assert chained.repo.commit("Skip", "-n", env=nowhere).err == ""
    chained.repo.git("rm", "-q", "fix.md")
    one_line(chained.repo.commit(env=nowhere).err)


def test_without_memtools_the_first_commit_of_a_repository_is_judged_alike(
    bench, nowhere, tmp_path
):
    new = Sandbox(tmp_path / "new")
    apply_init(str(new.top), bench.machine)
    lost(Bench(new, bench.folder))
    new.write("fix.md", "\xff".encode("latin-1") + b"\0\nRETRACTS: \xff\n")
    new.stage()
    new.commit(code=1, env=nowhere)
    new.write("fix.md", "See `RETRACTS:` and\n RETRACTS: indented\n")
    new.stage()
    new.commit(env=nowhere)


@pytest.mark.parametrize(
    "setting", ["diff.external=false", "color.ui=always", "diff.mnemonicPrefix=true"]
)
def test_without_memtools_the_persons_diff_settings_hide_no_marker(chained, nowhere, setting):
    key, _, value = setting.partition("=")
    lost(chained).repo.git("config", key, value)
    chained.repo.write(".gitattributes", "*.md -diff\n")
    chained.repo.write("fix.md", MARKER)
    chained.repo.stage()
    chained.repo.commit(code=1, env=nowhere)


def test_without_memtools_a_partial_commit_is_judged_by_what_it_commits(chained, nowhere):
    lost(chained).change()
    chained.repo.write("fix.md", MARKER)
    chained.repo.stage()
    chained.repo.commit("Part", "--", "a.txt", env=nowhere)
    chained.repo.commit("Rest", code=1, env=nowhere)


def test_without_memtools_a_merge_that_brings_a_marker_is_stopped(chained, nowhere):
    repo = chained.repo
    repo.git("checkout", "-q", "-b", "side")
    repo.save({"fix.md": MARKER})
    repo.git("checkout", "-q", "main")
    repo.save({"c.txt": "c\n"})
    lost(chained)
    done = repo.git("merge", "--no-edit", "side", check=False, env=nowhere)
    assert done.code == 1
    assert "git merge --no-verify" in done.err.splitlines()[0]


def test_without_memtools_the_other_stages_go_on(chained, nowhere, tmp_path):
    lost(chained)
    remote = str(tmp_path / "remote.git")
    run(["git", "init", "-q", "--bare", remote], tmp_path)
    pushed = chained.repo.git("push", "-q", remote, "main", env=nowhere)
    one_line(pushed.err)
    chained.change()
    amended = chained.repo.git("commit", "-q", "--amend", "-m", "x", env=nowhere)
    assert amended.err.count("\n") == 2  # pre-commit and post-rewrite; post-commit is silent
    assert kept("post-rewrite") in chained.names()


def fake_python(folder, *, has_memtools):
    """An interpreter of another machine: it answers as `python -I -m memtools` would."""
    path = folder / f"python-{has_memtools}"
    calls = folder / "calls"
    import_code = 0 if has_memtools else 1
    path.write_text(
        f'#!/bin/sh\n[ "$2" = -c ] && exit {import_code}\n'
        f'printf \'["other", "%s", "%s", ""]\\n\' "$5" "$2 $3" >>\'{calls}\'\n'
    )
    path.chmod(0o755)
    return str(path)


def test_another_interpreter_of_this_repository_steps_in(chained, nowhere):
    lost(chained)
    for path in (
        "/nowhere/python",
        fake_python(chained.folder, has_memtools=False),
        fake_python(chained.folder, has_memtools=True),
    ):
        chained.repo.git("config", "--add", "memtools.python", path)
    chained.change()
    assert chained.repo.commit(env=nowhere).err == ""
    assert chained.calls()[0] == ("other", "pre-commit", "-m memtools", "")


def test_memtools_on_path_steps_in_last(chained, nowhere):
    lost(chained)
    path = Path(nowhere["PATH"], "memtools")
    calls = chained.folder / "calls"
    path.write_text(f'#!/bin/sh\nprintf \'["path", "%s", "", ""]\\n\' "$*" >>\'{calls}\'\n')
    path.chmod(0o755)
    chained.change()
    assert chained.repo.commit(env=nowhere).err == ""
    assert chained.names()[::2] == [("path", "hook pre-commit"), ("path", "hook post-commit")]


def flag(repo, folder=".git"):
    """Say to post-commit that all is done when HEAD gets the tree that is staged now."""
    return repo.write(f"{folder}/memtools/quiet", repo.git("write-tree").out)


def flagging(bench, text=""):
    """The stand-in says at each pre-commit that there is nothing to do."""
    raised = bench.repo.write(".git/memtools/quiet", text)
    (bench.folder / "flag").write_text(str(raised))
    return raised


def test_the_quiet_flag_ends_post_commit_without_python_once(chained):
    chained.change()
    raised = flag(chained.repo)
    chained.repo.commit()
    assert chained.names()[-2:] == [kept("pre-commit"), kept("post-commit")]
    assert raised.read_bytes() == b""
    chained.change("y\n")
    chained.repo.commit()
    assert ("memtools", "post-commit") in chained.names()


def test_the_flag_of_this_very_commit_ends_post_commit_without_python(bench):
    bench.init()
    raised = flagging(bench)
    bench.change()
    bench.repo.commit()
    assert bench.names() == [("memtools", "pre-commit")]
    assert raised.read_bytes() == b""


@pytest.mark.parametrize("text", ["", "=1234567890\n", "=\n", "garbage\n", "0" * 40 + "\n"])
def test_the_flag_of_another_commit_is_taken_away_and_not_believed(bench, text):
    bench.init()
    raised = bench.repo.write(".git/memtools/quiet", text)
    bench.change()
    bench.repo.commit("Change", "-n")
    assert bench.names() == [("memtools", "post-commit")]
    assert raised.read_bytes() == b""


def test_before_another_hook_nobody_says_that_nothing_is_left_to_do(chained):
    """The hook below ours may stage a memory of its own."""
    raised = flagging(chained)
    chained.change()
    chained.repo.commit()
    assert ("memtools", "post-commit") in chained.names()
    assert raised.read_bytes() == b""


@pytest.mark.parametrize(("rows", "is_called"), [("row\n", True), ("", False)])
def test_a_journal_with_rows_needs_python_whatever_the_flag_says(bench, rows, is_called):
    bench.init()
    raised = flagging(bench)
    bench.repo.write(".git/memtools/journal", rows)
    bench.change()
    bench.repo.commit()
    assert (("memtools", "post-commit") in bench.names()) is is_called
    assert raised.read_bytes() == b""


def test_a_linked_worktree_has_its_own_flag(chained, tmp_path):
    chained.repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Bench(Sandbox(tmp_path / "linked"), chained.folder)
    linked.change()
    staged = linked.repo.git("write-tree").out
    chained.repo.write(".git/memtools/quiet", staged)
    chained.calls()
    linked.repo.commit()
    assert ("memtools", "post-commit") in linked.names()
    linked.change("y\n")
    staged = linked.repo.git("write-tree").out
    chained.repo.write(".git/worktrees/linked/memtools/quiet", staged)
    linked.repo.commit()
    assert ("memtools", "post-commit") not in linked.names()
    assert chained.repo.path(".git/memtools/quiet").exists()


def test_a_submodule_has_its_own_flag(bench, tmp_path):
    outer = Sandbox(tmp_path / "outer")
    outer.top.mkdir()
    outer.git("init", "-q")
    local = ("-c", "protocol.file.allow=always")
    outer.git(*local, "submodule", "add", "-q", str(bench.repo.top), "sub")
    inner = Bench(Sandbox(outer.top / "sub"), bench.folder)
    inner.init()
    inner.change()
    staged = inner.repo.git("write-tree").out
    raised = outer.write(".git/modules/sub/memtools/quiet", staged)
    inner.repo.commit()
    assert inner.names() == [("memtools", "pre-commit")]
    assert raised.read_bytes() == b""


def test_git_dir_and_work_tree_from_another_folder_are_found(chained, tmp_path):
    chained.change()
    top = chained.repo.top
    for base, where in ((str(top), tmp_path), (os.path.relpath(top, tmp_path), tmp_path)):
        raised = flag(chained.repo)
        place = [f"--git-dir={base}/.git", f"--work-tree={base}"]
        done = run(["git", *place, "commit", "-q", "--allow-empty", "-m", "x"], where)
        assert done == (0, "", "")
        assert chained.names()[-2:] == [kept("pre-commit"), kept("post-commit")]
        assert raised.read_bytes() == b""


def test_a_commit_from_a_subfolder_with_a_relative_hooks_path_is_found(bench):
    bench.repo.git("config", "core.hooksPath", ".githooks")
    bench.theirs("pre-commit", ".githooks")
    apply_init(str(bench.repo.top), bench.machine, into_hooks_path=True)
    bench.repo.write("sub/b.txt", "b\n")
    bench.repo.stage("sub/b.txt")
    run(["git", "commit", "-q", "-m", "x"], bench.repo.top / "sub")
    assert bench.names() == [
        ("memtools", "pre-commit"),
        kept("pre-commit"),
        ("memtools", "post-commit"),
    ]


def test_a_hook_in_a_linked_worktree_reads_the_other_repository_it_opens(bench, tmp_path):
    other = Sandbox(tmp_path / "other")
    other.top.mkdir()
    other.git("init", "-q")
    bench.start.write_text(
        f"import os, sys\nsys.path.insert(0, {str(CHECKOUT)!r})\n"
        "from memtools.git.place import find_place\n"
        f"print(find_place({str(other.top)!r}, os.environ).git_dir, os.environ.get('GIT_DIR'))\n"
    )
    bench.init()
    bench.repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Bench(Sandbox(tmp_path / "linked"), bench.folder)
    linked.change()
    done = linked.repo.commit()
    assert f"{os.path.realpath(other.top)}/.git " in done.out + done.err
    assert "worktrees/linked" in done.out + done.err


def test_uninstall_gives_every_stage_back_to_the_other_hook(chained):
    apply_uninstall(str(chained.repo.top), os.environ)
    chained.change()
    chained.repo.commit()
    assert chained.names() == [("theirs", "pre-commit"), ("theirs", "post-commit")]


# --- other hook managers ---------------------------------------------------------------------


def framework_tool():
    beside = Path(sys.executable).with_name("pre-commit")
    found = str(beside) if beside.exists() else shutil.which("pre-commit")
    if not found:
        pytest.skip("the pre-commit framework is not installed")
    return found


def framework(bench, *args, code=0):
    look = f'git diff --cached --name-only | tr "\\n" " " >>"{bench.folder}/seen"'
    bench.repo.write(
        ".pre-commit-config.yaml",
        "repos:\n- repo: local\n  hooks:\n  - id: look\n    name: look\n    language: system\n"
        f"    entry: sh -c '{look}'\n    always_run: true\n    pass_filenames: false\n",
    )
    bench.repo.stage(".pre-commit-config.yaml")
    done = run([framework_tool(), *args], bench.repo.top)
    assert done.code == code, done
    return done


def seen(bench):
    place = bench.folder / "seen"
    text = place.read_text() if place.exists() else ""
    place.unlink(missing_ok=True)
    return text.split()


ORDERS = {
    "memtools-first": ("init", "install"),
    "framework-first": ("install", "init"),
    "framework-again": ("install", "init", "install"),
    "memtools-again": ("init", "install", "init"),
    "both-again": ("install", "init", "install", "init"),
}


@pytest.mark.parametrize("order", [*list(ORDERS)[:2], *longer(*list(ORDERS)[2:])])
def test_with_the_framework_both_run_in_either_order(bench, order):
    for step in ORDERS[order]:
        if step == "init":
            bench.init()
        else:
            framework(bench, "install")
    bench.change()
    bench.repo.write("a.txt", "an edit that is not staged\n")
    bench.repo.commit()
    assert bench.names() == [("memtools", "pre-commit"), ("memtools", "post-commit")]
    assert seen(bench) == [".pre-commit-config.yaml", "a.txt"]
    assert bench.repo.read("a.txt") == b"an edit that is not staged\n"
    assert all(answer.ok for answer in reachability(str(bench.repo.top), os.environ))


@pytest.mark.parametrize("order", [*longer(*list(ORDERS)[:-1]), *list(ORDERS)[-1:]])
def test_after_uninstall_only_the_framework_runs(bench, order):
    for step in ORDERS[order]:
        if step == "init":
            bench.init()
        else:
            framework(bench, "install")
    apply_uninstall(str(bench.repo.top), os.environ)
    bench.change()
    bench.repo.commit()
    assert bench.names() == []
    assert seen(bench) == [".pre-commit-config.yaml", "a.txt"]
    left = {path.name for path in bench.repo.path(".git/hooks").iterdir()}
    assert left == {"pre-commit"}


def test_a_hook_of_the_person_below_ours_below_the_framework_runs_once(bench):
    bench.theirs("pre-commit")
    bench.init()
    framework(bench, "install")
    bench.change()
    bench.repo.commit()
    assert bench.names()[:2] == [("memtools", "pre-commit"), kept("pre-commit")]
    assert seen(bench) == [".pre-commit-config.yaml", "a.txt"]
    apply_uninstall(str(bench.repo.top), os.environ)
    bench.change("y\n")
    bench.repo.commit()
    assert bench.names() == [("theirs", "pre-commit.legacy")]


def test_our_refusal_below_the_framework_stops_the_commit(bench):
    bench.init()
    framework(bench, "install")
    bench.answer("pre-commit", 1)
    bench.change()
    bench.repo.commit(code=1)


def test_the_framework_installed_by_force_drops_ours_and_doctor_is_told(bench):
    bench.init()
    framework(bench, "install", "-f")
    wrong = [answer for answer in reachability(str(bench.repo.top), os.environ) if not answer.ok]
    assert [answer.stage for answer in wrong] == ["pre-commit"]
    assert "memtools init" in wrong[0].hint
    bench.init()
    bench.change()
    bench.repo.commit()
    assert ("memtools", "pre-commit") in bench.names()
    assert seen(bench) == [".pre-commit-config.yaml", "a.txt"]


def test_hooks_a_forced_installer_left_over_are_kept_and_named(bench):
    bench.theirs("pre-commit")
    bench.init()
    framework(bench, "install", "-f")
    bench.init()
    bench.change()
    bench.repo.commit()
    assert ("theirs", "pre-commit.memtools-prev") not in bench.names()
    assert seen(bench) == [".pre-commit-config.yaml", "a.txt"]
    report = apply_uninstall(str(bench.repo.top), os.environ)
    assert [line.partition(" stays")[0] for line in report.notices] == [
        ".git/hooks/pre-commit.memtools-prev-1"
    ]
    assert bench.repo.path(".git/hooks/pre-commit.memtools-prev-1").is_file()


def test_the_framework_taken_out_again_leaves_ours(bench):
    bench.init()
    framework(bench, "install")
    framework(bench, "uninstall")
    bench.change()
    bench.repo.commit()
    assert bench.names() == [("memtools", "pre-commit"), ("memtools", "post-commit")]
    assert seen(bench) == []


def husky(bench):
    """The layout `husky` writes: its own folder, each hook of which runs the person's beside it."""
    bench.repo.git("config", "core.hooksPath", ".husky/_")
    bench.repo.write(
        ".husky/_/h",
        '#!/usr/bin/env sh\nname=${0##*/}\nown=$(dirname "$(dirname "$0")")/$name\n'
        '[ -f "$own" ] || exit 0\nsh -e "$own" "$@"\n',
    )
    for stage in STAGES:
        bench.repo.write(f".husky/_/{stage}", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n').chmod(
            0o755
        )


def on_path(bench, nowhere):
    """`memtools` on PATH is the stand-in."""
    path = Path(nowhere["PATH"], "memtools")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{bench.start}" "$@"\n')
    path.chmod(0o755)
    (path.parent / "dirname").symlink_to(shutil.which("dirname"))
    return nowhere


def test_with_husky_the_line_init_prints_is_enough(bench, nowhere):
    husky(bench)
    bench.init()
    wrong = [answer for answer in reachability(str(bench.repo.top), os.environ) if not answer.ok]
    assert [answer.stage for answer in wrong] == list(STAGES)
    assert "--into-hooks-path" not in " ".join(bench.init().notices)
    for answer in wrong:
        where, _, line = answer.hint.removeprefix("add to ").partition(": ")
        bench.repo.write(where, f"{line}\n")
    assert all(answer.ok for answer in reachability(str(bench.repo.top), os.environ))
    bench.change()
    bench.repo.commit(env=on_path(bench, nowhere))
    assert bench.names() == [("memtools", "pre-commit"), ("memtools", "post-commit")]
    assert bench.init().notices == ()


def test_the_line_in_a_husky_hook_harms_nobody_without_memtools(bench, nowhere):
    husky(bench)
    bench.repo.write(".husky/pre-commit", manager_line("pre-commit", "") + "\n")
    bench.change()
    (Path(nowhere["PATH"]) / "dirname").symlink_to(shutil.which("dirname"))
    assert bench.repo.commit(env=nowhere).err == ""


def test_husky_after_memtools_is_told_by_doctor(bench):
    bench.init()
    husky(bench)
    answers = reachability(str(bench.repo.top), os.environ)
    assert not any(answer.ok for answer in answers)
    assert answers[0].hint.startswith("add to .husky/pre-commit: ")


def lefthook(bench):
    """What `lefthook install` does: the hook that was there becomes STAGE.old and is not called."""
    text = THEIRS.replace("CALLS", str(bench.folder / "calls"))
    text = text.replace("FOLDER", str(bench.folder))
    for stage in ("pre-commit", "pre-push"):
        place = bench.repo.path(f".git/hooks/{stage}")
        if place.exists():
            place.rename(f"{place}.old")
        call = f'{text}call_lefthook() {{ :; }}\ncall_lefthook run "{stage}" "$@"\n'
        bench.repo.write(f".git/hooks/{stage}", call).chmod(0o755)
    bench.repo.write("lefthook.yml", "pre-commit: {commands: {x: {run: 'true'}}}\n")


def test_over_lefthook_both_run_and_the_lines_against_its_next_install_are_said(bench):
    lefthook(bench)
    report = bench.init()
    bench.change()
    bench.repo.commit()
    assert bench.names()[:2] == [("memtools", "pre-commit"), kept("pre-commit")]
    assert manager_line("pre-commit", "lefthook") in report.notices[-1]
    shown = sentence(report.notices[-1]).split("\n")  # each line as it goes into lefthook.yml
    assert shown[1:] == [manager_line(stage, "lefthook") for stage in STAGES]


def test_lefthook_after_memtools_is_told_by_doctor_and_mended_by_init(bench):
    bench.init()
    lefthook(bench)
    wrong = [a.stage for a in reachability(str(bench.repo.top), os.environ) if not a.ok]
    assert wrong == ["pre-commit", "pre-push"]
    bench.init()
    assert all(answer.ok for answer in reachability(str(bench.repo.top), os.environ))
    bench.change()
    bench.repo.commit()
    assert bench.names()[:2] == [("memtools", "pre-commit"), kept("pre-commit")]
    apply_uninstall(str(bench.repo.top), os.environ)
    left = {path.name for path in bench.repo.path(".git/hooks").iterdir()}
    assert left == {"pre-commit", "pre-push"}


# --- merge driver ----------------------------------------------------------------------------


def conflict(bench):
    """Two branches that change one line of a memory."""
    repo = bench.repo
    repo.save({"m.md": "---\nstatus: active\n---\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.save({"m.md": "---\nstatus: theirs\n---\n"})
    repo.git("checkout", "-q", "main")
    repo.save({"m.md": "---\nstatus: ours\n---\n"})
    bench.calls()


DRIVER = """\
import sys
verb, base, ours, theirs, size, path = sys.argv[1:]
open(ours, "w").write(" ".join([verb, open(base).read()[12:18], size, path]))
"""


def test_the_merge_driver_gets_its_files_and_its_answer_counts(bench):
    bench.init()
    conflict(bench)
    bench.start.write_text(f"import sys\nif sys.argv[1] == 'merge-driver':\n    exec({DRIVER!r})\n")
    bench.repo.git("merge", "-q", "--no-edit", "side")
    assert bench.repo.read("m.md") == b"merge-driver active 7 m.md"


@pytest.mark.parametrize("is_broken", [False, True])
def test_without_memtools_the_merge_driver_falls_back_to_merge_file(bench, nowhere, is_broken):
    bench.init()
    conflict(bench)
    if is_broken:
        bench.start.write_text("import sys\nsys.exit(70)\n")
    else:
        bench.gone()
    done = bench.repo.git("merge", "--no-edit", "side", check=False, env=nowhere)
    assert done.code == 1
    assert "CONFLICT (content)" in done.out
    text = bench.repo.read("m.md").decode()
    assert "<<<<<<< ours\nstatus: ours\n=======\nstatus: theirs\n>>>>>>> theirs\n" in text
