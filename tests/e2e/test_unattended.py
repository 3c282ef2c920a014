"""Commits nobody watches (rule 14b): a stopped one would stop backup and sync of a whole vault."""

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
    retracts,
    state,
)

ALONE = {"MEMTOOLS_UNATTENDED": "1"}
OBSIDIAN = {"OBSIDIAN_GIT": "1"}
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
CONFLICT = "# T\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n"


NEVER_STOPPED = {
    "phrase-too-short": "RETRACTS: cache",
    "phrase-empty": "RETRACTS:",
    "phrase-too-long": "RETRACTS: " + "x" * 400,
    "retract-ambiguous": f"RETRACTS: {lesson('two')}",
    "marker-lookalike": f"RETRACTS： {lesson('one')}",
    "retract-not-editable": f"RETRACTS: {lesson('bad')}",
}


@pytest.mark.parametrize(
    ("env", "rule"),
    [
        *((ALONE, rule) for rule in NEVER_STOPPED),
        (OBSIDIAN, "phrase-too-short"),
        *(pytest.param(OBSIDIAN, r, marks=pytest.mark.long) for r in list(NEVER_STOPPED)[1:]),
    ],
)
def test_a_marker_never_stops_it_and_is_told_at_the_next_attended_commit(sandbox, env, rule):
    """Rule 14b: what rules 2, 4 and 7 would refuse stays open and is reported."""
    given(
        sandbox,
        {
            "a.md": memory(lesson("two")),
            "b.md": memory(lesson("two")),
            "c.md": memory(lesson("one")),
            "bad.md": f"---\nunclosed\n{lesson('bad')}\n",
        },
    )
    before = {path: sandbox.read(path) for path in ("a.md", "b.md", "c.md", "bad.md")}
    put(sandbox, {"fix.md": f"{NEVER_STOPPED[rule]}\n"})
    sandbox.commit("vault backup", env=env)
    assert sandbox.status() == ""
    for path, text in before.items():
        assert_same(sandbox, path, text)
    put(sandbox, {"x.txt": "x"})
    done = sandbox.commit("A person's own")
    assert f"fix.md:1: {rule}: " in done.err
    put(sandbox, {"x.txt": "y"})
    assert sandbox.commit("Told once").err == ""


def test_git_config_counts_while_stderr_is_no_terminal(sandbox):
    """Rule 14b."""
    sandbox.git("config", "memtools.unattended", "true")
    put(sandbox, {"fix.md": "RETRACTS: cache\n"})
    sandbox.commit("vault backup")


def test_a_phrase_with_one_hit_acts_at_once(sandbox):
    """Rule 14b: half-typed it can only name the finished phrase's own victim."""
    given(sandbox, {"target.md": memory(lesson("ph"))})
    put(sandbox, {"fix.md": retracts(lesson("ph"))})
    sandbox.commit("vault backup", env=ALONE)
    assert_retracted(sandbox, "target.md", memory(lesson("ph")))


def test_a_half_typed_address_waits_until_it_stands_in_head(sandbox):
    """Rule 14b: `id:1` may be on the way to `id:12`."""
    given(sandbox, {"a.md": memory("one", "id: 1\n"), "b.md": memory("twelve", "id: 12\n")})
    put(sandbox, {"fix.md": retracts("id:1")})
    sandbox.commit("vault backup", env=ALONE)
    assert not is_retracted(sandbox, "a.md")
    put(sandbox, {"fix.md": retracts("id:12")})
    sandbox.commit("vault backup", env=ALONE)
    assert not is_retracted(sandbox, "a.md") and not is_retracted(sandbox, "b.md")
    put(sandbox, {"x.txt": "x"})
    sandbox.commit("vault backup", env=ALONE)
    assert not is_retracted(sandbox, "a.md")
    assert_retracted(sandbox, "b.md", memory("twelve", "id: 12\n"))


def test_a_waiting_address_acts_when_its_memory_is_edited_elsewhere(sandbox):
    """Rule 14b: the line stands in HEAD, whatever else of the memory changes."""
    given(sandbox, {"a.md": memory("one")})
    put(sandbox, {"fix.md": retracts("a.md")})
    sandbox.commit("vault backup", env=ALONE)
    put(sandbox, {"fix.md": retracts("a.md") + "and more\n"})
    sandbox.commit("vault backup", env=ALONE)
    assert_retracted(sandbox, "a.md", memory("one"))


def test_a_person_who_commits_an_address_needs_not_wait(sandbox):
    """Rule 3."""
    given(sandbox, {"a.md": memory("one")})
    put(sandbox, {"fix.md": retracts("a.md")})
    sandbox.commit("Mine")
    assert_retracted(sandbox, "a.md", memory("one"))


@pytest.mark.parametrize(
    ("text", "rule"), [(memory(SECRET), "secret-found"), (CONFLICT, "conflict-marks")]
)
@pytest.mark.parametrize("known", [False, True])
def test_a_file_that_may_not_be_committed_is_held_back_alone(sandbox, text, rule, known):
    """Rule 14b: staging goes back to HEAD's entry, the disk stays, the rest is committed."""
    if known:
        given(sandbox, {"notes/held.md": memory("as it was")})
    put(
        sandbox,
        {"notes/held.md": text, "good.md": memory("good"), "fix.md": retracts("words of nobody")},
    )
    done = sandbox.commit("vault backup", env=ALONE)
    assert SECRET not in done.err
    assert "notes/held.md" in done.err
    assert_same(sandbox, "good.md", memory("good"))
    assert sandbox.read("notes/held.md") == text.encode()
    if known:
        assert sandbox.show("HEAD", "notes/held.md") == memory("as it was").encode()
        assert sandbox.staged("notes/held.md") == memory("as it was").encode()
        assert sandbox.status() == " M notes/held.md\n"
    else:
        assert "notes/held.md" not in sandbox.files()
        assert sandbox.status() == "?? notes/held.md\n"
    put(sandbox, {"x.txt": "x"})
    said = sandbox.commit("Mine").err
    assert f"notes/held.md:{4 if rule == 'secret-found' else 3}: {rule}: " in said
    assert SECRET not in said


def test_when_nothing_is_left_the_commit_is_stopped(sandbox):
    """Rule 14b: git would record an empty one each time."""
    put(sandbox, {"held.md": memory(SECRET)})
    head = sandbox.head()
    for _ in range(2):
        done = sandbox.commit("vault backup", code=1, env=ALONE)
        assert sandbox.head() == head
        assert sandbox.read("held.md") == memory(SECRET).encode()
        assert SECRET not in done.err
        sandbox.stage("held.md")


@pytest.mark.parametrize("args", [("-a",), ("--", "good.md", "held.md")])
def test_held_back_in_every_way_to_commit(sandbox, args):
    """Rule 14b: with git's temporary staging too."""
    given(sandbox, {"held.md": memory("as it was"), "good.md": memory("good")})
    sandbox.write("held.md", memory(SECRET))
    sandbox.write("good.md", memory("better"))
    sandbox.commit("vault backup", *args, env=ALONE)
    assert sandbox.show("HEAD", "held.md") == memory("as it was").encode()
    assert sandbox.show("HEAD", "good.md") == memory("better").encode()
    assert sandbox.read("held.md") == memory(SECRET).encode()
    if args == ("-a",):  # what a partial commit leaves staged is git's own copy; it is held again
        assert SECRET.encode() not in sandbox.staged("held.md")


def test_a_held_back_declaring_memory_retracts_nothing(sandbox):
    """Rule 14b: what is not in the commit cannot act in it."""
    given(sandbox, {"target.md": memory(lesson("hb"))})
    put(sandbox, {"fix.md": retracts(lesson("hb")) + f"\n{SECRET}\n", "good.md": "good\n"})
    sandbox.commit("vault backup", env=ALONE)
    assert "fix.md" not in sandbox.files()
    assert_same(sandbox, "target.md", memory(lesson("hb")))


def test_a_secret_in_the_target_of_a_marker_does_not_travel(sandbox):
    """Rule 14b: the tombstone is written on what the commit holds."""
    given(sandbox, {"target.md": memory(lesson("tt"))})
    put(
        sandbox, {"target.md": memory(f"{lesson('tt')} {SECRET}"), "fix.md": retracts(lesson("tt"))}
    )
    sandbox.commit("vault backup", env=ALONE)
    assert SECRET.encode() not in sandbox.show("HEAD", "target.md")
    assert is_retracted(sandbox, "target.md")
    assert SECRET.encode() in sandbox.read("target.md")


def test_too_many_new_markers_do_not_stop_it(sandbox):
    """Rule 14b and row 57."""
    given(sandbox, {".memtools.toml": "[retraction]\nmax_new_markers = 2\n"})
    given(sandbox, {f"{n}.md": memory(lesson(f"u{n}")) for n in range(4)})
    put(sandbox, {"fix.md": retracts(*(lesson(f"u{n}") for n in range(4)))})
    sandbox.commit("vault backup", env=ALONE)
    assert sandbox.status() == ""


def test_a_status_turned_back_by_hand_does_not_stop_it(sandbox):
    """Rule 14b: reported, not stopped."""
    given(sandbox, {"target.md": memory(lesson("un"))})
    put(sandbox, {"fix.md": retracts(lesson("un"))})
    sandbox.commit("Fix")
    sandbox.git("rm", "-q", "fix.md")
    sandbox.commit("Without the marker", env=UNSEEN)
    put(sandbox, {"target.md": memory(lesson("un"))})
    sandbox.commit("vault backup", env=ALONE)
    put(sandbox, {"x.txt": "x"})
    assert "target.md:1: unretracted: " in sandbox.commit("Mine").err


def test_a_merge_is_not_stopped_and_the_tombstones_follow(sandbox):
    """Rule 14b: merge_mode is follow-up then."""
    sandbox.git("checkout", "-q", "-b", "side")
    given(sandbox, {"fix.md": retracts(lesson("me"))})
    sandbox.git("checkout", "-q", "main")
    given(sandbox, {"target.md": memory(lesson("me"))})
    sandbox.git("merge", "-q", "--no-edit", "side", env=ALONE)
    assert is_retracted(sandbox, "target.md")
    assert sandbox.status() == ""


def test_when_all_is_well_nothing_is_said(sandbox):
    """Rule 14b."""
    put(sandbox, {"a.md": memory("a")})
    before = state(sandbox)
    done = sandbox.commit("vault backup", env=ALONE)
    assert done.err == ""
    assert state(sandbox).files == before.files
