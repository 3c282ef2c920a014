"""The parts of the search index, measured: indexing speed, update of one memory, memory, size.

    python benchmarks/search_parts.py [--notes 1000 10000] [--commits 200] [--rounds 3]

Indexing: documents per CPU second of our full way (bytes -> memory -> text without marks -> index)
against raw tantivy with a regex analyser of the same rule and the same stemmer, on text that is
already in memory; both in processes of their own, interleaved, medians. Update: CPU ms and wall ms
of one changed memory, fresh process each; and after `--commits` commits with their segments.
Look-ups are whole processes too.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(Path(__file__).resolve().parent)]

from notes import make_note, make_notes, unique_phrase  # noqa: E402

_RULE = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{30fc}\x{3005}]"
    r"|[\p{L}\p{N}--[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{30fc}\x{3005}]]+"
)


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def documents(notes):
    from memtools.core.memory import read_memory, stem
    from memtools.core.phrase import bare, normalise
    from memtools.search.analysis import only_in_source
    from memtools.search.store import Document

    for path, raw in notes:
        memory = read_memory(path, raw)
        source = normalise(f"{memory.title}\n{memory.body}")
        plain = bare(source)
        yield Document(
            path,
            "0" * 40,
            memory.id,
            memory.title,
            memory.aliases,
            stem(path),
            memory.status,
            memory.exposure,
            memory.priority,
            memory.scope,
            memory.tags,
            plain,
            only_in_source(source, plain),
        )


def index_ours(folder, count):
    """Full index; notes are made in chunks outside the clock."""
    from memtools.search.store import SearchStore

    outside = 0.0

    def stream():
        nonlocal outside
        for first in range(0, count, 500):
            before = cpu()
            chunk = [make_note(number) for number in range(first, min(first + 500, count))]
            outside += cpu() - before
            yield from documents(chunk)

    before = cpu()
    SearchStore(folder).rebuild(stream(), "benchmark")
    return {"seconds": cpu() - before - outside, "peak_mb": peak()}


def index_raw(folder, count):
    import tantivy

    texts = [raw.decode() for _, raw in make_notes(count)]
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="rule")
    builder.add_text_field("path", stored=True, tokenizer_name="raw", index_option="basic")
    index = tantivy.Index(builder.build(), folder)
    analyser = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(_RULE))
    analyser = analyser.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.stemmer("english"))
    index.register_tokenizer("rule", analyser.build())
    before = cpu()
    writer = index.writer(50_000_000, 1)
    for number, text in enumerate(texts):
        document = tantivy.Document()
        document.add_text("text", text)
        document.add_text("path", str(number))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    return {"seconds": cpu() - before, "peak_mb": peak()}


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def update(folder, count):
    """One changed memory, as a hook would do it: open, update."""
    from memtools.search.store import SearchStore

    store = SearchStore(folder)
    stamp = store.stamp()
    (document,) = documents([make_note(count // 2, seed=os.getpid())])
    before, wall = cpu(), time.perf_counter()
    store.update([document], [], f"{stamp}.", stamp)
    return {"seconds": cpu() - before, "wall": time.perf_counter() - wall}


def commits(folder, count):
    """`count` commits of one memory each, in one process; CPU of the first and last tenth."""
    from memtools.search.store import SearchStore

    store, spent = SearchStore(folder), []
    total = store.count()
    for number in range(count):
        changed = list(documents([make_note(number * 7919 % total, seed=number + 2)]))
        before = cpu()
        store.update(changed, [], f"c{number}")
        spent.append(cpu() - before)
    tenth = max(1, count // 10)
    return {"first": statistics.median(spent[:tenth]), "last": statistics.median(spent[-tenth:])}


def look_up(folder, what):
    from memtools.search.store import SearchStore

    store, before = SearchStore(folder), cpu()
    verb, _, text = what.partition(":")
    found = store.search(text, 10).total if verb == "search" else len(store.candidates(text) or ())
    return {"inside": cpu() - before, "found": found}


def spawn(task, *arguments):
    """Run one task in a process of its own; adds the CPU seconds of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, __file__, "--task", task, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(done.stdout), "whole": whole}


def files(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


def segments(folder):
    return len({path.name.split(".")[0] for path in files(folder) if len(path.stem) == 32})


def median(rows, key):
    return statistics.median(row[key] for row in rows)


def measure_indexing(count, rounds, keep):
    ours, raw = [], []
    for turn in range(rounds):
        with tempfile.TemporaryDirectory() as other, tempfile.TemporaryDirectory() as spare:
            ours.append(spawn("index_ours", keep if turn == 0 else spare, count))
            raw.append(spawn("index_raw", other, count))
    per_second = count / median(ours, "seconds"), count / median(raw, "seconds")
    notes = sum(len(raw_note) for _, raw_note in make_notes(count))
    size = sum(path.stat().st_size for path in files(keep))
    print(
        f"{count:7} notes: {per_second[0]:6.0f} documents per CPU s,"
        f" raw tantivy {per_second[1]:6.0f}"
        f" (x{per_second[0] / per_second[1]:.2f}); peak {median(ours, 'peak_mb'):.0f} MB"
        f" (raw {median(raw, 'peak_mb'):.0f}); index/notes {size / notes:.2f};"
        f" segments {segments(keep)}",
        flush=True,
    )


def measure_the_rest(count, rounds, commit_count, folder):
    rows = [spawn("update", folder, count) for _ in range(max(3, rounds))]
    print(
        f"{count:7} notes: update of one {1000 * median(rows, 'seconds'):.1f} CPU ms,"
        f" {1000 * median(rows, 'wall'):.0f} wall ms",
        flush=True,
    )
    phrases = [unique_phrase(count // 8 * 4), unique_phrase(count // 8 * 4 + 3), "tale config val"]
    asked = [f"candidates:{phrase}" for phrase in phrases]
    asked += ["search:dns timeout after deploy", "search:認証設定の遅延の原因", "search:原因"]
    empty = median([spawn("nothing") for _ in range(rounds)], "whole")
    for what in asked:
        rows = [spawn("look_up", folder, what) for _ in range(rounds)]
        print(
            f"{count:7} notes: {what[:60]:60} {1000 * median(rows, 'inside'):6.1f} CPU ms inside,"
            f" +{1000 * (median(rows, 'whole') - empty):6.1f} process, {rows[0]['found']} found",
            flush=True,
        )
    if commit_count:
        row = spawn("commits", folder, commit_count)
        print(
            f"{count:7} notes: {commit_count} commits: first {1000 * row['first']:.1f}, last"
            f" {1000 * row['last']:.1f} CPU ms; segments {segments(folder)}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--task", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        run_task(*options.task)
        return
    for count in options.notes:
        with tempfile.TemporaryDirectory() as keep:
            measure_indexing(count, options.rounds, keep)
            measure_the_rest(count, options.rounds, options.commits, keep)


def run_task(task, folder="", argument=""):
    if task == "nothing":
        result = {}
    else:
        value = argument if task == "look_up" else int(argument)
        result = globals()[task](folder, value)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
