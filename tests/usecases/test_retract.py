"""`retract`: one memory out, in a commit of its own, beside the person's work."""

import os
import shlex
import stat

import pytest

import memtools
from memtools.core.memory import read_memory
from memtools.errors import GitError, PolicyError, RefusedError
from memtools.usecases.changing.retract import retract
from memtools.usecases.repository import open_repository

WRONG = "---\nstatus:  active  # sure\npriority: high\n---\n# Sync\n\nThe root cause is DNS.\n"
PHRASE = "The root cause is DNS."
DECLARING = "notes/2026-11-29-retracts-sync.md"


def call(sandbox, phrase=PHRASE, **options):
    return retract(open_repository(str(sandbox.top)), phrase, **options)


def memory(sandbox, path, rev="HEAD"):
    return read_memory(path, sandbox.show(rev, path))


def work_of(sandbox):
    return sandbox.git("diff").out, sandbox.git("diff", "--cached").out, sandbox.status()


def everything(sandbox):
    """All refs but the backup, staging and files."""
    refs = sandbox.git("for-each-ref", "refs/heads", "refs/tags").out
    return sandbox.head(), refs, sandbox.git("ls-files", "-s").out, work_of(sandbox)


@pytest.fixture
def notes(begun):
    return begun({"notes/sync.md": WRONG, "notes/other.md": "# Other\n\nFine.\n"})


def test_a_dry_run_shows_the_victim_and_changes_nothing(notes):
    before = everything(notes)
    found = call(notes)
    assert everything(notes) == before
    assert (found.applied, found.code, found.declared_in) == (False, 0, DECLARING)
    (victim,) = found.targets
    assert victim[:6] == ("notes/sync.md", 7, "Sync", "high", PHRASE, DECLARING)
    assert (victim.state, victim.text) == ("would-retract", "The root cause is DNS.")


def test_apply_writes_declaring_memory_and_tombstone_in_one_commit(notes):
    before = notes.head()
    found = call(notes, apply=True, why='it was "the cache": really')
    assert notes.git("rev-parse", "HEAD^").out.strip() == before
    assert notes.git("show", "--name-only", "--format=").out.split() == [
        DECLARING,
        "notes/sync.md",
    ]
    declaring, tombstone = memory(notes, DECLARING), memory(notes, "notes/sync.md")
    assert declaring.title == "Retraction of sync"
    assert declaring.created == "2026-11-29T12:00:00+09:00" == tombstone.retracted_at
    assert declaring.reason == 'it was "the cache": really' == tombstone.retracted_reason
    assert tombstone.retracted_by == "[[2026-11-29-retracts-sync]]"
    assert b"status:  retracted  # sure\npriority: high\nretracted_at" in notes.show(
        "HEAD", "notes/sync.md"
    )
    assert notes.status() == ""
    assert (found.applied, found.targets[0].state) == (True, "retracted")
    assert notes.read("notes/sync.md") == notes.show("HEAD", "notes/sync.md")


def test_the_backup_ref_holds_the_bytes_before(notes):
    call(notes, apply=True)
    assert notes.show("refs/memtools/backup", "notes/sync.md") == WRONG.encode()


def test_the_next_commit_and_the_next_sweep_find_nothing_left(notes):
    call(notes, apply=True)
    tombstone = notes.show("HEAD", "notes/sync.md")
    notes.save({"notes/other.md": "# Other\n\nStill fine.\n"})
    assert notes.show("HEAD", "notes/sync.md") == tombstone
    assert memtools.sweep(open_repository(str(notes.top)), apply=True).markers == (1, 1, 0, 0)
    assert notes.status() == ""


def test_staged_and_unstaged_work_of_the_person_stays_as_it_is(notes):
    notes.save({"a.md": "a\n", "b.md": "b\n"})
    notes.write("a.md", "a staged\n")
    notes.write("new.md", "staged and new\n")
    notes.stage("a.md", "new.md")
    notes.write("b.md", "b unstaged\n")
    notes.write("a.md", "a staged, then more\n")
    notes.git("rm", "-q", "--cached", "notes/other.md")
    before = work_of(notes)
    call(notes, apply=True)
    assert work_of(notes) == before
    assert notes.git("show", "--name-only", "--format=").out.split() == [
        DECLARING,
        "notes/sync.md",
    ]


def test_unstaged_and_staged_edits_in_the_victim_survive(notes):
    notes.write("notes/sync.md", WRONG + "\nA staged line.\n")
    notes.stage("notes/sync.md")
    notes.write("notes/sync.md", WRONG + "\nA staged line.\n\nAn unstaged line.\n")
    before = [only_body(text) for text in work_of(notes)[:2]]
    call(notes, apply=True)
    assert [only_body(text) for text in work_of(notes)[:2]] == before
    for place in ("HEAD", ""):
        assert memory(notes, "notes/sync.md", place).status == "retracted"
    assert b"status:  retracted  # sure" in notes.read("notes/sync.md")
    assert b"An unstaged line." in notes.read("notes/sync.md")
    assert b"line" not in notes.show("HEAD", "notes/sync.md")


def only_body(diff):
    """The changed lines of a diff."""
    return [
        line for line in diff.split("\n") if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]


def test_followers_go_along_and_half_derived_memories_are_reported(notes):
    notes.save(
        {
            "wisdom/sync.md": "---\nderived_from: notes/sync.md\n---\n# Ask DNS first\n",
            "wisdom/half.md": '---\nderived_from: ["[[notes/sync]]", "[[other]]"]\n---\n# Half\n',
        }
    )
    found = call(notes, apply=True)
    assert [(v.path, v.source) for v in found.targets] == [
        ("notes/sync.md", ""),
        ("wisdom/sync.md", "notes/sync.md"),
    ]
    assert memory(notes, "wisdom/sync.md").status == "retracted"
    assert memory(notes, "wisdom/half.md").status == "active"
    assert [p.rule for p in found.problems] == ["retract-partial-sources"]
    assert found.code == 0


def test_one_hit_in_each_store_is_one_retraction(notes):
    stores = '[stores]\nnotes = ["notes"]\nwisdom = ["wisdom"]\n'
    notes.save({".memtools.toml": stores, "wisdom/sync.md": "# Wise\n\nThe root cause is DNS.\n"})
    call(notes, apply=True)
    assert memory(notes, "notes/sync.md").status == "retracted"
    assert memory(notes, "wisdom/sync.md").status == "retracted"


@pytest.mark.parametrize(
    ("phrase", "rule", "hint"),
    [
        ("cause", "phrase-too-short", "memtools retract "),
        ("", "phrase-empty", ""),
        ("the cause is known", "retract-ambiguous", "notes/a.md:3  memtools retract 'Here the"),
        ("The root causes were DNS", "retract-no-match", "notes/sync.md:7"),
        ("x" * 301, "phrase-too-long", ""),
        ("waits for approval", "retract-no-match", "to retract a correction"),
        ("only on this disk", "retract-untracked", "git add untracked.md"),
    ],
)
def test_what_the_hook_refuses_is_refused_in_the_same_words(notes, phrase, rule, hint):
    notes.save(
        {
            "notes/a.md": "# A\n\nHere the cause is known.\n",
            "notes/b.md": "# B\n\nThere the cause is known.\n",
            "inbox/c.md": "---\nstatus: candidate\n---\n# C\n\nIt waits for approval.\n",
        }
    )
    notes.write("untracked.md", "# U\n\nIt is only on this disk.\n")
    before = everything(notes)
    found = call(notes, phrase, apply=True)
    (problem,) = found.problems
    assert (problem.rule, problem.severity, found.code) == (rule, "error", 1)
    assert hint in problem.hint and "RETRACTS: " not in problem.hint
    assert everything(notes) == before


@pytest.mark.parametrize("is_staged", [True, False])
def test_a_phrase_that_is_not_committed_yet_is_named_with_its_file(notes, is_staged):
    notes.write("notes/other.md", "# Other\n\nA sentence of today only.\n")
    if is_staged:
        notes.stage("notes/other.md")
    (problem,) = call(notes, "A sentence of today only").problems
    assert problem.rule == "retract-no-match"
    assert "a change of notes/other.md that is not committed yet" in problem.message


@pytest.mark.parametrize("address", ["notes/sync.md", "[[sync]]", "id:7", "[[Sync]]"])
def test_an_exact_address_needs_no_length(notes, address):
    notes.save({"notes/sync.md": WRONG.replace("status", "id: 7\nstatus")})
    found = call(notes, address, apply=True)
    assert found.applied
    assert memory(notes, "notes/sync.md").status == "retracted"


def test_a_path_may_be_typed_as_seen_from_the_folder(notes, monkeypatch):
    monkeypatch.chdir(notes.path("notes"))
    call(notes, "sync.md", apply=True)
    assert b"RETRACTS: notes/sync.md\n" in notes.show("HEAD", DECLARING)


def test_a_correction_is_retracted_by_its_address_only(notes):
    call(notes, apply=True)
    assert call(notes, "Retraction of sync").problems[0].rule == "retract-no-match"
    found = call(notes, DECLARING, apply=True)
    assert found.declared_in == "notes/2026-11-29-retracts-2026-11-29-retracts-sync.md"
    assert memory(notes, "notes/sync.md").status == "retracted"


def test_already_retracted_says_by_whom_and_when(notes):
    call(notes, apply=True)
    before = everything(notes)
    found = call(notes, apply=True)
    assert everything(notes) == before
    assert (found.code, found.targets[0].state) == (0, "already")
    assert found.targets[0].declared_in == DECLARING
    assert found.notices == (
        "notes/sync.md is already retracted, by [[2026-11-29-retracts-sync]] on 2026-11-29",
    )


def test_a_note_retired_by_hand_is_said_to_be_retracted_without_by_whom(notes):
    notes.save({"old.md": "---\nstatus: superseded\n---\n# Old\n"})
    assert call(notes, "old.md").notices == ("old.md is already retracted",)


def test_the_undo_line_can_be_pasted_and_names_what_was_named(notes):
    notes.save(
        {
            "it's a dog.md": "# Dog\n\nDogs bark at the moon.\n",
            "a.md": '---\nderived_from: "it\'s a dog.md"\n---\n# Follows\n',
        }
    )
    found = call(notes, "Dogs bark at the moon", apply=True)
    assert [victim.path for victim in found.targets] == ["it's a dog.md", "a.md"]
    assert notes.git("log", "-1", "--format=%s").out == "Retract it's a dog.md\n"
    assert shlex.split(found.notices[-1].partition(", or ")[0].partition(": ")[2]) == [
        *("memtools", "restore", "it's a dog.md", "--why", "…", "--drop-marker", "--apply")
    ]


def test_a_marker_line_as_a_hint_shows_it_stands_for_its_phrase(notes):
    found = call(notes, f"RETRACTS: {PHRASE}")
    assert [victim.phrase for victim in found.targets] == [PHRASE]


def test_a_name_that_is_taken_gets_a_number(notes):
    notes.save({DECLARING: "# Taken\n"})
    notes.write("notes/2026-11-29-RETRACTS-sync-2.md", "not tracked")
    found = call(notes, apply=True)
    assert found.declared_in == "notes/2026-11-29-retracts-sync-3.md"


def test_japanese_names_and_phrases_are_kept(notes):
    notes.save({"メモ/同期の原因.md": "# 同期\n\n根本原因はDNSのキャッシュである。\n"})
    found = call(notes, "根本原因はDNSの", apply=True, why="証明書が切れていた")
    assert found.declared_in == "メモ/2026-11-29-retracts-同期の原因.md"
    declaring = notes.show("HEAD", found.declared_in).decode()
    assert "reason: 証明書が切れていた\n" in declaring
    tombstone = memory(notes, "メモ/同期の原因.md")
    assert tombstone.retracted_by == "[[2026-11-29-retracts-同期の原因]]"


def test_a_name_too_long_for_a_file_is_cut_between_characters(notes):
    path = f"{'長' * 83}.md"
    notes.save({path: "# Long\n\nA wrong sentence here.\n"})
    found = call(notes, "A wrong sentence here", apply=True)
    assert found.applied
    assert len(os.fsencode(found.declared_in)) <= 255


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf---\r\nstatus: active\r\n---\r\nThe root cause is DNS.\r\n",
        b"The root cause is DNS.",
        b"\xef\xbb\xbfThe root cause is DNS.\r\n",
        b"---\r\ntags: [a]\r\n---\r\nThe root cause is DNS.\r\nlast line",
        b"---\nstatus: active\n---\nThe root cause is DNS. caf\xe9\n",
    ],
)
def test_line_ends_bom_and_body_bytes_stay(notes, raw):
    notes.save({"notes/sync.md": raw})
    call(notes, apply=True)
    after = notes.show("HEAD", "notes/sync.md")
    assert after.endswith(raw.rpartition(b"---")[2].lstrip(b"\xef\xbb\xbf"))
    assert after.startswith(b"\xef\xbb\xbf") == raw.startswith(b"\xef\xbb\xbf")
    assert after.count(b"\r\n") == (after.count(b"\n") if b"\r\n" in raw else 0)
    assert notes.read("notes/sync.md") == after
    assert notes.status() == ""


def test_a_work_tree_with_other_line_ends_follows_its_blob(notes):
    notes.git("config", "core.autocrlf", "true")
    notes.path("notes/sync.md").unlink()
    notes.git("checkout", "-q", "--", "notes/sync.md")
    assert b"\r\n" in notes.read("notes/sync.md")
    notes.write("notes/sync.md", notes.read("notes/sync.md") + b"mine\r\n")
    call(notes, apply=True)
    held = notes.read("notes/sync.md")
    assert b"status:  retracted  # sure\r\n" in held
    assert held.endswith(b"mine\r\n")
    assert held.count(b"\n") == held.count(b"\r\n")


def test_a_header_that_cannot_be_edited_is_refused(notes):
    notes.save({"notes/sync.md": "+++\ntitle = 1\n+++\nThe root cause is DNS.\n"})
    before = everything(notes)
    found = call(notes, apply=True)
    assert [p.rule for p in found.problems] == ["retract-not-editable"]
    assert (found.code, everything(notes)) == (1, before)


def test_a_secret_in_the_reason_is_refused(notes):
    found = call(notes, apply=True, why="the key ghp_" + "a" * 36)
    assert [p.rule for p in found.problems] == ["secret-found"]
    assert not found.applied


def test_a_reason_of_several_lines_becomes_one(notes):
    call(notes, apply=True, why="RETRACTS: first\n---\n\tsecond: x # y \udc80")
    assert memory(notes, DECLARING).reason == "RETRACTS: first --- second: x # y ?"
    assert memory(notes, "notes/sync.md").retracted_reason == memory(notes, DECLARING).reason


@pytest.mark.parametrize(
    "name",
    ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer"],
)
def test_nothing_is_committed_while_something_else_is_under_way(notes, name):
    notes.write(f".git/{name}", notes.head())
    before = everything(notes)
    with pytest.raises(GitError) as caught:
        call(notes, apply=True)
    assert caught.value.exit_code == 3
    assert everything(notes) == before
    assert call(notes).targets


def test_before_the_first_commit_there_is_nothing_to_retract(repo):
    repo.write("sync.md", WRONG)
    repo.stage("sync.md")
    found = call(repo, apply=True)
    assert (found.code, found.problems[0].rule) == (1, "retract-no-match")
    assert repo.git("rev-parse", "--verify", "HEAD", check=False).code


def test_a_detached_head_moves_and_no_branch_does(notes):
    notes.git("checkout", "-q", "--detach")
    main = notes.git("rev-parse", "main").out
    call(notes, apply=True)
    assert notes.git("rev-parse", "main").out == main
    assert memory(notes, "notes/sync.md").status == "retracted"


def test_a_linked_work_tree_has_its_own_commit(notes, tmp_path):
    notes.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = type(notes)(tmp_path / "side")
    side.write("notes/other.md", "mine\n")
    call(side, apply=True)
    assert memory(side, "notes/sync.md").status == "retracted"
    assert side.status() == " M notes/other.md\n"
    assert memory(notes, "notes/sync.md").status == "active"
    assert notes.status() == ""


def test_a_bare_repository_is_refused(notes, tmp_path):
    notes.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    with pytest.raises(GitError):
        retract(open_repository(str(tmp_path / "bare")), PHRASE)


def test_another_memtools_alone_may_write_where_the_settings_ask_for_it(notes):
    notes.save({".memtools.toml": 'requires = ">=99"\n'})
    with pytest.raises(PolicyError):
        call(notes, apply=True)
    assert call(notes).targets


def test_a_victim_whose_folder_takes_no_memory_is_declared_in_a_root(notes):
    notes.save({".memtools.toml": 'roots = ["notes/sync.md", "wisdom"]\n'})
    assert call(notes, apply=True).declared_in == "wisdom/2026-11-29-retracts-sync.md"
    notes.save({".memtools.toml": 'roots = ["notes/other.md"]\n'})
    with pytest.raises(RefusedError):
        call(notes, "notes/other.md", apply=True)


def test_a_victim_deleted_or_renamed_in_the_work_tree_stays_so(notes):
    notes.git("mv", "notes/sync.md", "notes/moved.md")
    before = notes.status()
    call(notes, apply=True)
    assert not notes.path("notes/sync.md").exists()
    assert "notes/moved.md" in notes.status()
    assert before != ""
    notes.commit("Move")
    assert memory(notes, "notes/moved.md").status == "retracted"


def test_the_mode_of_the_file_stays(notes):
    notes.path("notes/sync.md").chmod(0o755)
    notes.stage()
    notes.commit("Make it executable")
    call(notes, apply=True)
    assert notes.git("ls-tree", "HEAD", "notes/sync.md").out.startswith("100755")
    assert stat.S_IMODE(notes.path("notes/sync.md").stat().st_mode) & 0o100


def test_the_commits_of_an_agents_session_say_so(notes, monkeypatch):
    notes.save({"notes/sync.md": WRONG.replace("priority: high\n", "")})
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    call(notes, apply=True)
    assert "\nMemtools-Agent: claude\n" in notes.git("log", "-1", "--format=%B").out


def test_the_package_offers_it_as_a_function(notes):
    assert memtools.retract is retract
    assert memtools.retract(memtools.open_repository(str(notes.top)), "[[sync]]").targets
