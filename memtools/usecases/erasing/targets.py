"""What is to be erased: every version of a memory, at every path it had, on every branch.

A version is known by its blob, so that another memory that once stood at one of its paths stays.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.erasure import MARK, SHORTEST, telling_lines
from memtools.core.wording import say
from memtools.errors import RefusedError, UsageError
from memtools.git.everything import file_changes, objects
from memtools.usecases.addresses import paths_meant, resolve_address
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtools.git.everything import FileChange
    from memtools.usecases.repository import Repository

    Node = tuple[str, str]  # path and blob


class Targets(NamedTuple):
    """`blobs` are the versions of the memory (none: only `texts` are erased), `paths` where it was.

    `lines` are those of its lines that would be known again elsewhere; `texts` what is taken out of
    all other files, too.
    """

    paths: tuple[str, ...] = ()
    blobs: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


class Past(NamedTuple):
    """All changes of the history, and the paths at which each blob ever stood."""

    changes: tuple[FileChange, ...]
    paths_of: dict[str, set[str]]


def read_past(repository: Repository) -> Past:
    """Walk the history once; takes as long as git needs to find its renames."""
    changes = tuple(file_changes(repository.git))
    paths_of: dict[str, set[str]] = {}
    for one in changes:
        for path, blob in ((one.old_path, one.old), (one.path, one.new)):
            if blob:
                paths_of.setdefault(blob, set()).add(path)
    return Past(changes, paths_of)


def find_targets(repository: Repository, past: Past, address: str, texts: Sequence[str]) -> Targets:
    """The versions of the memory at an address ("": none), which HEAD need not hold any more.

    Raises:
        UsageError: neither address nor text is given, or a text is too short.
        RefusedError: the address names nothing, or several memories.
    """
    wanted = tuple(dict.fromkeys(text for text in texts if text))
    if not address and not wanted:
        raise UsageError(
            say("nothing to erase is named"), say('type: memtools erase PATH, or --text "words"')
        )
    short = next((text for text in wanted if len(text.strip()) < SHORTEST), None)
    if short is not None:
        raise UsageError(
            say("a text of less than {count} characters would change too much", count=SHORTEST),
            say("type more of it"),
        )
    if any(text in MARK for text in wanted):
        raise UsageError(
            say("{mark} stands where a text stood: that cannot be erased", mark=MARK),
            say("type more of it"),
        )
    if not address:
        return Targets(texts=wanted)
    found = _connected(past, _start(repository, past, address))
    paths = {path for path, _ in found}
    raw = dict(objects(repository.git, sorted({blob for _, blob in found})))
    lines = {blob: telling_lines(data) for blob, data in raw.items()}
    # Bytes that tell nothing (an empty file) stay where others have the same.
    blobs = [blob for blob in raw if lines[blob] or past.paths_of.get(blob, set()) <= paths]
    told = sorted({line for blob in blobs for line in lines[blob]})
    return Targets(tuple(sorted(paths)), tuple(blobs), tuple(told), wanted)


def _start(repository: Repository, past: Past, address: str) -> set[Node]:
    """The memory in HEAD, else all that ever stood at a path that HEAD has no more."""
    try:
        found = resolve_address(repository, address)
    except RefusedError:
        meant = paths_meant(repository, address.strip())
        is_path = parse_address(address).kind == "path"
        nodes = {node for node in _nodes(past.changes) if is_path and node[0] in meant}
        if not nodes:
            raise
        return nodes
    return {(found.path, found.blob)}


def _nodes(changes: Iterable[FileChange]) -> set[Node]:
    nodes = {(one.path, one.new) for one in changes if one.new}
    return nodes | {(one.old_path, one.old) for one in changes if one.old}


def _connected(past: Past, start: set[Node]) -> set[Node]:
    """All versions joined to these by edits and renames, before and after."""
    near: dict[Node, set[Node]] = {}
    for one in past.changes:
        if one.old and one.new:
            old, new = (one.old_path, one.old), (one.path, one.new)
            near.setdefault(old, set()).add(new)
            near.setdefault(new, set()).add(old)
    found, waiting = set(start), list(start)
    while waiting:
        for node in near.get(waiting.pop(), set()) - found:
            found.add(node)
            waiting.append(node)
    return found
