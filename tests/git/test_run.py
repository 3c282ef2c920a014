"""How git is asked: what is a name of a commit, and what is a name of a file."""

import os

import pytest

from memtools.git.run import Git, environment


@pytest.mark.parametrize(
    "asked",
    [
        ("log", "--format=%H", "HEAD"),
        ("rev-list", "HEAD"),
        ("diff", "--name-only", "HEAD"),
        ("diff-index", "--name-only", "HEAD"),
        ("show", "--format=", "HEAD"),
    ],
)
def test_a_file_called_as_a_commit_is_not_mistaken_for_it(sandbox, asked):
    sandbox.save({"HEAD": "a file\n", "refs/stash": "another\n"})
    git = Git(str(sandbox.top), environment(os.environ))
    plain = sandbox.git(*asked, "--").out
    assert git.run(*asked).decode() == plain
    assert git.run(*asked, "--").decode() == plain
