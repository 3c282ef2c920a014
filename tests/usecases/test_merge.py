"""The merge driver on files: what it leaves when something is wrong with them."""

import pytest

from memtools.errors import GitError
from memtools.usecases.merge import merge_files


def test_a_missing_file_is_an_error_and_ours_stays_as_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours"):
        tmp_path.joinpath(name).write_bytes(b"one\n")
    with pytest.raises(GitError, match="theirs"):
        merge_files("base", "ours", "theirs", "7")
    assert tmp_path.joinpath("ours").read_bytes() == b"one\n"


def test_a_marker_size_that_is_no_number_means_the_usual_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours", "theirs"):
        tmp_path.joinpath(name).write_text(f"{name}\n")
    assert merge_files("base", "ours", "theirs", "") == 1
    assert tmp_path.joinpath("ours").read_text().startswith("<<<<<<< ours\n")


@pytest.mark.parametrize(
    ("path", "theirs", "conflict"),
    [
        ("AGENTS.md", "<!-- memtools:begin -->\nc\n<!-- memtools:end -->\nx\n", 0),
        ("notes/a.md", "<!-- memtools:begin -->\nc\n<!-- memtools:end -->\nx\n", 1),
        ("AGENTS.md", '<!-- memtools:begin scope="s" -->\nc\n<!-- memtools:end -->\nx\n', 1),
        ("AGENTS.md", "<!-- memtools:begin -->\nc\nx\n", 1),
        ("AGENTS.md", "<!-- memtools:begin -->\nc\n<!-- memtools:end -->\ny\n", 0),
    ],
)
def test_a_block_in_a_file_for_it_is_no_conflict(tmp_path, monkeypatch, path, theirs, conflict):
    monkeypatch.chdir(tmp_path)
    for name, text in (("base", "a"), ("ours", "b")):
        block = f"<!-- memtools:begin -->\n{text}\n<!-- memtools:end -->\nx\n"
        tmp_path.joinpath(name).write_text(block)
    tmp_path.joinpath("theirs").write_text(theirs)
    assert merge_files("base", "ours", "theirs", "7", path) == conflict
    if not conflict:
        ours = "<!-- memtools:begin -->\nb\n<!-- memtools:end -->\n" + theirs[-2:]
        assert tmp_path.joinpath("ours").read_text() == ours


def test_nothing_is_left_in_the_folder_beside_the_result(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours", "theirs"):
        tmp_path.joinpath(name).write_text(f"{name}\n")
    merge_files("base", "ours", "theirs", "9")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "ours", "theirs"]
