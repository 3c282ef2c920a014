"""Merges: what git does alone, where the hook must stop it, and what the tree says afterwards."""

import pytest

from tests.e2e.story import (
    FIELDS,
    FIX,
    OTHER,
    TARGET,
    all_three,
    buried,
    changed_lines,
    mark,
    settled,
    states,
    unapplied,
)
from tests.helpers import Sandbox, run
from tests.usecases.test_check import judge, rules

NEWS = "---\ntitle: News\nstatus: active\n---\nThe fan was broken all along.\n"
NEWS_FIX = "---\ntitle: Fix\n---\nRETRACTS: fan was broken all along\n"


def save(repo, files, message="Change"):
    """Commit without hooks: git alone."""
    for path, content in files.items():
        repo.write(path, content)
    repo.stage(*files)
    repo.commit(message, "-n")


def parents(repo):
    return len(repo.git("rev-list", "--parents", "-1", "HEAD").out.split()) - 1


@pytest.fixture
def apart(notes):
    """The marker is on main, the memory it will hit on `side`; neither knows the other."""
    notes.git("switch", "-q", "-c", "side")
    notes.save({"news.md": NEWS})
    notes.git("switch", "-q", "main")
    notes.write("fix.md", NEWS_FIX)
    notes.stage("fix.md")
    assert "retract-no-match" in notes.commit("Fix").err
    return notes


def is_done(repo):
    assert states(repo, "news.md") == all_three(buried(NEWS))
    assert repo.status() == ""
    assert unapplied(repo) == []
    settled(repo)


def test_a_merge_that_makes_a_marker_due_stops_and_the_commit_takes_the_tombstone(apart):
    """C54."""
    done = apart.git("merge", "--no-edit", "side", check=False)
    assert done.code == 1
    assert "git commit --no-edit" in done.err and "git merge --abort" in done.err
    assert "undo: git revert -m 1 of this merge commit" in done.err
    assert apart.path(".git/MERGE_HEAD").exists()
    assert apart.staged("news.md").decode() == buried(NEWS) == apart.read("news.md").decode()
    apart.git("commit", "-q", "--no-edit")
    assert parents(apart) == 2
    assert not apart.path(".git/MERGE_HEAD").exists()
    is_done(apart)


def test_a_stopped_merge_can_be_taken_back(apart):
    """C55."""
    before = apart.head(), apart.git("ls-files", "-s").out
    assert apart.git("merge", "--no-edit", "side", check=False).code == 1
    apart.git("merge", "--abort")
    assert (apart.head(), apart.git("ls-files", "-s").out) == before
    assert apart.status() == ""
    assert not apart.path("news.md").exists()
    apart.save({"other.md": OTHER + "More.\n"})
    assert apart.status() == ""
    settled(apart)


def test_a_stopped_merge_taken_back_and_tried_again_ends_the_same(apart):
    """C55, and C54 afterwards."""
    for step in (["merge", "--no-edit", "side"], ["merge", "--abort"]):
        apart.git(*step, check=False)
    assert apart.git("merge", "--no-edit", "side", check=False).code == 1
    apart.git("commit", "-q", "--no-edit")
    assert parents(apart) == 2
    is_done(apart)


def remote(repo, tmp_path):
    run(["git", "init", "-q", "--bare", str(tmp_path / "remote.git")], tmp_path)
    repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))


def test_a_merge_without_hooks_leaves_it_open_and_the_push_is_refused(apart, tmp_path):
    """C56."""
    remote(apart, tmp_path)
    done = apart.git("merge", "-q", "--no-edit", "--no-verify", "side")
    assert "memtools sweep --apply" in done.err
    assert unapplied(apart) == ["news.md"]
    pushed = apart.git("push", "-q", "origin", "main", check=False)
    assert pushed.code == 1
    assert "retract-unapplied" in pushed.err and "news.md" in pushed.err
    assert run(["git", "ls-remote", "origin"], apart.top).out == ""
    apart.memtools("sweep", "--apply")
    is_done(apart)
    apart.git("push", "-q", "origin", "main")
    assert run(["git", "ls-remote", "origin", "main"], apart.top).out.startswith(apart.head())


@pytest.fixture
def ahead(notes):
    """Branch `side` has an unapplied marker, main is behind it."""
    notes.git("switch", "-q", "-c", "side")
    save(notes, {"fix.md": FIX}, "Fix")
    notes.git("switch", "-q", "main")
    return notes


def test_a_fast_forward_reports_and_a_commit_of_its_own_mends(ahead):
    """C57: fast-forward merge."""
    done = ahead.git("merge", "-q", "--ff-only", "side")
    assert "fix.md:6 is not applied yet" in done.err
    assert unapplied(ahead) == ["target.md"]
    ahead.memtools("sweep", "--apply")
    assert unapplied(ahead) == []
    assert states(ahead) == all_three(buried())
    assert ahead.status() == ""
    settled(ahead)


def test_a_pull_reports_too(ahead, tmp_path):
    """C57: pull."""
    ahead.git("clone", "-q", str(ahead.top), str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    ahead.git("merge", "-q", "--ff-only", "side")
    done = clone.git("pull", "-q")
    assert "fix.md:6 is not applied yet" in done.err
    assert unapplied(clone) == ["target.md"]
    clone.save({"other.md": OTHER + "More.\n"})
    assert states(clone) == all_three(buried())
    assert clone.status() == ""
    settled(clone)


def test_follow_up_mode_merges_and_then_commits_the_tombstone(apart):
    """C54 under `merge_mode = "follow-up"`."""
    save(apart, {".memtools.toml": '[retraction]\nmerge_mode = "follow-up"\n'}, "Settings")
    apart.git("merge", "-q", "--no-edit", "side")
    assert parents(apart) == 1
    assert len(apart.git("rev-list", "--parents", "-1", "HEAD^").out.split()) == 3
    is_done(apart)


def test_a_variable_sets_the_mode_of_a_merge(apart, monkeypatch):
    monkeypatch.setenv("MEMTOOLS_RETRACTION_MERGE_MODE", "follow-up")
    apart.git("merge", "-q", "--no-edit", "side")
    is_done(apart)


def test_a_merge_that_makes_nothing_due_is_quiet(notes):
    notes.git("switch", "-q", "-c", "side")
    notes.save({"news.md": NEWS})
    notes.git("switch", "-q", "main")
    mark(notes)
    notes.commit("Fix")
    done = notes.git("merge", "-q", "--no-edit", "side")
    assert done.err == ""
    assert parents(notes) == 2
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


# --- retracted here, changed there -----------------------------------------------------------


def diverged(repo, theirs):
    """HEAD retracts the target; `side` does `theirs` to it."""
    repo.git("switch", "-q", "-c", "side")
    theirs()
    repo.git("switch", "-q", "main")
    mark(repo)
    repo.commit("Fix")


def test_without_the_driver_a_resolution_to_the_other_side_is_retracted_again(notes):
    """C60."""
    notes.git("config", "--remove-section", "merge.memtools")
    notes.path(".git/info/attributes").unlink()
    edited = TARGET.replace("status: active\npriority: high", "status: draft\npriority: low")
    diverged(notes, lambda: save(notes, {"target.md": edited}))
    assert notes.git("merge", "--no-edit", "side", check=False).code == 1
    assert "target.md" in notes.git("ls-files", "-u").out
    notes.git("checkout", "-q", "--theirs", "target.md")
    notes.write("target.md", notes.read("target.md").replace(b"status: draft", b"status: active"))
    notes.stage("target.md")
    notes.git("commit", "-q", "--no-edit")
    assert parents(notes) == 2
    assert states(notes) == all_three(buried(TARGET.replace("priority: high", "priority: low")))
    assert notes.status() == ""
    settled(notes)


REWRITTEN = "---\ntitle: Store\nstatus: active\n---\n" + "".join(
    f"A wholly new sentence number {number}.\n" for number in range(12)
)


def test_a_memory_renamed_and_rewritten_over_there_is_retracted_under_its_new_name(notes):
    """C64."""
    moved = REWRITTEN + "The disk cache was the root cause.\n"

    def theirs():
        notes.git("rm", "-q", "target.md")
        save(notes, {"store.md": moved})

    diverged(notes, theirs)
    assert notes.git("merge", "--no-edit", "side", check=False).code == 1
    assert "target.md" in notes.git("ls-files", "-u").out
    notes.git("rm", "-q", "target.md")
    notes.git("commit", "-q", "--no-edit")
    assert states(notes, "store.md") == all_three(buried(moved))
    assert "target.md" not in notes.files()
    assert notes.status() == ""
    settled(notes)


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_memory_deleted_over_there_may_go_and_stays_retracted_when_kept(notes, is_kept):
    """C65."""

    def theirs():
        notes.git("rm", "-q", "target.md")
        notes.commit("Delete", "-n")

    diverged(notes, theirs)
    assert notes.git("merge", "--no-edit", "side", check=False).code == 1
    if is_kept:
        notes.stage("target.md")
    else:
        notes.git("rm", "-q", "target.md")
    done = notes.git("commit", "-q", "--no-edit")
    assert done.err == ""
    assert parents(notes) == 2
    if is_kept:
        assert states(notes) == all_three(buried())
    else:
        assert notes.files() == [".memtools.toml", "fix.md", "other.md"]
    assert notes.status() == ""
    settled(notes)


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_memory_deleted_here_and_retracted_there_ends_as_it_is_resolved(notes, is_kept):
    """C65, from the other side."""
    notes.git("switch", "-q", "-c", "side")
    mark(notes)
    notes.commit("Fix")
    notes.git("switch", "-q", "main")
    notes.git("rm", "-q", "target.md")
    notes.commit("Delete")
    assert notes.git("merge", "--no-edit", "side", check=False).code == 1
    notes.git("add" if is_kept else "rm", "-q" if not is_kept else "--", "target.md")
    notes.git("commit", "-q", "--no-edit")
    if is_kept:
        assert states(notes) == all_three(buried())
    assert ("target.md" in notes.files()) is is_kept
    assert notes.status() == ""
    settled(notes)


def test_a_deliberate_undo_over_there_goes_through_beside_an_edit_here(notes):
    """C66."""
    mark(notes)
    notes.commit("Fix")
    notes.git("switch", "-q", "-c", "side")
    notes.git("revert", "--no-edit", "HEAD")
    assert states(notes) == all_three(TARGET)
    notes.git("switch", "-q", "main")
    edited = buried().replace("priority: high", "priority: low")
    notes.save({"target.md": edited})
    done = notes.git("merge", "-q", "--no-edit", "side")
    assert states(notes) == all_three(TARGET.replace("priority: high", "priority: low"))
    assert "fix.md" not in notes.files()
    assert "unretracted" not in done.err
    assert notes.status() == ""
    settled(notes)


def test_a_conflict_in_the_body_is_resolved_by_hand_and_stays_retracted(notes):
    diverged(
        notes, lambda: save(notes, {"target.md": TARGET.replace("Top line", "Their top line")})
    )
    notes.save({"target.md": buried().replace("Top line", "Our top line")})
    assert notes.git("merge", "--no-edit", "side", check=False).code == 1
    resolved = TARGET.replace("Top line", "One top line")
    notes.write("target.md", resolved)  # the person copies the text without the tombstone
    notes.stage("target.md")
    notes.git("commit", "-q", "--no-edit")
    assert states(notes) == all_three(buried(resolved))
    assert notes.status() == ""
    settled(notes)


def test_conflict_marks_that_are_staged_by_mistake_stop_the_merge(notes):
    diverged(
        notes, lambda: save(notes, {"target.md": TARGET.replace("Top line", "Their top line")})
    )
    notes.save({"target.md": buried().replace("Top line", "Our top line")})
    notes.git("merge", "--no-edit", "side", check=False)
    notes.stage("target.md")
    done = notes.git("commit", "-q", "--no-edit", check=False)
    assert done.code == 1
    assert "conflict-marks" in done.err
    assert notes.path(".git/MERGE_HEAD").exists()


def test_the_same_retraction_on_both_sides_merges_without_a_word(notes):
    notes.git("switch", "-q", "-c", "side")
    mark(notes, path="theirs.md")
    notes.commit("Theirs")
    notes.git("switch", "-q", "main")
    mark(notes)
    notes.commit("Ours")
    notes.git("merge", "-q", "--no-edit", "side")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_ours_strategy_drops_marker_and_tombstone_together(notes):
    notes.git("switch", "-q", "-c", "side")
    mark(notes)
    notes.commit("Fix")
    notes.git("switch", "-q", "main")
    notes.save({"other.md": OTHER + "More.\n"})
    notes.git("merge", "-q", "--no-edit", "-s", "ours", "side")
    assert states(notes) == all_three(TARGET)
    assert unapplied(notes) == []
    settled(notes)


@pytest.mark.parametrize("side", ["main", "side"])
def test_a_merge_resolved_to_the_living_memory_without_its_marker_is_refused(notes, side):
    """Rule 12: no retraction of either side is lost; the message says how to keep it."""
    notes.git("switch", "-q", "-c", "side")
    notes.save({"target.md": TARGET.replace("Top line", "Their top line")})
    notes.git("switch", "-q", "main")
    mark(notes)
    notes.commit("Fix")
    other = {"main": "side", "side": "main"}[side]
    notes.git("switch", "-q", side)
    notes.git("merge", "-q", "--no-commit", other, check=False)
    notes.write("target.md", TARGET)
    notes.path("fix.md").unlink()
    notes.stage()
    assert rules(judge(notes, staged=True)) == [("target.md", "unretracted")]
    done = notes.git("commit", "-q", "--no-edit", check=False)
    assert done.code == 1
    (line,) = [one for one in done.err.split("\n") if one.startswith("target.md:1: ")]
    notes.path("below").mkdir()  # where a person may stand as well
    notes.git("-C", "below", *line.partition("type: git ")[2].split())
    notes.git("commit", "-q", "--no-edit")
    assert b"status: retracted" in notes.show("HEAD", "target.md")


# --- more than two parents, and merges that are no merge commits -------------------------------


def test_an_octopus_stops_and_then_has_three_parents_and_the_tombstone(apart):
    """C75."""
    apart.git("switch", "-q", "-c", "third", "main^")
    apart.save({"third.md": "Third.\n"})
    apart.git("switch", "-q", "main")
    done = apart.git("merge", "--no-edit", "side", "third", check=False)
    assert done.code != 0
    assert "git commit --no-edit" in done.err
    apart.git("commit", "-q", "--no-edit")
    assert parents(apart) == 3
    assert apart.show("HEAD", "third.md") == b"Third.\n"
    is_done(apart)


@pytest.mark.parametrize("how", [["--squash"], ["--no-commit", "--no-ff"]])
def test_a_merge_left_to_the_person_gets_the_tombstone_when_committed(apart, how):
    """C89."""
    apart.git("merge", "-q", *how, "side")
    assert apart.staged("news.md").decode() == NEWS
    apart.commit("Merge")
    assert parents(apart) == (1 if how == ["--squash"] else 2)
    assert FIELDS in apart.show("HEAD", "news.md").decode()
    is_done(apart)


@pytest.mark.parametrize("how", [["--squash"], ["--no-commit", "--no-ff"]])
def test_an_unapplied_marker_over_there_is_applied_when_the_merge_is_committed(notes, how):
    """C89, with the marker on the other branch."""
    notes.git("switch", "-q", "-c", "side")
    save(notes, {"fix.md": FIX})
    notes.git("switch", "-q", "main")
    notes.save({"other.md": OTHER + "More.\n"})
    notes.git("merge", "-q", *how, "side")
    notes.commit("Merge")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_a_broken_marker_that_comes_in_by_a_merge_stops_nothing(notes):
    """A marker a parent holds is standing, so its faults are for `check`, not for this merge."""
    notes.git("switch", "-q", "-c", "side")
    save(notes, {"bad.md": "RETRACTS: short\n"})
    notes.git("switch", "-q", "main")
    notes.save({"other.md": OTHER + "More.\n"})
    done = notes.git("merge", "-q", "--no-edit", "side")
    assert done.err == ""
    assert parents(notes) == 2
    settled(notes)


# --- pre-push ----------------------------------------------------------------------------------


def test_pushes_of_deletions_new_branches_and_rewritten_ones_judge_only_what_is_new(
    apart, tmp_path
):
    """C84: ids that are all zero, tips the remote has, tips this clone never saw."""
    remote(apart, tmp_path)
    apart.git("push", "-q", "origin", "main", "side")
    apart.git("push", "-q", "origin", "main:refs/heads/extra")
    apart.git("push", "-q", "origin", ":extra")
    apart.git("switch", "-q", "side")
    apart.git("merge", "-q", "--no-edit", "--no-verify", "main")
    assert apart.git("push", "-q", "origin", "side", check=False).code == 1
    apart.git("push", "-q", "--no-verify", "origin", "side")
    apart.write("other.md", OTHER + "More.\n")
    apart.stage("other.md")
    apart.commit("Other", "-n", "--amend")
    done = apart.git("push", "-q", "--force", "origin", "side")
    assert "retract-unapplied" in done.err  # known over there: a warning
    apart.git("push", "-q", "origin", "HEAD:refs/heads/again", "main:refs/tags/v1", check=False)
    assert "again" not in run(["git", "ls-remote", "origin"], apart.top).out
    assert changed_lines(apart) == []
