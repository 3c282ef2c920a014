"""Row P9: `memtools check --range` of 100 commits, against `git rev-list --objects` of the same.

Run by `run.py`; always at 2,000 memories, as the goal says: in twelve folders and in one, without
a memo (a fresh clone) and with the tree of the last range kept (a server, a branch that grows).
"""

from __future__ import annotations

from sides import Row, commits_of_one, make_repository, median

_MEMORIES = 2000
_COMMITS = 100


def rows(folder, installed, rounds):
    """The rows, with what Python itself takes to start: no program of ours can be below that."""
    found = []
    for place, flat in (("in folders", False), ("in one folder", True)):
        side = make_repository(folder / f"checked-{flat}", _MEMORIES, installed.env, flat=flat)
        side.run("git", "tag", "base")
        numbers = range(0, _MEMORIES, _MEMORIES // _COMMITS)
        commits_of_one(side, numbers, seed=9, flat=flat)
        spent = _spent(side, installed, rounds)
        revlist, python = spent["revlist"], spent["python"]
        for name, state in (("fresh", "a fresh clone"), ("kept", "last range kept")):
            what = f"check of {_COMMITS} commits, {place}, {state} / git rev-list --objects"
            ratio = spent[name] / revlist
            found.append(
                Row("P9", f"{_MEMORIES:,}", f"{what} (bare Python: {python:.0f} ms)",
                    f"{spent[name]:.0f} ms", f"{revlist:.1f} ms", f"{ratio:.1f}", "≤ 3", ratio <= 3)
            )  # fmt: skip
    return found


def _spent(side, installed, rounds):
    """Median CPU milliseconds of each kind of process, run in turn."""
    check = (installed.memtools, "check", "--range", "base..HEAD")
    spent = {"fresh": [], "kept": [], "revlist": [], "python": []}
    for turn in range(rounds + 1):
        side.run("rm", "-rf", ".git/memtools")
        one = {"fresh": side.cpu(*check)}
        side.run("mkdir", ".git/memtools")
        side.run(*check)
        one["kept"] = side.cpu(*check)
        one["revlist"] = side.cpu("git", "rev-list", "--objects", "base..HEAD")
        one["python"] = side.cpu(installed.python, "-I", "-S", "-c", "pass")
        for name, cost in one.items() if turn else ():  # the first one warms the caches
            spent[name].append(cost)
    return {name: median(costs) for name, costs in spent.items()}
