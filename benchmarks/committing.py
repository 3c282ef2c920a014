"""Rows P1 and P2: what our hooks add to `git commit`, against bare git, bare Python and pre-commit.

Run by `run.py`.
"""

from __future__ import annotations

import shutil

from notes import unique_phrase
from sides import Row, Side, median

_NO_OP = """repos:
- repo: local
  hooks:
  - id: nothing
    name: nothing
    entry: 'true'
    language: system
    always_run: true
    pass_filenames: false
"""
_ALL = ("bare", "python", "memtools", "framework")
_LARGE = 50_000  # above, only what the goal asks for


def rows(base, installed, count, rounds, wanted):
    """The rows of one size, and what P2 adds beyond git's own work (for the goal across sizes)."""
    names = _ALL if count < _LARGE else ("bare", "memtools")
    sides = _copies(base, installed, names)
    plain, marked = {name: [] for name in names}, {name: [] for name in names}
    staged = []
    for turn in range(rounds + 2):
        for name, side in sides.items():
            plain[name].append(_commit(side, "code/main.c", f"// {turn}\n"))
        for name, side in sides.items():
            text = f"# Fix {turn}\n\nRETRACTS: {unique_phrase(turn * 4 + 1)}\n"
            marked[name].append(_commit(side, f"fixes/fix{turn}.md", text))
        staged.append(_update_index(sides["bare"]))
    _check_retracted(sides["memtools"], rounds)
    for side in sides.values():
        shutil.rmtree(side.place)
    p1 = {name: median(values[2:]) for name, values in plain.items()}
    p2 = {name: median(values[2:]) for name, values in marked.items()}
    rest = p2["memtools"] - p2["bare"] - median(staged[2:])
    return _table(count, p1, p2, wanted), rest


def _copies(base, installed, names):
    """The same repository with each kind of hook."""
    sides = {}
    for name in names:
        place = base.place.with_name(f"{base.place.name}-{name}")
        shutil.copytree(base.place, place, symlinks=True)
        sides[name] = Side(place, base.env)
        sides[name].run("git", "status")
    sides["memtools"].run(installed.memtools, "init", ".")
    if "python" in sides:
        hook = sides["python"].place / ".git/hooks/pre-commit"
        hook.write_text(f"#!/bin/sh\nexec {installed.python} -I -S -c pass\n")
        hook.chmod(0o755)
    if "framework" in sides:
        (sides["framework"].place / ".pre-commit-config.yaml").write_text(_NO_OP)
        sides["framework"].run("git", "add", ".pre-commit-config.yaml")
        sides["framework"].run("git", "commit", "-qm", "config", "--no-verify")
        sides["framework"].run(installed.python, "-m", "pre_commit", "install")
    return sides


def _commit(side, path, text):
    """CPU of a commit that changes one file; adding it is not counted."""
    file = side.place / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    side.run("git", "add", path)
    return side.cpu("git", "commit", "-qm", "x")


def _update_index(side):
    line = side.run("git", "ls-files", "-s", "--", "code/main.c")
    spent = side.cpu("git", "update-index", "--index-info", stdin=line)
    side.run("git", "update-index", "-q", "--refresh")
    return spent


def _check_retracted(side, rounds):
    """No figure without the work: each marker of the run has its tombstone in its own commit."""
    for turn in range(rounds):
        changed = side.run("git", "show", "--name-only", "--format=", f"HEAD~{2 * turn}").split()
        if len(changed) != 2:
            raise SystemExit(f"a marker made no tombstone in its commit: {changed}")
    tombstones = side.run("git", "grep", "-l", "^status: retracted", "HEAD", "--", "notes").split()
    if len(tombstones) != rounds + 2:
        raise SystemExit(f"{len(tombstones)} tombstones, {rounds + 2} markers")


def _table(count, p1, p2, wanted):
    found = []
    size = f"{count:,}"
    if "python" not in p1:
        added = p2["memtools"] - p2["bare"]
        what = "commit with one new marker: time added"
        row = Row("P2", size, what, f"{added:.0f} ms", f"{p2['bare']:.0f} ms bare", "", "", None)
        return [row] if "P2" in wanted else []
    if "P1" in wanted:
        found.append(
            _row("P1", size, "commit that touches no memory / the same with a bare-Python hook",
                 p1["memtools"], p1["python"], p1["memtools"] / p1["python"], "≤ 2", 2)
        )  # fmt: skip
        times = p1["framework"] / p1["memtools"]
        found.append(
            _row("P1", size, "pre-commit framework with a no-op hook / the same commit with ours",
                 p1["memtools"], p1["framework"], times, "≥ 4", -4)
        )  # fmt: skip
    if "P2" in wanted:
        added, bare_hook = p2["memtools"] - p2["bare"], p2["python"] - p2["bare"]
        found.append(
            _row("P2", size, "one new marker: time added / time a bare-Python hook adds",
                 added, bare_hook, added / bare_hook, "≤ 8", 8)
        )  # fmt: skip
        found.append(
            _row("P2", size, "one new marker: whole commit / one under the framework with a no-op",
                 p2["memtools"], p2["framework"], p2["memtools"] / p2["framework"], "≤ 0.5", 0.5)
        )  # fmt: skip
    return found


def _row(name, size, what, ours, other, ratio, goal, limit):
    """`limit`: the most the ratio may be; negative: the least."""
    reached = ratio <= limit if limit > 0 else ratio >= -limit
    return Row(name, size, what, f"{ours:.0f} ms", f"{other:.0f} ms", f"{ratio:.2f}", goal, reached)
