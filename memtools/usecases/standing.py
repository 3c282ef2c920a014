"""The ledger of a tree: kept, brought along by the diff of trees, or made by one full pass.

Must not know what becomes of the markers in it.
"""

from __future__ import annotations

from memtools.core.ledger import Ledger, fold, full
from memtools.git.objects import diff_trees
from memtools.usecases.lookup import lookup_in
from memtools.usecases.repository import sibling_state_dirs
from memtools.usecases.state import Standing, read_standing, read_standing_head, write_standing
from memtools.usecases.tree import Reader, Settings, memories_of, memory_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository


def standing_at(
    repository: Repository, tree: str, settings: Settings, *, keep: bool = True
) -> Standing:
    """The ledger of `tree`, from the kept one when that serves; keeps the result, if asked to.

    A new linked work tree starts from the ledger of another one. Cost: the diff of the two trees,
    or a full pass when there is no ledger of these settings.
    """
    kept = read_standing(repository.state_dir)
    if kept is not None and kept.tree == tree and kept.config_blob == settings.blob:
        return kept
    first = kept or _of_sibling(repository, tree, settings)
    ledger = _brought_along(repository, first, tree, settings)
    if ledger is None:
        ledger, read_whole = _full_pass(repository, tree, settings)
    else:
        read_whole = 0
    standing = Standing(tree, settings.blob, ledger, read_whole)
    if first is not None and ledger is first.ledger and not keep:
        return standing  # no memory changed
    if kept is not None and kept.config_blob == settings.blob:
        from memtools.usecases.lost import remember_lost

        remember_lost(repository, kept, standing.ledger)
    keep_standing(repository, standing)
    return standing


def _of_sibling(repository: Repository, tree: str, settings: Settings) -> Standing | None:
    """The ledger another work tree of this repository keeps for these settings, best for `tree`."""
    heads = {folder: read_standing_head(folder) for folder in sibling_state_dirs(repository)}
    fit = [folder for folder, head in heads.items() if head and head[1] == settings.blob]
    fit.sort(key=lambda folder: heads[folder] != (tree, settings.blob))
    return next(filter(None, map(read_standing, fit)), None)


def ledger_of(
    repository: Repository, kept: Standing | None, tree: str, settings: Settings
) -> Ledger:
    """The ledger of any tree, brought along from `kept` when that can be; nothing is written."""
    ledger = _brought_along(repository, kept, tree, settings)
    return _full_pass(repository, tree, settings)[0] if ledger is None else ledger


def _full_pass(repository: Repository, tree: str, settings: Settings) -> tuple[Ledger, int]:
    """The ledger of `tree` from all its memories, and how many these are."""
    memories = memories_of(repository.git, tree, settings.config)
    return full(memories, Reader(repository.git, settings.config)), len(memories)


def keep_standing(repository: Repository, standing: Standing) -> None:
    """Write the ledger; a state folder that cannot be written costs speed, nothing else."""
    try:
        write_standing(repository.state_dir, standing)
    except OSError:
        return


def _brought_along(
    repository: Repository, kept: Standing | None, tree: str, settings: Settings
) -> Ledger | None:
    from memtools.errors import GitError

    if kept is None or kept.config_blob != settings.blob:
        return None
    try:
        changes = diff_trees(repository.git, kept.tree, tree)
    except GitError:  # the tree is gone (gc): nothing to start from
        return None
    return fold(
        kept.ledger,
        memory_changes(changes, settings.config),
        Reader(repository.git, settings.config),
        lookup_in(repository, kept.tree, settings),
    )
