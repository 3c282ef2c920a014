"""Every speed row of the goals, measured on this machine, as one Markdown table.

    python benchmarks/run.py [--sizes 1000 10000 100000] [--rows P1 P4] [--rounds 11]

P1, P2: `git commit` with our hooks. P3: `memtools turn`. P4: `memtools search`. P5, P7, P8: the
full index: its speed, peak memory and size. P6: one changed memory into the index. P9: `memtools
check --range`. RQ: `memtools recall --query`. Whole processes of an installed copy, both sides
interleaved, medians of CPU time (user + system, with all a process started), ratios.
Needs git, rg and the dev extra (the pre-commit framework); 100,000 memories take an hour.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
import time
from pathlib import Path

import checking
import committing
import indexing
import recalling
import searching
import turning
import updating
from sides import Row, adopt_orphans, install, machine, make_repository, versions

_ROWS = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "RQ")
_LARGE = 50_000


def main():
    options = _options()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="memtools-bench-", dir=options.folder) as folder:
        found = _measure(Path(folder), options)
    _show(found)


def _options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--rows", nargs="+", choices=_ROWS, default=list(_ROWS))
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--commits", type=int, default=1000, help="of P6, at one size")
    parser.add_argument("--folder", help="where to work; default: the folder for temporary files")
    return parser.parse_args()


def _measure(folder, options):
    installed = install(folder)
    wanted = set(options.rows)
    found, rest, kept = [], {}, {}
    for count in sorted(options.sizes):
        _tell(f"{count:,} memories")
        side = make_repository(folder / f"notes{count}", count, installed.env)
        rounds = options.rounds if count < _LARGE else min(options.rounds, 5)
        if wanted & {"P1", "P2"}:
            more, rest[count] = committing.rows(side, installed, count, rounds, wanted)
            found += more
        if "P3" in wanted:
            _tell("turning")
            found += turning.rows(side, installed, count, rounds)
        if wanted - {"P1", "P2", "P3", "P9"}:
            kept[count] = side
            few = 1 if count >= _LARGE else min(3, rounds)
            _tell("indexing")
            found += indexing.rows(side, installed, count, few, wanted)
        if "P4" in wanted:
            _tell("searching")
            found += searching.rows(side, installed, count, rounds)
        if "RQ" in wanted:
            _tell("recalling")
            found += recalling.rows(side, installed, count, rounds)
    if "P6" in wanted:
        _tell("updating")
        found += updating.rows(kept, installed, options.rounds, options.commits)
    if "P9" in wanted:
        _tell("checking")
        found += checking.rows(folder, installed, options.rounds)
    if "P2" in wanted:
        found += _across(rest)
    return sorted(found, key=lambda row: row.name)


def _across(rest):
    """The goal of P2 that compares two sizes."""
    small = 10_000
    return [
        Row("P2", f"{count:,}", "one new marker: added, less a `git update-index` / at 10,000",
            f"{rest[count]:.0f} ms", f"{rest[small]:.0f} ms", f"{rest[count] / rest[small]:.2f}",
            "≤ 1.5", rest[count] / rest[small] <= 1.5)
        for count in rest
        if small in rest and count > small
    ]  # fmt: skip


def _show(found):
    command = shlex.join(["python", "benchmarks/run.py", *sys.argv[1:]])
    print(f"Printed by `{command}` on {time.strftime('%Y-%m-%d')}; CPU time, medians.")
    print(f"{machine()}; {versions()}.\n")
    print("| row | memories | what | memtools | other side | ratio | goal | |")
    print("|---|---:|---|---:|---:|---:|---|---|")
    for row in found:
        mark = "" if row.reached is None else "reached" if row.reached else "**missed**"
        print(
            f"| {row.name} | {row.size} | {row.what} | {row.ours} | {row.other} | {row.ratio}"
            f" | {row.goal} | {mark} |"
        )


def _tell(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
