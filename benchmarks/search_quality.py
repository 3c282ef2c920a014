"""Search quality of memtools' own search room on question sets.

    python benchmarks/search_quality.py DOCS QUERIES [DOCS QUERIES ...] [--mode index|scope]

DOCS: JSON lines (gzipped or not) `{id, text, group}`, each becomes one memory; QUERIES: `{text,
gold: [ids], group}`, asked within their group. Files pair up as they come; a folder stands for all
`X.docs.jsonl[.gz]` with `X.queries.jsonl[.gz]` in it. `--mode scope` (default) makes one index with
the group as scope, as memtools keeps projects apart; `--mode index` an index for each group. Prints
recall@5 and MRR in % (a question's recall: the share of its gold memories among the first five; MRR
over the first hundred).
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memtools.core.phrase import bare
from memtools.search.store import Document, SearchStore

_DEPTH = 100


def rows(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def document(row, scope):
    return Document(
        path=row["id"],
        blob="0" * 40,
        id=row["id"],
        title="",
        aliases=(),
        stem="",
        status="active",
        exposure="full",
        priority="normal",
        scope=scope,
        tags=(),
        text=bare(row["text"]),
    )


def pairs(arguments):
    files = []
    for name in arguments:
        path = Path(name)
        if path.is_dir():
            for docs in sorted(path.glob("*.docs.jsonl*")):
                files += [docs, docs.with_name(docs.name.replace(".docs.", ".queries."))]
        else:
            files.append(path)
    return list(zip(files[::2], files[1::2], strict=True))


def ask(store, query, scope):
    hits = store.search(query["text"], _DEPTH, scope=scope).hits
    found = [hit.path for hit in hits]
    gold = set(query["gold"])
    recall = len(gold & set(found[:5])) / len(gold) if gold else 0.0
    first = next((1 / rank for rank, path in enumerate(found, 1) if path in gold), 0.0)
    return recall, any(path in gold for path in found[:5]), first


def measure(docs, queries, mode):
    groups = defaultdict(list)
    for row in rows(docs):
        groups[row["group"] if mode == "index" else ""].append(row)
    asked = defaultdict(list)
    for row in rows(queries):
        asked[row["group"] if mode == "index" else ""].append(row)
    results = []
    for group, members in groups.items():
        with tempfile.TemporaryDirectory() as folder:
            store = SearchStore(folder)
            store.rebuild((document(row, row["group"]) for row in members), "benchmark")
            for query in asked[group]:
                scope = query["group"] if mode == "scope" else None
                results.append(ask(store, query, scope))
            store.close()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--mode", choices=["index", "scope"], default="scope")
    options = parser.parse_args()
    print(f"{'set':24} {'questions':>9} {'recall@5':>9} {'any@5':>7} {'MRR':>6} {'CPU s':>6}")
    for docs, queries in pairs(options.files):
        before = time.process_time()
        results = measure(docs, queries, options.mode)
        spent = time.process_time() - before
        share = [100 * sum(column) / max(1, len(results)) for column in zip(*results, strict=True)]
        name = docs.name.split(".docs.")[0]
        print(
            f"{name:24} {len(results):9} {share[0]:9.1f} {share[1]:7.1f} {share[2]:6.1f}"
            f" {spent:6.1f}"
        )


if __name__ == "__main__":
    main()
