"""The id of a tree after changes is the one `git write-tree` gives."""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtools.git.objects import RAW, parse_raw
from memtools.git.run import Git, environment
from memtools.git.trees import tree_with
from tests.helpers import examples, run

NAMES = st.sampled_from(["a", "a.md", "a-b", "ab", "b", "日本", "A"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
# What becomes of a path: a blob, an executable, gone.
FATES = st.sampled_from(["one", "two", "run", None])


def staged(repo, fates):
    """Stage exactly these files."""
    repo.git("read-tree", "--empty")
    rows = []
    for path, fate in fates.items():
        if fate is not None:
            blob = repo.git("hash-object", "-w", "--stdin", input=fate).out.strip()
            rows.append(f"{'100755' if fate == 'run' else '100644'} {blob}\t{path}\0")
    repo.git("update-index", "-z", "--index-info", input="".join(rows))
    return repo.git("write-tree").out.strip()


def consistent(fates):
    """Without a file that is a folder of another."""
    return {
        path: fate
        for path, fate in fates.items()
        if not any(other.startswith(f"{path}/") for other in fates)
    }


def changes_of(git, old):
    out = git.run("diff-index", "--cached", *RAW, old, "--")
    return {c.path: (c.new_mode, c.new) if c.new_mode != "000000" else None for c in parse_raw(out)}


@settings(
    max_examples=examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.dictionaries(PATHS, FATES, max_size=8), st.dictionaries(PATHS, FATES, max_size=8))
def test_a_tree_after_changes_has_the_id_git_gives_it(repo, before, after):
    old = staged(repo, consistent(before))
    new = staged(repo, consistent(after))
    git = Git(str(repo.top), environment(os.environ))
    found = tree_with(git, old, changes_of(git, old))
    git.close()
    assert found in (new, None)
    if not any(_turns(path, after) or _turns(path, before) for path in {**before, **after}):
        assert found == new


def _turns(path, others):
    """Is this path a folder on the other side?"""
    return any(other.startswith(f"{path}/") for other in others)


def test_a_repository_with_long_ids_has_them_in_its_trees(tmp_path):
    run(["git", "init", "-q", "--object-format=sha256", str(tmp_path)], tmp_path)
    git = Git(str(tmp_path), environment(os.environ))
    blob = git.run("hash-object", "-w", "--stdin", stdin=b"x").decode().strip()
    empty = git.run("hash-object", "-w", "-t", "tree", "--stdin", stdin=b"").decode().strip()
    row = f"100644 {blob}\tn/a.md\n".encode()
    git.run("update-index", "--add", "--index-info", stdin=row)
    assert tree_with(git, empty, {"n/a.md": ("100644", blob)}) == git.line("write-tree")
    git.close()


@pytest.mark.parametrize("tree", ["1" * 40, "0" * 40])
def test_without_the_tree_nothing_is_told(repo, tree):
    git = Git(str(repo.top), environment(os.environ))
    assert tree_with(git, tree, {"a.md": None}) is None
    git.close()
