"""doctor: each kind of illness is named, and following the advice given reaches green."""

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtools.errors import GitError
from memtools.usecases.diagnosing.doctor import CHECKS, doctor
from memtools.usecases.repository import open_repository
from memtools.usecases.state import JournalRow, read_journal, write_journal
from memtools.usecases.tending.backup import backup
from tests.helpers import CHECKOUT
from tests.usecases.test_check import CACHE, FIX

STATE = ".git/memtools"
SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"


def examine(repo, **more):
    return doctor(open_repository(str(repo.top)), **more)


def ill(health):
    return [check.id for check in health.checks if not check.ok]


def answer(health, name):
    (found,) = [check for check in health.checks if check.id == name]
    return found


@pytest.fixture
def notes(begun):
    return begun({"a.md": CACHE, "b.md": "A plain note about the weather.\n"})


def test_a_repository_after_init_and_a_commit_is_healthy(notes):
    health = examine(notes)
    assert (health.healthy, ill(health)) == (True, [])
    notes.save({"fix.md": FIX})
    assert examine(notes).healthy


def test_an_id_names_one_check_and_each_ill_check_says_what_to_type(repo):
    repo.save({"a.md": CACHE, "fix.md": FIX, "c.md": "---\nstatus: odd\n---\n"})
    health = examine(repo)
    ids = [check.id for check in health.checks]
    assert len(ids) == len(set(ids)) >= len(CHECKS)
    assert all(check.hint for check in health.checks if not check.ok)


def times(notes):
    """When each file under .git was written; `proved` says when the index was last looked at."""
    files = [path for path in notes.path(".git").rglob("*") if path.is_file()]
    return {path: path.stat().st_mtime_ns for path in files if path.name != "proved"}


def test_looking_changes_nothing(notes):
    notes.path(f"{STATE}/ledger").write_bytes(b"lies\n")
    before = times(notes)
    examine(notes)
    assert times(notes) == before
    assert notes.status() == ""


def test_a_clone_without_hooks_is_ill_and_fix_installs_them(notes, tmp_path):
    notes.git("clone", "-q", str(notes.top), str(tmp_path / "clone"))
    notes.top = tmp_path / "clone"
    health = examine(notes)
    assert "hook-pre-commit" in ill(health)
    assert "merge-driver" in ill(health)
    assert "search-index" in ill(health)
    fixed = examine(notes, fix=True)
    assert (fixed.healthy, ill(fixed)) == (True, [])
    assert fixed.fixed
    assert notes.status() == ""


def test_a_hook_put_over_ours_is_named_and_fix_chains_it(notes):
    """C79: `pre-commit install -f`, lefthook or husky after memtools."""
    hook = notes.path(".git/hooks/pre-commit")
    hook.write_text("#!/bin/sh\nexit 0\n")
    assert ill(examine(notes)) == ["hook-pre-commit"]
    assert examine(notes, fix=True).healthy
    assert notes.path(".git/hooks/pre-commit.memtools-prev").exists()


def test_a_folder_in_the_place_of_a_hook_stops_no_commit_once_it_was_put_aside(notes):
    for stage in ("pre-commit", "post-commit"):
        notes.path(f".git/hooks/{stage}").unlink()
        notes.path(f".git/hooks/{stage}").mkdir()
    assert examine(notes, fix=True).healthy
    notes.write("after.md", "# After\n\nIt went on.\n")
    notes.stage()
    assert notes.commit("After").err == ""


def test_a_hook_of_another_version_is_named_and_renewed(notes):
    hook = notes.path(".git/hooks/post-merge")
    hook.write_bytes(hook.read_bytes() + b"# old\n")
    assert ill(examine(notes)) == ["hooks-current"]
    assert examine(notes, fix=True).healthy


def test_a_marker_without_tombstone_is_ill_until_the_named_command_ran(notes):
    notes.write("fix.md", FIX)
    notes.stage()
    notes.commit("Unguarded", "-n")
    health = examine(notes)
    assert ill(health) == ["markers-unapplied"]
    assert answer(health, "markers-unapplied").hint == "type: memtools sweep --apply"
    notes.memtools("sweep", "--apply")
    assert examine(notes).healthy


def test_an_ambiguous_and_a_short_marker_are_ill(notes):
    notes.write("c.md", CACHE.replace("high", "low"))
    notes.write("fix.md", FIX + "\nRETRACTS: weather\n")
    notes.stage()
    notes.commit("Unguarded", "-n")
    health = examine(notes)
    assert ill(health) == ["markers-idle"]
    assert "fix.md:4" in answer(health, "markers-idle").message
    assert "fix.md:6" in answer(health, "markers-idle").message


def test_a_marker_without_memory_and_a_tombstone_without_marker_are_only_told(notes):
    notes.save({"fix.md": FIX})
    notes.git("rm", "-q", "fix.md")
    notes.commit("The correction goes")
    notes.save({"gone.md": "RETRACTS: nobody ever wrote this\n"})
    health = examine(notes)
    assert health.healthy
    assert "a.md" in answer(health, "tombstones-orphaned").message
    assert "gone.md:1" in answer(health, "markers-unmatched").message


def test_the_index_is_missing_and_the_named_command_makes_it(notes):
    """https://github.com/openclaw/openclaw/issues/116937: the advice has to work."""
    subprocess.run(["rm", "-r", str(notes.path(f"{STATE}/search"))], check=True)
    health = examine(notes)
    assert ill(health) == ["search-index"]
    assert answer(health, "search-index").hint == "type: memtools index --rebuild"
    notes.memtools("index", "--rebuild")
    assert examine(notes).healthy


def test_a_damaged_index_is_mended_by_fix(notes):
    for place in notes.path(f"{STATE}/search").rglob("*"):
        if place.is_file():
            place.write_bytes(b"noise")
    assert ill(examine(notes)) == ["search-index"]
    assert examine(notes, fix=True).healthy


def test_an_index_behind_head_is_no_illness_and_fix_brings_it_along(notes):
    """https://github.com/basicmachines-co/basic-memory/issues/670: green can be reached.

    After `git switch` or `git reset --hard` no hook ran, and nobody has to do anything.
    """
    notes.git("mv", "b.md", "c.md")
    notes.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "Elsewhere")
    health = examine(notes)
    assert health.healthy
    assert "the next search brings it along" in answer(health, "search-index").message
    fixed = answer(examine(notes, fix=True), "search-index").message
    assert fixed == "the search index is at HEAD"


@pytest.mark.parametrize("data", [b"lies\n", b""])
def test_a_ledger_nobody_can_read_is_made_anew(notes, data):
    notes.path(f"{STATE}/ledger").write_bytes(data)
    assert ill(examine(notes)) == ["ledger"]
    assert examine(notes, fix=True).healthy


def test_a_ledger_that_says_something_else_is_found_and_made_anew(notes):
    from memtools.core.ledger import EMPTY
    from memtools.usecases.state import read_standing, write_standing

    state = str(notes.path(STATE))
    write_standing(state, read_standing(state)._replace(ledger=EMPTY))
    assert ill(examine(notes)) == ["ledger"]
    assert examine(notes, fix=True).healthy


def test_a_commit_that_nobody_finished_is_finished(notes):
    """A partial commit whose post-commit was killed leaves a staged reversal."""
    before = notes.git("rev-parse", "HEAD:a.md").out.strip()
    notes.save({"fix.md": FIX})
    after = notes.git("rev-parse", "HEAD:a.md").out.strip()
    notes.git("update-index", "--cacheinfo", f"100644,{before},a.md")
    write_journal(str(notes.path(STATE)), (JournalRow("a.md", before, after),))
    assert ill(examine(notes)) == ["half-done", "staged-reversal"]
    assert examine(notes, fix=True).healthy
    assert notes.status() == ""
    assert read_journal(str(notes.path(STATE))) == ()


def test_tombstones_of_a_commit_given_up_are_no_illness(notes):
    notes.write("fix.md", FIX)
    notes.stage()
    notes.commit("Given up", code=128, env={"GIT_COMMITTER_NAME": ""})
    health = examine(notes)
    assert ill(health) == []
    assert "a.md" in answer(health, "half-done").message


def test_files_of_killed_runs_are_deleted_and_those_of_running_ones_kept(notes):
    dead = subprocess.Popen(["true"])
    dead.wait()
    for pid in (dead.pid, os.getpid()):
        notes.write(f".memtools-{pid}-0badf00d", "half")
        notes.write(f"{STATE}/private-index-{pid}", "half")
        notes.write(f"{STATE}/.ledger-{pid}", "half")
    assert ill(examine(notes)) == ["leftover-files"]
    assert examine(notes, fix=True).healthy
    left = {path.name for path in notes.top.rglob("*") if str(os.getpid()) in path.name}
    assert len(left) == 3
    assert not [path for path in notes.top.rglob("*") if str(dead.pid) in path.name]


def test_temporary_files_below_the_folders_of_memtools_are_left_overs(notes):
    left = notes.write(f"{STATE}/search/1/.memtools-pending-4194305", "half")
    assert ill(examine(notes)) == ["leftover-files"]
    assert examine(notes, fix=True).healthy
    assert not left.exists()


def test_one_fix_is_enough_after_a_partial_commit_that_was_cut_short(notes):
    notes.write("b.md", f"A plain note.\n\n{FIX}")
    hook = notes.path(".git/hooks/post-commit")
    kept = hook.rename(notes.path(".git/aside"))
    notes.commit("Part", "--", "b.md")
    kept.rename(hook)
    assert "half-done" in ill(examine(notes))
    assert examine(notes, fix=True).healthy
    assert notes.status() == ""


def test_a_git_killed_between_its_commit_and_its_staging_is_finished_by_a_rename(notes):
    """Removing the lock, as git says, would leave the commit undone in staging."""
    index, lock = notes.path(".git/index"), notes.path(".git/index.lock")
    before = index.read_bytes()
    notes.save({"b.md": "Another note.\n", "c.md": "A third one.\n"})
    index.rename(lock)
    index.write_bytes(before)
    health = examine(notes, fix=True)
    assert answer(health, "git-locks").hint.endswith("type: mv .git/index.lock .git/index")
    lock.rename(index)
    assert examine(notes).healthy
    assert notes.status() == ""


@pytest.mark.parametrize("left", [b"", b"DIRC", None])
def test_a_lock_that_holds_no_finished_staging_is_to_be_removed(notes, left):
    """`None`: git was killed while it added a file, so the lock holds more than HEAD."""
    index, lock = notes.path(".git/index"), notes.path(".git/index.lock")
    before = index.read_bytes()
    notes.write("c.md", "A third one.\n")
    notes.stage()
    made = index.read_bytes()
    index.write_bytes(before)
    lock.write_bytes(made if left is None else left)
    hint = answer(examine(notes, fix=True), "git-locks").hint
    assert hint == "if no git runs here, remove these files yourself"


@pytest.fixture
def left_open(notes):
    """What an unattended commit left: a marker two memories answer to, and a secret held back."""
    notes.save({"c.md": CACHE.replace("high", "low")})
    notes.write("fix.md", FIX)
    notes.write("key.md", f"The key is {SECRET}\n")
    notes.stage()
    notes.git("commit", "-q", "-m", "Auto", env={"MEMTOOLS_UNATTENDED": "1"})
    assert "fix.md" in notes.git("ls-tree", "--name-only", "HEAD").out
    return notes


def test_reports_of_unattended_commits_are_told_until_fix_counts_them_as_told(left_open):
    message = answer(examine(left_open), "unattended-reports").message
    assert "left open (2)" in message and "fix.md:" in message
    examine(left_open, fix=True)
    assert answer(examine(left_open), "unattended-reports").ok


@pytest.mark.parametrize("undo", ["delete", "revert", "mend"])
def test_a_report_of_what_is_gone_is_no_illness(left_open, undo):
    left_open.write("key.md", "The key is in the safe.\n")
    assert "left open (1)" in answer(examine(left_open), "unattended-reports").message
    no_hooks = ("-c", "core.hooksPath=/dev/null")
    if undo == "revert":
        left_open.git(*no_hooks, "revert", "--no-edit", "HEAD")
    else:
        left_open.git("rm", "-q", "--cached", "fix.md" if undo == "delete" else "c.md")
        left_open.path("fix.md" if undo == "delete" else "c.md").unlink()
        left_open.git(*no_hooks, "commit", "-qm", "Elsewhere")
    assert answer(examine(left_open), "unattended-reports").ok


def test_a_tombstone_lost_to_a_rewritten_history_is_noticed(notes):
    """F12, https://github.com/letta-ai/letta-code/issues/2203: the remote forced its old tip."""
    notes.save({"fix.md": FIX})
    notes.git("reset", "-q", "--hard", "HEAD~1")
    notes.memtools("search", "cache")  # somebody else brings the ledger along in between
    notes.git("reflog", "expire", "--expire=now", "--all")
    health = examine(notes)
    assert ill(health) == ["tombstones-lost"]
    assert "a.md" in answer(health, "tombstones-lost").message
    assert examine(notes, fix=True).healthy is False
    notes.memtools("retract", "a.md", "--apply")
    assert examine(notes).healthy


def test_a_tombstone_somebody_says_is_wrong_is_lost_no_more(notes):
    notes.save({"fix.md": FIX})
    notes.git("reset", "-q", "--hard", "HEAD~1")
    assert ill(examine(notes)) == ["tombstones-lost"]
    notes.save({"a.md": CACHE.replace("---\nThe", "restored_reason: it is right\n---\nThe")})
    assert examine(notes).healthy


def test_a_revert_a_restoration_and_another_branch_lose_no_tombstone(notes):
    notes.save({"fix.md": FIX})
    notes.git("branch", "kept")
    notes.git("revert", "--no-edit", "HEAD")
    assert ill(examine(notes)) == []
    notes.git("switch", "-q", "kept")
    notes.memtools("search", "cache")
    notes.git("switch", "-q", "-c", "old", "HEAD~1")
    notes.memtools("search", "cache")
    assert ill(examine(notes)) == []


def test_a_retraction_its_author_took_back_is_lost_no_more_after_the_next_commit(notes):
    """The steps of docs/troubleshooting.md."""
    notes.save({"fix.md": FIX})
    notes.git("reset", "-q", "--soft", "HEAD^")
    notes.git("restore", "--staged", "--worktree", "a.md")
    notes.git("restore", "--staged", "fix.md")
    assert "tombstones-lost" in ill(examine(notes))
    notes.save({"fix.md": "---\ntitle: Fix\n---\nNothing to take back.\n"})
    assert examine(notes).healthy


def test_a_reset_to_a_tip_that_was_forced_elsewhere_stays_a_loss(notes):
    notes.git("branch", "tip")
    notes.save({"fix.md": FIX})
    notes.git("reset", "-q", "--hard", "tip")
    notes.save({"c.md": "Something new.\n"})
    assert ill(examine(notes)) == ["tombstones-lost"]


def test_a_revert_with_a_message_of_its_own_loses_no_tombstone(notes):
    notes.save({"fix.md": FIX})
    notes.git("revert", "--no-commit", "HEAD")
    notes.commit("It was right after all")
    assert examine(notes).healthy


def test_words_outside_the_vocabulary_come_with_the_lines_that_map_them(notes):
    notes.save({f"n{n}.md": "---\nstatus: blessed\n---\n" for n in range(3)})
    found = answer(examine(notes), "status-words")
    assert "blessed (3)" in found.message
    assert '"blessed" = "active"' in found.hint
    notes.save({".memtools.toml": '[vocabulary.status]\n"blessed" = "active"\n'})
    assert examine(notes).healthy


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"c.md": "---\ntitle: x\n"}, "headers"),
        ({"c.md": "---\nid: x\n---\n", "d.md": "---\nid: x\n---\n"}, "ids"),
        ({".memtools.toml": "rots = []\n"}, "settings"),
        ({"c.md": "---\npriority: high\nconfidence: 0.2\n---\nPerhaps.\n"}, "low-confidence"),
        ({"c.md": CACHE.replace("cause.", "cause!")}, "look-alikes"),
        (
            {
                "c.md": "---\nscope: app\n---\nOnly for app.\n",
                "d.md": "---\nderived_from: c.md\n---\nFor all.\n",
            },
            "scope-leaks",
        ),
        (
            {
                "c.md": "---\nscope: app\n---\nSee [[d]] and [[a]].\n",
                "d.md": "---\nscope: web\n---\nSee [the first](a.md).\n",
            },
            "scope-links",
        ),
        (
            {
                "x/c.md": "---\nscope: app\n---\nOne [[d]].\n",
                "x/d.md": "---\nscope: ' app '\n---\nTwo.\n",
                "x/e.md": "Three.\n",
            },
            "scope-missing",
        ),
        ({f"h{n}.md": f"---\npriority: high\n---\n{n * str(n)} own\n" for n in range(1, 10)},
         "priority-inflation"),
    ],
)  # fmt: skip
def test_each_illness_of_memories_has_its_check(notes, files, name):
    notes.save(files)
    assert ill(examine(notes)) == [name]


def test_folders_of_several_scopes_and_of_a_few_memories_lack_none(notes):
    app, web = "---\nscope: app\n---\nOne.\n", "---\nscope: web\n---\nTwo.\n"
    notes.save({"x/c.md": app, "x/d.md": web, "x/e.md": "x\n", "y/c.md": app, "y/d.md": "y\n"})
    assert examine(notes).healthy


def test_a_header_that_is_no_yaml_is_only_told(notes):
    notes.save({"c.md": "---\nt: a: b\n---\nText.\n"})
    health = examine(notes)
    assert health.healthy
    assert "c.md" in answer(health, "headers").message


def test_each_check_is_documented():
    text = (CHECKOUT / "docs" / "doctor.md").read_text("utf-8")
    from memtools.usecases.diagnosing import memories as doctor_memories
    from memtools.usecases.diagnosing import scopes as doctor_scopes
    from memtools.usecases.diagnosing import setup as doctor_setup
    from memtools.usecases.diagnosing import state as doctor_state

    for module in (doctor_memories, doctor_scopes, doctor_setup, doctor_state):
        import re
        from pathlib import Path

        source = Path(module.__file__).read_text("utf-8")
        for name in re.findall(r'Check\(\s*"([a-z-]+)"', source):
            assert f"`{name}`" in text, name


def test_a_tombstone_of_a_commit_given_up_was_never_lost(notes):
    """The ledger ran ahead of a commit that never came."""
    notes.write("fix.md", FIX)
    notes.stage()
    notes.commit("Given up", code=128, env={"GIT_COMMITTER_NAME": ""})
    notes.git("reset", "-q", "--hard")
    notes.memtools("search", "cache")
    assert ill(examine(notes)) == []
    assert len(examine(notes, fix=True).fixed) == 1
    assert examine(notes, fix=True).fixed == ()


def test_a_revert_under_way_is_no_staged_reversal(notes):
    notes.save({"fix.md": FIX})
    notes.git("revert", "--no-commit", "HEAD")
    assert ill(examine(notes)) == []


def test_damage_to_what_is_kept_is_named_and_fixed_once(notes):
    """All of it at once: a disk that lost some blocks."""
    made = backup(open_repository(str(notes.top)), now=datetime.now(UTC), apply=True)
    for name in ("journal", "lost", "plans", "unattended", "installed"):
        notes.write(f"{STATE}/{name}", "garbage\n")
    shutil.rmtree(notes.path(f"{STATE}/search"))
    notes.write(f"{STATE}/search", "a file\n")
    notes.write(".git/refs/memtools/backup", "1" * 40 + "\n")
    health = examine(notes)
    assert ill(health) == ["state-files", "state-damaged", "backup-ref", "search-index"]
    assert all(check.fixable for check in health.checks if not check.ok)
    assert len(examine(notes, fix=True).fixed) == 4
    again = examine(notes, fix=True)
    assert (again.healthy, again.fixed) == (True, ())
    assert notes.read(f"{STATE}/search.aside-1") == b"a file\n"
    Path(made.path).write_bytes(b"short")
    assert ill(examine(notes)) == ["backup"]


@pytest.mark.parametrize("content", ["garbage\n", "1" * 40 + "\n"])
def test_a_broken_ref_of_ours_does_not_stop_backups_for_good(notes, content):
    notes.write(".git/refs/memtools/backup", content)
    with pytest.raises(GitError, match="refs/memtools/backup"):
        backup(open_repository(str(notes.top)), now=datetime.now(UTC), apply=True)
    examine(notes, fix=True)
    assert backup(open_repository(str(notes.top)), now=datetime.now(UTC), apply=True).path
