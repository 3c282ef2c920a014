"""The search index: open, rebuild, update, and the tree it reflects (its stamp).

Derived from the canonical bytes: it may lag, it may be thrown away, it only proposes. Must not know
git; the caller says what the stamp is and reads the blobs.
"""

from __future__ import annotations

import os

from memtools.core.wording import say
from memtools.search import analysis, engine, manifest
from memtools.search.engine import Document, Hit
from memtools.search.generations import Generations, failed
from memtools.search.guard import BUSY, DAMAGED, FAILED, MISSING, MOVED, StoreError, moved
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtools.core.wording import Said
    from memtools.search.terms import Engine

__all__ = [
    "BUSY",
    "DAMAGED",
    "FAILED",
    "MISSING",
    "MOVED",
    "VISIBLE",
    "Document",
    "Hit",
    "Results",
    "SearchStore",
    "StoreError",
]

# Raise with every change of fields or of `analysis`: an old index is rebuilt beside, not migrated.
VERSION = "1"
# Exposures that search may show.
VISIBLE = ("full", "search-only")


class Results(NamedTuple):
    """`total` counts every memory that has one of the words; `hits` are the best of them."""

    total: int
    hits: tuple[Hit, ...]


class SearchStore:
    """The search index in `folder`. Opens when first asked, and again when another process wrote.

    `writer_wait` and `reader_wait`: seconds to wait for another writer. Every method may raise
    StoreError (a SearchError) with its reason.
    """

    def __init__(self, folder: str, writer_wait: float = 10.0, reader_wait: float = 2.0) -> None:
        self.folder = os.path.join(folder, f"{VERSION}-unicode{analysis.UNICODE}")
        self._generations = Generations(self.folder, writer_wait, reader_wait)
        self._opened: tuple[bytes, Engine] | None = None
        self._seen: str | None = None
        self.damage: Said | str = ""  # what `stamp` found wrong

    # what it reflects

    def stamp(self) -> str | None:
        """What the index reflects; None when there is none that could be believed. No tantivy."""
        try:
            self._seen = self._generations.in_force().stamp
        except StoreError as error:
            if error.reason not in (MISSING, DAMAGED):
                raise
            self._seen = None
            self.damage = error.message if error.reason == DAMAGED else ""
        return self._seen

    def prove(self) -> None:
        """Read every file in full and compare it with its sum; raises StoreError."""
        self._generations.in_force(thorough=True)

    def count(self) -> int:
        """How many memories it holds."""
        return self._generations.in_force().memories

    def extent(self) -> tuple[int, int, int]:
        """How many memories it holds, in how many segments, in how many bytes."""
        found = self._generations.in_force()
        segments = {entry.name.partition(".")[0] for entry in found.entries} - {""}
        return found.memories, len(segments), sum(entry.size for entry in found.entries)

    def close(self) -> None:
        """Let go of the files."""
        self._opened = None

    # reading

    def search(
        self,
        text: str,
        limit: int,
        scope: str | Sequence[str] | None = None,
        tag: str | None = None,
        statuses: Sequence[str] | None = ("active",),
        exposures: Sequence[str] | None = VISIBLE,
        exclude: Iterable[str] = (),
    ) -> Results:
        """The best `limit` memories for a person's text; all filters hold before the limit.

        `scope`: one or several ("" is: without a scope); None: any. `exclude`: paths.
        """
        scopes = (scope,) if isinstance(scope, str) else scope
        from memtools.search import query

        opened = self._engine()
        with self._generations.guard():
            asked = query.ranking(opened, text)
            if asked is None or limit < 1:
                return Results(0, ())
            filters = query.Filters(statuses, exposures, scopes, tag, exclude)
            return Results(*engine.hits_of(opened, query.filtered(opened, asked, filters), limit))

    def candidates(self, phrase: str) -> set[str] | None:
        """Paths of all memories whose text may hold the phrase, and some more; None: cannot tell.

        The staged blob decides; the index only leaves out what surely does not hold it.
        """
        from memtools.core.phrase import bare, normalise
        from memtools.search import lookup

        forms = {form for form in (normalise(phrase), bare(phrase)) if form}
        opened = self._engine()
        with self._generations.guard():
            asked = [lookup.holding(opened, form) for form in forms]
            certain = [one for one in asked if one is not None]
            if not forms or len(certain) < len(asked):
                return None
            return engine.paths_of(opened, certain)

    def resolve(self, kind: str, value: str) -> set[str]:
        """Paths of the memories with this id, title, alias, stem or path.

        Spellings that differ in case, width or composition all come: compare again on the memory.
        """
        from memtools.search import lookup

        opened = self._engine()
        with self._generations.guard():
            return engine.paths_of(opened, lookup.named(opened, kind, value))

    # writing

    def rebuild(
        self,
        documents: Iterable[Document],
        stamp: str,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Make the index anew from a stream; the old one serves until this one is whole."""
        from memtools.search import commit

        generations = self._generations
        with generations.lock() as lock:
            name = generations.new()
            try:
                os.mkdir(generations.place(name), 0o700)
                count = commit.fill(generations, name, documents, progress)
                made = manifest.measure(self.folder, name, stamp, count)
                generations.publish(lock, made, None)
                generations.note_proved(made)
            except OSError as error:
                raise failed(error) from error
            finally:
                generations.sweep()
        self._seen = stamp

    def update(
        self,
        upserts: Iterable[Document],
        deletes: Iterable[str],
        stamp: str,
        base: str | None = None,
    ) -> None:
        """Put changed memories in and take paths out; cost follows the change.

        `base` is the stamp the changes were worked out from (default: what `stamp()` said last);
        when another process has moved on since, StoreError(MOVED) and nothing is written.
        """
        from memtools.search import commit, recovery

        generations = self._generations
        base = self._seen if base is None else base
        with generations.lock() as lock:
            before = generations.held()
            if base is not None and before.stamp != base:
                raise moved()
            try:
                recovery.announce(self.folder, before, stamp)
            except OSError as error:
                raise failed(error) from error
            count = commit.change(generations, before.generation, deletes, upserts)
            try:
                name = before.generation
                made = manifest.measure(self.folder, name, stamp, count, before.entries)
                generations.publish(lock, made, before)
            except OSError as error:
                raise failed(error) from error
            generations.sweep()
        self._seen = stamp

    def copy_from(self, other: str) -> None:
        """Start as a copy of a sibling's index (`other`: the folder given to its SearchStore).

        Every byte is compared with the sibling's manifest on the way.
        """
        source = os.path.join(other, os.path.basename(self.folder))
        generations = self._generations
        with generations.lock() as lock:
            try:
                found = manifest.read(source)
                if found is None:
                    raise StoreError(MISSING, say("there is no search index to copy"))
                made = manifest.copy(source, found, self.folder, generations.new())
                generations.publish(lock, made, None)
                generations.note_proved(made)
            except (OSError, ValueError) as error:
                raise StoreError(
                    DAMAGED, say("the search index of the other work tree cannot be copied")
                ) from error
            finally:
                generations.sweep()
        self._seen = made.stamp

    def _engine(self) -> Engine:
        found = self._generations.in_force()
        if self._opened is None or self._opened[0] != found.raw:
            self._opened = None
            try:
                self._opened = found.raw, self._open(found)
            except StoreError:  # or a writer took files away between the look and the opening
                newer = self._generations.in_force()
                if newer.raw == found.raw:
                    raise
                self._opened = newer.raw, self._open(newer)
        return self._opened[1]

    def _open(self, found: manifest.Manifest) -> Engine:
        with self._generations.guard():
            opened = engine.open_engine(self._generations.place(found.generation))
            if opened.searcher.num_docs != found.memories:
                raise ValueError("another number of memories than the manifest says")
            return opened
