"""The merge driver: what git calls for a memory that both sides of a merge changed.

Must not know how a memory is merged (core.merge does) nor which merge, rebase or pick asks.
"""

from __future__ import annotations

import os

from memtools.config import SETTINGS_FILE, environ, parse_config
from memtools.core.block import Block, carried_block, find_block
from memtools.core.merge import Merged, merge
from memtools.core.pattern import lazy
from memtools.core.selection import is_place
from memtools.core.vocabulary import DEFAULT
from memtools.core.wording import say
from memtools.errors import DONE, FINDINGS, GitError
from memtools.git.mergefile import merge_file
from memtools.git.run import Git, environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.vocabulary import Vocabulary

# git merge-file returns the number of conflicts up to 127; above that it is an error.
_MOST_CONFLICTS = 127
_OTHER_WORD = lazy(rb"(?m)^status:(?![ \t]*(?:active|candidate|retracted)[ \t]*\r?$)")


def merge_files(base: str, ours: str, theirs: str, size: str, path: str = "") -> int:
    """Merge the files git names and write the result over `ours`; 0 is clean, 1 a conflict.

    `size` is the length of conflict markers, `path` where the file stands in the tree. All three
    files are git's own temporary ones, so the result is written in place, in one go at the end.

    Raises:
        GitError: a file cannot be read or written; `ours` is then as it was.
    """
    git = Git(os.getcwd(), environment(environ()))
    try:
        texts = _with_our_block(path, [_read(name) for name in (base, ours, theirs)])
        merged = merge(
            texts[0],
            texts[1],
            texts[2],
            lambda *sides: merge_lines(git, sides, size),
            _vocabulary(git, texts),
        )
        if merged.data != texts[1]:
            _write(ours, merged.data)
    except OSError as error:
        name, reason = str(error.filename or ours), error.strerror or str(error)
        raise GitError(say("cannot merge {path}: {reason}", path=name, reason=reason)) from error
    return FINDINGS if merged.conflicts else DONE


def _with_our_block(path: str, texts: list[bytes]) -> list[bytes]:
    """All three with the block of memories that ours has: the commit of the merge renders it anew.

    A block is a function of the memories, so two that differ are no conflict a person could settle.
    """
    blocks = [find_block(path, text) for text in texts] if is_place(path) else []
    scopes = {block.scope for block in blocks if isinstance(block, Block)}
    if len(scopes) != 1:
        return texts
    base, ours, theirs = texts
    carried = [carried_block(path, text, ours) for text in (base, theirs)]
    return texts if None in carried else [carried[0] or base, ours, carried[1] or theirs]


def _vocabulary(git: Git, texts: Sequence[bytes]) -> Vocabulary:
    """The words of HEAD's settings, asked for only where a status is written in other than ours."""
    if not any(_OTHER_WORD.search(text) for text in texts):
        return DEFAULT
    code, raw, _ = git.call("cat-file", "blob", f"HEAD:{SETTINGS_FILE}")
    return DEFAULT if code else parse_config(raw)[0].vocabulary


def merge_lines(git: Git, sides: tuple[bytes, bytes, bytes], size: str) -> Merged:
    """Merge base, ours and theirs line by line, as git does without a driver.

    What git does not merge as text (a NUL byte in it) stays as it is in ours, with a conflict.
    """
    base, ours, theirs = sides
    labels = ("-L", "ours", "-L", "base", "-L", "theirs")
    marks = (f"--marker-size={size}",) if size.isdigit() and int(size) else ()
    code, out = merge_file(git, base, ours, theirs, *marks, *labels)
    if 0 <= code <= _MOST_CONFLICTS:
        return Merged(out, code != DONE)
    return Merged(ours, True)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
