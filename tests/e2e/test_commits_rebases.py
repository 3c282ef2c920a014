"""Rebase, cherry-pick, revert: most of their commits run no hook that could write."""

import pytest

from tests.e2e.story import (
    FIX,
    OTHER,
    PHRASE,
    TARGET,
    all_three,
    buried,
    mark,
    settled,
    states,
    unapplied,
)

NEWS = "---\ntitle: News\nstatus: active\n---\nThe fan was broken all along.\n"


def save(repo, files, message="Change"):
    """Commit without hooks: git alone."""
    for path, content in files.items():
        repo.write(path, content)
    repo.stage(*files)
    repo.commit(message, "-n")


@pytest.fixture
def retracting(notes):
    """Branch `topic` retracts; main waits one commit behind."""
    notes.git("switch", "-q", "-c", "topic")
    mark(notes)
    notes.commit("Fix")
    return notes


def test_a_rebase_carries_marker_and_tombstone_over_a_changed_body(retracting):
    """C68."""
    repo = retracting
    repo.git("switch", "-q", "main")
    edited = TARGET.replace("Top line", "Top line, upstream")
    repo.save({"target.md": edited})
    repo.git("switch", "-q", "topic")
    done = repo.git("rebase", "-q", "main")
    assert "not applied" not in done.err
    assert states(repo) == all_three(buried(edited))
    assert repo.show("HEAD", "fix.md").decode() == FIX
    assert repo.git("diff", "--name-only", "HEAD^", "HEAD").out == "fix.md\ntarget.md\n"
    assert repo.status() == ""
    settled(repo)


def test_a_rebase_onto_the_target_reports_what_git_left_open(notes):
    """C69."""
    notes.git("switch", "-q", "-c", "topic")
    notes.write("fix.md", FIX.replace(PHRASE, "fan was broken all along"))
    notes.stage("fix.md")
    notes.commit("Fix")
    notes.git("switch", "-q", "main")
    notes.save({"news.md": NEWS})
    notes.git("switch", "-q", "topic")
    done = notes.git("rebase", "-q", "main")
    assert "fix.md:6 is not applied yet" in done.err
    assert done.err.count("is not applied yet") == 1
    assert unapplied(notes) == ["news.md"]
    assert states(notes, "news.md") == all_three(NEWS)
    notes.save({"other.md": OTHER + "More.\n"})
    assert unapplied(notes) == []
    assert states(notes, "news.md") == all_three(buried(NEWS))
    assert notes.status() == ""
    settled(notes)


def test_a_cherry_pick_resolved_to_our_side_is_retracted_again_in_the_pick(retracting):
    """C70."""
    repo = retracting
    repo.git("config", "--remove-section", "merge.memtools")
    repo.path(".git/info/attributes").unlink()
    repo.git("switch", "-q", "-c", "release", "main")
    ours = TARGET.replace("status: active\n", "status: active\nscope: app\n")
    repo.save({"target.md": ours})
    assert repo.git("cherry-pick", "topic", check=False).code == 1
    repo.git("checkout", "-q", "--ours", "target.md")
    repo.stage("target.md")
    repo.git("cherry-pick", "--continue", env={"GIT_EDITOR": "true"})
    assert repo.git("log", "-1", "--format=%s").out == "Fix\n"
    assert states(repo) == all_three(buried(ours))
    assert repo.show("HEAD", "fix.md").decode() == FIX
    assert repo.status() == ""
    settled(repo)


def test_a_clean_cherry_pick_keeps_the_tombstone_and_says_nothing(retracting):
    """C70, with the driver."""
    repo = retracting
    repo.git("switch", "-q", "-c", "release", "main")
    ours = TARGET.replace("priority: high\n", "priority: low\n")
    repo.save({"target.md": ours})
    done = repo.git("cherry-pick", "topic")
    assert "not applied" not in done.err
    assert states(repo) == all_three(buried(ours))
    assert repo.status() == ""
    settled(repo)


def test_a_clean_cherry_pick_of_an_unapplied_marker_reports_it(notes):
    notes.git("switch", "-q", "-c", "topic")
    save(notes, {"fix.md": FIX})
    notes.git("switch", "-q", "main")
    notes.save({"other.md": OTHER + "More.\n"})
    done = notes.git("cherry-pick", "topic")
    assert "fix.md:6 is not applied yet" in done.err
    assert unapplied(notes) == ["target.md"]
    settled(notes)


def test_a_revert_brings_the_target_back_in_one_commit(retracting):
    """C71."""
    done = retracting.git("revert", "--no-edit", "HEAD")
    assert "restored target.md" in done.err
    assert states(retracting) == all_three(TARGET)
    assert "fix.md" not in retracting.files()
    assert retracting.status() == ""
    settled(retracting)


@pytest.mark.parametrize("edit", [("End line", "End line, later"), ("high", "low")])
def test_a_revert_after_later_edits_keeps_them(retracting, edit):
    """C71, later."""
    retracting.save({"target.md": buried().replace(*edit)})
    retracting.git("revert", "--no-edit", "HEAD^")
    assert states(retracting) == all_three(TARGET.replace(*edit))
    assert retracting.status() == ""
    settled(retracting)


def test_a_revert_left_to_the_person_is_no_hand_made_undoing(retracting):
    """C71 with `-n`: REVERT_HEAD says what it is."""
    retracting.git("revert", "-n", "HEAD")
    retracting.commit("Revert by hand")
    assert states(retracting) == all_three(TARGET)
    assert retracting.status() == ""
    settled(retracting)


def test_a_reverted_revert_retracts_again(retracting):
    retracting.git("revert", "--no-edit", "HEAD")
    retracting.git("revert", "--no-edit", "HEAD")
    assert states(retracting) == all_three(buried())
    assert retracting.status() == ""
    settled(retracting)


def todo(verb):
    """A sequence editor that makes `verb` of the first pick."""
    return f"sed -i '1s/^pick/{verb}/'"


def test_an_amend_in_the_middle_of_a_rebase_takes_the_tombstone(notes):
    """C74."""
    save(notes, {"fix.md": FIX}, "Fix")
    notes.git("config", "advice.skippedCherryPicks", "false")
    save(notes, {"more.md": "More.\n"}, "More")
    env = {"GIT_SEQUENCE_EDITOR": todo("edit"), "GIT_EDITOR": "true"}
    notes.git("rebase", "-q", "-i", "HEAD~2", env=env)
    assert notes.git("log", "-1", "--format=%s").out == "Fix\n"
    assert states(notes) == all_three(TARGET)
    notes.git("commit", "-q", "--amend", "--no-edit")
    assert states(notes) == all_three(buried())
    notes.git("rebase", "--continue", env=env)
    assert notes.git("log", "--format=%s", "-3").out == "More\nFix\nStory\n"
    assert notes.show("HEAD^", "target.md").decode() == buried()
    assert states(notes) == all_three(buried())
    assert unapplied(notes) == []
    assert notes.status() == ""
    settled(notes)


def test_rewording_a_commit_in_a_rebase_goes_through_and_the_end_reports(notes):
    """A hook that stages something here makes git refuse the next pick ("your local changes")."""
    save(notes, {"fix.md": FIX}, "Fix")
    save(notes, {"more.md": "More.\n"}, "More")
    editor = {"GIT_SEQUENCE_EDITOR": todo("reword"), "GIT_EDITOR": "sed -i '1s/.*/Reworded/'"}
    done = notes.git("rebase", "-q", "-i", "HEAD~2", env=editor)
    assert notes.git("log", "--format=%s", "-2").out == "More\nReworded\n"
    assert "fix.md:6 is not applied yet" in done.err
    assert states(notes) == all_three(TARGET)
    assert notes.status() == ""
    notes.save({"other.md": OTHER + "More.\n"})
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_an_autosquash_of_a_retraction_keeps_it(notes):
    mark(notes)
    notes.git("commit", "-q", "--fixup", "HEAD")
    env = {"GIT_SEQUENCE_EDITOR": "true", "GIT_EDITOR": "true"}
    notes.git("rebase", "-q", "-i", "--autosquash", "HEAD~2", env=env)
    assert notes.git("log", "-1", "--format=%s").out == "Story\n"
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_picks_of_a_rebase_leave_no_journal_and_no_repair_behind(notes):
    """Hooks of a sequence only remember; the end brings ledger and search along."""
    notes.git("switch", "-q", "-c", "topic")
    for number in range(3):
        save(notes, {f"n{number}.md": f"Number {number}.\n"}, f"Number {number}")
    notes.git("switch", "-q", "main")
    mark(notes)
    notes.commit("Fix")
    notes.git("switch", "-q", "topic")
    done = notes.git("rebase", "-q", "main")
    assert "not applied" not in done.err
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_an_applied_patch_of_an_unapplied_marker_is_reported(notes):
    save(notes, {"fix.md": FIX}, "Fix")
    patch = notes.git("format-patch", "-1", "--stdout").out
    notes.git("reset", "-q", "--hard", "HEAD^")
    done = notes.git("am", "-q", input=patch)
    assert "fix.md:6 is not applied yet" in done.err
    assert unapplied(notes) == ["target.md"]
    settled(notes)


@pytest.mark.parametrize("verb", [["history", "reword", "HEAD"], ["replay", "--onto", "HEAD", "x"]])
def test_new_git_rewrites_without_any_hook_and_the_tree_shows_it(notes, verb):
    """C90: no hook runs at all, so only a check of the tree can tell."""
    if notes.git("--list-cmds=builtins").out.split().count(verb[0]) == 0:
        pytest.skip(f"this git has no `git {verb[0]}`")
    save(notes, {"fix.md": FIX}, "Fix")
    if verb[0] == "history":
        notes.git(*verb, check=False, env={"GIT_EDITOR": "sed -i '1s/.*/Reworded/'"})
    assert unapplied(notes) == ["target.md"]


def test_commits_made_below_git_run_no_hook_and_the_tree_shows_it(notes):
    """C90 with what every git has: commit-tree, as replay and forges do it."""
    mark(notes)
    tree = notes.git("write-tree").out.strip()
    made = notes.git("commit-tree", tree, "-p", "HEAD", "-m", "Fix").out.strip()
    notes.git("update-ref", "HEAD", made)
    assert unapplied(notes) == ["target.md"]
    notes.save({"other.md": OTHER + "More.\n"})
    assert unapplied(notes) == []
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)
