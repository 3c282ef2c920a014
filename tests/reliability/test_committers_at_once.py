"""Rows R6 and R7: several commit at once, in one work tree and in linked ones, and all land.

A committer tries again while a lock is held, as the message tells it to, a bounded number of times.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.helpers import Sandbox, longer
from tests.reliability.shelf import tree_and_index_agree

COMMITTERS, EACH = 6, 5
TRIES = 40
HELD = (3, 128)  # a lock is held: what memtools and what git end with


def fact(at):
    return f"Fact number {at:02} says that parsnip {at:02} grows on a tree."


def victim(at):
    return f"facts/fact{at:02}.md"


@pytest.fixture
def busy(sandbox):
    """Memories to retract, and work of a person: staged, unstaged, untracked."""
    count = COMMITTERS * EACH
    sandbox.save({victim(at): f"# Fact {at:02}\n\n{fact(at)}\n" for at in range(count)})
    sandbox.save({"mine.md": "one\ntwo\n", "also.md": "one\n"})
    sandbox.write("mine.md", "one, staged\ntwo\n")
    sandbox.stage("mine.md")
    sandbox.write("mine.md", "one, staged\ntwo, not staged\n")
    sandbox.write("also.md", "one, not staged\n")
    return sandbox


def retract(repo, at):
    return repo.memtools("retract", fact(at), "--why", "measured", "--apply", code=None)


def propose(repo, at):
    text = f"# Lesson {at:02}\n\nThe build number {at:02} of the parser needs {at * 7} seconds.\n"
    argv = ("propose", "-", "--source", "stated", "--confidence", "0.9", "--apply")
    return repo.memtools(*argv, code=None, input=text)


def write_by_hand(repo, at):
    """What a person does: a new memory, and git commits it alone."""
    path = f"by-hand-{at:02}.md"
    if not repo.path(path).exists():
        repo.memtools("new", f"By hand {at:02}")
    added = repo.git("add", "--", path, check=False)
    if added.code:
        return added
    return repo.commit(f"By hand {at:02}", "--", path, code=None)


def mark_by_hand(repo, at):
    """The same with a marker, for the hook to act on."""
    path = f"fix-{at:02}.md"
    repo.write(path, f"# Fix {at:02}\n\nRETRACTS: {fact(at)}\n")
    added = repo.git("add", "--", path, check=False)
    if added.code:
        return added
    return repo.commit(f"Fix {at:02}", "--", path, code=None)


WAYS = (retract, propose, write_by_hand, mark_by_hand, retract, propose)


def until_free(repo):
    """A person waits until the lock that git named is gone; half a minute at most."""
    for _ in range(1500):
        if not os.path.lexists(repo.path(".git/index.lock")):
            return
        time.sleep(0.02)


def until_it_lands(way, repo, at):
    for _ in range(TRIES):
        until_free(repo)
        done = way(repo, at)
        assert "Traceback" not in done.err, done.err
        if done.code == 0:
            return
        may_try = done.code in HELD or "lock" in done.err or "meanwhile" in done.err
        assert may_try, (way.__name__, at, done)
    raise AssertionError(f"{way.__name__} {at} did not land in {TRIES} tries: {done}")


def all_at_once(work):
    """Run each committer's list of work in a thread of its own."""
    with ThreadPoolExecutor(len(work)) as pool:
        for done in [pool.submit(lambda jobs=jobs: [job() for job in jobs]) for jobs in work]:
            done.result()


def commits(repo):
    return int(repo.git("rev-list", "--count", "HEAD").out)


@pytest.mark.parametrize("each", [1, *longer(EACH)])
def test_all_commits_of_one_work_tree_land_and_take_nothing_of_others(busy, tried, each):
    tried("R6", COMMITTERS * each)
    before = commits(busy)
    all_at_once(
        [
            [
                lambda way=way, at=who * EACH + turn: until_it_lands(way, busy, at)
                for turn in range(each)
            ]
            for who, way in enumerate(WAYS)
        ]
    )
    assert commits(busy) == before + COMMITTERS * each
    assert busy.git("fsck", "--full", "--strict").code == 0
    assert busy.status() == " M also.md\nMM mine.md\n"
    assert busy.staged("mine.md") == b"one, staged\ntwo\n"
    assert busy.show("HEAD", "mine.md") == b"one\ntwo\n"
    for who, way in enumerate(WAYS):
        for at in range(who * EACH, who * EACH + each):
            gone = b"status: retracted" in busy.show("HEAD", victim(at))
            assert gone is (way in (retract, mark_by_hand)), victim(at)
    tree_and_index_agree(busy)
    assert busy.memtools("doctor", code=None).code == 0


@pytest.mark.parametrize("size", [(2, 1), *longer((COMMITTERS, EACH))])
def test_all_commits_of_linked_work_trees_land_and_each_sees_its_own(busy, tmp_path, tried, size):
    trees, each = size
    tried("R7", trees * each)
    linked = []
    for who in range(trees):
        busy.git("worktree", "add", "-q", "-b", f"side{who}", str(tmp_path / f"side{who}"))
        linked.append(Sandbox(tmp_path / f"side{who}"))
    before = commits(busy)
    all_at_once(
        [
            [
                lambda repo=repo, at=who * EACH + turn: until_it_lands(mark_by_hand, repo, at)
                for turn in range(each)
            ]
            for who, repo in enumerate(linked)
        ]
    )
    assert busy.git("fsck", "--full", "--strict").code == 0
    assert commits(busy) == before
    for who, repo in enumerate(linked):
        assert commits(repo) == before + each
        assert repo.status() == ""
        own = {victim(at) for at in range(who * EACH, who * EACH + each)}
        retracted = {p for p in repo.files() if b"status: retracted" in repo.show("HEAD", p)}
        assert retracted == own
        tree_and_index_agree(repo)
        assert repo.memtools("doctor", code=None).code == 0
