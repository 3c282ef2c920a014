"""Damaged settings, left locks, full disks, many slips at once: said, never silent, never slow."""

import sys

import pytest

from memtools.entrypoints.crash import report_bug
from memtools.errors import BUG, ENVIRONMENT
from memtools.git.trouble import git_error
from memtools.usecases.reading.view import read_view, settings_notices
from memtools.usecases.repository import open_repository
from memtools.usecases.state import write_file
from tests.e2e.story import STORY, all_three, buried, mark, states
from tests.helpers import CHECKOUT, run


def test_readers_say_that_unreadable_settings_hide_every_memory(sandbox):
    sandbox.save({**STORY, ".memtools.toml": b"\xff\xfe"})
    for command in (("search", "cache"), ("recall",), ("recall", "--query", "cache")):
        assert sandbox.memtools(*command).err.count(".memtools.toml cannot be read") == 1


def test_readers_say_nothing_of_settings_that_can_be_read(sandbox):
    sandbox.save(STORY)
    here = open_repository(str(sandbox.top))
    assert settings_notices(read_view(here)) == ()
    here.git.close()


def test_doctor_names_the_locks_a_killed_git_left_and_breaks_none(sandbox):
    sandbox.save(STORY)
    for name in (
        "index.lock",
        "next-index-7.lock",
        "refs/heads/main.lock",
        "objects/maintenance.lock",
    ):
        sandbox.write(f".git/{name}", "")
        told = sandbox.memtools("doctor", "--fix", code=1).out
        assert f"git-locks: git is at work here, or was killed: .git/{name}" in told
        sandbox.path(f".git/{name}").unlink()
    assert "ok  git-locks" in sandbox.memtools("doctor", code=None).out


def test_of_many_slips_in_one_commit_only_the_first_look_for_near_lines(sandbox):
    sandbox.save(STORY)
    lines = "\n\n".join(f"RETRACTS: the dusk cache was no {n} cause at all" for n in range(60))
    sandbox.write("many.md", f"# Many\n\n{lines}\n")
    sandbox.stage()
    told = sandbox.git("commit", "-m", "Many", env={"GIT_TRACE": "1"}).err
    assert told.count(": retract-no-match: ") == 60
    assert told.count("built-in: git ls-files --others") <= 10


def test_a_file_that_cannot_be_kept_leaves_no_temporary_one(tmp_path):
    with pytest.raises(OSError):
        write_file(str(tmp_path), "x" * 300, b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_hook_that_cannot_say_what_it_did_stops_no_commit(sandbox):
    sandbox.save(STORY)
    mark(sandbox)
    done = run(["sh", "-c", "git commit -q -m Fix >/dev/full 2>/dev/full"], sandbox.top)
    assert done.code == 0
    assert states(sandbox) == all_three(buried())


@pytest.mark.parametrize("command", ["search cache", "recall", "doctor", "check"])
def test_a_full_disk_behind_the_output_is_no_bug_of_ours(sandbox, command):
    sandbox.save(STORY)
    program = f"{sys.executable} -m memtools {command} >/dev/full"
    done = run(["sh", "-c", program], sandbox.top, {"PYTHONPATH": str(CHECKOUT)})
    assert done.code == ENVIRONMENT
    assert done.err == (
        "memtools: the system refused: No space left on device\n"
        "  hint: mend that, then type the command again\n"
    )


def test_what_the_machine_refuses_is_told_as_such_and_a_bug_as_a_bug(capsys):
    assert report_bug(OSError(28, "No space left on device", "notes/a.md")) == ENVIRONMENT
    told = "the system refused: No space left on device: notes/a.md"
    assert capsys.readouterr().err.startswith(f"memtools: {told}\n")
    assert report_bug(OSError(28, "x")) == ENVIRONMENT
    assert "the system refused: No space left on device\n" in capsys.readouterr().err
    assert report_bug(ValueError("x")) == BUG


@pytest.mark.parametrize(
    ("said", "is_lock"),
    [
        (b"fatal: Unable to create '/r/.git/index.lock': File exists.\n", True),
        (b"fatal: sha1 file '/r/.git/index.lock' write error. Out of diskspace\n", False),
        (b"fatal: Unable to create '/r/.git/index.lock': Permission denied\n", False),
    ],
)
def test_only_a_lock_that_is_there_is_another_git_at_work(said, is_lock):
    found = git_error(("update-index",), 128, said)
    assert found.is_lock is is_lock
    assert ("another git process" in found.message) is is_lock


def test_init_where_no_folder_can_be_made_is_wrong_usage(sandbox):
    done = sandbox.memtools("init", "/proc/nowhere", code=2)
    assert "cannot use /proc/nowhere" in done.err
