"""The blocks of memories in the files of a tree: AGENTS.md and the like.

A function of the tree alone, so that the commit hook, our own commits and `check` agree. Must not
know what is on disk, nor how the new bytes are written.
"""

from __future__ import annotations

from memtools.core.block import Block, find_block, with_lines
from memtools.core.memory import Exposure
from memtools.core.problem import Problem
from memtools.core.selection import is_place
from memtools.core.vocabulary import Priority, Status
from memtools.git.objects import REGULAR, read_objects
from memtools.usecases.reading.effective import is_of_scope, scopes_of
from memtools.usecases.reading.shown import Shown, newest_first
from memtools.usecases.rendering.layer import layer_lines
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtools.core.facts import Studied
    from memtools.core.ledger import Ledger
    from memtools.core.retraction import Plan
    from memtools.git.run import Git
    from memtools.git.staging import Entry
    from memtools.usecases.tree import Settings


class Source(NamedTuple):
    """A tree of memories: its ledger, what its markers come to, and how to read it."""

    ledger: Ledger
    plan: Plan
    settings: Settings
    reader: Callable[[Sequence[tuple[str, str]]], Iterable[Studied]]


class Rewrite(NamedTuple):
    """A file that is to hold other bytes: its entry now, and the whole file then."""

    entry: Entry
    after: bytes


def tree_layer(source: Source, scope: str) -> tuple[Shown, ...]:
    """The activation layer of a tree: what its headers let in and no marker of it takes out."""
    hidden = source.plan.hidden
    pairs = [
        (row.path, row.blob)
        for row in source.ledger.rows.values()
        if row.priority == Priority.HIGH and row.status == Status.ACTIVE and row.path not in hidden
    ]
    scopes = scopes_of(scope)
    blobs = dict(pairs)
    memories = (studied.memory for studied in source.reader(pairs))
    return newest_first(
        Shown(memory, blobs[memory.path], str(memory.status))
        for memory in memories
        if memory.exposure is Exposure.FULL and is_of_scope(memory, scopes)
    )


def tree_lines(source: Source, scope: str) -> list[str]:
    """The lines of a block for the unscoped memories of a tree and those of `scope`."""
    return layer_lines(tree_layer(source, scope), source.settings.config.activation)


def with_tree_lines(source: Source, data: bytes, block: Block) -> bytes:
    """A whole file whose block says what the memories of a tree say."""
    return with_lines(data, block, tree_lines(source, block.scope), block.scope)


def rewrites(
    git: Git, source: Source, entries: Iterable[Entry]
) -> tuple[tuple[Rewrite, ...], tuple[Problem, ...]]:
    """The files among `entries` whose block says something else; comments that are no pair."""
    holds = source.settings.config.selection.holds
    places = [
        entry
        for entry in entries
        if is_place(entry.path) and entry.mode in REGULAR and not holds(entry.path)
    ]
    found, problems = [], []
    for entry, data in zip(places, read_objects(git, [e.blob for e in places]), strict=True):
        block = find_block(entry.path, data or b"")
        if isinstance(block, Problem):
            problems.append(block)
        elif isinstance(block, Block) and data is not None:
            after = with_tree_lines(source, data, block)
            if after != data:
                found.append(Rewrite(entry, after))
    return tuple(found), tuple(problems)
