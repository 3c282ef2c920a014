"""Text that gives orders to an assistant, in English, Japanese and, less fully, other languages.

Reads the text of `plain_text`. A preference ("use tabs", 「日本語で書いてください」) is no order in
this sense: what counts is overriding, posing as a role, waiting for a trigger, secrecy, leaks.
"""

from __future__ import annotations

import re

from memtools.core import screen_orders_words as words
from memtools.core.screen_orders_en import ENGLISH
from memtools.core.screen_orders_ja import JAPANESE
from memtools.core.screen_orders_more import more_orders_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A label is taken for a role only before words of command: `System: Ubuntu` is a fact.
_COMMANDING = r"""
    (?= [^\n]{0,160}? (?:
        \b(?:you|your|must|always|never|ignore|do[ ]not|don't|mode|override|instructions?|prompt
            |approve|reveal|from[ ]now[ ]on)\b
        | あなた|モード|指示|命令|必ず|以後|以降|今後|無視|不要|従[いっう]|せよ|しろ|承認
        | してください|すること
    ))
"""
_MARKS = (
    (
        "chat-token",
        r"""<\|[a-z_]{2,24}\|> | \[/?inst\] | <</?sys>> | <(?:start|end)_of_turn>
        | </?(?:system|assistant|developer|instructions|function_calls|tool_call|invoke
            |system[_-](?:prompt|reminder))(?:[ ][^<>\n]{0,80})?>""",
    ),
    (
        "role-label",
        r"""^[\s>\#*_\-]{0,8}
        (?:system(?:[ _](?:prompt|message|instruction|note|override))?|developer|human
            |システム(?:プロンプト|メッセージ|指示)?|開発者)
        [*_\]】]{0,3}[ ]?:[*_]{0,2}"""
        + _COMMANDING,
    ),
    (
        "role-label",
        r"""^[\s>\#*_\-]{0,8}[\[【(](?:system|assistant|developer|システム|アシスタント)[\]】)]"""
        + _COMMANDING,
    ),
    (
        "role-label",
        r"""^[\s>\#*_\-]{0,8}(?:(?:ai[ ])?assistant|(?:ai)?アシスタント)[*_\]】]{0,3}[ ]?:
        | ^[ ]{0,3}\#{1,6}[ ]?(?:system(?:[ ]prompt)?|instructions?|assistant|human)[ ]?:[ ]*$""",
    ),
    (
        # an image or link whose address is to be filled with what was said
        "leaking-link",
        r"""!\[[^\]\n]{0,200}+\]\((?:https?:)?//(?:[^)\s{=%$]|%(?!7b)|\$(?!\()|=(?![<\[])){0,300}+
            (?:\{|%7b|\$\(|=<|=\[)
        | \]\([^)\s{]{0,300}+\{\{[^)}\n]{0,100}+\}\}""",
    ),
)


SHAPES = (*_MARKS, *ENGLISH, *JAPANESE)
NEEDED = (*words.MARKS, *words.ENGLISH, *words.JAPANESE)
# Letters that pass for i, s and k, and that `str.lower` leaves alone or makes two of.
_ODD_CASES = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


def orders_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each piece of text that gives orders to an assistant."""
    folded = plain.translate(_ODD_CASES).lower()
    for (name, shape), needed in zip(SHAPES, NEEDED, strict=True):
        if not any(map(folded.__contains__, needed)):
            continue
        for match in re.finditer(shape, folded, re.VERBOSE | re.MULTILINE):
            yield name, match.start()
    yield from more_orders_in(folded)
