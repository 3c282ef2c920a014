"""Blocks of AGENTS.md and the like that do not say what the memories of their tree say.

Must not know which of them an earlier tree had already.
"""

from __future__ import annotations

from memtools.core.block import Block, find_block, foreign_lines
from memtools.core.problem import Problem, problem
from memtools.core.refusals import shorten
from memtools.core.wording import say, shell_word
from memtools.git.objects import read_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.settings import Activation
    from memtools.git.run import Git
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.rendering.blocks import Source
    from memtools.usecases.tree import Reader

_NAMED = 10  # foreign lines named one by one


def stale_blocks(git: Git, tree: Tree, reader: Reader, activation: Activation) -> Iterator[Problem]:
    """What is wrong with the blocks of a tree; `activation` says how much they may hold."""
    places = tree.files.places
    if not places:
        return
    from memtools.usecases.rendering.blocks import Source

    config = tree.settings.config._replace(activation=activation)
    source = Source(tree.ledger, tree.plan, tree.settings._replace(config=config), reader)
    for path, data in zip(places, read_objects(git, list(places.values())), strict=True):
        block = find_block(path, data or b"")
        if isinstance(block, Problem):
            yield block
        elif block is not None and data is not None:
            yield from _stale(source, path, data, block)


def _stale(source: Source, path: str, data: bytes, block: Block) -> Iterator[Problem]:
    from memtools.usecases.rendering.blocks import tree_lines, with_tree_lines

    if with_tree_lines(source, data, block) == data:
        return
    hint = say("type: memtools render; then commit {path}", path=shell_word(path))
    foreign = foreign_lines(data, block, tree_lines(source, block.scope))
    for line, text in foreign[:_NAMED]:
        what = say('no memory says this line of the block: "{text}"', text=shorten(text))
        yield problem(path, line, "render-stale", what, hint)
    if len(foreign) > _NAMED:
        count = len(foreign) - _NAMED
        what = say("no memory says {count} more lines of this block", count=count)
        yield problem(path, block.line, "render-stale", what, hint)
    if not foreign:
        what = say("this block leaves out, or puts in another order, what the memories say")
        yield problem(path, block.line, "render-stale", what, hint)
