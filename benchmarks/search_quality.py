"""Search quality of memtools on question sets.

    python benchmarks/search_quality.py DOCS QUERIES [DOCS QUERIES ...] [--mode repository]

DOCS: JSON lines (gzipped or not) `{id, text, group}`, each becomes one memory; QUERIES: `{text,
gold: [ids], group}`, asked within their group. Files pair up as they come; a folder stands for all
`X.docs.jsonl[.gz]` with `X.queries.jsonl[.gz]` in it. `--mode scope` (default): one index with the
group as scope, as memtools keeps projects apart; `index`: an index for each group; `repository`: a
git repository for each group, one committed file for each memory, asked by what `memtools search`
runs. Prints recall@5 and MRR in % (a question's recall: the share of its gold memories among the
first five; MRR over the first `--depth`). `--every N` asks only each Nth question.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from memtools.core.phrase import bare
from memtools.search.store import Document, SearchStore


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


def score(query, found):
    gold = set(query["gold"])
    recall = len(gold & set(found[:5])) / len(gold) if gold else 0.0
    first = next((1 / rank for rank, path in enumerate(found, 1) if path in gold), 0.0)
    return recall, any(path in gold for path in found[:5]), first


def by_index(members, asked, options):
    with tempfile.TemporaryDirectory() as folder:
        store = SearchStore(folder)
        store.rebuild((document(row, row["group"]) for row in members), "benchmark")
        for query in asked:
            scope = query["group"] if options.mode == "scope" else None
            hits = store.search(query["text"], options.depth, scope=scope).hits
            yield score(query, [hit.path for hit in hits])
        store.close()


def by_repository(members, asked, options):
    from memtools.usecases.reading.search import search
    from memtools.usecases.repository import open_repository

    with tempfile.TemporaryDirectory() as folder:
        ids = commit(folder, members)
        repository = open_repository(folder)
        for query in asked:
            found = search(repository, query["text"], limit=options.depth)
            if found.stale:
                raise SystemExit(f"no index answered: {found.notices}")
            yield score(query, [ids[hit.path] for hit in found.hits])
        repository.git.close()


def commit(folder, members):
    """One commit with a file for each memory; path -> id."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env = {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*argv, stdin=b""):
        subprocess.run(["git", *argv], cwd=folder, env=env, input=stdin, check=True)

    git("init", "-q")
    stream = [b"commit HEAD\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\n"]
    ids = {}
    for number, row in enumerate(members):
        data = row["text"].encode() + b"\n"
        ids[f"memory{number}.md"] = row["id"]
        stream.append(b"M 100644 inline memory%d.md\ndata %d\n%s\n" % (number, len(data), data))
    git("fast-import", "--quiet", stdin=b"".join(stream))
    git("reset", "-q", "--hard")
    return ids


def measure(docs, queries, options):
    is_one = options.mode == "scope"
    groups, asked = defaultdict(list), defaultdict(list)
    for row in rows(docs):
        groups["" if is_one else row["group"]].append(row)
    for row in rows(queries)[:: options.every]:
        asked["" if is_one else row["group"]].append(row)
    ask = by_repository if options.mode == "repository" else by_index
    results = []
    for group, members in groups.items():
        results += ask(members, asked[group], options)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--mode", choices=["scope", "index", "repository"], default="scope")
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--every", type=int, default=1)
    options = parser.parse_args()
    print(f"{'set':24} {'questions':>9} {'recall@5':>9} {'any@5':>7} {'MRR':>6} {'CPU s':>6}")
    for docs, queries in pairs(options.files):
        before = time.process_time()
        results = measure(docs, queries, options)
        spent = time.process_time() - before
        share = [100 * sum(column) / max(1, len(results)) for column in zip(*results, strict=True)]
        name = docs.name.split(".docs.")[0]
        print(
            f"{name:24} {len(results):9} {share[0]:9.1f} {share[1]:7.1f} {share[2]:6.1f}"
            f" {spent:6.1f}"
        )


if __name__ == "__main__":
    main()
