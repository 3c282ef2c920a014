"""How long a tombstone lasts, the ways back, and what the commands show of it."""

import json

import pytest

from tests.e2e.scene import (
    UNSEEN,
    assert_retracted,
    assert_same,
    given,
    is_retracted,
    lesson,
    memory,
    put,
    refused,
    retracts,
    state,
    tombstone,
)


def retracted(repo, row, path="target.md"):
    """A repository in which `path` has just been retracted by fix.md; returns its bytes before."""
    before = memory(lesson(row))
    given(repo, {path: before})
    put(repo, {"fix.md": retracts(lesson(row))})
    repo.commit("Fix")
    assert_retracted(repo, path, before)
    return before


def test_a_dry_run_lists_and_changes_nothing(sandbox):
    """Row 3. B2: https://github.com/alphaonedev/ai-memory-mcp/issues/1602."""
    given(sandbox, {"target.md": memory(lesson("r3"), "id: m-3\ntitle: The title\n")})
    before = state(sandbox)
    for args in ((), ("--dry-run",)):
        shown = sandbox.memtools("retract", lesson("r3"), *args).out
        assert "target.md:5" in shown
        assert "The title" in shown
        assert lesson("r3") in shown
    found = json.loads(sandbox.memtools("retract", lesson("r3"), "--json").out)
    assert found["applied"] is False
    assert [target["state"] for target in found["targets"]] == ["would-retract"]
    assert state(sandbox) == before


def test_sweep_ignores_a_short_phrase_with_a_line_in_its_report(sandbox):
    """Row 4, its second half."""
    given(sandbox, {"target.md": memory("the cache is full"), "fix.md": retracts("cache")})
    done = sandbox.memtools("sweep", code=None)
    assert "phrase-too-short" in done.out + done.err or "too short" in done.out + done.err
    sandbox.memtools("sweep", "--apply", code=None)
    assert_same(sandbox, "target.md", memory("the cache is full"))


def test_a_standing_short_phrase_stops_no_later_commit(sandbox):
    """Row 4: only a new marker is refused."""
    given(sandbox, {"target.md": memory("the cache is full"), "fix.md": retracts("cache")})
    put(sandbox, {"x.md": "x\n"})
    assert sandbox.commit("Other").err == ""
    put(sandbox, {"fix.md": retracts("cache") + "edited\n"})
    assert sandbox.commit("Edit").err == ""
    assert_same(sandbox, "target.md", memory("the cache is full"))


def test_the_tombstone_stays_when_the_declaring_memory_is_deleted(sandbox):
    """Row 80."""
    before = retracted(sandbox, "r80")
    sandbox.git("rm", "-q", "fix.md")
    assert sandbox.commit("Delete the fix").err == ""
    assert_retracted(sandbox, "target.md", before)
    checked = sandbox.memtools("check", code=None)
    assert "target.md" in checked.out + checked.err
    assert "tombstone-orphan" in checked.out + checked.err


def test_the_tombstone_stays_when_the_declaring_memory_is_retracted(sandbox):
    """Row 81: by hand, and by another marker that names it by its path (rule 6)."""
    before = retracted(sandbox, "r81")
    put(sandbox, {"fix.md": retracts(lesson("r81"), header="title: Fix\nstatus: retracted\n")})
    sandbox.commit("By hand")
    assert_retracted(sandbox, "target.md", before)
    put(sandbox, {"x.md": "x\n"})
    sandbox.commit("Later")
    assert_retracted(sandbox, "target.md", before)


def test_a_wrong_correction_can_be_retracted_by_its_address(sandbox):
    """Row 81 and rule 6: what it retracted stays retracted."""
    before = retracted(sandbox, "r81b")
    put(sandbox, {"second.md": retracts("[[fix]]")})
    sandbox.commit("The correction was wrong")
    assert_retracted(sandbox, "fix.md", retracts(lesson("r81b")), by="second")
    assert_retracted(sandbox, "target.md", before)


def test_git_revert_of_the_retracting_commit_brings_the_target_back(sandbox):
    """Row 82."""
    before = retracted(sandbox, "r82")
    done = sandbox.git("revert", "--no-edit", "HEAD")
    assert_same(sandbox, "target.md", before)
    assert not sandbox.path("fix.md").exists()
    assert "restored target.md" in done.err
    put(sandbox, {"x.md": "x\n"})
    sandbox.commit("Later")
    assert_same(sandbox, "target.md", before)


@pytest.mark.parametrize("args", [("-n",), ()])
def test_a_revert_finished_by_hand_is_a_revert(sandbox, args):
    """Row 82 and rule 12: not refused while REVERT_HEAD exists."""
    before = retracted(sandbox, "r82b")
    put(sandbox, {"fix.md": retracts(lesson("r82b")) + "edited since\n"})
    sandbox.commit("Edit")
    sandbox.git("revert", "--no-edit", *args, "HEAD~1", check=False)
    assert sandbox.path(".git/REVERT_HEAD").exists()
    sandbox.git("rm", "-q", "-f", "fix.md")
    sandbox.git("add", "target.md")
    sandbox.commit("Revert by hand")
    assert_same(sandbox, "target.md", before)


def test_a_status_set_back_by_hand_is_retracted_again_while_the_marker_stands(sandbox):
    """Row 83."""
    before = retracted(sandbox, "r83")
    tomb = sandbox.read("target.md")
    put(sandbox, {"target.md": tomb.replace(b"status: retracted", b"status: active")})
    done = sandbox.commit("By hand")
    assert_retracted(sandbox, "target.md", before)
    assert sandbox.status() == ""
    assert "target.md" in done.err
    assert "memtools restore" in done.err


def test_a_tombstone_taken_out_by_hand_with_its_fields_is_written_again(sandbox):
    """Row 83."""
    before = retracted(sandbox, "r83b")
    put(sandbox, {"target.md": before, "x.md": "x\n"})
    done = sandbox.commit("By hand")
    assert is_retracted(sandbox, "target.md")
    assert "memtools restore" in done.err


def test_a_status_set_back_by_hand_without_the_marker_is_refused(sandbox):
    """Row 84; the ways back are all named."""
    before = retracted(sandbox, "r84")
    sandbox.git("rm", "-q", "fix.md")
    sandbox.commit("Delete the fix")
    said = refused(sandbox, {"target.md": before}, "unretracted")
    assert "memtools restore target.md" in said.split("\n")[0]
    assert "git revert" in said
    assert "git reset --soft HEAD^" in said


def test_marker_and_tombstone_taken_out_in_one_commit_are_refused(sandbox):
    """Row 84: the marker goes and the status with it."""
    before = retracted(sandbox, "r84b")
    refused(sandbox, {"target.md": before, "fix.md": "# Nothing\n"}, "unretracted")


def test_a_renamed_tombstone_set_back_by_hand_is_refused(sandbox):
    """Row 84: under another name too."""
    before = retracted(sandbox, "r84c")
    sandbox.git("rm", "-q", "fix.md")
    sandbox.commit("Delete the fix")
    sandbox.git("mv", "target.md", "elsewhere.md")
    refused(sandbox, {"elsewhere.md": before}, "unretracted")


def test_a_restoration_with_its_reason_goes_through(sandbox):
    """Rule 12: restored_reason is there."""
    retracted(sandbox, "r84d")
    sandbox.git("rm", "-q", "fix.md")
    sandbox.commit("Delete the fix")
    back = memory(lesson("r84d"), "title: Target\nrestored_reason: it was right\n")
    put(sandbox, {"target.md": back})
    sandbox.commit("Restore")
    assert_same(sandbox, "target.md", back)


def test_restore_while_the_marker_stands_is_refused_with_its_line(sandbox):
    """Row 85."""
    retracted(sandbox, "r85")
    before = state(sandbox)
    done = sandbox.memtools("restore", "target.md", "--why", "it was right", "--apply", code=1)
    assert "fix.md:4" in done.err
    assert "--drop-marker" in done.err
    assert state(sandbox) == before


def test_restore_with_the_marker_dropped_gives_the_bytes_back_and_stays(sandbox):
    """Rows 84 and 85: one commit, and the next one takes nothing back."""
    retracted(sandbox, "r85b")
    sandbox.memtools("restore", "target.md", "--why", "it was right", "--drop-marker", "--apply")
    after = sandbox.show("HEAD", "target.md")
    assert b"retracted" not in after
    assert b"restored_reason: it was right" in after
    assert sandbox.status() == ""
    put(sandbox, {"x.md": "x\n"})
    assert sandbox.commit("Later").err == ""
    assert sandbox.show("HEAD", "target.md") == after


def test_a_marker_that_no_hook_saw_hides_its_target_and_the_next_hook_writes(sandbox):
    """Row 87: --no-verify, a merge, a forge."""
    given(sandbox, {"target.md": memory(lesson("r87"), "title: T\npriority: high\n")})
    put(sandbox, {"fix.md": retracts(lesson("r87"))})
    done = sandbox.commit("Unseen", "--no-verify")
    assert "memtools sweep --apply" in done.err
    assert not is_retracted(sandbox, "target.md")
    assert "target.md" not in sandbox.memtools("search", "r87 cache").out
    assert lesson("r87") not in sandbox.memtools("recall").out
    put(sandbox, {"x.md": "x\n"})
    said = sandbox.commit("Other").err
    assert "a marker of an earlier commit" in said
    assert_retracted(sandbox, "target.md", memory(lesson("r87"), "title: T\npriority: high\n"))


def test_sweep_writes_what_no_hook_saw(sandbox):
    """Row 87: the safety net in a commit of its own."""
    given(sandbox, {"target.md": memory(lesson("r87s")), "fix.md": retracts(lesson("r87s"))})
    shown = sandbox.memtools("sweep").out
    assert "target.md" in shown
    assert not is_retracted(sandbox, "target.md")
    sandbox.memtools("sweep", "--apply")
    assert_retracted(sandbox, "target.md", memory(lesson("r87s")))
    head = sandbox.head()
    sandbox.memtools("sweep", "--apply")
    assert sandbox.head() == head
    assert sandbox.status() == ""


def test_a_cherry_picked_marker_is_applied_by_the_next_commit(sandbox):
    """Row 87."""
    sandbox.git("checkout", "-q", "-b", "side")
    put(sandbox, {"fix.md": retracts(lesson("r87p"))})
    sandbox.commit("Fix on a branch", env=UNSEEN)
    sandbox.git("checkout", "-q", "main")
    given(sandbox, {"target.md": memory(lesson("r87p"))})
    done = sandbox.git("cherry-pick", "side")
    assert "fix.md:4" in done.err
    put(sandbox, {"x.md": "x\n"})
    sandbox.commit("Next")
    assert_retracted(sandbox, "target.md", memory(lesson("r87p")))


def test_a_correction_of_high_priority_is_recalled_without_its_marker_line(sandbox):
    """Row 104 and rule 15b."""
    given(sandbox, {"target.md": memory(lesson("r104"), "title: T\npriority: high\n")})
    text = retracts(lesson("r104"), header="title: F\npriority: high\n") + "\nIt was the disk.\n"
    put(sandbox, {"fix.md": text})
    sandbox.commit("Fix")
    shown = sandbox.memtools("recall").out
    assert "It was the disk." in shown
    assert lesson("r104") not in shown
    assert "RETRACTS" not in shown


def test_a_retracted_memory_is_shown_only_when_asked_for_and_marked(sandbox):
    """Row 105."""
    given(sandbox, {"target.md": memory(lesson("r105"), "title: T\npriority: high\n")})
    put(sandbox, {"fix.md": retracts(lesson("r105"))})
    sandbox.commit("Fix")
    assert "target.md" not in sandbox.memtools("search", "r105 cache").out
    shown = sandbox.memtools("search", "r105 cache", "--include-retracted").out
    assert "target.md" in shown
    assert "RETRACTED 2026-11-29 by [[fix]]" in shown
    assert lesson("r105") not in sandbox.memtools("recall").out
    assert lesson("r105") not in sandbox.memtools("recall", "--query", "r105 cache").out


def test_the_hook_names_restore_that_really_goes_back(sandbox):
    """Row 106: the state before is one command away, and is the same bytes."""
    before = retracted(sandbox, "r106")
    assert sandbox.show("refs/memtools/backup", "target.md") == before.encode()
    assert sandbox.show("HEAD~1", "target.md") == before.encode()
    assert tombstone(before, "fix") != before.encode()
