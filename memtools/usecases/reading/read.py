"""`read`: one memory for an agent, by its address; one it may not see is refused without its words.

Must not know how it is shown.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.handout import handed_line, handed_text, handed_title
from memtools.core.wording import lines, say
from memtools.errors import RefusedError
from memtools.usecases.addresses import memories_named
from memtools.usecases.reading.effective import is_of_scope, scopes_of
from memtools.usecases.reading.explain import silenced_by
from memtools.usecases.reading.recall import handed_out
from memtools.usecases.reading.shown import shown_at
from memtools.usecases.reading.view import require_view
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.facts import Studied
    from memtools.usecases.reading.shown import Shown
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository

_MOST_BYTES = 16_000  # of text in one answer
_LISTED = 10


class Passage(NamedTuple):
    """A memory as handed out, or a part of it: `text` is cleaned, its lines counted from 1.

    `contested`: path:line of an unapproved retraction that is told and not followed.
    `next_line`: where the rest begins; 0 when there is none. `blob`: id of the bytes it came from.
    """

    path: str
    title: str
    priority: str
    scope: str
    source: str
    created: str
    blob: str
    text: str
    start_line: int
    next_line: int
    contested: str = ""


def read(repository: Repository, address: str, *, scope: str = "", start_line: int = 1) -> Passage:
    """The active memory of this scope (or of none) at a path, `id:…` or `[[wikilink]]`.

    Raises:
        GitError: there is no work tree here.
        RefusedError: the address names nothing, several memories, or one that may not be seen.
    """
    view = require_view(repository)
    scopes = scopes_of(scope)
    hits = _named(view, address)
    seen = [
        shown
        for hit in hits
        for shown in (handed_out(view, hit.memory.path, scopes),)
        if shown is not None
    ]
    if len(seen) > 1:
        raise _several([shown.memory.path for shown in seen])
    if not seen:
        raise refusal(view, hits, scopes)
    return _passage(seen[0], start_line)


def path_in_scope(view: View, address: str, scopes: tuple[str, ...]) -> str:
    """The path of the memory of these scopes at an address, whatever its status.

    One that HEAD lacks is named by its path, which comes back as it is.

    Raises:
        RefusedError: the address names nothing, several memories, or one of another scope.
    """
    hits = _named(view, address)
    paths = [hit.memory.path for hit in hits if _is_seen(view, hit, scopes)]
    if len(paths) > 1:
        raise _several(paths)
    if paths:
        return paths[0]
    if hits:
        raise other_scope()
    if parse_address(address).kind == "path":
        return address
    raise _nothing()


def other_scope() -> RefusedError:
    """What is said of a memory of another scope: not even its path."""
    return RefusedError(say("this memory belongs to another scope than this session"))


def _named(view: View, address: str) -> list[Studied]:
    if parse_address(address).kind == "phrase":
        raise RefusedError(
            say("an address is a path, id:… or [[a page]]; these are words"),
            say("search for them"),
        )
    return memories_named(view.repository, view.tree, view.settings, address)


def _is_seen(view: View, hit: Studied, scopes: tuple[str, ...]) -> bool:
    shown = shown_at(view, hit.memory.path)
    return is_of_scope(shown.memory if shown is not None else hit.memory, scopes)


def _several(paths: Sequence[str]) -> RefusedError:
    return RefusedError(
        say("this address names {count} memories", count=len(paths)),
        lines([say("name one of them by its path:"), *paths[:_LISTED]]),
    )


def _nothing() -> RefusedError:
    return RefusedError(say("no memory has this address"), say("search for words of it"))


def refusal(view: View, hits: Sequence[Studied], scopes: tuple[str, ...]) -> RefusedError:
    """Why nothing of these memories is shown; of another scope not even the path is told."""
    if not hits:
        return _nothing()
    for hit in hits:
        if not _is_seen(view, hit, scopes):
            continue
        path = hit.memory.path
        shown = shown_at(view, path)
        reason = next(iter(silenced_by(view, path, shown)), None)
        if reason is None and shown is None:
            reason = say("its file is deleted here")
        return RefusedError(
            say(
                "{path} is not handed out: {reason}",
                path=path,
                reason=reason or say("its header cannot be read for sure"),
            ),
            say("do not rely on what it said; its history tells more"),
        )
    return other_scope()


def _passage(shown: Shown, start_line: int) -> Passage:
    memory = shown.memory
    rows = handed_text(memory.body).split("\n")
    taken: list[str] = []
    size = 0
    for row in rows[start_line - 1 :]:
        size += len(row.encode("utf-8", "replace")) + 1
        if taken and size > _MOST_BYTES:
            break
        taken.append(row[:_MOST_BYTES])
    end = start_line + len(taken)
    return Passage(
        memory.path,
        handed_title(memory.title),
        str(memory.priority),
        handed_line(memory.scope),
        handed_line(memory.source),
        handed_line(memory.created, 40),
        shown.blob,
        "\n".join(taken),
        start_line,
        end if taken and end <= len(rows) else 0,
        handed_line(shown.contested),
    )
