"""What pre-commit can do for the commit it expects, so that post-commit need not start Python.

Ledger and search index are brought to the staged tree and say so by its id: if the commit is given
up they are one diff of trees away from HEAD, as after any checkout. Never blocks a commit.
"""

from __future__ import annotations

import os

from memtools.core.ledger import fold
from memtools.errors import MemtoolsError
from memtools.usecases.lookup import lookup_in
from memtools.usecases.searchindex import update_between
from memtools.usecases.standing import keep_standing
from memtools.usecases.state import QUIET, Standing, write_file
from memtools.usecases.tree import memory_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.staging import Staging
    from memtools.usecases.committing.proposal import Proposal
    from memtools.usecases.repository import Repository


def record_ahead(
    repository: Repository, staging: Staging, proposal: Proposal, staged: dict[str, str]
) -> None:
    """Bring everything derived to the staged tree; `staged`: path -> blob just staged by us.

    Leaves the flag that lets post-commit end at once when HEAD gets exactly this tree.
    """
    try:
        tree = staging.write_tree()
        holds = proposal.settings.config.selection.holds
        buried = [(path, blob) for path, blob in staged.items() if holds(path)]
        ledger = fold(
            proposal.staged,
            buried,
            proposal.reader,
            lookup_in(repository, proposal.head_tree, proposal.settings, staging),
        )
        keep_standing(repository, Standing(tree, proposal.settings.blob, ledger))
        changes = dict(memory_changes(proposal.changes, proposal.settings.config))
        changes.update(buried)
        done = update_between(
            repository, proposal.head_tree, tree, proposal.settings, changes, proposal.reader
        )
        if done:
            write_file(repository.state_dir, QUIET, os.fsencode(f"{tree}\n"))
    except (MemtoolsError, OSError):
        return  # post-commit then does it, and says what is wrong
