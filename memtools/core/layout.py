"""Where the top-level keys of a header stand, so that a value can be exchanged as a byte splice.

Must not know the file around the header, nor what is going to be written.
"""

from __future__ import annotations

from memtools.core.header_lines import split_lines
from memtools.core.header_scalar import unquoted
from memtools.core.pattern import lazy
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ANCHOR = lazy(r"(?:^|[\s\[{,])&([^\s,\[\]{}]+)")
_ODD_BREAK = lazy("\r(?!\n)|[\x85\u2028\u2029]")
_SPACE = lazy(r"\s*")


_LEAVES = frozenset(("ScalarEvent", "AliasEvent"))
_DEPTHS = {
    "MappingStartEvent": 1,
    "SequenceStartEvent": 1,
    "MappingEndEvent": -1,
    "SequenceEndEvent": -1,
}


class Slot(NamedTuple):
    """One top-level key with its value; offsets count characters of the header's text.

    The value is `text[start:end]`. A value that is empty or begins on a later line starts just
    behind the colon. `begin` and `stop` bound what goes when the key is removed.
    """

    key: str
    start: int
    end: int
    begin: int
    stop: int
    is_held: bool  # holds an anchor that an alias elsewhere uses
    plain: str | None  # the value when it is an untagged scalar, as it reads
    meaning: tuple[object, ...]  # the value, for comparing two headers


class Layout(NamedTuple):
    """All slots in order, and where and how a missing key is added."""

    slots: tuple[Slot, ...]
    indent: str
    is_flow: bool
    insert_at: int  # used in a `{...}` header only: elsewhere a key is added at the end
    comma: str

    def named(self, key: str) -> list[Slot]:
        """Every slot of a key: more than one when the key is repeated."""
        return [slot for slot in self.slots if slot.key == key]


def lay_out_lines(text: str) -> Layout | None:
    """The layout read line by line; None when not every line has a clear owner."""
    lines, indent, sure = split_lines(text)
    if (_ODD_BREAK.search(text) or not (sure or lines)) and text.strip():
        return None
    slots = []
    for line in lines:
        value = text[line.start : line.end]
        names = _ANCHOR.findall(value) if "&" in value else ()
        anchors = {name for name in names if f"*{name}" in text}
        stop = text.find("\n", line.end)
        stop = len(text) if stop < 0 else stop + 1
        plain = None if line.below or value[:1] in tuple("&*!|>[{") else unquoted(value)
        slots.append(
            Slot(line.key, line.start, line.end, line.begin, stop, bool(anchors), plain, (value,))
        )
    return Layout(tuple(slots), indent, False, len(text), "")


class _Node(NamedTuple):
    """One node of the root mapping: its events, and where its last visible character ends."""

    events: list[Any]
    end: int

    @property
    def start(self) -> int:
        return int(self.events[0].start_mark.index)

    @property
    def meaning(self) -> tuple[object, ...]:
        return tuple(
            (
                type(event).__name__,
                getattr(event, "value", None),
                getattr(event, "tag", None),
                getattr(event, "implicit", None),
                getattr(event, "anchor", None),
            )
            for event in self.events
        )


def lay_out_yaml(text: str) -> Layout | None:
    """The layout of a header that YAML reads as a mapping (or as nothing); else None.

    Works on parse events, since only they tell where an alias stands; no recursion.
    """
    import yaml

    from memtools.core.header_yaml import loader_class

    nodes: list[_Node] = []
    root: Any = None
    depth, closing, end = 0, 0, 0
    events: list[Any] = []
    aliases: dict[str, list[int]] = {}
    event: Any
    for event in yaml.parse(text, Loader=loader_class()):
        kind = type(event).__name__
        if kind not in _LEAVES and kind not in _DEPTHS:
            continue
        start, stop = event.start_mark.index, event.end_mark.index
        if kind == "AliasEvent":
            aliases.setdefault(event.anchor, []).append(start)
        if depth == 0:
            root = event
        else:
            events.append(event)
        depth += _DEPTHS.get(kind, 0)
        if kind in _LEAVES or text[start:stop] in ("]", "}"):
            end = start + len(text[start:stop].rstrip())
        if depth == 0:
            closing = start
        elif depth == 1 and event is not root:
            nodes.append(_Node(events, end))
            events = []
    if root is None:
        return Layout((), "", False, len(text), "")
    if type(root).__name__ != "MappingStartEvent":
        return None
    return _layout(text, root, nodes, aliases, closing)


def _layout(
    text: str, root: Any, nodes: list[_Node], aliases: dict[str, list[int]], closing: int
) -> Layout:
    is_flow = bool(root.flow_style)
    pairs = list(zip(nodes[::2], nodes[1::2], strict=False))
    slots = [
        _slot(text, key, value, aliases, is_flow, pairs[number - 1][1].end if number else -1)
        for number, (key, value) in enumerate(pairs)
    ]
    if not is_flow:
        return Layout(tuple(slots), " " * root.start_mark.column, False, len(text), "")
    if len(slots) > 1:
        slots[0] = slots[0]._replace(stop=nodes[2].start)
    last = slots[-1].end if slots else closing
    rest = _SPACE.match(text, last)
    behind = rest.end() if rest else last
    if slots and text[behind : behind + 1] == ",":
        return Layout(tuple(slots), "", True, behind + 1, " ")
    return Layout(tuple(slots), "", True, last, ", " if slots else "")


def _slot(
    text: str, key: _Node, value: _Node, aliases: dict[str, list[int]], is_flow: bool, before: int
) -> Slot:
    first = key.events[0]
    name = getattr(first, "value", None) if len(key.events) == 1 else None
    start, end = value.start, max(value.end, value.start)
    colon = text.find(":", key.end, start)
    gap = text[colon + 1 : start]
    is_block = not getattr(value.events[0], "flow_style", True)
    if colon >= 0 and not gap.strip() and is_block and "\n" in gap:
        start = colon + 1
    anchors = {event.anchor for event in value.events if getattr(event, "anchor", None)}
    is_held = any(
        not start <= place < end for anchor in anchors for place in aliases.get(anchor, ())
    )
    if is_flow:
        begin, stop = (before if before >= 0 else key.start), end
    else:
        begin = text.rfind("\n", 0, key.start) + 1
        stop = text.find("\n", end) + 1 or len(text)
    head = value.events[0]
    plain = getattr(head, "value", None) if head.__class__.__name__ == "ScalarEvent" else None
    if plain is not None and (head.tag is not None or text[start:end][:1] in ("|", ">")):
        plain = None
    return Slot(
        name if name is not None else "",
        start,
        end,
        begin,
        stop,
        is_held,
        plain,
        (key.meaning, value.meaning),
    )
