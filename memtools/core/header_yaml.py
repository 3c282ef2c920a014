"""Reading a header with PyYAML: the only module that imports yaml, and only when it is called.

Must not know the file around the header; line numbers count from 0 at the header's first line.
"""

from __future__ import annotations

import re

from memtools.core.header_lines import OTHER, Entry, Value
from memtools.core.pattern import lazy
from memtools.core.wording import say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DEPTH = 64
# Each alias below a merge key may multiply the keys; 20 of them stay below some thousands.
_MAX_MERGED_ALIASES = 20
_DEEP_LINE = lazy(r"[ \t?:-]{64}")


class YamlRead(NamedTuple):
    """`entries` of the root mapping, or None with a `fault`: "unreadable" or "not-mapping"."""

    entries: tuple[Entry, ...] | None
    fault: str = ""
    why: str = ""
    line: int = 0


def loader_class() -> Any:
    """CSafeLoader; the slower Python loader only where PyYAML was built without libyaml."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> YamlRead:
    """Compose and construct with one loader; any exception means that no parser accepts it."""
    try:
        bomb = _bomb(text)
        if bomb:
            return YamlRead(None, "unreadable", bomb)
        loader = loader_class()(text)
        try:
            return _read(loader, text)
        finally:
            loader.dispose()
    except Exception as error:  # ValueError for a date, RecursionError, YAMLError and what may come
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or str(error) or type(error).__name__
        return YamlRead(None, "unreadable", " ".join(why.split()), mark.line if mark else 0)


def _read(loader: Any, text: str) -> YamlRead:
    root = loader.get_single_node()
    if root is None:
        return YamlRead(())
    if root.id != "mapping":
        return YamlRead(None, "not-mapping")
    own = list(root.value)
    loader.construct_document(root)
    entries = [_entry(pair, text) for pair in own if pair[0].id == "scalar"]
    if "<<" in text:  # construct_document put the merged pairs into root.value
        names = {entry.key for entry in entries}
        merged = [_entry(pair, text) for pair in root.value if pair[0].id == "scalar"]
        entries += [entry for entry in merged if entry.key not in names]
    return YamlRead(tuple(entries))


def _entry(pair: Any, text: str) -> Entry:
    key, value = pair
    return Entry(key.value, node_value(value, text), text.count("\n", 0, key.start_mark.index))


def node_value(node: Any, text: str) -> Value:
    """A scalar's source text, a list of such texts, or OTHER."""
    plain = _node_text(node, text)
    if plain is not None:
        return plain
    if node.id != "sequence":
        return OTHER
    items = [_node_text(item, text) for item in node.value]
    texts = tuple(item for item in items if item is not None)
    return texts if len(texts) == len(items) else OTHER


def _node_text(node: Any, text: str) -> str | None:
    """A scalar's text; an unquoted `[[wikilink]]`, to YAML a list in a list, is text as well."""
    if node.id == "scalar":
        return str(node.value)
    if node.id == "sequence" and len(node.value) == 1 and node.value[0].id == "sequence":
        source = text[node.start_mark.index : node.end_mark.index]
        if re.fullmatch(r"\[\[[^\[\]\n]*\]\]", source):
            return source
    return None


def _bomb(text: str) -> str:
    """Why the header must not be composed: nesting would overflow libyaml's C stack."""
    if text[:1] == "\ufeff":
        return say("a byte order mark inside the header")
    if "<<" in text and text.count("*") > _MAX_MERGED_ALIASES:
        return say("too many aliases beside a merge key")
    flow = text.count("[") + text.count("{")
    if flow <= MAX_DEPTH and not _DEEP_LINE.search(text):
        return ""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=loader_class()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                return say("nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    return ""
