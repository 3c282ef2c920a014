"""Row R12: a marker nobody approved takes nothing from others, and here nothing in silence.

Each way brings in a marker or a tombstone against one memory, in a work tree whose readers are
bound to main. Others look from a linked work tree, from a clone, and from a clone of the clone.
"""

import pytest

from memtools.usecases.reading.recall import recall
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository
from tests.helpers import Sandbox, part_of

UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}  # no hook of ours looks at this commit
AGENT = {"MEMTOOLS_AGENT": "bot"}
VICTIMS = {"pin.md": "Always pin the parser", "zebra.md": "The zebra lives in the cache"}
NOTES = {
    "pin.md": f"---\npriority: high\n---\n{VICTIMS['pin.md']}.\n",
    "zebra.md": f"# Zebra\n\n{VICTIMS['zebra.md']}.\n",
}


def marked(victim):
    return f"# Fix\n\nRETRACTS: {VICTIMS[victim]}\n"


def retracted(victim):
    return f"---\nstatus: retracted\n---\n{VICTIMS[victim]}.\n"


def staged(repo, victim):
    repo.write("fix.md", marked(victim))
    repo.stage("fix.md")


def committed(repo, victim):
    staged(repo, victim)
    repo.commit("Fix")


def committed_without_hooks(repo, victim):
    staged(repo, victim)
    repo.commit("Fix", env=UNSEEN)


def on_another_branch(repo, victim):
    repo.git("switch", "-q", "-c", "evil")
    committed_without_hooks(repo, victim)
    repo.git("switch", "-q", "work")


def in_a_pull_request(repo, victim):
    on_another_branch(repo, victim)
    repo.git("update-ref", "refs/remotes/origin/pull/1/head", "evil")
    repo.git("update-ref", "refs/pull/1/head", "evil")
    repo.git("branch", "-q", "-D", "evil")


def in_a_candidate(repo, victim):
    repo.save({"fix.md": f"---\nstatus: candidate\n---\n{marked(victim)}"})


def in_a_proposal(repo, victim):
    argv = ("propose", "-", "--source", "stated", "--confidence", "0.9", "--apply")
    repo.memtools(*argv, input=marked(victim), env=AGENT)


def in_a_proposed_branch(repo, victim):
    argv = ("propose", "-", "--source", "stated", "--branch", "--apply")
    repo.memtools(*argv, input=marked(victim), env=AGENT)


def by_an_agent(repo, victim):
    staged(repo, victim)
    repo.commit("Fix", env=AGENT, code=None)


def in_a_linked_work_tree(repo, victim):
    repo.git("worktree", "add", "-q", "-b", "evil", str(repo.top.parent / "evil"))
    committed_without_hooks(Sandbox(repo.top.parent / "evil"), victim)


def staged_in_a_linked_work_tree(repo, victim):
    repo.git("worktree", "add", "-q", "-b", "evil", str(repo.top.parent / "evil"))
    staged(Sandbox(repo.top.parent / "evil"), victim)


def in_another_clone(repo, victim):
    evil = Sandbox(repo.top.parent / "evil")
    repo.git("clone", "-q", str(repo.top), str(evil.top))
    committed_without_hooks(evil, victim)
    repo.git("fetch", "-q", str(evil.top), "HEAD:refs/remotes/evil/main")


def untracked(repo, victim):
    repo.write("fix.md", marked(victim))


def stashed(repo, victim):
    staged(repo, victim)
    repo.git("stash", "-q")


def tagged(repo, victim):
    on_another_branch(repo, victim)
    repo.git("tag", "-a", "-m", "Tag", "v1", "evil")
    repo.git("branch", "-q", "-D", "evil")


def on_no_branch(repo, victim):
    repo.git("checkout", "-q", "--detach")
    committed_without_hooks(repo, victim)


def merged_here(repo, victim):
    on_another_branch(repo, victim)
    repo.git("merge", "-q", "--no-verify", "evil")


def saved_as_retracted(repo, victim):
    repo.write(victim, retracted(victim))


def staged_as_retracted(repo, victim):
    repo.write(victim, retracted(victim))
    repo.stage(victim)


def committed_as_retracted(repo, victim):
    staged_as_retracted(repo, victim)
    repo.commit("Retracted", env=UNSEEN)


WAYS = (
    staged,
    committed,
    committed_without_hooks,
    on_another_branch,
    in_a_pull_request,
    in_a_candidate,
    in_a_proposal,
    in_a_proposed_branch,
    by_an_agent,
    in_a_linked_work_tree,
    staged_in_a_linked_work_tree,
    in_another_clone,
    untracked,
    stashed,
    tagged,
    on_no_branch,
    merged_here,
    saved_as_retracted,
    staged_as_retracted,
    committed_as_retracted,
)


@pytest.fixture
def bound(begun):
    repo = begun(NOTES)
    repo.git("config", "memtools.readRef", "main")
    repo.git("checkout", "-q", "-b", "work")
    return repo


def told(repo):
    """What a reader gets: paths by recall and by search, and what is said to be withheld."""
    here = open_repository(str(repo.top))
    found = recall(here, "zebra parser cache pin")
    hits = {hit.path for hit in search(here, "zebra parser cache pin").hits}
    return {one.path for one in found.memories}, hits, {held.path for held in found.withheld}


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("way", part_of(WAYS, 5), ids=lambda way: way.__name__)
def test_an_unapproved_marker_is_effective_nowhere_else_and_never_in_silence(
    bound, tmp_path, tried, way, victim
):
    tried("R12")
    way(bound, victim)
    bound.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "main")
    bound.git("clone", "-q", "--branch", "main", str(bound.top), str(tmp_path / "clone"))
    again = ("clone", "-q", str(tmp_path / "clone"), str(tmp_path / "again"))
    bound.git(*again)
    for other in ("linked", "clone", "again"):
        handed, hits, withheld = told(Sandbox(tmp_path / other))
        assert VICTIMS.keys() <= handed and VICTIMS.keys() <= hits, other
        assert withheld == set(), other
    handed, hits, withheld = told(bound)
    gone = VICTIMS.keys() - (handed & hits)
    assert gone <= {victim}
    assert gone == withheld
    if gone:
        said = bound.memtools("recall", "--query", "zebra parser cache pin")
        assert f"withheld by an unapproved retraction: {victim}" in said.out + said.err
