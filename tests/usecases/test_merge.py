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


def test_nothing_is_left_in_the_folder_beside_the_result(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours", "theirs"):
        tmp_path.joinpath(name).write_text(f"{name}\n")
    merge_files("base", "ours", "theirs", "9")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "ours", "theirs"]
