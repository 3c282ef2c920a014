"""What stands in the place of a file of ours: nobody waits for it or writes through it."""

import json
import os
import shutil
import socket

import pytest

from tests.helpers import copied, longer, new_repository

NOTES = {
    "a.md": "---\ntitle: Cache\n---\nThe disk cache was the root cause.\n",
    "b.md": "---\ntitle: Pool\n---\nThe pool was too small.\n",
}
FIX = "---\ntitle: Fix\n---\nRETRACTS: disk cache was the root cause\n"
STATE = ".git/memtools"
# Files that are there only now and then.
RARE = (
    "journal",
    "quiet",
    "unattended",
    "lost",
    "plans",
    "search-noted-1",
    "commit-lock",
    "journal-lock",
)
HUGE = 1 << 34


def put_pipe(place):
    os.mkfifo(place)


def put_socket(place):
    here = os.getcwd()
    os.chdir(place.parent)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(place.name)
    os.chdir(here)


def put_folder(place):
    place.mkdir()
    (place / "kept.txt").write_text("a person's\n")


def put_link(place):
    outside = place.with_name(place.name + ".target")
    outside.write_text("outside\n")
    place.symlink_to(outside)


def put_giant(place):
    with place.open("wb") as file:
        file.truncate(HUGE)


KINDS = (put_pipe, put_socket, put_folder, put_link, put_giant)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    made = new_repository(tmp_path_factory.mktemp("strange") / "notes")
    made.init()
    made.save(NOTES)
    made.memtools("search", "pool")
    made.memtools("retract", "b.md")
    return made


def places(sandbox):
    """All files of ours, those that are there now and then too."""
    state = sandbox.path(STATE)
    there = [path for path in state.rglob("*") if path.is_file()]
    return sorted({*there, *(state / name for name in RARE)})


def replace(place, put):
    place.unlink(missing_ok=True)
    put(place)


def ill(notes):
    checks = json.loads(notes.memtools("doctor", "--json", code=None).out)["checks"]
    return [check["id"] for check in checks if not check["ok"]]


def live_on(notes):
    """A day with the repository: every command ends, and the main job is done."""
    notes.memtools("search", "pool")
    notes.memtools("recall")
    notes.memtools("doctor", code=None)
    notes.write("fix.md", FIX)
    notes.stage()
    notes.commit()
    assert b"status: retracted" in notes.show("HEAD", "a.md")
    assert notes.status() == ""
    notes.memtools("restore", "a.md", "--why", "A test.", "--drop-marker", "--apply")
    assert "a.md" in notes.memtools("search", "cache").out
    notes.memtools("doctor", "--fix", code=None)
    assert ill(notes) == []


@pytest.mark.parametrize("put", [*KINDS[:1], *longer(*KINDS[1:])])
def test_something_else_in_place_of_every_file_counts_as_missing(template, tmp_path, put):
    notes = copied(template, tmp_path / "notes")
    for place in places(notes):
        replace(place, put)
    live_on(notes)
    left = [path for path in notes.path(STATE).rglob("*.target") if path.read_text() != "outside\n"]
    assert left == []


@pytest.mark.parametrize("put", KINDS)
def test_doctor_names_it_and_mends_it(template, tmp_path, put):
    notes = copied(template, tmp_path / "notes")
    for place in places(notes):
        replace(place, put)
    assert "state-files" in ill(notes)
    notes.memtools("doctor", "--fix")
    assert ill(notes) == []
    kept = [path.read_text() for path in notes.path(STATE).rglob("kept.txt")]
    assert (put is put_folder) == bool(kept)


@pytest.mark.parametrize("name", ["ledger", "manifest", *longer("lock", ".managed.json", *RARE)])
def test_a_pipe_in_place_of_one_file_is_waited_for_by_nobody(template, tmp_path, name):
    notes = copied(template, tmp_path / "notes")
    (place,) = [place for place in places(notes) if place.name == name]
    replace(place, put_pipe)
    live_on(notes)


@pytest.mark.parametrize("names", [("search", "log"), ("",)])
def test_a_file_in_place_of_a_folder_of_ours_makes_way(template, tmp_path, names):
    notes = copied(template, tmp_path / "notes")
    for name in names:
        place = notes.path(STATE) / name
        shutil.rmtree(place, ignore_errors=True)
        place.write_text("no folder\n")
    live_on(notes)
