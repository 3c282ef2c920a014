"""Several commits in one work tree at once: none takes away what another still needs."""

import os
import sys

import pytest

from memtools.git.run import FIRST_DIFF
from memtools.git.staging import Staging
from memtools.usecases.committing.afterwards import head_moved
from memtools.usecases.repository import open_repository
from memtools.usecases.state import JournalRow, change_journal, read_journal
from tests.e2e.story import PHRASE, STORY, all_three, buried, hook, mark, settled, states
from tests.helpers import CHECKOUT

START = CHECKOUT / "memtools" / "start.py"
OTHER_HOOK = 'cd "{top}" && {python} -I -S {start} hook post-commit </dev/null'


def test_a_hook_that_ends_during_a_partial_commit_leaves_it_its_journal(sandbox):
    """The tombstone of a partial commit is in HEAD only; without its row staging would undo it."""
    sandbox.save(STORY)
    mark(sandbox)
    other = OTHER_HOOK.format(top=sandbox.top, python=sys.executable, start=START)
    hook(sandbox, "commit-msg", f"unset GIT_INDEX_FILE; {other}")
    sandbox.git("commit", "-q", "-m", "Fix", "--", "fix.md")
    assert states(sandbox) == all_three(buried())
    settled(sandbox)


def test_a_row_of_a_commit_made_since_head_was_read_is_left_to_its_own_hook(sandbox):
    sandbox.save(STORY)
    before = open_repository(str(sandbox.top))
    mark(sandbox)
    sandbox.path(".git/hooks/post-commit").unlink()
    sandbox.git("commit", "-q", "-m", "Fix", "--", "fix.md")
    head_moved(before)
    before.git.close()
    assert len(read_journal(before.state_dir)) == 1
    sandbox.memtools("doctor", "--fix", code=None)
    assert states(sandbox) == all_three(buried())


def test_what_a_killed_partial_commit_left_does_not_keep_its_row_for_ever(sandbox):
    sandbox.save(STORY)
    state = str(sandbox.path(".git/memtools"))
    change_journal(state, add=[JournalRow("target.md", "1" * 40, "2" * 40)])
    gone = os.spawnlp(os.P_NOWAIT, "true", "true")
    os.waitpid(gone, 0)
    sandbox.write(f".git/next-index-{gone}.lock", "")
    sandbox.write("other.md", "more\n")
    sandbox.stage()
    sandbox.commit("Next")
    assert read_journal(state) == ()


@pytest.mark.parametrize("kind", ["add", "drop"])
def test_changing_the_journal_keeps_the_rows_of_others(tmp_path, kind):
    mine, yours = JournalRow("a.md", "1" * 40, "2" * 40), JournalRow("b.md", "3" * 40, "4" * 40)
    change_journal(str(tmp_path), add=[mine])
    change_journal(str(tmp_path), add=[yours])
    if kind == "add":
        newer = mine._replace(new="5" * 40)
        change_journal(str(tmp_path), add=[newer])
        assert set(read_journal(str(tmp_path))) == {newer, yours}
    else:
        change_journal(str(tmp_path), drop=[mine])
        assert read_journal(str(tmp_path)) == (yours,)


def test_a_memory_head_retracts_is_not_called_withheld_while_staging_lags_behind(sandbox):
    sandbox.save(STORY)
    mark(sandbox)
    sandbox.path(".git/hooks/post-commit").unlink()
    sandbox.git("commit", "-q", "-m", "Fix", "--", "fix.md")
    told = sandbox.memtools("recall")
    assert "withheld" not in told.out + told.err
    assert "target.md" not in told.out + sandbox.memtools("search", PHRASE).out


def test_a_partial_commit_begun_before_a_retraction_is_told_to_try_again(sandbox):
    """Git reads HEAD first and builds the index of a partial commit from that, hooks run later."""
    sandbox.save(STORY)
    mark(sandbox)
    sandbox.commit("Fix")
    late = {"GIT_INDEX_FILE": str(sandbox.path(f".git/next-index-{os.getpid()}.lock"))}
    sandbox.git("read-tree", "HEAD^", env=late)
    done = sandbox.memtools("hook", "pre-commit", code=1, env=late)
    assert done.err.startswith(
        "memtools: target.md:1: another commit retracted it meanwhile; type the command again"
    )
    assert "restore" not in done.err


def test_a_partial_commit_begun_before_a_retraction_takes_its_tombstone_in(sandbox):
    sandbox.save(STORY)
    mark(sandbox)
    sandbox.path(".git/hooks/post-commit").unlink()
    sandbox.git("commit", "-q", "-m", "Fix", "--", "fix.md")
    assert len(read_journal(str(sandbox.path(".git/memtools")))) == 1
    late = {"GIT_INDEX_FILE": str(sandbox.path(f".git/next-index-{os.getpid()}.lock"))}
    sandbox.git("read-tree", "HEAD^", env=late)
    sandbox.write(".git/index.lock", "")
    sandbox.memtools("hook", "pre-commit", env=late)
    assert sandbox.git("ls-files", "-s", "target.md", env=late).out.split()[1] == (
        sandbox.git("rev-parse", "HEAD:target.md").out.strip()
    )


def test_what_the_quick_look_of_a_hook_saw_is_forgotten_once_staging_was_written(sandbox):
    """Its ledger may be ahead of HEAD: then a row lands between the look and the plan."""
    sandbox.save(STORY)
    before = open_repository(str(sandbox.top))
    staging = Staging(before.git, before.git_dir)
    (entry,) = staging.entries(["target.md"]).values()
    FIRST_DIFF[before.head_tree] = b""
    staging.write([entry._replace(blob=sandbox.git("rev-parse", ":other.md").out.strip())])
    assert [change.path for change in staging.diff(before.head_tree)] == ["target.md"]
    before.git.close()
