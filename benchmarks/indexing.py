"""Rows P5, P7 and P8: the full index from git: speed against raw tantivy, peak memory, size.

Run by `run.py`. The raw side has the texts in memory and is not charged for them; its analyser is
tantivy's own regex tokenizer with the rule of ours, lower case and the same stemmer.
"""

from __future__ import annotations

import json
import sys
import tempfile

from notes import make_notes
from sides import Row, median, notes_size, own_cpu, task

_RULE = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{30fc}\x{3005}]"
    r"|[\p{L}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{30fc}\x{3005}]]+"
)
_MOST_MEMORY = 400  # MB, at 100,000
_LARGE = 50_000  # above, only what the goals ask for


def rows(side, installed, count, rounds, wanted):
    """The rows of one size."""
    ours, raw = [], []
    for _ in range(rounds):
        ours.append(side.spend(installed.memtools, "index", "--rebuild"))
        if "P5" in wanted and count < _LARGE:
            raw.append(task(side, installed, "indexing.py", count)["cpu_ms"])
    size = _indexed_bytes(side, installed, count)
    found, text = [], f"{count:,}"
    if raw:
        mine = 1000 * count / median([spent.cpu_ms for spent in ours])
        theirs = 1000 * count / median(raw)
        found.append(
            Row("P5", text, "full index from git / raw tantivy on text in memory, per CPU s",
                f"{mine:,.0f}/s", f"{theirs:,.0f}/s", f"{mine / theirs:.2f}", "≥ 0.5",
                mine / theirs >= 0.5 if count >= 10_000 else None)
        )  # fmt: skip
    if "P7" in wanted:
        peak = median([spent.peak_mb for spent in ours])
        found.append(
            Row("P7", text, "peak memory of the full index", f"{peak:.0f} MB", "", "",
                "≤ 400 MB at 100,000", peak <= _MOST_MEMORY)
        )  # fmt: skip
    if "P8" in wanted:
        notes = notes_size(side)
        found.append(
            Row("P8", text, "size of the index / the notes", f"{size / 1e6:.1f} MB",
                f"{notes / 1e6:.1f} MB", f"{size / notes:.2f}", "≤ 1", size <= notes)
        )  # fmt: skip
    return found


def _indexed_bytes(side, installed, count):
    """Bytes of the index folder; no figure unless it holds every memory of HEAD."""
    state = json.loads(side.run(installed.memtools, "index", "--json"))
    if state["count"] != count or state["tree"] != state["head_tree"]:
        raise SystemExit(f"the index is not HEAD's: {state}")
    folder = side.place / ".git" / "memtools" / "search"
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _raw(count):
    """Feed raw tantivy; the clock runs from the writer's opening to the end of its merges."""
    import tantivy

    texts = [raw.decode() for _, raw in make_notes(count)]
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="rule")
    builder.add_text_field("path", stored=True, tokenizer_name="raw", index_option="basic")
    with tempfile.TemporaryDirectory() as folder:
        index = tantivy.Index(builder.build(), folder)
        analyser = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_RULE))
        analyser = analyser.filter(tantivy.Filter.lowercase())
        index.register_tokenizer("rule", analyser.filter(tantivy.Filter.stemmer("english")).build())
        before = own_cpu()
        writer = index.writer(50_000_000, 1)
        for number, text in enumerate(texts):
            document = tantivy.Document()
            document.add_text("text", text)
            document.add_text("path", str(number))
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        spent = own_cpu() - before
        index.reload()
        if index.searcher().num_docs != count:
            raise SystemExit("raw tantivy lost documents")
    print(json.dumps({"cpu_ms": spent * 1000}))


if __name__ == "__main__":
    _raw(int(sys.argv[2]))
