"""Row P4: `memtools search QUERY` against `rg -F QUERY` in the same repository, whole processes.

Run by `run.py`. No figure without hits: each query is looked at once on both sides before.
"""

from __future__ import annotations

import json

from notes import is_japanese, unique_phrase
from sides import Row, median

# English and Japanese, of one word and of several; a sentence of one note each at the end.
_QUERIES = ("timeout", "dns timeout after deploy", "原因", "認証設定の遅延の原因")
_LARGE = 50_000


def rows(side, installed, count, rounds):
    """The row of one size; `side` has an index that is up to date."""
    english = next(n for n in range(count // 2, count) if not is_japanese(n))
    japanese = next(n for n in range(count // 3, count) if is_japanese(n))
    sentences = {unique_phrase(number): number for number in (english, japanese)}
    queries = [*_QUERIES, *sentences]
    for query in queries:
        _check(side, installed, query, sentences.get(query))
    ours, rg = {query: [] for query in queries}, {query: [] for query in queries}
    for _ in range(rounds):
        for query in queries:
            ours[query].append(side.cpu(installed.memtools, "search", query))
            rg[query].append(side.cpu("sh", "-c", 'rg -F "$1" || [ $? = 1 ]', "rg", query))
    mine, theirs = ({q: median(values) for q, values in both.items()} for both in (ours, rg))
    ratios = {query: mine[query] / theirs[query] for query in queries}
    worst = max(ratios, key=ratios.__getitem__)
    goal, limit = ("≤ 0.25", 0.25) if count >= _LARGE else ("≤ 1.5", 1.5)
    is_asked = count >= 10_000
    what = (
        f"`memtools search` / `rg -F`, {len(queries)} queries (worst: {worst}, {ratios[worst]:.2f})"
    )
    total = sum(mine.values()) / sum(theirs.values())
    mean = len(queries)
    return [
        Row("P4", f"{count:,}", what, f"{sum(mine.values()) / mean:.0f} ms",
            f"{sum(theirs.values()) / mean:.0f} ms", f"{total:.2f}",
            goal if is_asked else "(rg wins)", total <= limit if is_asked else None)
    ]  # fmt: skip


def _check(side, installed, query, number):
    found = json.loads(side.run(installed.memtools, "search", "--json", query))
    if not found["hits"] or found["stale"]:
        raise SystemExit(f"memtools search {query!r} found nothing, or only by a scan")
    if number is not None:
        path = found["hits"][0]["path"]
        matching = side.run("rg", "-lF", query).decode().split()
        if f"{number:06d}" not in path or matching != [path]:
            raise SystemExit(f"{query!r}: found {path} first, rg found {matching}")
