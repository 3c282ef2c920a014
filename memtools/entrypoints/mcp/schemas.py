"""JSON schemas of what the tools take and give.

Must not know how a tool works. Results have the keys of the command line's JSON.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]


def text(description: str = "", most: int = 0, least: int = 0) -> Schema:
    """A text of `least` to `most` characters (0: any length)."""
    return _described({"type": "string"}, description) | _limits("Length", least, most)


def word(description: str, *words: str) -> Schema:
    """One of some words."""
    return _described({"type": "string", "enum": list(words)}, description)


def number(description: str = "", least: int = 0, most: int | None = None) -> Schema:
    """A whole number."""
    limits: Schema = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return _described({"type": "integer"}, description) | limits


def flag(description: str = "") -> Schema:
    """True or false."""
    return _described({"type": "boolean"}, description)


def several(item: Schema, description: str = "") -> Schema:
    """A list."""
    return _described({"type": "array", "items": item}, description)


def arguments(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """What a tool takes: these and nothing else."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def record(**properties: Schema) -> Schema:
    """A value with all of these keys, and maybe more."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def result(**properties: Schema) -> Schema:
    """What a tool gives: these keys and those of every answer."""
    return record(
        schema_version={"type": "integer", "const": 1},
        scope=text("The scope of this session; '' when it has none."),
        **properties,
        withheld=several(
            record(path=text(), by=text()),
            "Memories hidden by a retraction nobody has approved yet.",
        ),
        withdrawn=several(
            record(path=text(), at=text(), by=text()),
            "Memories this session was given that are gone since: do not rely on what they said.",
        ),
    )


def _described(schema: Schema, description: str) -> Schema:
    return schema | ({"description": description} if description else {})


def _limits(what: str, least: int, most: int) -> Schema:
    limits: Schema = {}
    if least:
        limits[f"min{what}"] = least
    if most:
        limits[f"max{what}"] = most
    return limits


PROBLEM = record(
    path=text(),
    line=number(),
    rule=text(),
    severity=word("", "error", "warning"),
    message=text(),
    hint=text(),
)
VICTIM = record(
    path=text(),
    line=number(),
    title=text(),
    priority=text(),
    phrase=text(),
    declared_in=text(),
    declared_line=number(),
    state=word("", "would-retract", "retracted", "already", "pending"),
)
COUNTS = record(found=number(), applied=number(), open=number(), pending=number())
HIT = record(
    path=text(),
    id=text(),
    title=text(),
    status=text(),
    priority=text(),
    scope=text(),
    score={"type": "number"},
    line=number(),
    snippet=text(),
)
EVENT = record(
    what=text(),
    commit=text(),
    author=text(),
    date=text(),
    subject=text(),
    path=text(),
    by=text(),
    marker=text(),
    reason=text(),
)
MEMORY = record(path=text(), title=text(), priority=text(), why=text(), text=text())
LOOKALIKE = record(path=text(), score={"type": "number"}, status=text())
PROPOSAL = {
    "decision": word("'' when there is no proposal.", "", "auto", "delayed", "review", "reject"),
    "rule": text("The rule of the gate that decided."),
    "reasons": several(text()),
    "path": text("Where the candidate is, or would be; '' when nothing is stored."),
}
