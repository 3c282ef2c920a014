"""The state of the search index is told as it is, and following the advice makes it right."""

import shutil

from memtools.usecases.reading.index import follow_head, index_state, rebuild_index
from memtools.usecases.repository import open_repository


def state(repo):
    return index_state(open_repository(str(repo.top)))


def test_an_index_that_follows_is_up_to_date(sandbox):
    sandbox.save({"a.md": "one\n", "b.md": "two\n"})
    found = follow_head(open_repository(str(sandbox.top)))
    assert (found.state, found.memories, found.is_behind) == ("ready", 2, False)
    assert found.tree == found.head_tree == sandbox.git("rev-parse", "HEAD^{tree}").out.strip()
    assert found.segments >= 1 and found.size > 0


def test_a_commit_no_hook_saw_leaves_it_behind_until_it_is_rebuilt(sandbox):
    """Field reports C8, C10: the state reaches green after its own advice."""
    sandbox.save({"a.md": "one\n"})
    sandbox.write("b.md", "two\n")
    sandbox.stage()
    sandbox.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "skip")
    assert state(sandbox).is_behind
    seen = []
    found = rebuild_index(
        open_repository(str(sandbox.top)), lambda done, all: seen.append((done, all))
    )
    assert (found.memories, found.is_behind, found.segments) == (2, False, 1)
    assert seen[-1] == (2, 2)


def test_a_missing_index_is_told_and_made(sandbox):
    """Field report I3."""
    sandbox.save({"a.md": "one\n"})
    shutil.rmtree(sandbox.path(".git/memtools/search"))
    found = state(sandbox)
    assert found.state == "missing" and found.is_behind
    assert rebuild_index(open_repository(str(sandbox.top))).state == "ready"


def test_before_the_first_commit_there_is_none(repo):
    assert state(repo).state == "missing"
    assert rebuild_index(open_repository(str(repo.top))).memories == 0
