"""One commit of tantivy: memories out, memories in, merges awaited.

Knows no manifest and no stamp.
"""

from __future__ import annotations

import time
from itertools import islice

from memtools.search import engine
from memtools.search.guard import BUSY, StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import tantivy

    from memtools.search.engine import Document
    from memtools.search.generations import Generations

_BATCH = 256
_NAP = 0.02


def fill(
    generations: Generations,
    generation: str,
    documents: Iterable[Document],
    progress: Callable[[int], None] | None,
) -> int:
    """A new index in a new folder from a stream; how many memories it holds."""
    with generations.guard():
        index = engine.make_index(generations.place(generation))
    return _commit(generations, index, (), documents, progress)


def change(
    generations: Generations,
    generation: str,
    deletes: Iterable[str],
    upserts: Iterable[Document],
) -> int:
    """Change the index in place; how many memories it holds then."""
    with generations.guard():
        index = engine.open_index(generations.place(generation))
    replaced: list[Document] = list(upserts)
    gone = [*deletes, *(document.path for document in replaced)]
    return _commit(generations, index, gone, replaced, None)


def _commit(
    generations: Generations,
    index: tantivy.Index,
    deletes: Iterable[str],
    documents: Iterable[Document],
    progress: Callable[[int], None] | None,
) -> int:
    """The caller's stream runs outside the guard: its errors and its prints are its own."""
    writer = _writer(generations, index)
    try:
        with generations.guard():
            for path in deletes:
                engine.delete(writer, path)
        done = 0
        stream = iter(documents)
        while batch := list(islice(stream, _BATCH)):
            with generations.guard():
                for document in batch:
                    engine.add(writer, document)
            done += len(batch)
            if progress is not None:
                progress(done)
        with generations.guard():
            return engine.finish(index, writer)
    except BaseException:
        _release(generations, writer)
        raise


def _release(generations: Generations, writer: tantivy.IndexWriter) -> None:
    """A traceback keeps the writer alive, and with it tantivy's lock."""
    try:
        with generations.guard():
            engine.release(writer)
    except StoreError:
        return  # the error that brought us here is the one to tell


def _writer(generations: Generations, index: tantivy.Index) -> tantivy.IndexWriter:
    """Wait for tantivy's own lock too: somebody may have deleted the file of ours."""
    until = time.monotonic() + generations.writer_wait
    while True:
        try:
            with generations.guard():
                return engine.open_writer(index)
        except StoreError as error:
            if error.reason != BUSY or time.monotonic() >= until:
                raise
        time.sleep(_NAP)
