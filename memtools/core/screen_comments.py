"""Text that a Markdown file holds and the rendered page does not show.

Reads the text of `plain_text`. What stands in a fence or a code span is shown.
"""

from __future__ import annotations

from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = lazy(r" {0,3}(?P<mark>`{3,}+|~{3,}+)(?P<rest>.*)")
_SPAN = lazy(r"(?P<ticks>`++)[^\n]{1,400}?(?<!`)(?P=ticks)(?!`)")
_SHAPES = (
    ("html-comment", lazy(r"<!--|<!\[CDATA\[|<\?[a-z]")),
    ("link-comment", lazy(r"(?m)^ {0,3}\[[^\]\n]{1,40}\]:[ ]{1,4}(?:<>|#)[ ]{0,4}[\"'(]")),
    (
        "hidden-entity",
        lazy(
            r"(?i)&(?:shy|zwj|zwnj|lrm|rlm|NoBreak|ZeroWidthSpace|NegativeVeryThinSpace"
            r"|InvisibleTimes|InvisibleComma|ApplyFunction"
            r"|#(?:173|820[3-7]|823[4-8]|828[89]|829[0-7]|65279|12644|9175(?:0[4-9]|[1-9][0-9])|9176[0-3][0-9]"
            r"|x(?:ad|200[b-f]|202[a-e]|206[0-9a-f]|feff|3164|e00[0-7][0-9a-f])));"
        ),
    ),
    ("obsidian-comment", lazy(r"(?<!\S)%%(?!%)[^%\n]{1,2000}%%(?!\S)|(?m:^%%[ ]*$)")),
    (
        "hidden-html",
        lazy(
            r"(?i)<[a-z][a-z0-9]{0,15}(?=\s)[^<>]{0,200}?"
            r"(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden"
            r"|font-size\s{0,3}:\s{0,3}0|opacity\s{0,3}:\s{0,3}0(?![.0-9])|\shidden(?=[\s>=/])"
            r"|color\s{0,3}[:=]\s{0,3}[\"']?(?:white|transparent|#fff(?:fff)?)(?![a-z0-9]))"
        ),
    ),
)


def comments_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of each comment or hidden element outside of code."""
    if not any(mark in plain for mark in ("<", "]:", "%%", "&")):
        return
    text = _without_code(plain)
    for name, shape in _SHAPES:
        for match in shape.finditer(text):
            yield name, match.start()


def _without_code(plain: str) -> str:
    """The text with blanks for what stands in closed fences and code spans; the same offsets."""
    lines = plain.split("\n")
    opened, mark = -1, ""
    for row, line in enumerate(lines):
        match = _FENCE.match(line)
        if not match:
            continue
        if not mark:
            opened, mark = row, match["mark"]
        elif match["mark"].startswith(mark) and not match["rest"].strip():
            lines[opened : row + 1] = [" " * len(one) for one in lines[opened : row + 1]]
            mark = ""
    return _SPAN.sub(lambda span: " " * len(span.group()), "\n".join(lines))
