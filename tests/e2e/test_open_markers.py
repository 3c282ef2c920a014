"""A marker that no hook has applied yet is no door: its victim stays one (rules 8, 15)."""

import pytest

from tests.e2e.story import FIX, TARGET

VICTIM = "---\ntitle: Cache\n---\nThe disk cache was the root cause.\n"


def unapplied(notes, phrase):
    """A marker is in HEAD, its victim not retracted."""
    notes.write("victim.md", VICTIM)
    notes.git("rm", "-q", "target.md")
    notes.stage()
    notes.commit("Victim")
    notes.write("fix.md", FIX.replace("disk cache was the root cause", phrase))
    notes.stage()
    notes.commit("Fix", "-n")
    assert notes.show("HEAD", "victim.md").decode() == VICTIM


@pytest.mark.parametrize("phrase", ["victim.md", "[[victim]]", "disk cache was the root cause"])
def test_a_victim_that_is_renamed_is_retracted_at_its_new_place(notes, phrase):
    unapplied(notes, phrase)
    notes.git("mv", "victim.md", "moved.md")
    notes.commit("Move")
    assert b"status: retracted" in notes.show("HEAD", "moved.md")
    assert b"status: retracted" in notes.read("moved.md")


def test_a_phrase_that_is_edited_away_is_no_escape(notes):
    unapplied(notes, "disk cache was the root cause")
    notes.write("victim.md", VICTIM.replace("disk cache", "disk"))
    notes.stage()
    notes.commit("Edit")
    assert b"status: retracted" in notes.show("HEAD", "victim.md")


def test_a_victim_that_is_deleted_is_gone_and_nothing_else_happens(notes):
    unapplied(notes, "victim.md")
    notes.git("rm", "-q", "victim.md")
    assert "retracted" not in notes.commit("Delete").out
    assert notes.status() == ""


def test_line_ends_of_a_file_that_git_converts_stay(notes):
    """Rule 11: the blob has LF, the file CRLF; a tombstone adds its lines with CRLF."""
    notes.write(".gitattributes", "*.md text=auto\n")
    notes.stage()
    notes.commit("Attributes")
    notes.write("target.md", TARGET.replace("\n", "\r\n"))
    notes.stage()
    notes.write("fix.md", FIX)
    notes.stage()
    notes.commit("Fix")
    assert b"\r" not in notes.show("HEAD", "target.md")
    lines = notes.read("target.md").split(b"\n")
    assert b"status: retracted\r" in lines
    assert all(line.endswith(b"\r") for line in lines[:-1])
    assert notes.status() == ""
