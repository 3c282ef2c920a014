"""Where git runs no hook that may write: what arrives unapplied is named, once, at the end."""

import pytest

from tests.e2e.scene import memory, put, retracts
from tests.helpers import copied

TEXT = "the Z cache was the root cause"
OPEN = "fix.md:4 is not applied yet: target.md is hidden, but has no tombstone"


@pytest.fixture(scope="module")
def _rewritten_template(_installed_template, tmp_path_factory):
    sandbox = copied(_installed_template, tmp_path_factory.mktemp("rewritten") / "repo")
    put(sandbox, {"start.txt": "1\n"})
    sandbox.commit("Start")
    main = sandbox.git("branch", "--show-current").out.strip()
    sandbox.git("switch", "-qc", "side")
    put(sandbox, {"other.md": memory("something else is true")})
    sandbox.commit("Other")
    put(sandbox, {"fix.md": retracts(TEXT)})
    sandbox.commit("Marker")
    put(sandbox, {"last.md": memory("nothing of the kind")})
    sandbox.commit("Last")
    sandbox.git("switch", "-q", main)
    put(sandbox, {"target.md": memory(TEXT)})
    sandbox.commit("Target")
    return sandbox


@pytest.fixture
def repo(_rewritten_template, tmp_path):
    """`side` has the marker, `main` has got the target since."""
    return copied(_rewritten_template, tmp_path / "repo")


def said(result):
    assert result.code == 0, result
    return (result.out + result.err).count(OPEN)


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_a_rebase_names_at_its_end_what_is_not_applied(repo, backend):
    repo.git("switch", "-q", "side")
    assert said(repo.git("rebase", backend, "-")) == 1


def test_a_cherry_pick_names_what_is_not_applied(repo):
    assert said(repo.git("cherry-pick", "side~1")) == 1


def test_a_cherry_pick_of_several_names_it_once(repo):
    assert said(repo.git("cherry-pick", "side~3..side")) == 1


def test_git_am_names_it_once(repo):
    repo.git("format-patch", "-q", "-3", "-o", "../patches", "side")
    patches = sorted(str(path) for path in (repo.top.parent / "patches").iterdir())
    assert said(repo.git("am", "-q", *patches)) == 1


def test_a_revert_says_that_the_memory_is_back(sandbox):
    put(sandbox, {"target.md": memory(TEXT)})
    sandbox.commit("Target")
    put(sandbox, {"fix.md": retracts(TEXT)})
    sandbox.commit("Marker")
    done = sandbox.git("revert", "--no-edit", "HEAD")
    assert "restored target.md: no longer retracted" in done.out + done.err


def test_a_branch_that_never_had_the_retraction_brings_nothing_back(sandbox):
    """The ledger that is kept is the one of the branch one comes from."""
    put(sandbox, {"target.md": memory(TEXT)})
    sandbox.commit("Target")
    sandbox.git("switch", "-q", "-c", "fix")
    put(sandbox, {"fix.md": retracts(TEXT)})
    sandbox.commit("Marker")
    sandbox.git("switch", "-q", "-c", "theirs", "main")
    put(sandbox, {"other.md": memory("Something else.")})
    sandbox.commit("Theirs", "-n")
    sandbox.git("switch", "-q", "fix")
    sandbox.commit("Nothing", "--allow-empty")
    sandbox.git("switch", "-q", "main")
    pulled = sandbox.git("merge", "theirs")
    sandbox.git("switch", "-q", "fix")
    sandbox.commit("Nothing", "--allow-empty")
    sandbox.git("switch", "-q", "main")
    put(sandbox, {"mine.md": memory("Mine.")})
    committed = sandbox.commit("Mine", "-n")
    assert "restored" not in pulled.out + pulled.err + committed.out + committed.err
