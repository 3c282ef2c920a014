"""Row P6: one changed memory into the index, by the way hooks take, at each size; and 1,000 times.

Run by `run.py`. Each update is a fresh process, as a hook is; counted is what it does beyond its
start. All sizes are interleaved, for the goal is that they cost the same.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise

from sides import Row, commits_of_one, median, own_cpu, task

_SEGMENTS = 12
_LARGE = 50_000  # above, no thousand commits


def rows(sides, installed, rounds, commits):
    """`sides`: size -> repository with its index at HEAD."""
    largest = max((count for count in sides if count < _LARGE), default=0)
    trees = {}
    for count, side in sides.items():
        numbers = [turn * 7919 % count for turn in range(rounds + commits * (count == largest))]
        trees[count] = commits_of_one(side, numbers, seed=1000)
    spent = {count: [] for count in sides}
    for turn in range(rounds):
        for count, side in sides.items():
            old, new = trees[count][turn : turn + 2]
            spent[count].append(task(side, installed, "updating.py", old, new)["cpu_ms"])
    costs = {count: median(values) for count, values in spent.items()}
    found = [_flat(count, costs) for count in sides]
    for count, side in sides.items():
        if commits and count == largest:
            found.append(_many(count, side, installed, trees[count][rounds:], rounds))
    return found


def _flat(count, costs):
    first = min(costs)
    ratio = costs[count] / costs[first]
    what = f"one changed memory into the index / the same at {first:,}"
    is_first = count == first
    return Row("P6", f"{count:,}", what, f"{costs[count]:.1f} ms", f"{costs[first]:.1f} ms",
               "" if is_first else f"{ratio:.2f}", "" if is_first else "≤ 1.3",
               None if is_first else ratio <= 1.3)  # fmt: skip


def _many(count, side, installed, trees, tenth):
    """All but the last few commits in one process; those at both ends in processes of their own."""
    first = [_one(side, installed, trees[at : at + 2]) for at in range(tenth)]
    middle = trees[tenth : len(trees) - tenth]
    task(side, installed, "updating.py", *middle)
    ends = range(len(trees) - tenth - 1, len(trees) - 1)
    last = [_one(side, installed, trees[at : at + 2]) for at in ends]
    state = json.loads(side.run(installed.memtools, "index", "--json"))
    if state["count"] != count or state["tree"] != trees[-1]:
        raise SystemExit(f"the index did not follow: {state}")
    ratio = median(last) / median(first)
    what = f"after {len(trees) - 1:,} commits, {state['segments']} segments / the first commits"
    return Row("P6", f"{count:,}", what, f"{median(last):.1f} ms", f"{median(first):.1f} ms",
               f"{ratio:.2f}", f"≤ 2, ≤ {_SEGMENTS} segments",
               ratio <= 2 and state["segments"] <= _SEGMENTS)  # fmt: skip


def _one(side, installed, trees):
    return task(side, installed, "updating.py", *trees)["cpu_ms"]


def _follow(trees):
    """From each tree to the next, as a reader does that finds the index behind."""
    from memtools.git.objects import diff_trees
    from memtools.usecases.repository import open_repository
    from memtools.usecases.searchindex import follow_tree
    from memtools.usecases.tree import memory_changes, settings_at

    repository = open_repository()
    settings = settings_at(repository.git, trees[0])
    spent = []
    for old, new in pairwise(trees):
        changes = dict(memory_changes(diff_trees(repository.git, old, new), settings.config))
        if len(changes) != 1:
            raise SystemExit(f"{len(changes)} memories changed, not one")
        before = own_cpu()
        follow_tree(repository, new, settings)
        spent.append(own_cpu() - before)
    repository.git.close()
    print(json.dumps({"cpu_ms": 1000 * median(spent)}))


if __name__ == "__main__":
    _follow(sys.argv[2:])
