"""Row RQ: `memtools recall --query` against a script of raw tantivy over the same index.

Run by `run.py`. The script imports tantivy, opens the index, asks one query and prints ten paths;
recall also reads the activation layer and each hit from its file. Whole processes on both sides.
"""

from __future__ import annotations

import json

from sides import Row, median

_QUERIES = ("dns timeout after deploy", "root cause of the incident", "認証設定の遅延の原因")
_RAW = """
import glob, os, sys
import tantivy
(meta,) = glob.glob(".git/memtools/search/*/*/meta.json")
index = tantivy.Index.open(os.path.dirname(meta))
blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
for name in ("memtools_stemmed", "memtools_blanks"):
    index.register_tokenizer(name, blanks)
words = " ".join(sys.argv[1]) if not sys.argv[1].isascii() else sys.argv[1]
terms = [tantivy.Query.term_query(index.schema, "text", word) for word in words.split()]
asked = tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
searcher = index.searcher()
for score, address in searcher.search(asked, 10).hits:
    print(score, searcher.doc(address)["path"])
"""
# The scope of a quarter of the notes; without one only unscoped memories are recalled.
_RECALL = ("recall", "--scope", "beta", "--query")
_LIMIT = 3


def rows(side, installed, count, rounds):
    """The row of one size; `side` has an index that is up to date."""
    for query in _QUERIES:
        found = json.loads(side.run(installed.memtools, *_RECALL, query, "--json"))
        if not found["memories"] or not side.run(installed.python, "-c", _RAW, query):
            raise SystemExit(f"one side found nothing for {query!r}")
    ours, raw = [], []
    for _ in range(rounds):
        for query in _QUERIES:
            ours.append(side.cpu(installed.memtools, *_RECALL, query))
            raw.append(side.cpu(installed.python, "-c", _RAW, query))
    ratio = median(ours) / median(raw)
    what = "`memtools recall --query` / a raw tantivy search process"
    return [
        Row("RQ", f"{count:,}", what, f"{median(ours):.0f} ms", f"{median(raw):.0f} ms",
            f"{ratio:.2f}", f"≤ {_LIMIT}", ratio <= _LIMIT)
    ]  # fmt: skip
