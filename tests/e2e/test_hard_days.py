"""Damaged settings, left locks, full disks, many slips at once: said, never silent, never slow."""

from memtools.usecases.repository import open_repository
from memtools.usecases.state import write_file
from memtools.usecases.view import read_view, settings_notices
from tests.e2e.story import STORY


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
    for name in ("index.lock", "refs/heads/main.lock"):
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
    (tmp_path / "ledger").mkdir()
    try:
        write_file(str(tmp_path), "ledger", b"x")
    except OSError:
        assert [p.name for p in tmp_path.iterdir()] == ["ledger"]
    else:
        raise AssertionError("a folder was replaced")
