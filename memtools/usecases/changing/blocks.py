"""The blocks of AGENTS.md and the like that a commit of our own makes stale.

Must not know what stands in a block (`usecases/rendering` does), nor how the commit is made.
"""

from __future__ import annotations

from memtools.core.selection import PLACES, is_place
from memtools.git.objects import blobs_at
from memtools.usecases.changing.head import entries_at, ledger_with, read_head, reader_with
from memtools.usecases.tree import plan_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.usecases.repository import Repository


def blocks_beside(repository: Repository, contents: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """The files of HEAD whose block changes with `contents` (path -> whole file), as they then are.

    None stands for a file that is taken out. Files that are among `contents` themselves stay as
    they are given.
    """
    tree = repository.head_tree
    held = blobs_at(repository.git, tree, PLACES) if tree else {}
    paths = [path for path in held if is_place(path) and path not in contents]
    if not paths:
        return {}
    from memtools.usecases.rendering.blocks import Source, rewrites

    head = read_head(repository, writes=False)
    holds = head.settings.config.selection.holds
    kept = {path: data for path, data in contents.items() if data is not None and holds(path)}
    gone = [path for path, data in contents.items() if data is None and holds(path)]
    ledger = ledger_with(head, kept, gone)
    plan = plan_of(ledger, head.settings)
    source = Source(ledger, plan, head.settings, reader_with(head, kept))
    found, _ = rewrites(repository.git, source, entries_at(head, paths).values())
    return {rewrite.entry.path: rewrite.after for rewrite in found}
