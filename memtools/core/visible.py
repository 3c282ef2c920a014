"""Which lines of a body a reader sees as text: the ground on which markers stand (rule 1).

Must not know phrases or what a near miss is; it judges line heads it is given.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from memtools.core.pattern import lazy
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Deeper nesting is not judged. It bounds the recursion and the quadratic cost of nested quotes
# and brackets.
MAX_NESTING = 20
MAX_LINES = 16_384
# Characters of the paragraphs with a head in one body; brackets count more, since they cost their
# square.
MAX_CHARACTERS = 32_768
_BRACKETS_AS_DEAR_AS_TEXT = 150
_DEEP = 16  # columns before the text of a line; each level of nesting takes one at least

# What may reach over blank lines (fences, HTML blocks), and what may reach to the end of its
# paragraph.
_FAR = lazy(r"```|~~~|<[!?]|<(?:script|pre|style|textarea)", re.IGNORECASE)
_NEAR = lazy(r"[\[<`]|[ >*+\-0-9.)]{8}|[ >*+\-0-9.)]*\t")


class Sight(StrEnum):
    """How a reader meets a line."""

    TEXT = "text"
    CODE = "code"
    UNCLOSED = "unclosed"  # in a fence that nothing closes
    HIDDEN = "hidden"  # HTML, comment, code span, title of a link, text of an image
    UNSURE = "unsure"  # too long or too deep to be decided


class Head(NamedTuple):
    """The first `width` characters of a line, to be seen as text; 0: is the line code?"""

    row: int
    width: int


def judge(lines: Sequence[str], heads: Sequence[Head]) -> dict[int, Sight]:
    """How each head (by row, from 0) is seen; markdown-it is loaded only when needed."""
    if _all_surely_text(lines, heads):
        return {head.row: Sight.TEXT for head in heads}
    return parse_and_judge(lines, heads)


def _all_surely_text(lines: Sequence[str], heads: Sequence[Head]) -> bool:
    """Does nothing before the heads reach as far as them? A test compares with the parse."""
    open_heads = {head.row: head.width for head in heads}
    last = max(open_heads, default=-1)
    clean = True
    for row, line in enumerate(lines[: last + 1]):
        width = open_heads.get(row)
        if width is not None and not (clean if width else _is_flush(line)):
            return False
        if row < last and (_FAR.search(line) or _is_deep(line)):
            return False
        if not line.strip(" \t"):
            clean = True
        elif _NEAR.search(line):
            clean = False
    return True


def _is_deep(line: str) -> bool:
    """May this line be nested as deep as the parser goes? Then it parses nothing that follows."""
    rest = line.lstrip(" >*+-0123456789.)\t")
    return len(line[: len(line) - len(rest)].expandtabs(4)) >= _DEEP


def _is_flush(line: str) -> bool:
    """Indented by fewer columns than indented code asks for."""
    return not line.startswith("    ") and "\t" not in line[:4]


def parse_and_judge(lines: Sequence[str], heads: Sequence[Head]) -> dict[int, Sight]:
    """The same by one parse of the whole body (rule 1).

    A sentinel stands for each head; inline rules run only over the paragraphs that hold one.
    """
    if len(lines) > MAX_LINES:
        return {head.row: Sight.UNSURE for head in heads}
    mark = _unused_character(lines)
    marked = list(lines)
    for head in heads:
        if head.width:
            marked[head.row] = f"{mark}{head.row}{mark}{lines[head.row][head.width :]}"
    sights = {head.row: Sight.HIDDEN if head.width else Sight.TEXT for head in heads}
    try:
        for row, sight in _sights(marked, mark):
            if row in sights:
                sights[row] = sight
    except RecursionError:
        return {head.row: Sight.UNSURE for head in heads}
    return sights


def _unused_character(lines: Sequence[str]) -> str:
    """A private-use character that stands nowhere in the body."""
    used = set().union(*lines)
    private = (*range(0xE000, 0xF900), *range(0xF0000, 0xFFFFE))
    return next(chr(code) for code in private if chr(code) not in used)


def _sights(lines: list[str], mark: str) -> Iterator[tuple[int, Sight]]:
    parser = _parser()
    references: dict[str, object] = {}
    tokens = parser.parse("\n".join(lines), references)
    left = MAX_CHARACTERS
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type in ("fence", "code_block") and token.map:
            yield from _code(lines, token)
        elif token.type == "inline" and mark in token.content and _is_prose(before):
            left -= _cost(token.content)
            if left < 0:
                yield from ((int(row), Sight.UNSURE) for row in token.content.split(mark)[1::2])
            else:
                yield from _inline(parser, token.content, references, mark)


@cache
def _parser() -> MarkdownIt:
    """The parser of rule 1; its inline rules are run apart (`_inline`)."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).disable("inline")


def _is_prose(before: Token | None) -> bool:
    return before is not None and before.type in ("paragraph_open", "heading_open")


def _cost(content: str) -> int:
    return len(content) + len(content) * content.count("[") // _BRACKETS_AS_DEAR_AS_TEXT


def _code(lines: list[str], token: Token) -> Iterator[tuple[int, Sight]]:
    start, end = token.map or [0, 0]
    sight = Sight.CODE
    if token.type == "fence" and token.markup not in lines[end - 1]:
        sight = Sight.UNCLOSED
    for row in range(start, end):
        yield row, sight


def _inline(
    parser: MarkdownIt, content: str, references: dict[str, object], mark: str
) -> Iterator[tuple[int, Sight]]:
    """The heads of one paragraph that begin a text token at the start of a line."""
    children: list[Token] = []
    parser.inline.parse(content, parser, references, children)
    at_line_start = True
    for child in children:
        if child.type == "text" and at_line_start and child.content.startswith(mark):
            yield int(child.content.split(mark, 2)[1]), Sight.TEXT
        at_line_start = child.type in ("softbreak", "hardbreak")
