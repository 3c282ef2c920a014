"""How git is asked: what is a name of a commit, and what is a name of a file."""

import os

import pytest

from memtools.errors import GitError
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


def test_a_ref_that_somebody_else_moved_meanwhile_is_told_from_other_trouble(sandbox):
    sandbox.save({"a.md": "A\n"})
    first = sandbox.head()
    sandbox.save({"a.md": "B\n"})
    second = sandbox.head()
    git = Git(str(sandbox.top), environment(os.environ))
    with pytest.raises(GitError) as moved:
        git.run("update-ref", "HEAD", first, first)
    with pytest.raises(GitError) as other:
        git.run("update-ref", "HEAD", "nothing")
    assert (moved.value.is_overtaken, other.value.is_overtaken) == (True, False)
    assert sandbox.head() == second
