"""A session is told its layer once, what changed at once, and what left it once."""

import os
import re
import shutil
import stat

import pytest

from memtools.usecases.activating.fresh import tell_anew
from memtools.usecases.activating.record import read_record
from memtools.usecases.activating.turn import Event, begin, tell_known
from memtools.usecases.keeping import write_checked
from memtools.usecases.state import STAGED_VIEW
from tests.helpers import longer

HIGH = "---\npriority: high\n%s---\n%s\n"
NOTES = {
    "notes/sync.md": HIGH % ("", "The sync runs at noon."),
    "notes/pool.md": HIGH % ("scope: alpha\n", "The pool holds ten."),
    "notes/plain.md": "The disk was full.\n",
}


@pytest.fixture
def notes(begun, monkeypatch):
    sandbox = begun(NOTES)
    monkeypatch.chdir(sandbox.top)
    return sandbox


class Told(list):
    """What an agent was told, and whether the repository had to be looked into."""

    is_fresh = False

    @property
    def text(self):
        assert len(self) <= 1
        return re.sub("memory-[0-9a-f]{16}", "memory-S", "".join(self))


def turn(session="s", name="UserPromptSubmit", source="", cwd="", **more):
    """One turn as the hook takes it."""
    told = Told()
    happening = begin(Event(name, session, cwd, source, **more), os.environ)
    if not tell_known(happening, lambda event, text: told.append(text)):
        told.is_fresh = True
        tell_anew(happening, lambda event, text: told.append(text))
    return told


def retract(notes, why="The sync runs at night."):
    notes.write("notes/cause.md", f"{why}\n\nRETRACTS: The sync runs at noon\n")
    notes.stage("notes/cause.md")
    return notes.commit()


def test_the_same_session_is_told_the_same_layer_once(notes):
    assert "The sync runs at noon." in turn().text
    assert turn().text == ""
    assert not turn().is_fresh


def test_another_session_is_told_in_full_without_a_look_into_the_repository(notes):
    first = turn("one")
    second = turn("two")
    assert (first.is_fresh, second.is_fresh) == (True, False)
    assert first.text == second.text
    assert turn("two").text == ""


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_a_session_that_starts_is_told_in_full(notes, source):
    full = turn().text
    again = turn(name="SessionStart", source=source)
    assert (again.text, again.is_fresh) == (full, False)
    assert turn().text == ""


@pytest.mark.parametrize("name", ["PreCompact", "PostCompact", "PreCompress"])
def test_after_a_compaction_the_next_turn_is_in_full(notes, name):
    full = turn().text
    assert turn(name=name).text == ""
    assert turn().text == full
    assert turn().text == ""


def test_gemini_asking_whether_to_compress_repeats_nothing_until_its_transcript_has_grown(
    notes, tmp_path
):
    """It sends PreCompress "auto" before each call of the model; nothing says whether it did."""
    transcript = tmp_path / "session.jsonl"
    asked = {"name": "PreCompress", "trigger": "auto", "transcript": str(transcript)}
    full = turn().text
    for size, heard in ((0, ""), (200_000, ""), (300_000, full), (500_000, ""), (600_000, full)):
        transcript.write_bytes(b"x" * size)
        assert turn(**asked).text == ""
        assert (size, turn().text) == (size, heard)
    transcript.unlink()  # another file is another memory
    turn(**asked)
    assert turn().text == full


def test_a_subagent_is_told_in_full_and_its_session_not_again(notes):
    full = turn().text
    assert turn(name="SubagentStart").text == full
    assert turn().text == ""


@pytest.mark.parametrize("name", ["Stop", "PreToolUse", "SessionEnd", "", "sessionEnd"])
def test_an_event_that_takes_no_context_is_silent(notes, name):
    assert turn(name=name).text == ""
    assert "The sync runs at noon." in turn().text


def test_without_a_session_every_turn_is_in_full(notes):
    full = turn("").text
    assert turn("").text == full


def test_a_retracted_memory_is_withdrawn_once_and_without_its_words(notes):
    turn()
    retract(notes)
    said = turn().text
    assert said == (
        "withdrawn: notes/sync.md (retracted 2026-11-29 by notes/cause.md). "
        "Do not rely on what it said."
    )
    assert turn().text == ""
    assert turn(name="SessionStart", source="resume").text == ""


def test_each_session_that_was_told_is_told_that_it_left(notes):
    for session in ("one", "two"):
        turn(session)
    retract(notes)
    for session in ("one", "two"):
        assert turn(session).text.startswith("withdrawn: notes/sync.md (retracted 2026-11-29 by ")
    assert turn("three").text == ""


def test_a_retraction_without_hooks_is_withdrawn_with_the_day_of_its_commit(notes):
    turn()
    notes.write("fix.md", "RETRACTS: The sync runs at noon\n")
    notes.stage()
    notes.commit("Skip", "--no-verify")
    assert turn().text.startswith("withdrawn: notes/sync.md (retracted 2026-11-29 by fix.md).")


LEAVES = {
    "saved as retracted": lambda n: n.write("notes/sync.md", HIGH % ("status: retracted\n", "x")),
    "saved as a candidate": lambda n: n.write("notes/sync.md", HIGH % ("status: draft\n", "x")),
    "deleted": lambda n: n.path("notes/sync.md").unlink(),
    "deleted and committed": lambda n: (n.git("rm", "-q", "notes/sync.md"), n.commit()),
    "renamed": lambda n: (n.git("mv", "notes/sync.md", "notes/new.md"), n.commit()),
    "of another scope": lambda n: n.save({"notes/sync.md": HIGH % ("scope: beta\n", "x")}),
    "untracked": lambda n: (n.git("rm", "-q", "--cached", "notes/sync.md"), n.commit()),
    "unreadable": lambda n: n.write("notes/sync.md", "---\npriority: high\nno end\n"),
    "a link": lambda n: (n.path("notes/sync.md").unlink(),
                         n.path("notes/sync.md").symlink_to("plain.md")),
    "below a link": lambda n: (n.path("notes").rename(n.path("other")),
                               n.path("notes").symlink_to("other")),
    "staged as retracted": lambda n: (n.write("fix.md", "RETRACTS: The sync runs at noon\n"),
                                      n.stage("fix.md")),
}  # fmt: skip


@pytest.mark.parametrize("how", LEAVES)
def test_whatever_way_a_memory_leaves_the_next_turn_says_so_once(notes, how):
    turn()
    assert turn().text == ""
    LEAVES[how](notes)
    said = turn().text
    assert said.count("withdrawn: notes/sync.md (") == 1
    assert "The sync runs at noon" not in said.partition("\n")[0]
    assert "withdrawn" not in turn().text
    assert turn().text == ""


def test_a_memory_the_settings_leave_out_now_is_withdrawn(notes):
    assert turn()
    notes.save({".memtools.toml": 'exclude = ["notes/sync.md"]\n'})
    assert turn().text.count("withdrawn: notes/sync.md (no longer given out).") == 1
    assert "withdrawn" not in turn().text


def test_a_memory_told_by_other_readers_is_withdrawn_too(notes):
    """`recall --session` hands out memories that are in no layer."""
    notes.memtools("recall", "--query", "disk full", "--session", "s")
    turn()
    assert turn().text == ""
    notes.write("notes/plain.md", "---\nstatus: retracted\n---\nThe disk was full.\n")
    assert turn().text.startswith("withdrawn: notes/plain.md (")
    assert turn().text == ""


def test_an_edited_memory_is_told_again_and_not_withdrawn(notes):
    turn()
    notes.write("notes/sync.md", HIGH % ("", "The sync runs at night."))
    said = turn().text
    assert "The sync runs at night." in said
    assert "withdrawn" not in said
    assert turn().text == ""


def test_a_memory_that_is_less_important_now_is_not_withdrawn(notes):
    turn()
    notes.save({"notes/sync.md": "The sync runs at noon.\n"})
    assert turn().text == ""


def test_a_restored_memory_is_told_again(notes):
    full = turn().text
    retract(notes)
    turn()
    notes.memtools("restore", "notes/sync.md", "--why", "It was right.", "--drop-marker", "--apply")
    assert turn().text == full


def test_an_unapproved_retraction_is_named(notes):
    turn()
    notes.write("fix.md", "RETRACTS: The sync runs at noon\n")
    notes.stage("fix.md")
    said = turn("new").text
    assert said == ("1 memory is withheld by an unapproved retraction: notes/sync.md (by fix.md:1)")


def test_an_edit_of_the_same_size_and_time_is_seen(notes):
    turn()
    path = notes.path("notes/sync.md")
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"noon", b"nine"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "The sync runs at nine." in turn().text


def test_edits_in_quick_succession_are_all_seen(notes):
    for number in range(30):
        notes.write("notes/sync.md", HIGH % ("", f"The sync runs at {number:02}."))
        assert f"The sync runs at {number:02}." in turn().text


def test_settings_of_the_file_count_at_once(notes):
    assert "The sync runs at noon." in turn().text
    notes.write(".memtools.toml", "[activation]\nbudget_bytes = 0\n")
    assert turn(name="SessionStart").text == ""
    assert turn(name="SessionStart").is_fresh is False


def test_a_variable_of_the_environment_counts_at_once(notes, monkeypatch):
    assert turn(name="SessionStart").text
    monkeypatch.setenv("MEMTOOLS_ACTIVATION_BUDGET_BYTES", "0")
    assert turn(name="SessionStart").text == ""
    monkeypatch.delenv("MEMTOOLS_ACTIVATION_BUDGET_BYTES")
    assert turn(name="SessionStart").text


def test_the_scope_is_that_of_the_sessions_folder(notes, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    notes.git("init", "-q", str(project))
    assert "The pool holds ten." not in turn(name="SessionStart", cwd=str(project)).text
    notes.git("-C", str(project), "config", "memtools.scope", "alpha")
    assert "The pool holds ten." in turn(name="SessionStart", cwd=str(project)).text
    notes.git("-C", str(project), "config", "--unset", "memtools.scope")
    assert "The pool holds ten." not in turn(name="SessionStart", cwd=str(project)).text


def test_a_remote_that_is_added_names_the_scope_at_once(notes, tmp_path):
    assert "The pool holds ten." not in turn(name="SessionStart").text
    notes.git("remote", "add", "origin", "https://example.com/team/alpha.git")
    assert "The pool holds ten." in turn(name="SessionStart").text


def test_a_setting_of_the_person_counts_at_once(notes, tmp_path, monkeypatch):
    included = tmp_path / "included"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "global"))
    assert "The pool holds ten." not in turn(name="SessionStart").text
    (tmp_path / "global").write_text(f"[include]\npath = {included}\n")
    included.write_text("[memtools]\nscope = beta\n")
    assert "The pool holds ten." not in turn(name="SessionStart").text
    included.write_text("[memtools]\nscope = alpha\n")
    assert "The pool holds ten." in turn(name="SessionStart").text


def test_settings_in_a_file_that_comes_into_being_count_at_once(notes, tmp_path):
    notes.git("config", "include.path", str(tmp_path / "absolute"))
    notes.git("config", "includeIf.gitdir:/.path", "relative")
    assert "The pool holds ten." not in turn(name="SessionStart").text
    (tmp_path / "absolute").write_text("[memtools]\nscope = alpha\n")
    assert "The pool holds ten." in turn(name="SessionStart").text
    notes.write(".git/relative", "[memtools]\nscope = beta\n")
    assert "The pool holds ten." not in turn(name="SessionStart").text


def test_another_branch_is_told_at_once(notes):
    notes.git("switch", "-q", "-c", "other")
    notes.save({"notes/extra.md": HIGH % ("", "The extra lesson.")})
    assert "The extra lesson." in turn().text
    notes.git("switch", "-q", "main")
    assert "withdrawn: notes/extra.md" in turn().text
    notes.git("pack-refs", "--all")
    assert turn().text == ""
    notes.git("update-ref", "--no-deref", "HEAD", "other")
    notes.git("reset", "-q", "--hard")
    assert "The extra lesson." in turn().text


def test_a_linked_work_tree_has_sessions_of_its_own(notes, tmp_path, monkeypatch):
    turn()
    notes.git("worktree", "add", "-q", str(tmp_path / "tree"))
    monkeypatch.chdir(tmp_path / "tree")
    assert "The sync runs at noon." in turn().text
    assert turn().text == ""
    assert not turn().is_fresh


def test_with_git_bound_by_variables_the_repository_is_looked_into(notes, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(notes.path(".git")))
    monkeypatch.setenv("GIT_WORK_TREE", str(notes.top))
    assert "The sync runs at noon." in turn().text
    said = turn()
    assert (said.text, said.is_fresh) == ("", True)
    assert turn(name="PreCompact").text == ""
    assert "The sync runs at noon." in turn().text


def state(notes, *names):
    return notes.path(os.path.join(".git/memtools", *names))


def test_a_hostile_session_id_names_no_file_outside(notes):
    for session in ("../../../../escape", "/tmp/x", "a\0b", "\ud800", "x" * 100_000, "lock"):
        assert "The sync runs at noon." in turn(session).text
        assert turn(session).text == ""
    names = os.listdir(state(notes, "sessions"))
    assert len(names) == 7
    assert all(name == "lock" or re.fullmatch("[0-9a-f]{32}", name) for name in names)


def test_what_is_kept_is_for_its_owner_only(notes):
    turn()
    for folder in ("sessions", "activation"):
        assert stat.S_IMODE(state(notes, folder).stat().st_mode) == 0o700
        for path in state(notes, folder).iterdir():
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert b"noon" not in path.read_bytes() or folder == "activation"


def test_what_no_session_asked_for_in_thirty_days_is_taken_away(notes):
    turn("old")
    turn("kept")
    (old,) = [path for path in state(notes, "sessions").iterdir() if path.name == name_of("old")]
    os.utime(old, (0, 0))
    turn("new")
    names = os.listdir(state(notes, "sessions"))
    assert sorted(names) == sorted(["lock", name_of("kept"), name_of("new")])


def name_of(session):
    from memtools.usecases.activating.record import _name

    return _name(session)


def test_a_long_session_is_not_taken_for_an_old_one(notes):
    turn()
    path = state(notes, "sessions", name_of("s"))
    os.utime(path, (0, 0))
    assert turn().text == ""
    turn("new")
    assert path.exists()


@pytest.mark.parametrize("data", [b"", b"noise", b"0\n", b"\0" * 5000])
def test_a_damaged_file_of_ours_is_told_in_full(notes, data):
    full = turn().text
    for folder in ("sessions", "activation"):
        for path in state(notes, folder).iterdir():
            if path.name != "lock":
                path.write_bytes(data)
    assert turn().text == full
    assert turn().text == ""


WITNESS = ("file", "/x", None, b"")
WRONG_SHAPES = [
    *(7, [], {"a": 1}, ["s", "d"]),
    ["s", "d", [7], [], 0.0, []],  # a layer
    ["s", "d", [], [["p", 7, ""]], 0.0, []],
    ["s", "d", [], [], 0.0, [["file", 7, *WITNESS[2:]]]],
    ["s", "d", [], [], 0.0, 7],
    ["s", "d", [["p", 7, ""]], [], False, 0],  # a record
    ["s", "d", [], [WITNESS[:3]], False, 0],
    [["k"], [[["p", 7]], [], [], []]],  # what is withheld
]


def test_a_file_of_ours_with_another_shape_is_told_in_full_and_made_anew(notes):
    """Its checksum is right: a program of ours, or another version, wrote it so."""
    full = turn().text
    for value in WRONG_SHAPES:
        for folder in ("sessions", "activation"):
            for path in state(notes, folder).iterdir():
                if path.name != "lock":
                    write_checked(str(path.parent), path.name, value)
        write_checked(str(state(notes)), STAGED_VIEW, value)
        assert (value, turn().text) == (value, full)
        assert turn().text == ""


def test_a_state_folder_nobody_can_write_tells_in_full_at_every_turn(notes):
    full = turn().text
    shutil.rmtree(state(notes))
    state(notes).symlink_to("/proc/self")  # nobody can make a file there
    assert [turn().text, turn().text] == [full, full]
    assert notes.status() == ""


def test_a_turn_that_dies_before_it_noted_is_told_again(notes):
    def dies(event, text):
        raise BrokenPipeError

    happening = begin(Event("UserPromptSubmit", "s"), os.environ)
    with pytest.raises(BrokenPipeError):
        tell_anew(happening, dies)
    assert "The sync runs at noon." in turn().text
    retract(notes)
    with pytest.raises(BrokenPipeError):
        tell_anew(begin(Event("UserPromptSubmit", "s"), os.environ), dies)
    assert "withdrawn: notes/sync.md" in turn().text


def test_what_another_process_noted_meanwhile_is_not_lost(notes):
    def and_another(event, text):
        notes.memtools("recall", "--query", "disk full", "--session", "s")

    tell_anew(begin(Event("UserPromptSubmit", "s"), os.environ), and_another)
    record = read_record(str(state(notes)), "s")
    assert [row[0] for row in record.told] == ["notes/plain.md", "notes/sync.md"]
    assert record.stamp == ""


def test_recall_says_once_what_left_its_session(notes):
    import json

    def recall():
        return json.loads(notes.memtools("recall", "--json", "--session", "s").out)

    assert recall()["withdrawn"] == []
    retract(notes)
    gone = {"path": "notes/sync.md", "at": "2026-11-29", "by": "notes/cause.md"}
    assert recall()["withdrawn"] == [gone]
    assert recall()["withdrawn"] == []


def test_recall_without_a_session_notes_nothing(notes):
    notes.memtools("recall", "--json")
    assert not state(notes, "sessions").exists()


@pytest.fixture
def bound_notes(notes, tmp_path):
    """Readers are bound to origin/main, which was fetched an hour before anything else."""
    notes.git("clone", "-q", "--bare", ".", str(tmp_path / "origin.git"))
    notes.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    notes.git("fetch", "-q", "origin")
    notes.git("config", "memtools.readRef", "origin/main")
    return notes


def age(notes, days):
    """Let the last fetch be so many days ago."""
    at = os.stat(notes.path(".git/FETCH_HEAD")).st_mtime - days * 86_400 - 60
    for name in ("FETCH_HEAD", "logs/refs/remotes/origin/main", "refs/remotes/origin/main"):
        os.utime(notes.path(os.path.join(".git", name)), (at, at))


def test_what_is_merged_reaches_a_bound_session_and_what_is_not_does_not(bound_notes):
    assert "The sync runs at noon." in turn().text
    bound_notes.save({"notes/sync.md": HIGH % ("", "The sync runs at night.")})
    assert turn().text == ""
    bound_notes.git("push", "-q", "origin", "HEAD:main")  # moves the remote branch here, too
    assert "The sync runs at night." in turn().text
    assert turn().text == ""
    assert not turn().is_fresh


def test_a_retraction_that_was_fetched_is_withdrawn(bound_notes):
    turn()
    retract(bound_notes)
    bound_notes.git("push", "-q", "origin", "HEAD:main")
    assert turn().text.startswith("withdrawn: notes/sync.md (retracted 2026-11-29 by ")


def test_what_git_replace_puts_in_the_place_of_a_memory_counts_at_once(bound_notes):
    turn()
    for text in ("The sync runs at night.", "The sync runs at dawn."):
        bound_notes.write("other.txt", HIGH % ("", text))
        other = bound_notes.git("hash-object", "-w", "other.txt").out.strip()
        bound_notes.git("replace", "-f", "origin/main:notes/sync.md", other)
        assert text in turn(name="SessionStart").text


def test_the_age_of_what_was_fetched_is_told_once_a_session(bound_notes):
    assert "old" not in turn().text
    age(bound_notes, 3)
    said = turn().text
    assert said == "what was fetched of origin/main is 3 days old; type: git fetch origin"
    assert turn().text == ""
    assert not turn().is_fresh
    other = turn("other").text
    assert other.startswith("what was fetched of origin/main is 3 days old")
    assert "The sync runs at noon." in other
    bound_notes.git("fetch", "-q", "origin")
    assert "old" not in turn("third").text


def test_a_ref_that_is_gone_tells_nothing(bound_notes):
    from memtools.errors import GitError

    turn()
    bound_notes.git("update-ref", "-d", "refs/remotes/origin/main")
    with pytest.raises(GitError):
        turn()


def test_a_repository_with_reftable_is_told_at_once(tmp_path, monkeypatch):
    """Where git knows them (2.45)."""
    from tests.helpers import Sandbox, run

    made = run(["git", "init", "-q", "-b", "main", "--ref-format=reftable", "t"], tmp_path)
    if made.code:
        pytest.skip("this git has no reftable")
    notes = Sandbox(tmp_path / "t")
    monkeypatch.chdir(notes.top)
    notes.save({"a.md": HIGH % ("", "The sync runs at noon.")})
    assert "The sync runs at noon." in turn().text
    notes.save({"a.md": HIGH % ("", "The sync runs at nine.")})
    assert "The sync runs at nine." in turn().text


def _switch(notes):
    here = notes.git("branch", "--show-current").out.strip()
    notes.git("stash", "-q", "--include-untracked", check=False)
    notes.git("switch", "-q", "main" if here == "side" else "side", check=False)


STEPS = {
    "edit": lambda n: n.write("notes/sync.md", HIGH % ("", "The sync runs at nine.")),
    "edit back": lambda n: n.git("checkout", "-q", "HEAD", "--", "notes/sync.md", check=False),
    "retract in the editor": lambda n: n.write("notes/pool.md", HIGH % ("status: retracted\n", "")),
    "stage all": lambda n: n.stage(),
    "unstage": lambda n: n.git("reset", "-q", check=False),
    "mark": lambda n: n.write("fix.md", "RETRACTS: The sync runs at noon\n"),
    "commit": lambda n: n.commit("Change", "--allow-empty", "--no-verify", code=None),
    "undo": lambda n: n.git("reset", "-q", "--soft", "HEAD~1", check=False),
    "reset": lambda n: n.git("reset", "-q", "--hard", "start"),
    "switch": _switch,
    "detach": lambda n: n.git("checkout", "-q", "--detach", check=False),
    "pack": lambda n: n.git("pack-refs", "--all"),
    "scope": lambda n: n.git("config", "memtools.scope", "alpha"),
    "no scope": lambda n: n.git("config", "--unset", "memtools.scope", check=False),
    "bind": lambda n: n.git("config", "memtools.readRef", "side"),
    "unbind": lambda n: n.git("config", "--unset", "memtools.readRef", check=False),
    "budget": lambda n: n.write(".memtools.toml", "[activation]\nbudget_bytes = 10\n"),
    "no settings": lambda n: n.path(".memtools.toml").unlink(missing_ok=True),
    "raise": lambda n: n.write("notes/plain.md", HIGH % ("", "The disk was full.")),
    "delete": lambda n: n.path("notes/sync.md").unlink(missing_ok=True),
    "rename": lambda n: n.git("mv", "notes/sync.md", "notes/moved.md", check=False),
}


@pytest.mark.parametrize("seed", [0, *longer(1, 2)])
def test_what_comes_from_the_cache_is_what_would_be_made_anew(notes, seed):
    import random

    from memtools.usecases.activating.fresh import _make
    from memtools.usecases.activating.turn import fenced

    notes.git("tag", "start")
    notes.git("branch", "side")
    rng = random.Random(seed)
    for _ in range(25):
        step = rng.choice(list(STEPS))
        STEPS[step](notes)
        for _ in range(rng.choice((1, 2))):
            said = turn("", "SessionStart").text
            made = _make(begin(Event("SessionStart"), os.environ)).layer.parts
            assert said == re.sub("memory-[0-9a-f]{16}", "memory-S", fenced(made)), step
