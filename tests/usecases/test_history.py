"""History tells the life of a memory, over renames and beyond its deletion."""

import pytest

from memtools.errors import RefusedError
from memtools.usecases.proposing.propose import propose
from memtools.usecases.reading.history import history
from memtools.usecases.repository import open_repository

TEXT = "The disk cache was the root cause of it all.\n"


def life(repo, address):
    return history(open_repository(str(repo.top)), address)


def words(found):
    return [event.what for event in found.events]


def test_from_proposal_to_restoration(sandbox):
    sandbox.save({"a.md": f"---\nstatus: candidate\n---\n{TEXT}"}, "propose")
    sandbox.save({"a.md": f"---\nstatus: active\n---\n{TEXT}"}, "approve")
    sandbox.save({"a.md": f"---\nstatus: active\n---\n{TEXT}More.\n"}, "edit")
    sandbox.save(
        {"fix.md": "---\nreason: it was the net\n---\nRETRACTS: disk cache was the root\n"}, "fix"
    )
    sandbox.git("revert", "--no-edit", "HEAD")
    found = life(sandbox, "a.md")
    assert words(found) == ["proposed", "approved", "changed", "retracted", "restored"]
    assert [event.subject for event in found.events[:4]] == ["propose", "approve", "edit", "fix"]
    retracted = found.events[3]
    assert (retracted.by, retracted.reason) == ("[[fix]]", "it was the net")
    assert retracted.author == "Ann Author <ann@example.com>"
    assert retracted.date.startswith("2026-11-29T12:00:00")
    assert not found.is_deleted


def test_the_reason_of_one_restoration_is_not_that_of_the_next(sandbox):
    sandbox.save({"a.md": TEXT})
    sandbox.memtools("retract", "a.md", "--apply")
    restoring = ("restore", "a.md", "--drop-marker", "--apply", "--why")
    sandbox.memtools(*restoring, "it was right")
    sandbox.memtools("retract", "a.md", "--apply")
    sandbox.git("revert", "--no-edit", "HEAD")
    sandbox.memtools("retract", "a.md", "--apply")
    sandbox.memtools(*restoring, "right after all")
    told = [(event.what, event.reason) for event in life(sandbox, "a.md").events]
    assert told == [
        *[("added", ""), ("retracted", ""), ("restored", "it was right")],
        *[("retracted", ""), ("restored", "")],
        *[("retracted", ""), ("restored", "right after all")],
    ]


def test_the_marker_is_named_by_its_line_while_it_stands(sandbox):
    sandbox.save({"a.md": TEXT})
    sandbox.save({"fix.md": "# Fix\n\nRETRACTS: disk cache was the root\n"})
    assert life(sandbox, "a.md").events[-1].marker == "fix.md:3"


def test_a_tombstone_that_a_merge_brought_in_is_told(sandbox):
    sandbox.save({"a.md": TEXT})
    sandbox.git("checkout", "--quiet", "-b", "side")
    sandbox.write("fix.md", "# Fix\n\nRETRACTS: disk cache was the root\n")
    sandbox.git("add", "fix.md")
    sandbox.git("commit", "--quiet", "--no-verify", "-m", "fix")
    sandbox.git("checkout", "--quiet", "-")
    sandbox.save({"other.md": "# Other\n"})
    sandbox.git("merge", "--quiet", "side", check=False)
    sandbox.git("commit", "--no-edit")
    assert words(life(sandbox, "a.md")) == ["added", "retracted"]


def test_renames_are_followed(sandbox):
    sandbox.save({"notes/old name.md": TEXT})
    sandbox.git("mv", "notes/old name.md", 'new "1".md')
    sandbox.commit("move")
    found = life(sandbox, 'new "1".md')
    assert words(found) == ["added", "renamed"]
    assert [event.path for event in found.events] == ["notes/old name.md", 'new "1".md']


def test_a_deleted_memory_is_named_by_its_path(sandbox):
    sandbox.save({"a.md": TEXT})
    sandbox.git("rm", "-q", "a.md")
    sandbox.commit("gone")
    found = life(sandbox, "a.md")
    assert found.is_deleted and words(found) == ["added", "deleted"]
    with pytest.raises(RefusedError, match="in HEAD or before it") as refused:
        life(sandbox, "never.md")
    assert refused.value.hint == "type: memtools search WORDS"
    with pytest.raises(RefusedError):
        life(sandbox, "[[a]]")


def test_what_hides_it_now_is_told(sandbox):
    sandbox.save({"a.md": TEXT})
    sandbox.write("fix.md", "RETRACTS: disk cache was the root\n")
    sandbox.stage()
    assert life(sandbox, "a.md").hidden_by == "fix.md:1"


def test_odd_subjects_and_authors_do_not_confuse_it(sandbox):
    sandbox.save({"a.md": TEXT}, "odd \x02 subject\n\n:100644 body")
    sandbox.save({"a.md": f"{TEXT}x\n"}, "二つ目")
    assert words(life(sandbox, "a.md")) == ["added", "changed"]


def test_what_came_by_a_branch_was_proposed_there_and_approved_by_its_merge(sandbox):
    sandbox.save({"a.md": "Something.\n"})
    made = propose(open_repository(str(sandbox.top)), TEXT.encode(), source="external",
                   apply=True, branch=True)  # fmt: skip
    sandbox.git("merge", "-q", "--no-ff", "--no-edit", made.branch)
    sandbox.save({made.path: sandbox.read(made.path) + b"More.\n"})
    assert words(life(sandbox, made.path)) == ["proposed", "approved", "changed"]


def test_what_the_gate_let_in_at_once_was_proposed_and_approved(sandbox):
    raw = TEXT.encode()
    made = propose(open_repository(str(sandbox.top)), raw, source="stated", apply=True)
    assert words(life(sandbox, made.path)) == ["proposed", "approved"]


def test_a_note_of_ones_own_that_says_it_was_proposed_was_added(sandbox):
    sandbox.save({"a.md": f"---\nproposed_at: 2026-01-01\n---\n{TEXT}"})
    assert words(life(sandbox, "a.md")) == ["added"]
