"""Text of memories inside Markdown that a forge renders: it stays text, whatever it says.

Must not know what is shown.
"""

from __future__ import annotations

import re

from memtools.core.invisible import escape_for_terminal, show_hidden
from memtools.core.refusals import shorten
from memtools.core.wording import Said
from memtools.entrypoints.text import template_of

_LONGEST = 200  # characters of one value
# All that means something to Markdown, HTML or a forge (mentions, issues, addresses): signs, not
# letters of any script.
_SPECIAL = re.compile(r"[^\w\s/.,-]|_")
_ADDRESS = re.compile(r"(?i)(?<=www)\.")
_TICKS = re.compile(r"`+")
# What a runner would take for a command to itself, at the start of a line or in it.
_COMMAND = re.compile(r"(?m)^(\s*):(?=:)")
_OLD_COMMAND = "##["


def code(value: object) -> str:
    """A value as a piece of code in one line: forges look for mentions and links nowhere in it."""
    text = shorten(escape_for_terminal(str(value)), _LONGEST)
    text = _SPECIAL.sub(lambda found: _entity(found[0]), text)
    return f"<code>{_ADDRESS.sub('&#46;', text)}</code>" if text else ""


def prose(message: Said | str) -> str:
    """A sentence in the person's language; all it was filled with is code."""
    if not isinstance(message, Said):
        return code(message)
    values = {
        name: value if isinstance(value, (int, float)) else prose(value)  # type: ignore[arg-type]  # str() below
        for name, value in message.values.items()
    }
    template = template_of(message)
    return template.format(**values) if values else template


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """The lines of a table whose cells are safe already."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def fenced(lines: list[str], language: str) -> list[str]:
    """Lines in a fence that nothing in them can close, and that no runner obeys.

    Somebody has to judge them, so what shows nothing is shown.
    """
    shown = [escape_for_terminal(show_hidden(line.replace("\t", "    "))) for line in lines]
    shown = [_COMMAND.sub(r"\1\\x3a", line).replace(_OLD_COMMAND, "#\\x23[") for line in shown]
    longest = max((len(run) for line in shown for run in _TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *shown, fence]


def _entity(found: str) -> str:
    return "".join(f"&#{ord(ch)};" for ch in found)
