"""The table of reliability rows: how many cases of each were tried in this run, and what failed.

A test says what it tried with the fixture `tried`; `--figures` prints the sums. The rows and the
numbers they ask for are those of the goals in docs/security.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest


class Row(NamedTuple):
    """One promise: what is tried, how many cases the full run owes, what each case must show."""

    scenario: str
    owed: int
    required: str


ROWS = {
    "R1": Row("killed before each changing system call", 400, "nothing lost, same end state"),
    "R2": Row("killed during a write of the search index", 120, "opens or rebuilds, never mixed"),
    "R3": Row("damaged search index", 400, "no stale or altered text, no traceback"),
    "R4": Row("hostile notes", 5000, "no exception; <= 2 s CPU and <= 200 MB each"),
    "R5": Row("ways of committing x readers", 84, "no exposure, no resurrection"),
    "R6": Row("committers at once in one work tree", 30, "all land, index equals tree"),
    "R7": Row("agents at once in linked work trees", 30, "all land, each sees its own tree"),
    "R8": Row("two index writers, lock deleted, holder killed", 20, "no document lost"),
    "R9": Row("disk full, read-only, no permission", 12, "commits go on, search says so"),
    "R10": Row("exploits with canary files", 15, "none fired, nothing outside changed"),
    "R11": Row("labelled gate candidates", 120, "no secret stored or shown"),
    "R12": Row("denial by unapproved markers", 20, "no effect elsewhere, never silent"),
    "R13": Row("everything run twice", 1, "the second run changes no byte"),
    "R14": Row("erasure of a planted token", 1, "no byte left within reach"),
}


def record(item: pytest.FixtureRequest) -> Callable[[str, int], None]:
    """What the fixture `tried` gives a test: `tried("R3", 12)` counts 12 cases of row R3."""

    def tried(row: str, cases: int = 1) -> None:
        assert row in ROWS, f"no such row: {row}"
        item.node.user_properties.append((row, cases))

    return tried


def table(reports: Iterable[Any]) -> Iterator[str]:
    """The Markdown table of what `reports` of pytest say they tried."""
    counted = dict.fromkeys(ROWS, 0)
    failed: dict[str, list[str]] = {row: [] for row in ROWS}
    for report in reports:
        for row, cases in report.user_properties:
            if row in counted:
                counted[row] += cases
                if report.failed:
                    failed[row].append(report.nodeid)
    yield "| row | scenario | tried | owed by the full run | tests failed | required |"
    yield "|---|---|---|---|---|---|"
    for row, (scenario, owed, required) in ROWS.items():
        tried, bad = f"{counted[row]:,}", len(failed[row])
        yield f"| {row} | {scenario} | {tried} | {owed:,} | {bad} | {required} |"
