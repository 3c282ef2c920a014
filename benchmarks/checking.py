"""Row P9: `memtools check --range` of 100 commits, against `git rev-list --objects` of the same.

Run by `run.py`; always at 2,000 memories, as the goal says. Of ten commits six add a memory, three
change one and one retracts one. In twelve folders and in one, packed and as commits leave it; in a
fresh clone, when the branch has grown by a commit since it was checked, and checked once more.
"""

from __future__ import annotations

from notes import make_note
from sides import Row, add_commits, loosen, make_repository, median, placed

_MEMORIES = 2000
_COMMITS = 100
_PLACES = (  # what, all in one folder?, loose objects?
    ("in folders", False, False),
    ("in one folder", True, False),
    ("in one folder, loose objects", True, True),
)
_STATES = (("fresh", "a fresh clone"), ("grown", "grown by a commit"), ("again", "once more"))
_RANGE = "base..HEAD"


def rows(folder, installed, rounds):
    """The rows, with what Python itself takes to start: no program of ours can be below that."""
    found = []
    for number, (place, flat, is_loose) in enumerate(_PLACES):
        side = make_repository(folder / f"checked-{number}", _MEMORIES, installed.env, flat=flat)
        side.run("git", "tag", "base")
        add_commits(side, [_commit(turn, flat) for turn in range(_COMMITS)])
        if is_loose:
            loosen(side)
        spent = _spent(side, installed, rounds)
        revlist, python = spent["revlist"], spent["python"]
        for name, state in _STATES:
            what = f"check of {_COMMITS} commits, {place}, {state} / git rev-list --objects"
            ratio = spent[name] / revlist
            found.append(
                Row("P9", f"{_MEMORIES:,}", f"{what} (bare Python: {python:.0f} ms)",
                    f"{spent[name]:.0f} ms", f"{revlist:.1f} ms", f"{ratio:.1f}", "≤ 3", ratio <= 3)
            )  # fmt: skip
    return found


def _commit(turn, flat):
    """The files one commit writes, as path -> bytes."""
    if turn % 10 < 6:
        path, data = make_note(_MEMORIES + turn)
        return {placed(path, flat): data}
    number = turn * _MEMORIES // _COMMITS
    path = placed(make_note(number)[0], flat)
    if turn % 10 < 9:
        return {path: make_note(number, seed=9 + turn)[1]}
    folder, _, name = path.rpartition("/")
    why = make_note(2 * _MEMORIES + turn)[1] + f"\nRETRACTS: [[{name[:-3]}]]\n".encode()
    by = f'status: retracted\nretracted_by: "[[correction-{turn}]]"'
    tombstone = make_note(number)[1].replace(b"status: active", by.encode(), 1)
    return {path: tombstone, f"{folder}/correction-{turn}.md": why}


def _spent(side, installed, rounds):
    """Median CPU milliseconds of each kind of process, run in turn."""
    check = (installed.memtools, "check", "--range")
    spent = {"fresh": [], "grown": [], "again": [], "revlist": [], "python": []}
    for turn in range(rounds + 1):
        side.run("rm", "-rf", ".git/memtools")
        one = {"fresh": side.cpu(*check, _RANGE)}
        side.run(*check, f"{_RANGE}~1")
        one["grown"] = side.cpu(*check, _RANGE)
        one["again"] = side.cpu(*check, _RANGE)
        one["revlist"] = side.cpu("git", "rev-list", "--objects", _RANGE)
        one["python"] = side.cpu(installed.python, "-I", "-S", "-c", "pass")
        for name, cost in one.items() if turn else ():  # the first one warms the caches
            spent[name].append(cost)
    return {name: median(costs) for name, costs in spent.items()}
