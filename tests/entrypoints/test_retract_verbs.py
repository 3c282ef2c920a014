"""`retract`, `restore` and `sweep` as a person types them: lines, JSON and exit codes."""

import json

import pytest

from memtools.entrypoints import text
from memtools.entrypoints.main import main

WRONG = "---\npriority: high\n---\n# Sync\n\nThe root cause is DNS.\n"
PHRASE = "The root cause is DNS"
DECLARING = "notes/2026-11-29-retracts-sync.md"


@pytest.fixture
def notes(begun, monkeypatch):
    sandbox = begun({"notes/sync.md": WRONG})
    monkeypatch.chdir(sandbox.top)
    text.language.cache_clear()
    return sandbox


def call(capsys, *args):
    code = main(list(args))
    return code, *capsys.readouterr()


def values(capsys, *args):
    code, out, err = call(capsys, *args, "--json")
    assert out, f"{args} -> {code}: {err}"
    return code, json.loads(out)


def unseen(sandbox, phrase="root cause is DNS"):
    sandbox.write("fix.md", f"# Fix\n\nRETRACTS: {phrase}\n")
    sandbox.stage("fix.md")
    sandbox.commit("Unseen", "--no-verify", env={"MEMTOOLS_IN_HOOK": "1"})


def test_sweep_prints_what_seed_1_prints(notes, capsys):
    assert call(capsys, "sweep") == (
        0,
        "RETRACTS markers found: 0\nwould retract: 0\n(no changes; no tombstone is missing)\n",
        "",
    )
    unseen(notes)
    assert call(capsys, "sweep", "--dry-run")[1] == (
        "RETRACTS markers found: 1\n"
        "would retract: 1\n"
        "  notes/sync.md:6  Sync (priority: high)\n"
        "    text: The root cause is DNS.\n"
        '    "root cause is DNS", declared in fix.md:3\n'
        "(no changes; memtools sweep --apply writes the tombstones)\n"
    )
    code, out, _ = call(capsys, "sweep", "--apply")
    assert code == 0
    assert "retracted: 1\n" in out
    assert notes.status() == ""


def test_sweep_names_markers_that_do_not_act(notes, capsys):
    unseen(notes, "DNS")
    code, out, err = call(capsys, "sweep")
    assert code == 1
    assert '  not acting: fix.md:3 "DNS": too short, too long or empty\n' in out
    assert err.startswith("fix.md:3: phrase-too-short: ")


def test_sweep_as_json_has_the_keys_of_the_contract(notes, capsys):
    unseen(notes)
    code, found = values(capsys, "sweep")
    assert code == 0
    assert {"schema_version", "applied", "markers", "targets", "problems"} <= set(found)
    assert found["markers"] == {"found": 1, "applied": 0, "open": 1, "pending": 0}
    wanted = {
        "path": "notes/sync.md",
        "line": 6,
        "title": "Sync",
        "priority": "high",
        "phrase": "root cause is DNS",
        "declared_in": "fix.md",
        "declared_line": 3,
        "state": "would-retract",
    }
    assert wanted.items() <= found["targets"][0].items()
    _, found = values(capsys, "sweep", "--apply")
    assert (found["applied"], found["targets"][0]["state"]) == (True, "retracted")
    assert found["markers"] == {"found": 1, "applied": 1, "open": 0, "pending": 0}


def test_retract_shows_the_victim_then_does_it_then_says_it_is_done(notes, capsys):
    code, out, err = call(capsys, "retract", PHRASE)
    assert (code, err) == (0, "")
    assert out == (
        "would retract:\n"
        "  notes/sync.md:6  Sync (priority: high)\n"
        "    text: The root cause is DNS.\n"
        f'    "{PHRASE}", declared in {DECLARING}:6\n'
        f"(no changes; --apply writes {DECLARING} and the tombstone)\n"
    )
    code, out, _ = call(capsys, "retract", PHRASE, "--apply")
    assert (code, notes.status()) == (0, "")
    assert out.startswith("retracted, in a commit of its own:\n  notes/sync.md:6  Sync")
    code, out, _ = call(capsys, "retract", PHRASE, "--apply")
    assert code == 0
    assert "already retracted, by [[2026-11-29-retracts-sync]] on 2026-11-29" in out


def test_dry_run_wins_over_apply(notes, capsys):
    head = notes.head()
    for verb in (["retract", PHRASE], ["sweep"]):
        assert call(capsys, *verb, "--apply", "--dry-run")[0] == 0
    assert notes.head() == head


def test_retract_as_json_has_the_keys_of_the_contract(notes, capsys):
    code, found = values(capsys, "retract", PHRASE, "--apply")
    assert code == 0
    assert {"applied", "markers", "targets", "problems"} <= set(found)
    assert found["applied"] is True
    assert found["targets"][0]["state"] == "retracted"
    code, found = values(capsys, "retract", "DNS")
    assert (code, found["applied"], found["targets"]) == (1, False, [])
    problem = found["problems"][0]
    assert set(problem) == {"path", "line", "rule", "severity", "message", "hint"}
    assert (problem["rule"], problem["severity"]) == ("phrase-too-short", "error")


def test_a_refused_phrase_is_1_and_a_held_lock_is_3(notes, capsys):
    assert call(capsys, "retract", "DNS", "--apply")[0] == 1
    notes.write(".git/MERGE_HEAD", "0" * 40)
    code, _, err = call(capsys, "retract", PHRASE, "--apply")
    assert (code, "a merge is under way" in err) == (3, True)


def test_an_apply_that_differs_from_its_dry_run_is_1_and_goes_through_the_second_time(
    notes, capsys
):
    call(capsys, "retract", PHRASE)
    notes.save({"notes/sync.md": WRONG + "More.\n"})
    code, out, err = call(capsys, "retract", PHRASE, "--apply")
    assert code == 1
    assert out.startswith("would retract:\n")
    assert "not what the dry run showed" in err
    assert call(capsys, "retract", PHRASE, "--apply")[0] == 0


def test_restore_names_the_marker_then_takes_it_out(notes, capsys):
    call(capsys, "retract", PHRASE, "--apply")
    why = ("--why", "it was DNS")
    code, out, err = call(capsys, "restore", "notes/sync.md", *why)
    assert (code, out) == (1, "")
    assert err.startswith(f"{DECLARING}:6: marker-stands: ")
    code, out, _ = call(capsys, "restore", "notes/sync.md", *why, "--drop-marker")
    assert code == 0
    assert out.startswith("would restore notes/sync.md  Sync\n")
    assert out.endswith("(no changes; --apply does it in a commit of its own)\n")
    code, found = values(capsys, "restore", "notes/sync.md", *why, "--drop-marker", "--apply")
    assert (code, found["applied"], found["path"]) == (0, True, "notes/sync.md")
    assert found["dropped"] == [{"path": DECLARING, "line": 6, "phrase": PHRASE}]
    assert b"restored_reason: it was DNS\n" in notes.show("HEAD", "notes/sync.md")


def test_restore_without_a_reason_is_wrong_usage(notes, capsys):
    assert call(capsys, "restore", "notes/sync.md")[0] == 2
    assert call(capsys, "restore", "notes/sync.md", "--why", "")[0] == 2


def test_an_agent_is_refused_by_policy(notes, capsys, monkeypatch):
    call(capsys, "retract", PHRASE, "--apply")
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    assert call(capsys, "restore", "notes/sync.md", "--why", "x", "--drop-marker")[0] == 4


def test_control_characters_of_a_memory_do_not_reach_the_terminal(notes, capsys):
    notes.save({"evil.md": "# Ev\x1b[31mil\n\nRed \x1b[31mtext is not right.\n"})
    _, out, _ = call(capsys, "retract", "text is not right")
    assert "\x1b" not in out
