"""Sentences for people: English text that remembers its template, so a face can say it in Japanese.

Knows no language but English; `entrypoints/japanese.py` holds the other one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Said(str):
    """A finished English sentence; `template` and `values` are what it was made from."""

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]


def say(template: str, **values: object) -> Said:
    """Fill `template` (str.format fields) and keep both, so that the sentence can be translated."""
    said = Said(template.format(**values) if values else template)
    said.template = template
    said.values = values
    return said


def lines(parts: Iterable[str], indent: str = "    ") -> Said:
    """Several texts, each on a line of its own; line ends inside a text do not count as such."""
    texts = {f"part{number}": part for number, part in enumerate(parts)}
    return say(f"\n{indent}".join(f"{{{name}}}" for name in texts), **texts)
