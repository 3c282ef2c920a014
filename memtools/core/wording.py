"""Sentences for people: English text that remembers its template, so a face can say it in Japanese.

Knows no language but English; `entrypoints/japanese.py` holds the other one.
"""

from __future__ import annotations


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
