"""Commits given up, killed or blocked: no byte lost, and the next try is as a first one."""

import os

import pytest

from tests.e2e.story import (
    FIX,
    OTHER,
    TARGET,
    all_three,
    buried,
    changed_lines,
    hook,
    leftovers,
    mark,
    settled,
    states,
    unapplied,
)
from tests.helpers import copied

# Runs after every write of an index and kills the memtools that made git write it, once.
KILLER = """\
caller=$(cut -d' ' -f4 /proc/$PPID/stat)
grep -aq memtools/start.py /proc/$caller/cmdline && rm -f "$0" && kill -9 $caller
exit 0"""


def is_done(repo):
    assert repo.show("HEAD", "fix.md").decode() == FIX
    assert states(repo) == all_three(buried())
    assert repo.status() == ""
    settled(repo)


def more(repo, text="More.\n"):
    """Another edit is staged."""
    repo.write("other.md", OTHER + text)
    repo.stage("other.md")


def test_after_an_empty_message_the_second_try_is_as_a_first(notes):
    """C21."""
    mark(notes)
    before = notes.head()
    done = notes.git("commit", "-q", check=False, env={"GIT_EDITOR": "sh -c ': >$0'"})
    assert done.code == 1
    assert notes.head() == before
    assert states(notes) == (TARGET, buried(), buried())
    settled(notes, waiting=1)
    notes.commit("Fix")
    is_done(notes)


@pytest.mark.parametrize(
    ("how", "answers"),
    [
        (["-a"], ""),
        (["-p"], "y\nn\n"),
        (["-i", "other.md"], ""),
        (["--", "fix.md"], ""),
        (["--", "fix.md", "target.md"], ""),
    ],
)
def test_a_failed_commit_msg_leaves_every_byte_where_it_was(notes, how, answers):
    """C22."""
    refuse = hook(notes, "commit-msg", "exit 1")
    mark(notes)
    notes.write("other.md", OTHER + "More.\n")
    notes.write("target.md", TARGET.replace("End line", "End line, edited"))

    def seen():
        return (
            notes.head(),
            notes.git("ls-files", "-s").out,
            notes.status(),
            [notes.read(name) for name in ("fix.md", "target.md", "other.md")],
        )

    before = seen()
    done = notes.git("commit", "-q", "-m", "Fix", *how, check=False, input=answers)
    assert done.code == 1
    assert seen() == before
    assert leftovers(notes) == []
    refuse.unlink()
    notes.git("commit", "-q", "-m", "Fix", *how, input=answers)
    assert "status: retracted" in notes.show("HEAD", "target.md").decode()
    assert states(notes)[1] == states(notes)[0]
    assert "End line, edited" in notes.read("target.md").decode()
    settled(notes)


def given_up(repo, *how):
    """A commit of the marker whose message was refused."""
    refuse = hook(repo, "commit-msg", "exit 1")
    mark(repo)
    repo.commit("Fix", *how, code=1)
    refuse.unlink()


@pytest.fixture(scope="module")
def _refused_template(_story_template, tmp_path_factory):
    made = copied(_story_template, tmp_path_factory.mktemp("refused") / "repo")
    given_up(made)
    return made


@pytest.fixture
def refused(_refused_template, tmp_path):
    """The story after `given_up`."""
    return copied(_refused_template, tmp_path / "repo")


def test_a_tombstone_nobody_justifies_any_more_is_put_back(refused):
    """C23."""
    assert states(refused) == (TARGET, buried(), buried())
    refused.git("rm", "-q", "--cached", "fix.md")
    more(refused)
    refused.commit("Other")
    assert refused.git("diff", "--name-only", "HEAD^", "HEAD").out == "other.md\n"
    assert states(refused) == all_three(TARGET)
    assert refused.status() == "?? fix.md\n"
    settled(refused)


def test_a_tombstone_put_back_leaves_edits_made_meanwhile(refused):
    refused.write("target.md", buried().replace("End line", "End line, edited"))
    refused.git("rm", "-q", "--cached", "fix.md")
    more(refused)
    refused.commit("Other")
    edited = TARGET.replace("End line", "End line, edited")
    assert states(refused) == (TARGET, TARGET, edited)
    settled(refused)


def test_a_given_up_tombstone_is_no_tombstone_for_a_partial_commit(refused):
    refused.git("rm", "-q", "--cached", "fix.md")
    refused.write("other.md", OTHER + "More.\n")
    refused.commit("Other", "--", "other.md")
    assert refused.git("diff", "--name-only", "HEAD^", "HEAD").out == "other.md\n"
    more(refused, "More and more.\n")
    refused.commit("Other")
    assert states(refused) == all_three(TARGET)
    assert refused.status() == "?? fix.md\n"
    settled(refused)


def test_a_given_up_marker_with_another_phrase_takes_the_first_tombstone_back(refused):
    mark(refused, text=FIX.replace("disk cache was the root cause", "Nothing to see here."))
    refused.commit("Fix")
    assert states(refused) == all_three(TARGET)
    assert "status: retracted" in refused.show("HEAD", "other.md").decode()
    assert refused.status() == ""
    settled(refused)


EDITED = TARGET.replace("End line", "End line, edited")


def test_a_given_up_tombstone_is_put_back_by_a_commit_of_all(refused):
    refused.git("rm", "-q", "--cached", "fix.md")
    refused.write("other.md", OTHER + "More.\n")
    refused.commit("Other", "-a")
    assert states(refused) == all_three(TARGET)
    assert refused.status() == "?? fix.md\n"
    settled(refused)


def test_a_given_up_tombstone_is_put_back_after_two_commits_were_given_up(refused):
    refused.git("rm", "-q", "--cached", "fix.md")
    refused.write("target.md", buried(EDITED))
    refused.write("other.md", OTHER + "More.\n")
    refuse = hook(refused, "commit-msg", "exit 1")
    refused.commit("Other", "-a", code=1)
    refuse.unlink()
    refused.commit("Other", "-a")
    assert states(refused) == all_three(EDITED)
    assert refused.status() == "?? fix.md\n"
    settled(refused)


@pytest.mark.parametrize("how", [[], ["-a"]])
def test_a_given_up_tombstone_that_was_edited_since_is_put_back(refused, how):
    refused.write("target.md", buried(EDITED))
    refused.stage("target.md")
    refused.git("rm", "-q", "--cached", "fix.md")
    refused.commit("Other", *how)
    assert states(refused) == all_three(EDITED)
    assert refused.status() == "?? fix.md\n"
    settled(refused)


@pytest.mark.parametrize("text", [TARGET, EDITED])
@pytest.mark.parametrize("how", [[], ["-a"]])
def test_a_given_up_tombstone_that_was_renamed_since_is_put_back(refused, how, text):
    refused.git("mv", "target.md", "moved.md")
    refused.write("moved.md", buried(text))
    refused.stage("moved.md")
    refused.git("rm", "-q", "--cached", "fix.md")
    refused.commit("Other", *how)
    assert refused.show("HEAD", "moved.md").decode() == text == refused.read("moved.md").decode()
    assert refused.status() == "?? fix.md\n"
    settled(refused)


def test_an_edited_tombstone_whose_marker_still_stands_is_committed(refused):
    refused.write("target.md", buried(EDITED))
    refused.stage("target.md")
    refused.commit("Fix")
    assert states(refused) == all_three(buried(EDITED))
    assert refused.status() == ""
    settled(refused)


@pytest.mark.parametrize("how", [["-a"], ["--", "fix.md"]])
def test_a_stale_journal_row_does_nothing_in_a_commit_without_hooks(notes, how):
    """C24."""
    given_up(notes, *how)
    notes.git("rm", "-q", "--cached", "fix.md")
    more(notes)
    notes.commit("Other", "-n")
    assert states(notes) == all_three(TARGET)
    assert notes.status() == "?? fix.md\n"
    settled(notes)


@pytest.mark.parametrize("how", [[], ["-a"], ["-i", "other.md"], ["--", "fix.md"], ["--amend"]])
def test_killed_after_the_write_of_staging_the_second_try_is_complete(notes, how):
    """C25."""
    mark(notes)
    edit = TARGET.replace("End line", "End line, edited")
    notes.write("other.md", OTHER + "More.\n")
    killer = hook(notes, "post-index-change", KILLER)
    done = notes.commit("Fix", *how, code=1)
    assert not killer.exists()
    assert "memtools did not run" in done.err
    assert leftovers(notes) == []
    notes.write("target.md", edit)
    notes.commit("Fix", *[word for word in how if word != "-a"])
    assert notes.show("HEAD", "fix.md").decode() == FIX
    assert states(notes) == (buried(), buried(), buried(edit))
    settled(notes)


def test_killed_and_then_given_up_the_tombstone_is_put_back(notes):
    mark(notes)
    hook(notes, "post-index-change", KILLER)
    notes.commit("Fix", code=1)
    assert states(notes)[:2] == (TARGET, buried())
    notes.git("rm", "-q", "--cached", "fix.md")
    more(notes)
    notes.commit("Other")
    assert states(notes) == all_three(TARGET)
    assert notes.status() == "?? fix.md\n"
    settled(notes)


@pytest.mark.parametrize("how", [["-a"], ["--", "fix.md"]])
def test_without_post_commit_the_next_commit_brings_the_rest_along(notes, how):
    """Failure table: commit done, post-commit missing."""
    mark(notes)
    post = notes.path(".git/hooks/post-commit")
    post.rename(post.with_name("away"))
    notes.commit("Fix", *how)
    assert states(notes)[0] == buried()
    post.with_name("away").rename(post)
    more(notes)
    notes.commit("Other")
    is_done(notes)


def test_a_held_lock_refuses_the_commit_and_is_named(notes):
    """Failure table: index.lock busy."""
    mark(notes)
    hook(notes, "pre-commit", "exit 0")
    lock = notes.path(".git/index.lock")
    private = {"GIT_INDEX_FILE": str(notes.path(".git/private"))}
    notes.git("read-tree", "HEAD", env=private)
    notes.git("add", "fix.md", env=private)
    held = notes.write(".git/private.lock", "")
    done = notes.commit("Fix", code=None, env=private)
    assert done.code != 0
    assert ".lock" in done.err
    held.unlink()
    assert not lock.exists()
    assert states(notes) == all_three(TARGET)
    assert notes.read(".git/private") != b""


def test_a_lock_held_while_post_commit_runs_is_named_and_the_next_commit_mends(notes):
    mark(notes)
    more(notes)
    post = notes.path(".git/hooks/post-commit")
    real = post.rename(post.with_name("real"))
    post.write_text('#!/bin/sh\n: >.git/index.lock\n".git/hooks/real"\nrm -f .git/index.lock\n')
    post.chmod(0o755)
    done = notes.commit("Fix", "--", "fix.md")
    assert "index.lock" in done.err
    assert states(notes) == (buried(), TARGET, TARGET)
    real.rename(post)
    notes.commit("Other")
    is_done(notes)


@pytest.mark.parametrize("how", [["-a"], ["--", "fix.md"]])
def test_post_commit_killed_after_the_write_of_staging_is_mended_by_the_next_commit(notes, how):
    mark(notes)
    notes.write("spare.md", "Spare.\n")
    notes.stage("spare.md")
    staged = TARGET.replace("Top line", "Top line, staged")
    if how != ["-a"]:
        notes.write("target.md", staged)
        notes.stage("target.md")
    killer = KILLER.replace("start.py", "post-commit")
    hook(notes, "post-index-change", killer)
    notes.commit("Fix", *how)
    more(notes)
    notes.commit("Other")
    text = TARGET if how == ["-a"] else staged
    assert states(notes) == all_three(buried(text))
    assert notes.status() == ""
    settled(notes)


# --- the flag by which pre-commit tells post-commit that nothing is left to do -----------------


def test_after_a_given_up_quiet_commit_a_commit_without_hooks_is_still_judged(notes):
    """The flag of a commit that never came must not silence the one that came instead."""
    refuse = hook(notes, "commit-msg", "exit 1")
    notes.write("a.txt", "a\n")
    notes.stage("a.txt")
    notes.commit("Quiet", code=1)
    refuse.unlink()
    mark(notes)
    done = notes.commit("Fix", "-n")
    assert "fix.md:6 is not applied yet" in done.err
    assert unapplied(notes) == ["target.md"]
    more(notes)
    notes.commit("Other")
    is_done(notes)


def test_after_a_given_up_retraction_a_commit_without_hooks_that_lacks_it_is_judged(refused):
    refused.git("checkout", "-q", "HEAD", "--", "target.md")
    done = refused.commit("Fix", "-n")
    assert "fix.md:6 is not applied yet" in done.err
    assert states(refused) == all_three(TARGET)
    more(refused)
    refused.commit("Other")
    is_done(refused)


def test_after_a_given_up_retraction_the_same_commit_without_hooks_is_complete(refused):
    refused.commit("Fix", "-n")
    is_done(refused)


def test_after_a_given_up_retraction_an_amend_without_hooks_is_complete(refused):
    refused.commit("Fix", "-n", "--amend")
    is_done(refused)
    more(refused)
    assert refused.commit("Other").err == ""
    is_done(refused)


def test_after_a_given_up_plain_commit_a_given_up_commit_all_leaves_no_false_flag(refused):
    mark(refused, path="second.md", text="RETRACTS: Nothing to see here.\n")
    refuse = hook(refused, "commit-msg", "exit 1")
    refused.commit("Both", "-a", code=1)
    refuse.unlink()
    assert refused.read("other.md").decode() == OTHER
    refused.git("rm", "-q", "--cached", "second.md")
    refused.commit("Fix", "-n")
    assert states(refused) == all_three(buried())
    assert refused.show("HEAD", "other.md").decode() == OTHER == refused.read("other.md").decode()
    assert refused.status() == "?? second.md\n"
    settled(refused)


def test_the_flag_of_an_unborn_commit_does_not_outlive_a_switch_of_branches(notes):
    notes.git("branch", "before")
    given_up(notes)
    notes.git("reset", "-q", "--hard")
    notes.git("switch", "-q", "before")
    mark(notes)
    done = notes.commit("Fix", "-n")
    assert "is not applied yet" in done.err
    assert states(notes) == all_three(TARGET)
    more(notes)
    notes.commit("Other")
    is_done(notes)


def test_quiet_commits_stay_quiet_whatever_came_before(refused):
    refused.commit("Fix")
    for number in range(2):
        refused.write("a.txt", f"{number}\n")
        refused.stage("a.txt")
        assert refused.commit("Quiet") == (0, "", "")
        assert refused.read(".git/memtools/quiet") == b""
    is_done(refused)


def test_a_hook_below_ours_that_adds_a_marker_after_the_flag_is_noticed(notes):
    """A chained hook may stage what memtools never saw; post-commit must not rely on the flag."""
    notes.write("spare/fix.txt", FIX)
    hook(notes, "pre-commit", "cp spare/fix.txt fix.md; git add fix.md")
    notes.stage("spare/fix.txt")
    done = notes.commit("Quiet")
    assert notes.show("HEAD", "fix.md").decode() == FIX
    assert "is not applied yet" in done.err
    hook(notes, "pre-commit", "exit 0")
    more(notes)
    notes.commit("Other")
    is_done(notes)


def test_a_refused_commit_leaves_no_byte_and_no_file_changed(notes):
    mark(notes, text=FIX.replace("disk cache was the root cause", "short"))
    state = notes.path(".git/memtools")

    def seen():
        files = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
        index = notes.git("ls-files", "-s").out
        return files, index, notes.status(), notes.git("for-each-ref").out

    before = seen()
    assert "phrase-too-short" in notes.commit("Fix", code=1).err
    assert seen() == before
    assert changed_lines(notes) == []
    settled(notes)


def test_an_empty_folder_of_state_is_made_anew(notes):
    """Derived files may vanish at any time."""
    import shutil

    shutil.rmtree(notes.path(".git/memtools"))
    mark(notes)
    notes.commit("Fix")
    is_done(notes)
    assert os.stat(notes.path(".git/memtools")).st_mode & 0o777 == 0o700


# --- a run cut short between the file and staging ----------------------------------------------


def half_written(notes):
    """As a run leaves it that was killed when the file was written and not yet staged."""
    given_up(notes)
    notes.git("reset", "-q", "--", "target.md")
    assert states(notes) == (TARGET, TARGET, buried())


def test_a_file_written_for_a_commit_that_never_came_goes_back(notes):
    half_written(notes)
    notes.git("rm", "-q", "--cached", "fix.md")
    more(notes)
    notes.commit("Other")
    assert states(notes) == all_three(TARGET)
    assert notes.status() == "?? fix.md\n"
    settled(notes)


def test_a_file_written_for_a_commit_that_comes_after_all_is_committed_with_it(notes):
    half_written(notes)
    notes.commit("Fix")
    is_done(notes)


def test_a_file_the_person_went_on_to_edit_is_not_put_back(notes):
    half_written(notes)
    notes.git("rm", "-q", "--cached", "fix.md")
    notes.write("target.md", buried() + "More.\n")
    more(notes)
    notes.commit("Other")
    assert states(notes) == (TARGET, TARGET, buried() + "More.\n")
