"""A block of lines of ours between two comment lines, in a file whose comments begin with `#`.

Must not know what the lines say. The rest of the text is never touched.
"""

from __future__ import annotations

import re

BEGIN = "# memtools begin: written by `memtools connect`, taken out by `memtools uninstall`\n"
END = "# memtools end\n"
_FIRST = "# memtools begin: written by `memtools connect`"
_BLOCK = re.compile(  # a first line whose last one is gone is no block
    rf"(?m)^{_FIRST}.*\n(?:(?!{_FIRST}).*\n)*?# memtools end\r?\n"
)


def block_in(text: str) -> str:
    """The block as it stands in the text; "" when there is none."""
    found = _BLOCK.search(text)
    return found.group() if found else ""


def with_block(text: str, lines: str) -> tuple[str, str]:
    """The text with a block of these lines: where one stands already, else at the end.

    Second: what joins it to the text before it, for `without_block`.
    """
    line_end = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}{lines}{END}".replace("\n", line_end)
    if block_in(text):
        return _BLOCK.sub(lambda _: block, text, count=1), ""
    joint = "" if not text else line_end if text.endswith("\n") else line_end * 2
    return text + joint + block, joint


def without_block(text: str, joint: str = "") -> str:
    """The text without the block, and without the joint when that still stands before it."""
    found = _BLOCK.search(text)
    if found is None:
        return text
    start = found.start()
    if joint and text.endswith(joint, 0, start):
        start -= len(joint)
    return text[:start] + text[found.end() :]
