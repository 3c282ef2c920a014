"""Documents for the tests of the search room, made as the use cases make them."""

from memtools.core.phrase import bare, normalise
from memtools.search import analysis
from memtools.search.store import Document

BLOB = "0123456789abcdef0123456789abcdef01234567"


def make(path, text="", **fields):
    title = fields.get("title", "")
    source = f"{title}\n{text}"
    values = {
        "blob": BLOB,
        "id": path.removesuffix(".md"),
        "title": title,
        "aliases": (),
        "stem": path.rsplit("/", 1)[-1].removesuffix(".md"),
        "status": "active",
        "exposure": "full",
        "priority": "normal",
        "scope": "",
        "tags": (),
        "text": bare(source),
        "extra": analysis.only_in_source(normalise(source), bare(source)),
    }
    return Document(path=path, **{**values, **fields})


def paths(results):
    return [hit.path for hit in results.hits]
