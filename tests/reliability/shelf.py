"""A repository with memories in two languages and an index of several parts, to be damaged.

The right answers come from a scan of the tree, which no damage of the index can touch.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import tantivy

from memtools.entrypoints.main import main
from memtools.search import manifest
from memtools.search.engine import hits_of
from memtools.search.store import SearchStore
from memtools.search.words import words_of
from memtools.usecases.reading import search as reading
from memtools.usecases.reading.index import follow_head
from memtools.usecases.reading.page import Wish
from memtools.usecases.reading.view import require_view
from memtools.usecases.repository import load_config, open_repository
from memtools.usecases.searchindex import open_index
from memtools.usecases.tree import memories_of
from tests.helpers import copied

WRONG = "The sync is slow because the DNS resolver is overloaded."
GONE = "The old wording about parsnips stood here."
NOTES = {
    "notes/dns.md": f"---\npriority: high\n---\n# DNS\n\n{WRONG}\n",
    "notes/old.md": f"# Old\n\n{GONE}\n",
    **{
        f"notes/en{at}.md": (
            f"# Incident {at}\n\nThe cache of parser {at} was cold, and the resolver was late.\n"
            f"{'Nobody restarted the sync worker. ' * (at % 4 + 1)}\n"
        )
        for at in range(5)
    },
    **{
        f"notes/ja{at}.md": (
            f"# 障害 {at}\n\n認証設定の遅延の原因は、{at}番の解決器の設定にある。\n"
            f"{'再起動しても同期は直らない。' * (at % 3 + 1)}\n"
        )
        for at in range(4)
    },
}
QUESTIONS = ("cache of the parser", "認証設定の遅延の原因", WRONG, "同期", "parsnips", "原因 sync")
INDEX = ".git/memtools/search"
STATE = ".git/memtools"
KEPT = ".git/kept"


def filled(template, top: Path):
    """The repository: an index of two commits, a retraction, a change the index has not yet."""
    made = copied(template, top)
    made.save(NOTES)
    made.memtools("index", "--rebuild")
    made.save({"notes/fix.md": f"# Cause\n\nIt is the cache.\n\nRETRACTS: {WRONG}\n"})
    made.save({"notes/old.md": "# Old\n\nThe new wording about turnips.\n"})
    made.memtools("search", "turnips")  # takes the two commits in
    made.save({"notes/new.md": "# New\n\nThe sync worker has a cache, 原因不明。\n"})
    return made


def asked(question: str) -> set[str]:
    """The paths `search QUESTION` names, run in this process at the top of the repository."""
    found = _answer("search", question, "-n", "50")["hits"]
    for hit in found:
        assert WRONG not in hit["snippet"] and GONE not in hit["snippet"]
    return {hit["path"] for hit in found}


def recalled(question: str) -> set[str]:
    """The paths `recall --query QUESTION` hands out; no retracted or old text with them."""
    found = _answer("recall", "--query", question, "--budget", "100000")["memories"]
    for memory in found:
        assert WRONG not in memory["text"] and GONE not in memory["text"]
    return {memory["path"] for memory in found}


def paths(out: str) -> set[str]:
    """The memories that `search --json` or `recall --json` printed."""
    found = json.loads(out)
    return {one["path"] for one in found.get("hits", found.get("memories"))}


def scanned(shelf, question: str) -> set[str]:
    """What a scan of the tree answers; the index is not looked at."""
    view = require_view(open_repository(str(shelf.top)))
    wish = Wish(question, 50)
    matches = reading._from_scan(view, wish, words_of(question))
    return {match.shown.memory.path for match in matches.found}


def tree_and_index_agree(repo) -> None:
    """The search index says of itself that it is at HEAD, and proposes what a scan finds."""
    repository = open_repository(str(repo.top))
    found = follow_head(repository)
    assert (found.state, found.is_behind, found.noted) == ("ready", False, 0), found
    pairs = memories_of(repository.git, found.tree, load_config(repository)[0])
    opened = open_index(repository)._engine()
    held = hits_of(opened, tantivy.Query.all_query(), 10_000)[1]
    assert {hit.path: hit.blob for hit in held} == dict(pairs)


def index_files(shelf) -> list[Path]:
    """Every file of the search index laid by, and its note: where it stands when put back."""
    kept = shelf.path(KEPT)
    found = [path for path in kept.rglob("*") if path.is_file() and "search" in str(path)]
    found.sort(key=lambda path: (path.suffix or path.name, path.stat().st_size))
    return [shelf.path(STATE) / path.relative_to(kept) for path in found]


def kept(shelf, path: Path) -> bytes:
    """What such a file held when it was laid by."""
    return (shelf.path(KEPT) / path.relative_to(shelf.path(STATE))).read_bytes()


def keep_state(shelf) -> None:
    """Lay what memtools keeps by, so that `fresh_state` can put it back."""
    shutil.copytree(shelf.path(STATE), shelf.path(KEPT))


def fresh_state(shelf) -> None:
    """Put it back as it was laid by, whatever stands there now."""
    shutil.rmtree(shelf.path(STATE))
    shutil.copytree(shelf.path(KEPT), shelf.path(STATE))


def store_of(shelf) -> SearchStore:
    return SearchStore(str(shelf.path(INDEX)), writer_wait=0.2, reader_wait=0.2)


def believe(shelf) -> None:
    """Make the manifest vouch for the files as they are now by their times, not by their sums.

    So it is when a disk loses a bit under a file that nobody wrote to.
    """
    folder = store_of(shelf).folder
    found = manifest.read(folder)
    assert found is not None
    entries = []
    for entry in found.entries:
        now = os.stat(os.path.join(folder, found.generation, entry.name))
        entries.append(entry._replace(mtime=now.st_mtime_ns, ctime=now.st_ctime_ns))
    manifest.write(folder, found._replace(entries=tuple(entries)))
    later = found.written + 10**12
    os.utime(os.path.join(folder, "manifest"), ns=(later, later))


def a_day_passes(shelf) -> None:
    """Make the time of the last full look at the index two days older."""
    mark = os.path.join(store_of(shelf).folder, "proved")
    ago = os.stat(mark).st_mtime - 2 * 86_400
    os.utime(mark, (ago, ago))


def _answer(*argv: str) -> Any:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main([*argv, "--json"])
    assert code == 0, (argv, code, out.getvalue())
    return json.loads(out.getvalue())
