"""Rule 12: a revert brings a memory back, also when a person finishes it with `git commit`."""

from tests.usecases.test_check import CACHE, FIX


def retracted(sandbox):
    sandbox.save({"a.md": CACHE})
    sandbox.save({"fix.md": FIX})
    assert b"status: retracted" in sandbox.show("HEAD", "a.md")


def test_a_revert_without_commit_is_committed_by_hand(sandbox):
    retracted(sandbox)
    sandbox.git("revert", "--no-commit", "HEAD")
    sandbox.commit("Revert by hand")
    assert sandbox.show("HEAD", "a.md").decode() == CACHE


def test_a_conflicted_revert_is_finished_by_hand(sandbox):
    retracted(sandbox)
    sandbox.save({"fix.md": FIX + "\nMore about it.\n"})
    assert sandbox.git("revert", "--no-edit", "HEAD~1", check=False).code == 1
    sandbox.git("rm", "-q", "fix.md")
    sandbox.commit("Revert by hand")
    assert sandbox.show("HEAD", "a.md").decode() == CACHE


def test_a_tombstone_taken_out_without_a_revert_is_still_refused(sandbox):
    retracted(sandbox)
    sandbox.git("rm", "-q", "fix.md")
    sandbox.write("a.md", CACHE)
    sandbox.stage()
    assert "memtools restore a.md" in sandbox.commit("Quietly", code=1).err
