"""tantivy itself: schema, analysers, opening, writing documents, reading hits.

Knows documents and fields, no stamp and no lock. Called inside a Guard.
"""

from __future__ import annotations

import os

from memtools.search import analysis
from memtools.search.terms import (
    BLOB,
    FACET,
    NAME,
    PATH,
    TEXT,
    WORDS,
    Engine,
    facet_key,
    name_key,
    path_key,
    path_of,
    total,
)
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import tantivy

# Bytes. With one thread the peak at 100,000 memories stays far below 400 MB.
_HEAP = 50_000_000
_STEMMED, _BLANKS = "memtools_stemmed", "memtools_blanks"


class Document(NamedTuple):
    """A memory as it is indexed.

    `text`: title and body as `core.phrase.bare` gives them, without marker lines. `extra`: what
    `analysis.only_in_source` gives for the same text with its marks.
    """

    path: str
    blob: str
    id: str
    title: str
    aliases: tuple[str, ...]
    stem: str
    status: str
    exposure: str
    priority: str
    scope: str
    tags: tuple[str, ...]
    text: str
    extra: str = ""


class Hit(NamedTuple):
    """A memory that may answer; `blob` is the object id whose text was indexed."""

    path: str
    blob: str
    score: float


def make_index(place: str) -> tantivy.Index:
    """An empty index in the empty folder `place`."""
    import tantivy

    index = tantivy.Index(_schema(), place, reuse=False)
    _register(index)
    return index


def open_index(place: str) -> tantivy.Index:
    """The index in `place`, with its analysers: they have to be registered at every open."""
    import tantivy

    # tantivy makes an empty index where meta.json is missing.
    if not os.path.exists(os.path.join(place, "meta.json")):
        raise ValueError("meta.json is missing")
    index = tantivy.Index.open(place)
    _register(index)
    return index


def open_engine(place: str) -> Engine:
    """The index in `place`, for queries."""
    index = open_index(place)
    return Engine(index.schema, index.searcher(), stemmer())


def open_writer(index: tantivy.Index) -> tantivy.IndexWriter:
    """The one writer; ValueError with LockBusy while another has it."""
    return index.writer(_HEAP, 1)


def add(writer: tantivy.IndexWriter, document: Document) -> None:
    """Put one memory in; text is not stored."""
    writer.add_document(_as_engine_document(document))


def delete(writer: tantivy.IndexWriter, path: str) -> None:
    """Take the memory at `path` out."""
    writer.delete_documents_by_term(PATH, path_key(path))


def finish(index: tantivy.Index, writer: tantivy.IndexWriter) -> int:
    """Commit, wait for the merges, and count the memories.

    A writer that is dropped without waiting never merges: 200 commits left 1,700 files.
    """
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return int(index.searcher().num_docs)


def release(writer: tantivy.IndexWriter) -> None:
    """Give tantivy's lock back without a commit, also when a traceback keeps the writer alive."""
    writer.wait_merging_threads()


def hits_of(engine: Engine, asked: tantivy.Query, limit: int) -> tuple[int, tuple[Hit, ...]]:
    """How many memories answer, and the best `limit` of them."""
    found = engine.searcher.search(asked, limit)
    hits = []
    for score, address in found.hits:
        stored = engine.searcher.doc(address)
        blob = bytes(stored[BLOB][0]).decode("ascii")
        hits.append(Hit(path_of(stored[PATH][0]), blob, score))
    return total(found), tuple(hits)


def paths_of(engine: Engine, asked: Iterable[tantivy.Query]) -> set[str]:
    """The paths of all memories that answer one of the queries."""
    paths = set()
    for one in asked:
        holders = total(engine.searcher.search(one, 1))
        if holders:
            for _, address in engine.searcher.search(one, holders, count=False).hits:
                paths.add(path_of(engine.searcher.doc(address)[PATH][0]))
    return paths


def _schema() -> tantivy.Schema:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field(TEXT, tokenizer_name=_STEMMED, index_option="position")
    builder.add_text_field(WORDS, tokenizer_name=_BLANKS, index_option="basic")
    builder.add_text_field(NAME, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(FACET, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(PATH, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field(BLOB, stored=True)
    return builder.build()


def _register(index: tantivy.Index) -> None:
    import tantivy

    index.register_tokenizer(_STEMMED, stemmer())
    blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_BLANKS, blanks)


def stemmer() -> tantivy.TextAnalyzer:
    """What makes stems of tokens joined by blanks, one for each."""
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return builder.filter(tantivy.Filter.stemmer("english")).build()


def _as_engine_document(document: Document) -> tantivy.Document:
    import tantivy

    text, words = analysis.fields(document.text)
    if document.extra:
        words.add(analysis.DIFFERS)
        words.update(document.extra.split())
    made = tantivy.Document()
    made.add_text(TEXT, text)
    made.add_text(WORDS, " ".join(words))
    names = {name_key("path", document.path), name_key("stem", document.stem)}
    names |= {name_key("id", document.id), name_key("title", document.title)}
    names.update(name_key("alias", alias) for alias in document.aliases)
    for name in names:
        made.add_text(NAME, name)
    for kind in ("status", "exposure", "priority", "scope"):
        made.add_text(FACET, facet_key(kind, getattr(document, kind)))
    for tag in document.tags:
        made.add_text(FACET, facet_key("tag", tag))
    made.add_text(PATH, path_key(document.path))
    made.add_bytes(BLOB, document.blob.encode("ascii"))
    return made
