"""Histories made at random by the ways memtools offers: no retraction comes back in silence.

And one that is then taken out by hand is always told, from whatever commit that had it.
"""

import random

import pytest

from tests.helpers import longer
from tests.usecases.test_check import judge

WORDS = ("amber", "basil", "cedar", "delta", "ember", "fjord", "glade", "heron", "indigo", "kelp")
STEPS = 20


class History:
    """A repository with hooks, and what may be done in it; what git refuses is given up."""

    def __init__(self, repo, seed):
        self.repo, self.random = repo, random.Random(seed)
        self.phrases, self.branches, self.count = {}, ["main"], 0
        for _ in range(4):
            self.add()

    def files(self):
        return [path for path in self.repo.files() if path in self.phrases]

    def tombstones(self):
        return [p for p in self.files() if b"status: retracted" in self.repo.show("HEAD", p)]

    def tried(self, *command, undo=""):
        if self.repo.git(*command, check=False).code:
            if undo:
                self.repo.git(undo, "--abort", check=False)
            self.repo.git("reset", "-q", "--hard")

    def committed(self, message):
        self.repo.stage()
        self.tried("commit", "-q", "-m", message)

    def add(self):
        self.count += 1
        phrase = f"{' '.join(self.random.sample(WORDS, 6))} {self.count}"
        path = f"m{self.count}.md"
        self.phrases[path] = phrase
        text = f"---\ntitle: M{self.count}\n---\nThe {phrase} was it.\nTwo.\nThree.\n"
        self.repo.write(path, text)
        self.committed("Add")

    def retract(self):
        phrase = self.phrases[self.random.choice(self.files())]
        self.repo.write(f"fix{self.count}.md", f"RETRACTS: {phrase}\n")
        self.committed("Retract")

    def restore(self):
        for path in self.random.sample(self.tombstones(), min(1, len(self.tombstones()))):
            why = ("--why", f"right {self.count}", "--drop-marker", "--apply")
            self.repo.memtools("restore", path, *why, code=None)

    def revert(self):
        made = self.repo.git("log", "--no-merges", "--format=%H", "--grep=^Retract").out.split()
        if made:
            self.tried("revert", "--no-edit", self.random.choice(made), undo="revert")

    def edit(self):
        path = self.random.choice(self.files())
        self.repo.write(path, self.repo.read(path) + b"Edited.\n")
        self.committed("Edit")

    def rename(self):
        path, new = self.random.choice(self.files()), f"r{self.count}.md"
        self.repo.git("mv", path, new)
        self.phrases[new] = self.phrases[path]
        self.committed("Move")

    def branch(self):
        self.branches.append(f"b{self.count}")
        self.repo.git("switch", "-qc", self.branches[-1])

    def switch(self):
        self.repo.git("switch", "-q", self.random.choice(self.branches))

    def merge(self):
        self.tried("merge", "-q", "--no-edit", self.random.choice(self.branches), undo="merge")

    def rebase(self):
        self.tried("rebase", "-q", self.random.choice(self.branches), undo="rebase")

    def go(self):
        ways = (self.add, self.edit, self.rename, self.branch, self.switch, self.rebase, self.merge)
        for _ in range(STEPS):
            self.count += 1
            self.random.choice((*ways, self.merge, self.retract, self.restore, self.revert))()

    def commits(self):
        return self.repo.git("rev-list", "--all").out.split()


def silent(repo, base, tip="HEAD"):
    returned = judge(repo, range=f"{base}..{tip}").returned
    return [one.path for one in returned if one.how == "RESURRECTION"]


@pytest.mark.parametrize("seed", longer(*range(12)))
def test_what_is_brought_back_by_the_ways_there_are_is_never_called_silent(sandbox, seed):
    made = History(sandbox, seed)
    made.go()
    for base in made.random.sample(made.commits(), 8):
        for branch in made.branches:
            assert silent(sandbox, base, branch) == []


@pytest.mark.parametrize("seed", longer(*range(100, 112)))
def test_a_tombstone_taken_out_by_hand_is_told_from_each_commit_that_had_it(sandbox, seed):
    made = History(sandbox, seed)
    made.go()
    while not made.tombstones():
        made.retract()
    path = made.random.choice(made.tombstones())
    tombstone = sandbox.read(path)
    before = sandbox.git("rev-list", "HEAD").out.split()
    sandbox.write(path, tombstone.replace(b"status: retracted", b"status: active"))
    for marker in sandbox.top.glob("fix*.md"):
        marker.unlink()
    sandbox.stage()
    sandbox.commit("Quietly", "-n")
    had = [one for one in before if path in sandbox.files(one)]
    had = [one for one in had if sandbox.show(one, path) == tombstone]
    assert had
    assert all(path in silent(sandbox, base) for base in had)
