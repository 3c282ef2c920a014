"""The block of a rendered file: the lines between `<!-- memtools:begin -->` and its twin.

Bytes in, bytes out: all that stands outside of the two comments stays as it is. Must not know what
the lines say, nor where the file comes from.
"""

from __future__ import annotations

from memtools.core.header import BOM
from memtools.core.pattern import lazy
from memtools.core.problem import Problem, problem
from memtools.core.wording import say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_ANY = b"memtools:"  # files without it have no block
_COMMENT = lazy(rb"[ \t]*<!--[ \t]*memtools:(begin|end)\b(.*)")
_REST = lazy(rb'(?:[ \t]+scope="([^"<>]*)")?[ \t]*-->[ \t]*')
_SCOPE = lazy(r'[^"<>\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*')


class Block(NamedTuple):
    """Where a block stands in its file.

    Offsets in bytes: `start` of the begin comment's line, `inner` after it, `end` of the end
    comment's line. `line` is the number of the begin comment. `scope` is what that comment names.
    """

    start: int
    inner: int
    end: int
    line: int
    scope: str
    line_end: bytes


def can_name(scope: str) -> bool:
    """Can the begin comment name this scope?"""
    return _SCOPE.fullmatch(scope) is not None and "--" not in scope


def find_block(path: str, data: bytes) -> Block | Problem | None:
    """The one block of a whole file; None without any comment, a problem when they are no pair."""
    if _ANY not in data:
        return None
    found: list[tuple[bytes, int, int, bytes]] = []  # what, line, offset, rest
    offset = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        bare = line.removeprefix(BOM) if number == 1 else line
        match = _COMMENT.match(bare) if _ANY in bare else None
        if match is not None:
            found.append((match[1], number, offset, match[2].removesuffix(b"\r")))
        offset += len(line) + 1
    return _pair(path, data, found) if found else None


def _pair(path: str, data: bytes, found: list[tuple[bytes, int, int, bytes]]) -> Block | Problem:
    rests = [_REST.fullmatch(rest) for *_, rest in found]
    for (_, line, _, _), rest in zip(found, rests, strict=True):
        if rest is None:
            return _broken(path, line, say("this memtools comment cannot be read"))
    kinds = [kind for kind, *_ in found]
    if kinds[0] == b"end":
        return _broken(path, found[0][1], say("the end comment has no begin comment above it"))
    if kinds == [b"begin"]:
        return _broken(path, found[0][1], say("the begin comment has no end comment below it"))
    if kinds != [b"begin", b"end"]:
        line = found[1 if kinds[1] == b"begin" else 2][1]
        return _broken(path, line, say("a second memtools comment of the same kind stands here"))
    (_, line, start, _), (_, _, end, _) = found
    inner = data.index(b"\n", start) + 1
    scope = (rests[0][1] if rests[0] else None) or b""
    if data.startswith(BOM) and not start:
        start = len(BOM)
    line_end = b"\r\n" if data[:inner].endswith(b"\r\n") else b"\n"
    return Block(start, inner, end, line, scope.decode("utf-8", "replace"), line_end)


def _broken(path: str, line: int, what: str) -> Problem:
    hint = say(
        "leave one line <!-- memtools:begin --> and, below it, one line <!-- memtools:end -->"
    )
    return problem(path, line, "render-broken", what, hint)


def block_text(data: bytes, block: Block) -> list[str]:
    """The lines between the two comments, without line ends."""
    text = data[block.inner : block.end].decode("utf-8", "replace")
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []


def with_lines(data: bytes, block: Block, lines: Sequence[str], scope: str) -> bytes:
    """The file with `lines` between its comments; all else stays, the begin comment for one scope.

    (It is written anew only when it names another scope.)
    """
    head = data[block.start : block.inner]
    if scope != block.scope:
        head = _begin(scope) + block.line_end
    return data[: block.start] + head + _joined(lines, block.line_end) + data[block.end :]


def with_new_block(path: str, data: bytes, lines: Sequence[str], scope: str) -> bytes | Problem:
    """The file with a block at its end; it must have none yet."""
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")) or _is_cr_only(data):
        what = say("this is no UTF-8 text with usual line ends, so no block can be added")
        return problem(path, 1, "render-broken", what, say("save it as UTF-8 with LF line ends"))
    line_end = b"\r\n" if data.partition(b"\n")[0].endswith(b"\r") else b"\n"
    glue = b""
    if data.removeprefix(BOM):
        glue = line_end if data.endswith(b"\n") else line_end * 2
    block = _begin(scope) + line_end + _joined(lines, line_end) + b"<!-- memtools:end -->"
    return data + glue + block + line_end


def _is_cr_only(data: bytes) -> bool:
    return b"\r" in data and b"\n" not in data


def _begin(scope: str) -> bytes:
    name = f' scope="{scope}"' if scope else ""
    return f"<!-- memtools:begin{name} -->".encode("utf-8", "replace")


def _joined(lines: Sequence[str], line_end: bytes) -> bytes:
    return b"".join(line.encode("utf-8", "replace") + line_end for line in lines)


def carried_block(path: str, raw: bytes, new: bytes) -> bytes | None:
    """`raw` with the block that `new` has; None when one of them has none.

    For bytes a person has changed elsewhere: only what stands between the comments is exchanged.
    """
    ours, theirs = find_block(path, raw), find_block(path, new)
    if not isinstance(ours, Block) or not isinstance(theirs, Block):
        return None
    return with_lines(raw, ours, block_text(new, theirs), theirs.scope)


def foreign_lines(data: bytes, block: Block, wanted: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """(line of the file, text) of what stands in a block and not in the lines that should."""
    known = set(wanted)
    texts = enumerate(block_text(data, block), start=block.line + 1)
    return tuple((number, text) for number, text in texts if text.strip() and text not in known)
