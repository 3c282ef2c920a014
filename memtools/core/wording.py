"""Sentences for people: English text that remembers its template, so a face can say it in Japanese.

Knows no language but English; `entrypoints/japanese/` holds the other one.
"""

from __future__ import annotations

from memtools.errors import Said as Said
from memtools.errors import say as say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def shell_word(text: str) -> str:
    """The text as one word of a command line that a person may paste into a POSIX shell."""
    if text and all(char.isalnum() or char in "_-./:@%+=," for char in text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def lines(parts: Iterable[str], indent: str = "    ") -> Said:
    """Several texts, each on a line of its own; line ends inside a text do not count as such."""
    texts: dict[str, object] = {f"part{number}": part for number, part in enumerate(parts)}
    template = f"\n{indent}".join(f"{{{name}}}" for name in texts)
    said = Said(template.format(**texts))
    said.template = template
    said.values = texts
    return said
