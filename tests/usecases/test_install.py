"""`init` and `uninstall` on real git: nothing of the person's is changed, everything goes back."""

import os
import shutil
import stat
import sys
from pathlib import Path

import pytest

from memtools.errors import GitError, SearchError, UsageError
from memtools.git.attributes import without_block
from memtools.git.place import local_config
from memtools.git.run import Git
from memtools.git.shims import STAGES, Program
from memtools.usecases.diagnosing.reachability import reachability
from memtools.usecases.installing import init as install
from memtools.usecases.installing.init import (
    Machine,
    apply_init,
    plan_init,
    prefers_japanese,
)
from memtools.usecases.installing.settings import DEFAULT_SETTINGS
from memtools.usecases.installing.uninstall import apply_uninstall
from tests.helpers import CHECKOUT, Sandbox

PROGRAM = Program(sys.executable, str(CHECKOUT / "memtools" / "start.py"))
CASES = CHECKOUT / "tests" / "fixtures"
HOOKS = [f".git/hooks/{stage}" for stage in STAGES]
SHAPES = {
    "plain.md": b"# Title\n\nNo front matter, no final newline",
    "yaml.md": b"---\ntitle:   Spaced   # comment\nstatus: 'active'\n---\nBody\n",
    "crlf.md": b"---\r\nstatus: active\r\n---\r\nBody\r\n",
    "bom.md": b"\xef\xbb\xbf---\nstatus: active\n---\nBody\n",
    "broken.md": b"---\nkey: a: b\n\tstatus: x\n---\n",
    "open.md": b"---\nstatus: active\n",
    "toml.md": b"+++\ntitle = 1\n+++\nBody\n",
    "json.md": b'{"status": "active"}\n',
    "twice.md": b"---\nstatus: active\nstatus: draft\n---\n",
    "utf16.md": "---\nstatus: active\n---\n".encode("utf-16"),
    "latin.md": b"---\ntitle: caf\xe9\n---\n",
    "empty.md": b"",
    "nul.md": b"---\nstatus: active\n---\n\0\0\n",
    "sub/ノート.md": "---\nstatus: 有効\n---\n本文\n".encode(),
}


def machine(program=PROGRAM, **changes):
    return Machine(program, {**os.environ, **changes})


def snapshot(folder):
    """Path -> kind, mode, time of change and bytes of everything below, without .git's objects."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        state = path.lstat()
        is_file = stat.S_ISREG(state.st_mode)
        data = path.read_bytes() if is_file else b""
        # git writes its config anew for each entry, so of that file only the bytes can come back
        times = state.st_mtime_ns if is_file and path.name != "config" else 0
        found[path.relative_to(folder).as_posix()] = (state.st_mode, times, data)
    return found


def notes_of(folder):
    return {k: v for k, v in snapshot(folder).items() if not k.startswith(".git/") and k != ".git"}


def config_of(top):
    return local_config(Git(str(top), os.environ))


@pytest.fixture
def notes(tmp_path):
    """A folder of notes of many shapes, without a repository."""
    made = Sandbox(tmp_path / "notes")
    for path, data in SHAPES.items():
        made.write(path, data)
    for number, case in enumerate(sorted(CASES.rglob("*.md"))):
        made.write(f"cases/{number}-{case.name}", case.read_bytes())
    os.utime(made.path("plain.md"), (1_000_000_000, 1_000_000_000))
    made.path("yaml.md").chmod(0o444)
    return made


def test_a_folder_of_notes_becomes_a_repository_and_no_note_changes(notes):
    before = notes_of(notes.top)
    report = apply_init(str(notes.top), machine())
    after = notes_of(notes.top)
    assert after.pop(".memtools.toml")[2].decode() == DEFAULT_SETTINGS
    assert after == before
    assert report.wrote[:2] == (".git/", ".memtools.toml")
    assert set(HOOKS) < set(report.wrote)
    assert {".git/info/attributes", ".git/config: memtools.python"} < set(report.wrote)
    assert all("[vocabulary.status]" in line for line in report.notices)


def test_every_file_that_was_written_is_named(notes):
    notes.git("init", "-q")
    before = set(snapshot(notes.top))
    report = apply_init(str(notes.top), machine())
    new = {p for p in set(snapshot(notes.top)) - before if notes.path(p).is_file()}
    assert new - {".git/memtools/installed"} == {p for p in report.wrote if ": " not in p}


def test_a_folder_that_is_not_there_is_made_with_its_parents(tmp_path):
    apply_init(str(tmp_path / "a" / "b c"), machine())
    assert (tmp_path / "a" / "b c" / ".git" / "hooks" / "pre-commit").is_file()


def test_a_dry_run_names_the_same_and_writes_nothing(notes):
    before = snapshot(notes.top)
    planned = plan_init(str(notes.top), machine())
    assert snapshot(notes.top) == before
    assert planned.is_dry_run
    assert planned.top == str(notes.top)
    assert planned.wrote == apply_init(str(notes.top), machine()).wrote


def test_a_dry_run_in_a_repository_writes_nothing_either(repo):
    before = snapshot(repo.top)
    planned = plan_init(str(repo.top), machine())
    assert snapshot(repo.top) == before
    assert planned.wrote == apply_init(str(repo.top), machine()).wrote


def test_a_dry_run_for_a_folder_that_is_not_there_makes_none(tmp_path):
    planned = plan_init(str(tmp_path / "new"), machine())
    assert ".git/hooks/pre-commit" in planned.wrote
    assert list(tmp_path.iterdir()) == []


def test_a_second_run_changes_nothing(repo):
    first = apply_init(str(repo.top), machine())
    before = snapshot(repo.top)
    second = apply_init(str(repo.top), machine())
    assert second.wrote == ()
    assert set(second.kept) == set(first.wrote)
    assert snapshot(repo.top) == before


@pytest.mark.parametrize("has_hook", [True, False])
def test_uninstall_leaves_the_tree_and_the_git_dir_as_they_were(repo, has_hook):
    repo.save({"a.md": "---\nstatus: active\n---\nText\n"})
    repo.git("config", "user.nickname", "x")
    if has_hook:
        repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o700)
    before = snapshot(repo.top)
    first = apply_init(str(repo.top), machine(LANG="ja_JP.UTF-8", LC_ALL=""))
    report = apply_uninstall(str(repo.top), os.environ)
    assert snapshot(repo.top) == before
    assert set(first.wrote) <= {*report.removed, *report.put_back}
    assert report.put_back == ((".git/hooks/pre-commit",) if has_hook else ())
    assert (report.edited, report.notices) == ((), ())


def test_uninstall_twice_finds_nothing(repo):
    apply_init(str(repo.top), machine())
    apply_uninstall(str(repo.top), os.environ)
    assert apply_uninstall(str(repo.top), os.environ).removed == ()


def test_uninstall_takes_everything_back_when_the_record_is_lost(repo):
    before = snapshot(repo.top)
    apply_init(str(repo.top), machine())
    repo.path(".git/memtools/installed").write_text("{broken")
    apply_uninstall(str(repo.top), os.environ)
    left = set(snapshot(repo.top)) - set(before)
    assert left <= {".memtools.toml", ".git/hooks", ".git/info", ".git/info/attributes"}
    assert repo.read(".git/info/attributes") == b""
    assert repo.read(".git/config") == before[".git/config"][2]


def test_settings_that_were_changed_or_committed_stay(repo):
    apply_init(str(repo.top), machine())
    repo.stage(".memtools.toml")
    report = apply_uninstall(str(repo.top), os.environ)
    assert repo.path(".memtools.toml").is_file()
    assert [str(line) for line in report.notices] == [
        ".memtools.toml stays: it is part of your notes now"
    ]


def test_settings_that_were_there_are_not_ours(repo):
    repo.write(".memtools.toml", 'roots = ["notes"]\n')
    report = apply_init(str(repo.top), machine())
    assert ".memtools.toml" in report.kept
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".memtools.toml") == b'roots = ["notes"]\n'


def test_uninstall_keeps_backups_and_what_tells_of_a_run_that_was_interrupted(repo):
    apply_init(str(repo.top), machine())
    kept = {"journal": "row\n", "backups/1.bundle": "b", "erase/pending": "an erasure\n"}
    derived = {"index/x": "derived", "quiet": "", "backup-lock": ""}
    for name, text in {**kept, **derived}.items():
        repo.write(f".git/memtools/{name}", text)
    report = apply_uninstall(str(repo.top), os.environ)
    assert ".git/memtools/" not in report.removed
    assert report.edited == (".git/memtools/",)
    told = [str(line) for line in report.notices]
    left = {path.name for path in repo.path(".git/memtools").iterdir()}
    assert left == {"journal", "backups", "erase"}
    assert {line.split(" ")[0] for line in told} == {f".git/memtools/{name}" for name in left}
    assert repo.read(".git/memtools/backups/1.bundle") == b"b"
    again = apply_uninstall(str(repo.top), os.environ)
    assert (again.removed, again.put_back, again.edited) == ((), (), ())


def test_the_values_of_other_machines_stay_in_the_config(repo):
    repo.git("config", "--add", "memtools.python", "C:/py/python.exe")
    apply_init(str(repo.top), machine())
    assert config_of(repo.top)["memtools.python"] == ("C:/py/python.exe", sys.executable)


def test_a_new_interpreter_renews_shims_and_driver(repo):
    apply_init(str(repo.top), machine())
    moved = Program("/new/bin/python", "/new/start.py")
    report = apply_init(str(repo.top), machine(moved))
    assert set(HOOKS) < set(report.wrote)
    assert ".memtools.toml" in report.kept
    config = config_of(repo.top)
    assert config["memtools.python"] == (sys.executable, "/new/bin/python")
    assert len(config["merge.memtools.driver"]) == 1
    assert "/new/bin/python -I -S /new/start.py" in config["merge.memtools.driver"][0]
    apply_uninstall(str(repo.top), os.environ)
    assert not [key for key in config_of(repo.top) if "memtools" in key]


@pytest.mark.parametrize(
    ("variables", "is_japanese"),
    [
        ({"MEMTOOLS_LANG": "ja"}, True),
        ({"MEMTOOLS_LANG": "en", "LANG": "ja_JP.UTF-8"}, False),
        ({"LANG": "ja_JP.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, False),
        ({"LC_ALL": "", "LC_MESSAGES": "ja_JP.eucJP", "LANG": "en_US.UTF-8"}, True),
        ({"LANG": "Japanese_Japan.932"}, True),
        ({"LANG": "jav_ID"}, False),
        ({}, False),
    ],
)
def test_the_language_comes_from_our_variable_or_the_locale(variables, is_japanese):
    assert prefers_japanese(variables) is is_japanese


def test_a_language_that_was_chosen_is_not_changed(repo):
    repo.git("config", "memtools.lang", "en")
    apply_init(str(repo.top), machine(MEMTOOLS_LANG="ja"))
    assert config_of(repo.top)["memtools.lang"] == ("en",)
    apply_uninstall(str(repo.top), os.environ)
    assert config_of(repo.top)["memtools.lang"] == ("en",)


def test_a_folder_beside_a_bare_repository_is_refused(tmp_path):
    """As those have it who keep their work trees side by side; notes are adopted in one of them."""
    bare = Sandbox(tmp_path / "bare")
    bare.top.mkdir()
    bare.git("init", "-q", "--bare")
    (tmp_path / ".git").write_text("gitdir: ./bare\n")
    before = snapshot(tmp_path)
    for call in (apply_init, plan_init):
        with pytest.raises(GitError, match="bare repository") as caught:
            call(str(tmp_path), machine())
        assert caught.value.exit_code == 3
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize("folder", ["sub", "new/deep"])
def test_a_folder_inside_another_repository_is_refused_with_both_ways_out(repo, folder):
    repo.write("sub/a.md", "a\n")
    with pytest.raises(UsageError, match="lies inside the repository") as caught:
        apply_init(str(repo.top / folder), machine())
    assert f"memtools init {os.path.realpath(repo.top)}" in caught.value.hint
    assert "git init" in caught.value.hint
    assert not (repo.top / "new").exists()


@pytest.mark.parametrize("is_there", [False, True])
def test_a_new_folder_with_the_name_of_a_bare_repository_is_refused(tmp_path, is_there):
    folder = tmp_path / "new folder.git"
    if is_there:
        folder.mkdir()
    for act in (plan_init, apply_init):
        with pytest.raises(UsageError, match="bare repository") as caught:
            act(f"{folder}/", machine())
        assert str(caught.value.hint).startswith(f"type: git init --bare '{folder}', then memtools")
    assert not folder.exists() or not list(folder.iterdir())


def test_notes_in_a_folder_of_such_a_name_are_adopted(tmp_path):
    folder = tmp_path / "notes.git"
    folder.mkdir()
    (folder / "a.md").write_text("Tea is served at four.\n")
    assert apply_init(str(folder), machine()).top == str(folder)


def test_a_git_dir_and_a_file_are_refused(repo, tmp_path):
    with pytest.raises(GitError, match="inside a git dir"):
        apply_init(str(repo.top / ".git"), machine())
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="is not a folder"):
        apply_init(str(tmp_path / "file"), machine())
    with pytest.raises(GitError, match="not in a git repository") as caught:
        apply_uninstall(str(tmp_path), os.environ)
    assert caught.value.exit_code == 3


def test_variables_that_bind_git_to_another_repository_are_dropped(repo, tmp_path):
    other = Sandbox(tmp_path / "other")
    other.top.mkdir()
    other.git("init", "-q")
    before = snapshot(other.top)
    bound = machine(GIT_DIR=str(other.top / ".git"), GIT_WORK_TREE=str(other.top))
    report = apply_init(str(repo.top), bound)
    assert report.top == os.path.realpath(repo.top)
    assert snapshot(other.top) == before


def test_a_linked_worktree_shares_hooks_config_and_record(repo, tmp_path):
    repo.save({"a.md": "a\n"})
    before = snapshot(repo.top / ".git")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Sandbox(tmp_path / "linked")
    apply_init(str(linked.top), machine())
    assert repo.path(".git/hooks/pre-commit").is_file()
    assert repo.path(".git/memtools/installed").is_file()
    assert all(answer.ok for answer in reachability(str(repo.top), os.environ))
    assert set(apply_init(str(repo.top), machine()).wrote) == {".memtools.toml"}
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".git/config") == before["config"][2]
    assert not linked.path(".git/hooks").exists()
    assert not repo.path(".git/hooks/pre-commit").exists()


def test_a_submodule_gets_hooks_of_its_own(repo, tmp_path):
    repo.save({"a.md": "a\n"})
    outer = Sandbox(tmp_path / "outer")
    outer.top.mkdir()
    outer.git("init", "-q")
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo.top), "sub")
    apply_init(str(outer.top / "sub"), machine())
    assert outer.path(".git/modules/sub/hooks/pre-commit").is_file()
    assert not outer.path(".git/hooks/pre-commit").exists()
    assert "memtools" not in outer.read(".git/config").decode()


def attribute(repo, path):
    return repo.git("check-attr", "merge", "--", path).out.strip().rpartition(": ")[2]


def test_the_driver_is_set_for_memories_and_nothing_tracked_changes(repo):
    apply_init(str(repo.top), machine())
    assert attribute(repo, "a/b.md") == "memtools"
    assert attribute(repo, "a/b.txt") == "unspecified"
    driver = config_of(repo.top)["merge.memtools.driver"][0]
    assert f"{sys.executable} -I -S {PROGRAM.start} merge-driver" in driver
    assert "git merge-file" in driver


def test_attributes_for_all_memories_stay_as_the_person_set_them(repo):
    repo.write(".gitattributes", "*.md merge=union\n")
    report = apply_init(str(repo.top), machine())
    assert attribute(repo, "a.md") == "union"
    assert not repo.path(".git/info/attributes").exists()
    assert "merge=union" in report.notices[0]


def test_a_team_that_sets_the_driver_itself_is_told_nothing(repo):
    repo.write(".gitattributes", "*.md merge=memtools\n")
    report = apply_init(str(repo.top), machine())
    assert report.notices == ()
    assert not repo.path(".git/info/attributes").exists()


def test_attributes_for_some_memories_win_over_ours(repo):
    repo.write(".gitattributes", "# c\n[attr]x merge=ours\nCHANGELOG.md text merge=union\n")
    repo.write("log book/.gitattributes", "*.md -merge\n/deep/*.md merge=ours\n")
    repo.stage()
    repo.write(".git/info/attributes", "mine.md merge=binary")
    before = repo.read(".git/info/attributes")
    apply_init(str(repo.top), machine())
    assert attribute(repo, "a.md") == "memtools"
    assert attribute(repo, "CHANGELOG.md") == "union"
    assert attribute(repo, "x/CHANGELOG.md") == "union"
    assert attribute(repo, "log book/a.md") == "unset"
    assert attribute(repo, "log book/x/a.md") == "unset"
    assert attribute(repo, "log book/deep/a.md") == "ours"
    assert attribute(repo, "mine.md") == "binary"
    assert without_block(repo.read(".git/info/attributes")) == before
    assert apply_init(str(repo.top), machine()).wrote == ()
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".git/info/attributes") == before


def obsidian(repo):
    repo.write(".obsidian/plugins/obsidian-git/manifest.json", "{}")
    return repo


def test_without_a_terminal_the_obsidian_plugin_gives_a_line_to_type(repo):
    report = apply_init(str(obsidian(repo).top), machine())
    assert "git config memtools.unattended true" in report.notices[0]
    assert "memtools.unattended" not in config_of(repo.top)


@pytest.mark.parametrize("answer", [True, False])
def test_at_a_terminal_the_obsidian_plugin_gives_a_question(repo, answer):
    asked = []
    report = apply_init(
        str(obsidian(repo).top), machine(), ask=lambda text: asked.append(text) or answer
    )
    assert len(asked) == 1
    assert ("memtools.unattended" in config_of(repo.top)) is answer
    assert bool(report.notices) is not answer
    apply_uninstall(str(repo.top), os.environ)
    assert "memtools.unattended" not in config_of(repo.top)


def test_an_answer_that_was_given_is_not_asked_for_again(repo):
    repo.git("config", "memtools.unattended", "false")
    assert apply_init(str(obsidian(repo).top), machine(), ask=lambda _: 1 / 0).notices == ()


def test_the_search_index_is_built_last_and_its_failure_is_only_told(repo):
    seen = []
    apply_init(
        str(repo.top),
        machine(),
        build_index=lambda top: seen.append((top, repo.path(".memtools.toml").is_file())),
    )
    assert seen == [(os.path.realpath(repo.top), True)]

    def fail(top):
        raise SearchError("the disk is full")

    report = apply_init(str(repo.top), machine(), build_index=fail)
    assert "the disk is full" in report.notices[0]


@pytest.mark.parametrize("has_repository", [True, False])
def test_words_outside_the_vocabulary_are_counted_and_their_lines_printed(tmp_path, has_repository):
    notes = Sandbox(tmp_path / "notes")
    for number, word in enumerate(["half-baked", "half-baked", "'say \"x\"'", "active", "draft"]):
        notes.write(f"{number}.md", f"---\nstatus: {word}\n---\nText\n")
    notes.write("out/5.md", "---\nstatus: ignored\n---\n")
    notes.write(".gitignore", "out/\n")
    if has_repository:
        notes.git("init", "-q")
    for report in (plan_init(str(notes.top), machine()), apply_init(str(notes.top), machine())):
        first, second = report.notices
        assert first.startswith("the status `half-baked` is not in the vocabulary")
        assert "(here: 2)" in first
        assert '"half-baked" = "active"' in first
        assert '"say \\"x\\"" = "active"' in second
    assert b"half-baked" not in notes.read(".memtools.toml")
    notes.write(".memtools.toml", '[vocabulary.status]\nhalf-baked = "active"\n')
    assert len(plan_init(str(notes.top), machine()).notices) == 1


def test_of_very_many_words_the_most_frequent_are_printed(repo):
    for number in range(12):
        repo.write(f"{number}.md", f"---\nstatus: half-baked {number}\n---\n")
    repo.write("often.md", "---\nstatus: half-baked 11\n---\n")
    notices = plan_init(str(repo.top), machine()).notices
    assert len(notices) == 11
    assert "`half-baked 11`" in notices[0]
    assert notices[-1] == "further status words outside the vocabulary: 2"


def test_a_file_that_cannot_be_written_is_named_and_a_second_run_goes_on(repo):
    repo.write(".git/file", "")
    repo.git("config", "core.hooksPath", ".git/file/hooks")
    with pytest.raises(GitError, match=r"pre-commit cannot be written") as caught:
        apply_init(str(repo.top), machine())
    assert "memtools init" in caught.value.hint
    repo.path(".git/file").unlink()
    apply_init(str(repo.top), machine())
    assert all(answer.ok for answer in reachability(str(repo.top), os.environ))


def stopped_after(repo, steps, monkeypatch):
    """`init` is killed after this many of its steps."""
    real, done = install._apply, []

    def apply(step):
        if len(done) == steps:
            raise KeyboardInterrupt
        done.append(step.shown)
        real(step)

    with monkeypatch.context() as patch:
        patch.setattr(install, "_apply", apply)
        with pytest.raises(KeyboardInterrupt):
            apply_init(str(repo.top), machine())
    return done


@pytest.mark.parametrize("steps", range(0, 12, 2))
def test_an_init_that_was_killed_is_finished_by_the_next_or_taken_back(repo, steps, monkeypatch):
    repo.write(".git/hooks/pre-push", "#!/bin/sh\n").chmod(0o755)
    before = snapshot(repo.top)
    assert len(stopped_after(repo, steps, monkeypatch)) == steps
    apply_uninstall(str(repo.top), os.environ)
    assert snapshot(repo.top) == before
    stopped_after(repo, steps, monkeypatch)
    apply_init(str(repo.top), machine())
    assert apply_init(str(repo.top), machine()).wrote == ()
    assert all(answer.ok for answer in reachability(str(repo.top), os.environ))
    apply_uninstall(str(repo.top), os.environ)
    assert snapshot(repo.top) == before


def test_a_tracked_hooks_folder_is_not_written_to_unless_forced(repo):
    repo.git("config", "core.hooksPath", ".githooks")
    repo.write(".githooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o755)
    report = apply_init(str(repo.top), machine())
    assert [p.name for p in repo.path(".githooks").iterdir()] == ["pre-commit"]
    assert not [name for name in report.wrote if "hooks" in name]
    said = "\n".join(report.notices)
    assert "--into-hooks-path" in said
    assert "add to .githooks/pre-commit: " in said
    assert 'memtools hook pre-commit "$@"' in said
    repo.path(".githooks/pre-commit").chmod(0o644)
    assert reachability(str(repo.top), os.environ)[0].hint == "type: chmod +x .githooks/pre-commit"
    repo.path(".githooks/pre-commit").chmod(0o755)
    before = snapshot(repo.path(".githooks"))
    forced = apply_init(str(repo.top), machine(), into_hooks_path=True)
    assert ".githooks/post-commit" in forced.wrote
    assert all(answer.ok for answer in reachability(str(repo.top), os.environ))
    repo.git("config", "--unset", "core.hooksPath")
    apply_uninstall(str(repo.top), os.environ)
    assert snapshot(repo.path(".githooks")) == before


def test_the_folder_of_all_repositories_is_not_written_to(repo, tmp_path):
    config = tmp_path / "config"
    config.write_text(f"[core]\n\thooksPath = {tmp_path / 'mine'}\n")
    report = apply_init(str(repo.top), machine(GIT_CONFIG_GLOBAL=str(config)))
    assert not (tmp_path / "mine").exists()
    assert "serves all your repositories" in report.notices[0]


def test_hooks_switched_off_are_told(repo):
    repo.git("config", "core.hooksPath", os.devnull)
    report = apply_init(str(repo.top), machine())
    assert "git runs no hook here" in report.notices[0]
    answers = reachability(str(repo.top), os.environ)
    assert not any(answer.ok for answer in answers)
    assert "git config --unset core.hooksPath" in answers[0].hint


def test_a_clone_without_hooks_is_told_what_to_type(repo, tmp_path):
    repo.save({"a.md": "a\n"})
    apply_init(str(repo.top), machine())
    repo.git("clone", "-q", str(repo.top), str(tmp_path / "clone"))
    answers = reachability(str(tmp_path / "clone"), os.environ)
    assert [answer.stage for answer in answers] == list(STAGES)
    assert not any(answer.ok for answer in answers)
    assert all("memtools init" in answer.hint for answer in answers)


def test_a_lost_x_bit_and_a_dropped_hook_are_told_by_stage(repo):
    apply_init(str(repo.top), machine())
    repo.path(".git/hooks/pre-push").chmod(0o644)
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n").chmod(0o755)
    wrong = {a.stage: a.message for a in reachability(str(repo.top), os.environ) if not a.ok}
    assert set(wrong) == {"pre-push", "pre-commit"}
    assert "not executable" in wrong["pre-push"]
    assert "does not call memtools" in wrong["pre-commit"]
    apply_init(str(repo.top), machine())
    assert all(answer.ok for answer in reachability(str(repo.top), os.environ))


def test_an_interpreter_that_is_gone_is_told_unless_another_one_is_there(repo):
    apply_init(str(repo.top), machine(Program("/gone/python", "/gone/start.py")))
    nowhere = {**os.environ, "PATH": os.path.dirname(shutil.which("git"))}
    if shutil.which("memtools", path=nowhere["PATH"]):
        pytest.skip("memtools is installed beside git")
    answers = reachability(str(repo.top), nowhere)
    assert not any(answer.ok for answer in answers)
    assert "/gone/python" in answers[0].message
    repo.git("config", "--add", "memtools.python", sys.executable)
    assert all(answer.ok for answer in reachability(str(repo.top), nowhere))


def test_a_held_config_lock_is_named_and_nothing_is_lost(repo):
    repo.write(".git/config.lock", "")
    with pytest.raises(GitError, match="lock"):
        apply_init(str(repo.top), machine())
    repo.path(".git/config.lock").unlink()
    apply_init(str(repo.top), machine())
    assert all(answer.ok for answer in reachability(str(repo.top), os.environ))
