"""Row P9: `memtools check --range` of 100 commits, against `git rev-list --objects` of the same.

Run by `run.py`; always at 2,000 memories, as the goal says.
"""

from __future__ import annotations

from sides import Row, commits_of_one, make_repository, median

_MEMORIES = 2000
_COMMITS = 100


def rows(folder, installed, rounds):
    """The row, with what Python itself takes to start: no program of ours can be below that."""
    side = make_repository(folder / "checked", _MEMORIES, installed.env)
    side.run("git", "tag", "base")
    commits_of_one(side, range(0, _MEMORIES, _MEMORIES // _COMMITS), seed=9)
    spent = {"check": [], "revlist": [], "python": []}
    for turn in range(rounds + 1):
        one = {
            "check": side.cpu(installed.memtools, "check", "--range", "base..HEAD"),
            "revlist": side.cpu("git", "rev-list", "--objects", "base..HEAD"),
            "python": side.cpu(installed.python, "-I", "-S", "-c", "pass"),
        }
        for name, cost in one.items() if turn else ():  # the first one warms the caches
            spent[name].append(cost)
    check, revlist, python = (median(spent[name]) for name in ("check", "revlist", "python"))
    what = f"check of {_COMMITS} commits / git rev-list --objects (bare Python: {python:.0f} ms)"
    ratio = check / revlist
    return [
        Row("P9", f"{_MEMORIES:,}", what, f"{check:.0f} ms", f"{revlist:.1f} ms", f"{ratio:.0f}",
            "≤ 3", ratio <= 3)
    ]  # fmt: skip
