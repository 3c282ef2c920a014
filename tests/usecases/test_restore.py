"""`restore`: the way back; the file is as it was, but for who and why."""

from itertools import product

import pytest

from memtools.core.edit import Edited, Set, change
from memtools.core.memory import read_memory
from memtools.errors import GitError, PolicyError, RefusedError, UsageError
from memtools.usecases.changing.restore import restore
from memtools.usecases.changing.retract import retract
from memtools.usecases.changing.sweep import sweep
from memtools.usecases.repository import open_repository
from tests.helpers import CHECKOUT, longer, part_of

WRONG = "---\nstatus:  active  # sure\npriority: high\n---\n# Sync\n\nThe root cause is DNS.\n"
PHRASE = "The root cause is DNS."
FIX = f"# Fix\n\nIt was the cache.\n\nRETRACTS: {PHRASE}\n\nAsk the cache first.\n"
CASES = sorted((CHECKOUT / "tests" / "fixtures" / "frontmatter").glob("*.in.md"))


def call(sandbox, address="notes/sync.md", why="it was DNS after all", **options):
    return restore(open_repository(str(sandbox.top)), address, why=why, **options)


def retracted(sandbox, phrase=PHRASE, **options):
    return retract(open_repository(str(sandbox.top)), phrase, apply=True, **options)


def status(sandbox, path="notes/sync.md", rev="HEAD"):
    return read_memory(path, sandbox.show(rev, path)).status


def without_restored(raw):
    """A file without the two lines a restoration adds."""
    lines = raw.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"restored_"))


def work_of(sandbox):
    return sandbox.git("diff").out, sandbox.git("diff", "--cached").out, sandbox.status()


@pytest.fixture
def notes(begun):
    """Retracted by a marker in a memory that says more."""
    wrong = {"notes/sync.md": WRONG, "notes/other.md": "# Other\n\nFine.\n"}
    sandbox = begun(wrong, {"notes/fix.md": FIX})
    assert status(sandbox) == "retracted"
    return sandbox


def test_only_the_restored_lines_remain_of_retract_and_restore(notes):
    call(notes, drop_marker=True, apply=True)
    changed = [
        line
        for line in notes.git("diff", "-U0", "HEAD~2", "--", "notes/sync.md").out.split("\n")
        if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert [line for line in changed if line] == [
        "+restored_at: 2026-11-29T12:00:00+09:00",
        "+restored_reason: it was DNS after all",
    ]
    assert notes.status() == ""


def test_the_memory_that_retract_wrote_goes_with_its_marker(sandbox):
    sandbox.save({"notes/sync.md": WRONG, "notes/other.md": "# Other\n\nFine.\n"})
    before = sandbox.files()
    written = retracted(sandbox, why='no: it "was" the cache').declared_in
    assert written in sandbox.files()
    assert call(sandbox, drop_marker=True).gone == (written,)
    assert call(sandbox, drop_marker=True, apply=True).gone == (written,)
    assert (sandbox.files(), sandbox.status()) == (before, "")
    assert not sandbox.path(written).exists()


def test_the_memory_that_retract_wrote_stays_when_a_person_added_to_it(sandbox):
    sandbox.save({"notes/sync.md": WRONG})
    written = retracted(sandbox).declared_in
    sandbox.save({written: sandbox.read(written) + b"\nSee the logs.\n"})
    assert call(sandbox, drop_marker=True, apply=True).gone == ()
    assert b"See the logs." in sandbox.show("HEAD", written)


def test_a_dry_run_changes_nothing_and_names_everything(notes):
    head = notes.head()
    found = call(notes, drop_marker=True)
    assert (notes.head(), notes.status(), found.applied, found.code) == (head, "", False, 0)
    assert (found.path, found.status, found.commit) == ("notes/sync.md", "active", head)
    assert found.dropped == (("notes/fix.md", 5, PHRASE),)
    assert found.retracted_by == "[[fix]]"


def test_a_standing_marker_is_a_refusal_that_names_its_line(notes):
    head = notes.head()
    found = call(notes, apply=True)
    (problem,) = found.problems
    assert (problem.path, problem.line, problem.rule) == ("notes/fix.md", 5, "marker-stands")
    assert "--drop-marker" in problem.message
    assert (found.code, notes.head(), notes.status()) == (1, head, "")


def test_the_marker_goes_in_the_same_commit_and_nothing_else_of_its_file(notes):
    call(notes, drop_marker=True, apply=True)
    assert notes.git("show", "--name-only", "--format=").out.split() == [
        "notes/fix.md",
        "notes/sync.md",
    ]
    assert notes.show("HEAD", "notes/fix.md").decode() == FIX.replace(f"RETRACTS: {PHRASE}\n", "")


def test_no_later_commit_and_no_sweep_retracts_it_again(notes):
    call(notes, drop_marker=True, apply=True)
    after = notes.show("HEAD", "notes/sync.md")
    notes.save({"notes/other.md": "# Other\n\nMore.\n"})
    assert notes.save({"notes/fix.md": "# Fix\n\nRewritten.\n"}).err == ""
    assert notes.save({"notes/sync.md": after + b"\nMore.\n"}).err == ""
    assert not sweep(open_repository(str(notes.top)), apply=True).targets
    assert status(notes) == "active"


def test_every_marker_that_would_retract_it_is_named_and_dropped(notes):
    two = "# Two\n\nRETRACTS: root cause is DNS\n\nText.\nRETRACTS: notes/sync.md\n"
    notes.save({"notes/two.md": two})
    where = [("notes/fix.md", 5), ("notes/two.md", 3), ("notes/two.md", 6)]
    assert [(p.path, p.line) for p in call(notes).problems] == where
    call(notes, drop_marker=True, apply=True)
    assert status(notes) == "active"
    assert notes.show("HEAD", "notes/two.md") == b"# Two\n\n\nText.\n"
    notes.save({"notes/other.md": "x\n"})
    assert status(notes) == "active"


def test_the_same_marker_written_twice_goes_twice(notes):
    notes.save({"notes/fix.md": f"{FIX}\nRETRACTS: {PHRASE}\n"})
    found = call(notes, drop_marker=True, apply=True)
    assert [one.line for one in found.dropped] == [5, 9]
    assert b"RETRACTS" not in notes.show("HEAD", "notes/fix.md")


@pytest.mark.parametrize("bom_and_end", part_of(list(product(["", "\ufeff"], ["\n", "\r\n"])), 3))
def test_a_marker_line_goes_out_of_any_file(notes, bom_and_end):
    bom, end = bom_and_end
    fix = f"{bom}RETRACTS: {PHRASE}\nText.\n".replace("\n", end)
    notes.save({"notes/fix.md": fix})
    assert call(notes, drop_marker=True, apply=True).dropped[0].line == 1
    assert notes.show("HEAD", "notes/fix.md").decode() == f"{bom}Text.{end}"


def test_a_marker_that_is_gone_already_is_no_hindrance(notes):
    notes.git("rm", "-q", "notes/fix.md")
    notes.commit("Drop the fix")
    assert status(notes) == "retracted"
    assert call(notes, apply=True).applied
    assert status(notes) == "active"


def test_a_follower_is_restored_only_when_it_is_named(notes):
    wise = '---\nderived_from: "[[sync]]"\n---\n# Wise\n\nAsk DNS.\n'
    call(notes, drop_marker=True, apply=True)
    notes.save({"wisdom/wise.md": wise})
    retracted(notes)
    assert status(notes, "wisdom/wise.md") == "retracted"
    found = call(notes, drop_marker=True, apply=True)
    assert found.also == ("wisdom/wise.md",)
    assert status(notes, "wisdom/wise.md") == "retracted"
    notes.save({"notes/other.md": "x\n"})
    assert (status(notes), status(notes, "wisdom/wise.md")) == ("active", "retracted")
    assert call(notes, "wisdom/wise.md", apply=True).applied
    assert without_restored(notes.show("HEAD", "wisdom/wise.md")) == wise.encode()


def test_a_follower_may_come_back_while_its_source_stays_retracted(notes):
    notes.save({"wise.md": '---\nderived_from: "[[sync]]"\n---\n# Wise\n\nAsk DNS.\n'})
    call(notes, drop_marker=True, apply=True)
    retracted(notes)
    call(notes, "wise.md", apply=True)
    notes.save({"notes/other.md": "x\n"})
    assert (status(notes), status(notes, "wise.md")) == ("retracted", "active")


@pytest.mark.parametrize(
    "case", part_of(CASES, 4), ids=lambda case: case.name.removesuffix(".in.md")
)
def test_every_shape_of_header_comes_back_byte_for_byte(repo, case):
    raw = case.read_bytes()
    tombstone = change("a.md", raw, (Set("status", "retracted"), Set("retracted_at", "2026")))
    if not isinstance(tombstone, Edited) or tombstone.data == raw:
        return
    if read_memory("a.md", raw).status == "retracted":
        return
    repo.save({"a.md": raw})
    repo.save({"a.md": tombstone.data})
    found = call(repo, "a.md", apply=True)
    after = repo.show("HEAD", "a.md")
    if found.problems:
        assert after == tombstone.data
        return
    fields = (Set("restored_at", "2026-11-29T12:00:00+09:00"),)
    wanted = change("a.md", raw, (*fields, Set("restored_reason", "it was DNS after all")))
    assert after == wanted.data
    assert repo.read("a.md") == after


@pytest.mark.parametrize(
    "raw",
    [
        "---\nstatus:   'active'   # yes\ntags: [a]\n---\nBody.\n",
        *longer("---\ntags: [a]\n---\nBody.\n", "---\nstatus:\ntags: [a]\n---\nBody.\n"),
        "---\r\nstatus: accepted\r\n---\r\nBody.\r\n",
    ],
)
def test_what_was_changed_after_the_retraction_stays(sandbox, raw):
    sandbox.save({"a.md": raw})
    retracted(sandbox, "a.md")
    later = sandbox.read("a.md").replace(b"Body.", b"Body, mended.")
    sandbox.save({"a.md": later})
    sandbox.git("rm", "-q", "2026-11-29-retracts-a.md")
    sandbox.commit("Drop the declaring memory")
    call(sandbox, "a.md", apply=True)
    after = without_restored(sandbox.show("HEAD", "a.md"))
    assert after == raw.replace("Body.", "Body, mended.").encode()


def test_a_body_edit_made_in_the_commit_of_the_tombstone_is_kept(sandbox):
    sandbox.save({"notes/sync.md": WRONG})
    sandbox.save({"notes/fix.md": FIX, "notes/sync.md": WRONG + "\nAdded with the marker.\n"})
    assert status(sandbox) == "retracted"
    call(sandbox, drop_marker=True, apply=True)
    after = without_restored(sandbox.show("HEAD", "notes/sync.md"))
    assert after.decode() == WRONG + "\nAdded with the marker.\n"


def test_a_file_without_header_keeps_only_the_restored_fields(sandbox):
    sandbox.save({"a.md": "Just text.\n"})
    retracted(sandbox, "a.md")
    sandbox.save({"a.md": sandbox.read("a.md") + b"More.\n"})
    call(sandbox, "a.md", drop_marker=True, apply=True)
    after = without_restored(sandbox.show("HEAD", "a.md"))
    assert after == b"---\n---\nJust text.\nMore.\n"


def test_it_is_found_through_renames_and_merges(notes):
    notes.git("mv", "notes/sync.md", "notes/moved.md")
    notes.commit("Move")
    notes.git("checkout", "-q", "-b", "side")
    notes.save({"notes/side.md": "side\n"})
    notes.git("checkout", "-q", "main")
    notes.save({"notes/main.md": "main\n"})
    notes.git("merge", "-q", "--no-edit", "side")
    call(notes, "notes/moved.md", drop_marker=True, apply=True)
    assert without_restored(notes.show("HEAD", "notes/moved.md")) == WRONG.encode()


def test_a_memory_retracted_since_its_first_commit_becomes_active(sandbox):
    sandbox.save({"a.md": "---\nstatus: retracted\n---\nText.\n"})
    found = call(sandbox, "a.md", apply=True)
    assert (found.status, found.commit) == ("active", "")
    assert b"status: active\n" in sandbox.show("HEAD", "a.md")


def test_a_second_round_keeps_the_last_reason_alone(notes):
    call(notes, drop_marker=True, apply=True, why="first")
    retracted(notes)
    call(notes, drop_marker=True, apply=True, why="second")
    after = notes.show("HEAD", "notes/sync.md")
    assert without_restored(after) == WRONG.encode()
    assert after.count(b"restored_reason: second\n") == after.count(b"restored_reason") == 1


def test_an_old_reason_is_no_leave_to_take_the_next_tombstone_out_by_hand(notes):
    """Rule 12: the reason of an earlier restoration must not open the door for good."""
    call(notes, drop_marker=True, apply=True, why="first")
    found = retracted(notes)
    notes.git("rm", "-q", found.declared_in)
    notes.commit("Drop the declaring memory")
    by_hand = notes.read("notes/sync.md").replace(b"retracted  # sure", b"active  # sure")
    notes.write("notes/sync.md", by_hand)
    notes.stage("notes/sync.md")
    assert "memtools restore" in notes.commit("By hand", code=1).err


def test_the_staged_and_unstaged_work_of_the_person_stays(notes):
    notes.write("notes/other.md", "staged\n")
    notes.write("new.md", "new\n")
    notes.stage("notes/other.md", "new.md")
    notes.write("notes/other.md", "staged, and more\n")
    before = work_of(notes)
    call(notes, drop_marker=True, apply=True)
    assert work_of(notes) == before


def test_unstaged_edits_in_the_restored_file_and_in_the_marker_file_survive(notes):
    notes.write("notes/sync.md", notes.read("notes/sync.md") + b"Unstaged.\n")
    notes.write("notes/fix.md", FIX.replace("Ask the cache", "Never ask the cache").encode())
    call(notes, drop_marker=True, apply=True)
    head = notes.show("HEAD", "notes/sync.md")
    assert notes.read("notes/sync.md") == head + b"Unstaged.\n"
    assert notes.staged("notes/sync.md") == head
    held = notes.read("notes/fix.md")
    assert b"RETRACTS" not in held
    assert b"Never ask the cache first." in held
    notes.stage()
    notes.commit("Go on")
    assert status(notes) == "active"


def test_edits_beside_the_very_lines_that_change_survive_too(notes):
    edited = notes.read("notes/sync.md").replace(b"priority: high", b"priority: low # hm")
    edited = edited.replace(b"---\n# Sync", b"mine: yes\n---\n# Sync!")
    notes.write("notes/sync.md", edited)
    notes.write("notes/fix.md", FIX.replace("\n\nRETRACTS", "\nGlued:\nRETRACTS"))
    notes.stage("notes/fix.md")
    call(notes, drop_marker=True, apply=True)
    wanted = WRONG.replace("priority: high", "priority: low # hm").replace("# Sync", "# Sync!")
    held = without_restored(notes.read("notes/sync.md"))
    assert held.decode() == wanted.replace("---\n# Sync!", "mine: yes\n---\n# Sync!")
    assert b"RETRACTS" not in notes.staged("notes/fix.md")
    assert b"Glued:" in notes.staged("notes/fix.md")


@pytest.mark.parametrize(
    ("address", "said"),
    [("notes/other.md", "is not retracted"), ("nothing like that", "no memory"), ("x.md", "x.md")],
)
def test_an_address_that_names_no_retracted_memory_is_refused(notes, address, said):
    with pytest.raises(RefusedError) as caught:
        call(notes, address, apply=True)
    assert said in caught.value.message
    assert caught.value.exit_code == 1


def test_a_phrase_names_the_tombstone(notes):
    assert call(notes, PHRASE, drop_marker=True).path == "notes/sync.md"


def test_a_reason_is_needed_and_an_agent_may_not(notes, monkeypatch):
    with pytest.raises(UsageError):
        call(notes, why=" \n")
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    with pytest.raises(PolicyError) as caught:
        call(notes, drop_marker=True, apply=True)
    assert caught.value.exit_code == 4


def test_not_while_a_merge_is_under_way(notes):
    notes.write(".git/MERGE_HEAD", notes.head())
    with pytest.raises(GitError):
        call(notes, drop_marker=True, apply=True)


def test_a_shallow_clone_says_active_when_it_cannot_look_back(notes, tmp_path):
    notes.save({"notes/other.md": "x\n"})
    notes.git("clone", "-q", "--depth=1", f"file://{notes.top}", str(tmp_path / "clone"))
    clone = type(notes)(tmp_path / "clone")
    found = call(clone, drop_marker=True, apply=True)
    assert (found.status, found.commit) == ("active", "")
    assert status(clone) == "active"
