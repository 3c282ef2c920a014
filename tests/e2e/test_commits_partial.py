"""Commits of some paths only, and from an index of the person's own: git throws our index away."""

import os

import pytest

from tests.e2e.story import (
    FIX,
    OTHER,
    TARGET,
    all_three,
    buried,
    changed_lines,
    mark,
    settled,
    states,
)
from tests.helpers import run

STAGED = TARGET.replace("Top line", "Top line, staged")
EDITED = STAGED.replace("End line", "End line, unstaged")


def marked(repo):
    """A marker and another edit are staged."""
    mark(repo)
    repo.write("other.md", OTHER + "More.\n")
    repo.stage("other.md")


@pytest.mark.parametrize("how", [["--", "fix.md"], ["-o", "fix.md"], ["--only", "--", "fix.md"]])
def test_partial_commit_keeps_the_tombstone_in_the_next_commit(notes, how):
    """C17."""
    marked(notes)
    notes.commit("Fix", *how)
    assert notes.git("diff", "--name-only", "HEAD^", "HEAD").out == "fix.md\ntarget.md\n"
    assert states(notes) == all_three(buried())
    assert notes.status() == "M  other.md\n"
    settled(notes)
    notes.commit("Other")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_partial_commit_leaves_a_staged_edit_of_the_target_staged(notes):
    """C18."""
    marked(notes)
    notes.write("target.md", STAGED)
    notes.stage("target.md")
    notes.commit("Fix", "--", "fix.md")
    assert states(notes) == (buried(), buried(STAGED), buried(STAGED))
    assert changed_lines(notes, "--cached", "--", "target.md") == [
        "-Top line.",
        "+Top line, staged.",
    ]
    assert notes.status() == "M  other.md\nM  target.md\n"
    settled(notes)


def test_partial_commit_keeps_three_versions_of_the_target_apart(notes):
    """C19."""
    marked(notes)
    notes.write("target.md", STAGED)
    notes.stage("target.md")
    notes.write("target.md", EDITED)
    notes.commit("Fix", "--", "fix.md")
    assert states(notes) == (buried(), buried(STAGED), buried(EDITED))
    assert changed_lines(notes, "--cached", "--", "target.md") == [
        "-Top line.",
        "+Top line, staged.",
    ]
    assert changed_lines(notes) == ["-End line.", "+End line, unstaged."]
    settled(notes)


def test_partial_commit_with_three_headers_of_the_target_keeps_them_apart(notes):
    staged = TARGET.replace("priority: high", "priority: low")
    edited = staged.replace("title: Cache", "title: Cache, once")
    marked(notes)
    notes.write("target.md", staged)
    notes.stage("target.md")
    notes.write("target.md", edited)
    notes.commit("Fix", "--", "fix.md")
    assert states(notes) == (buried(), buried(staged), buried(edited))
    settled(notes)


def test_partial_commit_of_marker_and_target_takes_the_targets_edit_along(notes):
    marked(notes)
    notes.write("target.md", EDITED)
    notes.commit("Fix", "--", "fix.md", "target.md")
    assert states(notes) == all_three(buried(EDITED))
    assert notes.status() == "M  other.md\n"
    settled(notes)


def test_partial_commit_of_a_folder_retracts_outside_of_it(notes):
    mark(notes, path="notes/fix.md")
    notes.write("notes/more.md", "More.\n")
    notes.stage("notes/more.md")
    notes.commit("Add", "--", "notes/more.md")
    notes.write("notes/more.md", "More and more.\n")
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Notes", "--", "notes")
    names = notes.git("diff", "--name-only", "HEAD^", "HEAD").out.split()
    assert names == ["notes/fix.md", "notes/more.md", "target.md"]
    assert states(notes) == all_three(buried())
    assert notes.status() == "M  other.md\n"
    settled(notes)


def test_partial_commit_while_the_target_is_staged_for_deletion_keeps_the_deletion(notes):
    marked(notes)
    notes.git("rm", "-q", "target.md")
    notes.commit("Fix", "--", "fix.md")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.status() == "M  other.md\nD  target.md\n"
    settled(notes)


def test_partial_commit_from_a_subfolder_retracts(notes):
    notes.write("sub/fix.md", FIX)
    notes.stage("sub/fix.md")
    done = run(["git", "commit", "-q", "-m", "Fix", "--", "fix.md"], notes.top / "sub")
    assert done.code == 0
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_amending_with_a_path_retracts(notes):
    marked(notes)
    notes.commit("Story and fix", "--amend", "--", "fix.md")
    assert states(notes) == all_three(buried())
    assert notes.status() == "M  other.md\n"
    settled(notes)


@pytest.mark.parametrize("is_relative", [False, True])
def test_a_private_index_commits_the_tombstone_and_the_real_one_stays_its_own(notes, is_relative):
    """C20."""
    notes.write("fix.md", FIX)
    notes.write("secret.md", "Staged in the private index only.\n")
    place = str(notes.path(".git/private"))
    private = {"GIT_INDEX_FILE": os.path.relpath(place, notes.top) if is_relative else place}
    notes.git("read-tree", "HEAD", env=private)
    notes.git("add", "fix.md", env=private)
    notes.commit("Fix", env=private)
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.show("HEAD", "fix.md").decode() == FIX
    notes.git("add", "secret.md", env=private)
    assert "secret.md" not in notes.git("ls-files").out
    assert "fix.md" not in notes.git("ls-files").out
    notes.git("read-tree", "HEAD")
    notes.git("update-index", "-q", "--refresh", check=False)
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Other")
    assert states(notes) == all_three(buried())
    assert notes.status() == "?? secret.md\n"
    settled(notes)


def test_a_real_index_that_never_saw_the_private_commit_does_not_take_the_tombstone_back(notes):
    notes.write("fix.md", FIX)
    private = {"GIT_INDEX_FILE": str(notes.path(".git/private"))}
    notes.git("read-tree", "HEAD", env=private)
    notes.git("add", "fix.md", env=private)
    notes.commit("Fix", env=private)
    notes.stage("fix.md")
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Other")
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


def test_a_private_index_named_from_a_subfolder_is_found(notes):
    notes.write("sub/fix.md", FIX)
    here = notes.top / "sub"
    private = {"GIT_INDEX_FILE": ".git/private"}  # git takes it from the top
    run(["git", "read-tree", "HEAD"], here, private)
    run(["git", "add", "fix.md"], here, private)
    done = run(["git", "commit", "-q", "-m", "Fix"], here, private)
    assert done.code == 0, done
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert leftover_index(notes) == []


def leftover_index(repo):
    return [str(place) for place in repo.top.rglob("private") if place.parent.name != ".git"]
