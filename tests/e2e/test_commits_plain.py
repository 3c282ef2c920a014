"""Whole commits: plain, -a, -i, -p, --amend, first and later ones, from wherever they are made."""

from pathlib import Path

import pytest

from memtools.usecases.state import JournalRow, read_journal, write_journal
from tests.e2e.story import (
    FIX,
    OTHER,
    STORY,
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


def is_done(repo):
    """Marker and tombstone are in HEAD, and nothing else is going on."""
    assert repo.show("HEAD", "fix.md").decode() == FIX
    assert states(repo) == all_three(buried())
    assert repo.status() == ""
    settled(repo)


def test_marker_and_tombstone_are_in_one_commit_and_status_is_empty(notes):
    """C01."""
    mark(notes)
    before = notes.head()
    notes.commit("Fix")
    is_done(notes)
    assert notes.git("rev-parse", "HEAD^").out.strip() == before
    names = notes.git("diff", "--name-only", "HEAD^", "HEAD").out.split()
    assert names == ["fix.md", "target.md"]
    assert changed_lines(notes, "HEAD^", "HEAD", "--", "target.md") == [
        "-status: active",
        "+status: retracted",
        "+retracted_at: 2026-11-29T12:00:00+09:00",
        '+retracted_by: "[[fix]]"',
    ]


def test_a_second_commit_finds_nothing_to_do(notes):
    """C02."""
    mark(notes)
    notes.commit("Fix")
    before = notes.head()
    done = notes.commit("Again", code=1)
    assert done.err == ""
    assert notes.head() == before
    is_done(notes)


def test_commit_all_retracts_and_the_file_follows_after_it(notes):
    """C03."""
    mark(notes)
    notes.write("other.md", OTHER + "More.\n")
    notes.commit("Fix", "-a")
    assert notes.show("HEAD", "other.md").decode() == OTHER + "More.\n"
    is_done(notes)


def test_a_marker_that_is_only_intended_to_be_added_acts_in_commit_all(notes):
    """C04."""
    notes.write("fix.md", FIX)
    notes.git("add", "-N", "fix.md")
    notes.commit("Fix", "-a")
    is_done(notes)


def test_commit_include_retracts(notes):
    """C05."""
    mark(notes)
    notes.write("other.md", OTHER + "More.\n")
    notes.commit("Fix", "-i", "other.md")
    assert notes.show("HEAD", "other.md").decode() == OTHER + "More.\n"
    is_done(notes)


def test_the_root_commit_can_hold_its_tombstone(repo):
    """C06."""
    repo.init()
    repo.write("target.md", TARGET)
    repo.write("fix.md", FIX)
    repo.stage()
    repo.commit("First")
    assert repo.git("rev-list", "--count", "HEAD").out == "1\n"
    is_done(repo)


def test_amending_the_message_alone_leaves_the_staged_marker_for_the_next_commit(notes):
    """C08."""
    mark(notes)
    notes.commit("Better words", "--amend", "--only")
    assert notes.git("log", "-1", "--format=%s").out == "Better words\n"
    assert states(notes) == all_three(TARGET)
    assert notes.status() == "A  fix.md\n"
    settled(notes)
    notes.commit("Fix")
    is_done(notes)


def test_a_staged_and_an_unstaged_hunk_of_the_target_stay_apart(notes):
    """C09."""
    mark(notes)
    staged = TARGET.replace("Top line", "Top line, staged")
    edited = staged.replace("End line", "End line, unstaged")
    notes.write("target.md", staged)
    notes.stage("target.md")
    notes.write("target.md", edited)
    notes.commit("Fix")
    assert states(notes) == (buried(staged), buried(staged), buried(edited))
    assert changed_lines(notes) == ["-End line.", "+End line, unstaged."]
    assert notes.status() == " M target.md\n"
    settled(notes)


@pytest.mark.parametrize(
    ("staged", "unstaged"),
    [
        ("priority: high\ntags: [a]\n", "priority: low\ntags: [a]\n"),
        ("priority: low\n", "# why\npriority: low\nscope: app\n"),
        ("priority: high\n", "priority: low\n"),
    ],
)
def test_half_staged_edits_of_the_targets_own_header_stay_half_staged(notes, staged, unstaged):
    mark(notes)
    half = TARGET.replace("priority: high\n", staged)
    full = TARGET.replace("priority: high\n", unstaged)
    notes.write("target.md", half)
    notes.stage("target.md")
    notes.write("target.md", full)
    wanted = changed_lines(notes)
    notes.commit("Fix")
    assert states(notes) == (buried(half), buried(half), buried(full))
    assert changed_lines(notes) == wanted
    settled(notes)


def test_a_deletion_that_is_not_staged_stays_so_and_the_file_away(notes):
    """C14."""
    mark(notes)
    notes.path("target.md").unlink()
    notes.commit("Fix")
    assert notes.show("HEAD", "target.md").decode() == buried()
    assert notes.status() == " D target.md\n"
    assert not notes.path("target.md").exists()
    settled(notes)


def test_a_marker_that_is_not_staged_is_a_draft(notes):
    """C27."""
    notes.write("fix.md", FIX)
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Other")
    assert states(notes) == all_three(TARGET)
    assert notes.status() == "?? fix.md\n"
    settled(notes)


def test_staged_content_rules_when_the_marker_is_gone_from_the_file(notes):
    """C28."""
    mark(notes)
    notes.write("fix.md", FIX.partition("RETRACTS")[0])
    notes.commit("Fix")
    assert states(notes) == all_three(buried())
    assert notes.status() == " M fix.md\n"
    settled(notes)


def test_a_phrase_that_only_unstaged_text_holds_hits_nothing_and_says_so(notes):
    """C29."""
    notes.write("target.md", TARGET + "The fan was broken all along.\n")
    edited = notes.read("target.md").decode()
    mark(notes, path="fan.md", text="RETRACTS: The fan was broken all along.\n")
    done = notes.commit("Fix")
    assert "fan.md:1: retract-no-match" in done.err
    assert states(notes) == (TARGET, TARGET, edited)
    settled(notes)


def test_a_marker_with_crlf_and_trailing_blanks_retracts(notes):
    """C30."""
    text = FIX.replace("\n", "\r\n").replace("cause\r\n", "cause \t \r\n")
    mark(notes, text=text)
    notes.commit("Fix")
    assert notes.show("HEAD", "fix.md").decode() == text
    assert states(notes) == all_three(buried())
    assert notes.status() == ""
    settled(notes)


NO_MARKERS = {
    "mid-line": "so RETRACTS: disk cache was the root cause",
    "quoted": "> RETRACTS: disk cache was the root cause",
    "indented": "   RETRACTS: disk cache was the root cause",
    "tab": "\tRETRACTS: disk cache was the root cause",
    "fence": "```\nRETRACTS: disk cache was the root cause\n```",
    "open-fence": "~~~ text\nRETRACTS: disk cache was the root cause",
    "comment": "<!--\nRETRACTS: disk cache was the root cause\n-->",
    "code-span": "`a\nRETRACTS: disk cache was the root cause\n`",
}


def test_a_line_that_is_no_marker_retracts_nothing(notes):
    """C31."""
    for name, line in NO_MARKERS.items():
        mark(notes, path=f"{name}.md", text=f"---\ntitle: Fix\n---\n{line}\n")
    notes.commit("Fix")
    assert states(notes) == all_three(TARGET)
    assert notes.status() == ""
    settled(notes)


def unapplied_marker(repo):
    """A commit that skipped the hooks."""
    mark(repo)
    done = repo.commit("Fix", "-n")
    assert unapplied(repo) == ["target.md"]
    assert "memtools sweep --apply" in done.err
    return done


def test_a_marker_committed_without_hooks_is_applied_by_the_next_commit(notes):
    """C32."""
    unapplied_marker(notes)
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    done = notes.commit("Other")
    assert "a marker of an earlier commit" in done.err
    names = notes.git("diff", "--name-only", "HEAD^", "HEAD").out.split()
    assert names == ["other.md", "target.md"]
    assert unapplied(notes) == []
    is_done(notes)


def test_with_nothing_staged_the_second_commit_takes_the_tombstone(notes):
    """C33."""
    unapplied_marker(notes)
    before = notes.head()
    done = notes.commit("Nothing", code=1)
    assert "run git commit once more" in done.err
    assert notes.head() == before
    assert states(notes) == (TARGET, buried(), buried())
    settled(notes, waiting=1)
    notes.commit("Tombstone")
    is_done(notes)


def test_a_stash_with_staging_brings_the_marker_back(notes):
    """C73."""
    mark(notes)
    notes.git("stash", "-q")
    assert notes.status() == ""
    notes.git("stash", "pop", "-q", "--index")
    assert notes.status() == "A  fix.md\n"
    notes.commit("Fix")
    is_done(notes)


def test_a_commit_under_stash_keep_index_lets_the_stashed_edit_be_popped(notes):
    mark(notes)
    edited = TARGET.replace("End line", "End line, edited")
    notes.write("target.md", edited)
    notes.git("stash", "-q", "--keep-index")
    notes.commit("Fix")
    is_done(notes)
    notes.git("stash", "pop", "-q")
    assert notes.read("target.md").decode() == buried(edited)
    assert notes.git("stash", "list").out == ""
    notes.commit("Edit", "-a")
    assert states(notes) == all_three(buried(edited))
    settled(notes)


def test_patch_mode_commits_the_chosen_hunk_and_the_tombstone(notes):
    mark(notes)
    edited = TARGET.replace("Top line", "Top line, one").replace("End line", "End line, two")
    notes.write("target.md", edited)
    notes.git("commit", "-q", "-p", "-m", "Fix", input="y\nn\n")
    half = TARGET.replace("Top line", "Top line, one")
    assert states(notes) == (buried(half), buried(half), buried(edited))
    assert changed_lines(notes) == ["-End line.", "+End line, two."]
    assert notes.status() == " M target.md\n"
    settled(notes)


def test_amending_a_retraction_keeps_its_tombstone(notes):
    mark(notes)
    notes.commit("Fix")
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    notes.commit("Fix, amended", "--amend")
    assert notes.git("rev-list", "--count", "HEAD").out == "3\n"
    is_done(notes)


def test_amending_a_retraction_away_is_refused_and_the_hint_works(notes):
    mark(notes)
    notes.commit("Fix")
    notes.git("rm", "-q", "--cached", "fix.md")
    notes.git("checkout", "-q", "HEAD^", "--", "target.md")
    done = notes.commit("No fix", "--amend", code=1)
    assert "git reset --soft HEAD^" in done.err
    assert notes.show("HEAD", "target.md").decode() == buried()
    notes.git("reset", "-q", "--soft", "HEAD^")
    notes.commit("Empty", "--allow-empty")
    assert states(notes) == all_three(TARGET)
    assert notes.status() == "?? fix.md\n"
    settled(notes)


def test_a_fixup_commit_retracts(notes):
    mark(notes)
    notes.git("commit", "-q", "--fixup", "HEAD")
    assert notes.git("log", "-1", "--format=%s").out == "fixup! Story\n"
    is_done(notes)


def test_of_two_retractions_one_refused_neither_changes_a_byte(notes):
    notes.save({"twin.md": OTHER.replace("Other", "Twin")})
    mark(notes)
    mark(notes, path="bad.md", text="RETRACTS: Nothing to see here.\n")
    before = notes.head(), notes.git("ls-files", "-s").out, notes.status()
    done = notes.commit("Both", code=1)
    assert done.err.startswith("memtools: bad.md:1: ")
    assert "retract-ambiguous" in done.err
    assert (notes.head(), notes.git("ls-files", "-s").out, notes.status()) == before
    assert states(notes) == all_three(TARGET)
    settled(notes)


def test_two_retractions_land_together(notes):
    mark(notes, text=f"{FIX}RETRACTS: Nothing to see here.\n")
    notes.commit("Both")
    assert states(notes) == all_three(buried())
    assert states(notes, "other.md") == all_three(
        OTHER.replace("title: Other\n", "title: Other\nstatus: retracted\n").replace(
            "---\nNothing",
            'retracted_at: 2026-11-29T12:00:00+09:00\nretracted_by: "[[fix]]"\n---\nNothing',
        )
    )
    assert notes.status() == ""
    settled(notes)


@pytest.mark.parametrize("how", [[], ["-a"]])
def test_editing_the_phrase_away_in_the_same_commit_is_no_escape(notes, how):
    """Rule 8: matched against the version in HEAD or the version being committed."""
    mark(notes)
    mild = TARGET.replace("The disk cache was the root cause.", "It was something else.")
    notes.write("target.md", mild)
    if not how:
        notes.stage("target.md")
    notes.commit("Fix", *how)
    assert states(notes) == all_three(buried(mild))
    assert notes.status() == ""
    settled(notes)


@pytest.mark.parametrize("is_mild", [False, True])
def test_a_rename_in_the_same_commit_is_followed(notes, is_mild):
    """Rule 8."""
    text = TARGET.replace("disk cache", "network") if is_mild else TARGET
    notes.git("mv", "target.md", "moved.md")
    notes.write("moved.md", text)
    notes.stage("moved.md")
    mark(notes)
    notes.commit("Fix")
    assert states(notes, "moved.md") == all_three(buried(text))
    assert notes.files() == [".memtools.toml", "fix.md", "moved.md", "other.md"]
    assert notes.status() == ""
    settled(notes)


def test_a_target_that_is_only_intended_to_be_added_is_no_memory_yet(notes):
    """Rule 6: only what is in staging can be hit."""
    notes.write("fan.md", "The fan was broken all along.\n")
    notes.git("add", "-N", "fan.md")
    mark(notes, text="RETRACTS: fan was broken all along\n")
    done = notes.commit("Fix")
    assert "retract-no-match" in done.err or "retract-untracked" in done.err
    assert notes.read("fan.md") == b"The fan was broken all along.\n"
    assert notes.status() == " A fan.md\n"
    settled(notes)


def test_a_target_added_with_its_marker_is_born_retracted(notes):
    mark(notes, text=FIX.replace("disk cache was the root cause", "fan was broken all along"))
    text = "---\nstatus: active\n---\nThe fan was broken all along.\n"
    notes.write("fan.md", text)
    notes.stage("fan.md")
    notes.commit("Fix")
    assert states(notes, "fan.md") == all_three(buried(text))
    assert notes.status() == ""
    settled(notes)


def test_one_commit_heals_five_standing_markers_and_names_the_sweep(notes):
    """Section 1.3 of the design: more than that is a commit of its own."""
    many = {f"n{n}.md": f"Lesson number {n} was plainly wrong.\n" for n in range(7)}
    notes.save(many)
    lines = "".join(f"RETRACTS: Lesson number {n} was plainly wrong.\n\n" for n in range(7))
    mark(notes, text=lines)
    notes.commit("Fix", "-n")
    notes.write("other.md", OTHER + "More.\n")
    notes.stage("other.md")
    done = notes.commit("Other")
    assert "2 more memories wait" in done.err
    assert unapplied(notes) == ["n5.md", "n6.md"]
    notes.memtools("sweep", "--apply")
    assert unapplied(notes) == []
    assert notes.status() == ""
    settled(notes)


def test_a_commit_on_a_detached_head_retracts(notes):
    notes.git("checkout", "-q", "--detach")
    mark(notes)
    notes.commit("Fix")
    is_done(notes)


def test_an_orphan_branch_retracts_in_its_first_commit(notes):
    notes.git("checkout", "-q", "--orphan", "fresh")
    mark(notes)
    notes.commit("First of another kind")
    assert notes.git("rev-list", "--count", "HEAD").out == "1\n"
    is_done(notes)


def test_an_orphan_branch_without_memories_commits_quietly(notes):
    notes.git("checkout", "-q", "--orphan", "fresh")
    notes.git("rm", "-q", "-rf", ".")
    notes.write("page.html", "<p>\n")
    notes.stage("page.html")
    assert notes.commit("Pages").err == ""
    assert notes.files() == ["page.html"]
    settled(notes)


def test_a_shallow_clone_retracts(notes, tmp_path):
    notes.save({"other.md": OTHER + "More.\n"})
    notes.git("clone", "-q", "--depth=1", notes.top.as_uri(), str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    mark(clone)
    clone.commit("Fix")
    is_done(clone)


def test_a_partial_clone_asks_its_remote_for_nothing_that_is_not_there(notes, tmp_path):
    """The remote may be far away, or want a password."""
    notes.git("config", "uploadpack.allowFilter", "true")
    partial = ("--filter=blob:none", notes.top.as_uri())
    notes.git("clone", "-q", *partial, str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    notes.path(".git").rename(tmp_path / "gone")
    mark(clone)
    done = clone.commit("Fix")
    is_done(clone)
    assert "fatal" not in done.err


def test_a_standing_marker_in_a_shallow_clone_is_dated_by_what_history_there_is(notes, tmp_path):
    mark(notes)
    notes.commit("Fix", "-n")
    notes.git("clone", "-q", "--depth=1", notes.top.as_uri(), str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    clone.init()
    clone.write("other.md", OTHER + "More.\n")
    clone.stage("other.md")
    clone.commit("Other")
    is_done(clone)


def test_a_commit_from_a_subfolder_retracts(notes):
    mark(notes)
    notes.path("deep/down").mkdir(parents=True)
    done = run(["git", "commit", "-q", "-m", "Fix"], notes.top / "deep" / "down")
    assert done.code == 0
    is_done(notes)


def test_a_repository_without_memories_commits_as_ever(sandbox):
    """Field report F8 (gastownhall/beads#483): a branch without the tool's folder was blocked."""
    sandbox.write("a.txt", "a\n")
    sandbox.stage("a.txt")
    assert sandbox.commit("First") == (0, "", "")
    sandbox.git("rm", "-q", "--cached", ".memtools.toml")
    sandbox.path(".memtools.toml").unlink()
    assert sandbox.commit("Bare") == (0, "", "")
    assert sandbox.files() == ["a.txt"]
    settled(sandbox)


def test_thirty_modified_files_stay_out_of_a_commit_of_two(notes):
    """Field report F1 (gastownhall/beads#1336): a hook staged every modified file."""
    many = {f"notes/n{number}.md": f"Note {number}.\n" for number in range(30)}
    notes.save(many)
    for path, text in many.items():
        notes.write(path, f"{text}Edited.\n")
    notes.write("other.md", OTHER + "More.\n")
    mark(notes)
    notes.stage("other.md")
    notes.commit("Fix")
    names = notes.git("diff", "--name-only", "HEAD^", "HEAD").out.split()
    assert names == ["fix.md", "other.md", "target.md"]
    assert notes.status() == "".join(f" M {path}\n" for path in sorted(many))
    assert states(notes) == all_three(buried())
    settled(notes)


def test_branches_can_be_switched_after_a_hook_has_run(notes):
    """Field report F3 (gastownhall/beads#1076): checkout failed although status was clean."""
    notes.git("branch", "before")
    mark(notes)
    notes.commit("Fix")
    for branch, text in (("before", TARGET), ("main", buried()), ("before", TARGET)):
        notes.git("switch", "-q", branch)
        assert states(notes) == all_three(text)
        assert notes.status() == ""
    notes.git("merge", "-q", "main")
    is_done(notes)


def test_story_is_active_before_anybody_retracts(notes):
    """The tests above would prove nothing if the story began with a tombstone."""
    assert {path: notes.read(path).decode() for path in STORY} == STORY
    assert notes.status() == ""
    settled(notes)


def test_a_clone_without_a_ledger_says_once_that_all_was_read(sandbox):
    sandbox.save({"a.md": "One.\n", "b.md": "Two.\n"})
    Path(sandbox.top, ".git/memtools/ledger").unlink()
    sandbox.write("c.md", "Three.\n")
    sandbox.stage()
    line = "all 2 memories were read once, for there was no ledger of this clone yet"
    assert line in sandbox.git("commit", "-qm", "three").err
    sandbox.write("d.md", "Four.\n")
    sandbox.stage()
    assert line not in sandbox.git("commit", "-qm", "four").err


def test_rows_another_commit_left_in_the_journal_meanwhile_are_not_thrown_away(sandbox):
    """While the message is typed, a commit of ours may leave rows whose files have not followed."""
    sandbox.save({"a.md": "The disk cache was the root cause.\n", "b.md": "Before.\n"})
    before = sandbox.git("rev-parse", "HEAD:b.md").out.strip()
    sandbox.write("b.md", "After.\n")
    sandbox.write("fix.md", "RETRACTS: disk cache was the root cause\n")
    sandbox.stage()
    after = sandbox.git("rev-parse", ":b.md").out.strip()
    sandbox.write("b.md", "Before.\n")
    state = sandbox.path(".git/memtools")
    write_journal(str(state), (JournalRow("b.md", before, after),))
    row = (state / "journal").read_bytes()
    (state / "journal").unlink()
    sandbox.write(".git/memtools/theirs", row)
    hook = sandbox.write(
        ".git/hooks/prepare-commit-msg",
        "#!/bin/sh\ncd .git/memtools && mv theirs journal && touch -d '2100-01-01' journal\n",
    )
    hook.chmod(0o755)
    sandbox.git("commit", "-qm", "fix")
    assert b"status: retracted" in sandbox.show("HEAD", "a.md")
    assert sandbox.read("b.md") == b"After.\n"
    assert read_journal(str(state)) == ()
    assert sandbox.status() == ""
