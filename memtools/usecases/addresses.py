"""An ADDRESS as a person types it -> the one memory of HEAD it names.

A path (from the folder the person stands in, else from the top), `id:…`, `[[wikilink]]`, or a
phrase that hits exactly one memory. Whoever acts on what is found must not guess: several are an
error.
"""

from __future__ import annotations

import os

from memtools.core.address import parse_address
from memtools.core.facts import hit_line, same_name, target_hits
from memtools.core.vocabulary import Status
from memtools.core.wording import Said, lines, say, shell_word
from memtools.errors import RefusedError
from memtools.git.objects import REGULAR, blobs_at
from memtools.usecases.lookup import lookup_in
from memtools.usecases.tree import Reader, empty_tree, memories_of, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.facts import Studied
    from memtools.core.memory import Memory
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings

_LISTED = 100  # memories an error names one by one


class NotInHeadError(RefusedError):
    """HEAD has nothing at this path; its history may."""


class Found(NamedTuple):
    """The memory an address names, as HEAD holds it.

    `line` counts from 1 over the file: where the phrase starts; 1 for every other address.
    """

    path: str
    memory: Memory
    blob: str
    line: int = 1


def resolve_address(repository: Repository, text: str, *, include_retracted: bool = True) -> Found:
    """The one memory of HEAD that `text` names.

    Raises:
        RefusedError: none, or several, which are all listed.
    """
    tree = repository.head_tree or empty_tree(repository.git)
    settings = settings_at(repository.git, tree)
    hits = memories_named(repository, tree, settings, text)
    living = [hit for hit in hits if hit.memory.status != Status.RETRACTED]
    if not include_retracted:
        if hits and not living:
            raise _retracted(hits)
        hits = living
    if len(hits) > 1:
        raise _ambiguous(text, hits)
    if not hits:
        raise _nothing(repository, settings, text)
    return _found(text, hits[0])


def paths_meant(repository: Repository, text: str) -> list[str]:
    """The repo paths that `text` may stand for, the likelier one first; none leads outside.

    Seen from the folder of this process when that is inside the work tree, then from the top.
    """
    if not text or "\0" in text or not repository.top:
        return []
    here = os.path.realpath(os.curdir)
    seen = [os.path.join(base, text) for base in (here, repository.top)]
    found: dict[str, None] = {}
    for place in seen:
        folder, name = os.path.split(os.path.normpath(place))
        for parent in (folder, os.path.realpath(folder)):
            path = os.path.relpath(os.path.join(parent, name), repository.top)
            path = path.replace(os.sep, "/")
            if path != "." and path != ".." and not path.startswith("../"):
                found.setdefault(path)
    return list(found)


def memories_named(
    repository: Repository, tree: str, settings: Settings, text: str
) -> list[Studied]:
    """All memories of a tree that an address or phrase names, whoever may see them."""
    reader = Reader(repository.git, settings.config)
    address = parse_address(text)
    if address.kind == "path":
        return _at_path(repository, tree, settings, reader, text.strip())
    target = text if address.kind != "phrase" else address.text
    pairs = lookup_in(repository, tree, settings)(frozenset({target})) if address.text else ()
    hits = [studied for studied in reader(pairs) if target_hits(target, studied)]
    if hits or address.kind != "phrase":
        return sorted(hits, key=lambda hit: hit.memory.path)
    return _at_path(repository, tree, settings, reader, f"{address.text}.md")


def _at_path(
    repository: Repository, tree: str, settings: Settings, reader: Reader, text: str
) -> list[Studied]:
    holds = settings.config.selection.holds
    meant = [path for path in paths_meant(repository, text) if holds(path)]
    if not repository.top:
        meant = [path for path in (text.removeprefix("./"),) if holds(path)]
    if not meant:
        return []
    entries = blobs_at(repository.git, tree, meant)
    for path in meant:
        if path in entries and entries[path].mode in REGULAR:
            return [reader.one(path, entries[path].blob)]
    if all(path.isascii() for path in meant):
        return []
    pairs = memories_of(repository.git, tree, settings.config)
    alike = [pair for pair in pairs if any(same_name(pair[0], path) for path in meant)]
    return list(reader(alike))


def _found(text: str, studied: Studied) -> Found:
    memory = studied.memory
    return Found(memory.path, memory, studied.facts.blob, hit_line(text, memory))


def _ambiguous(text: str, hits: Sequence[Studied]) -> RefusedError:
    listed: list[str] = [
        say(
            "{path}:{line} ({title})",
            path=hit.memory.path,
            line=hit_line(text, hit.memory),
            title=hit.memory.title,
        )
        for hit in hits[:_LISTED]
    ]
    if len(hits) > _LISTED:
        listed.append(say("and {count} more", count=len(hits) - _LISTED))
    return RefusedError(
        say('"{text}" names {count} memories', text=text, count=len(hits)),
        lines([say("name one of them by its path:"), *listed]),
    )


def _retracted(hits: Sequence[Studied]) -> RefusedError:
    memory = hits[0].memory
    by = memory.retracted_by
    what: Said = say("{path} is retracted already", path=memory.path)
    if by:
        what = say(
            "{path} is retracted already, by {by} on {at}",
            path=memory.path,
            by=by,
            at=memory.retracted_at[:10] or "?",
        )
    return RefusedError(what, say("type: memtools history {path}", path=shell_word(memory.path)))


def _nothing(repository: Repository, settings: Settings, text: str) -> RefusedError:
    if parse_address(text).kind != "path":
        return RefusedError(
            say('no memory of HEAD is named by "{text}"', text=text),
            say("type: memtools search {text}", text=f'"{text}"'),
        )
    path = next(iter(paths_meant(repository, text.strip())), text.strip())
    if not settings.config.selection.holds(path):
        return RefusedError(
            say("{path} is no memory: it lies outside the roots, or is excluded", path=path),
            say("type: memtools config --show-origin"),
        )
    if repository.approved is not None:
        name = repository.approved.name
        return NotInHeadError(
            say("there is no memory {path} in {ref}", path=path, ref=name),
            say("readers are bound to {ref}: merge it there first", ref=name),
        )
    if repository.top and os.path.lexists(os.path.join(repository.top, path)):
        return RefusedError(
            say("{path} is not committed yet", path=path),
            say("type: git add {path}, then git commit", path=shell_word(path)),
        )
    return NotInHeadError(
        say("there is no memory {path} in HEAD", path=path),
        say("for one that was deleted, type: memtools history {path}", path=shell_word(path)),
    )
