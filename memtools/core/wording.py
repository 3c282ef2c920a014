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


def packed(text: str) -> object:
    """A sentence as plain values: what is kept in it can be said in any language later."""
    if not isinstance(text, Said):
        return str(text)
    plain: dict[str, object] = {}
    for name, value in text.values.items():
        is_number = isinstance(value, (int, float))
        plain[name] = (
            value if is_number else packed(value if isinstance(value, str) else str(value))
        )
    return text.template, plain


def unpacked(kept: object) -> object:
    """What `packed` made plain, as a sentence again; what is no such thing, as it is."""
    if not isinstance(kept, tuple):
        return kept
    try:
        template, values = kept
        said_values = {name: unpacked(value) for name, value in values.items()}
        said = Said(template.format(**said_values) if said_values else template)
    except (ValueError, TypeError, LookupError, AttributeError):
        return str(kept)
    said.template, said.values = template, said_values
    return said
