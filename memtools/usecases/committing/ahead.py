"""What pre-commit can do for the commit it expects, so that post-commit need not start Python.

Ledger and search index are brought to the staged tree and say so by its id: if the commit is given
up they are one diff of trees away from HEAD, as after any checkout. Never blocks a commit.
"""

from __future__ import annotations

import os

from memtools.config import read_variables
from memtools.core.ledger import fold
from memtools.errors import MemtoolsError
from memtools.git.objects import ABSENT
from memtools.git.trees import tree_with
from memtools.usecases.lookup import lookup_in
from memtools.usecases.searchindex import note_between
from memtools.usecases.standing import keep_standing
from memtools.usecases.state import QUIET, Standing, write_file
from memtools.usecases.tree import memory_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.staging import Entry, Staging
    from memtools.usecases.committing.proposal import Proposal
    from memtools.usecases.repository import Repository

_FEW = 32  # changed paths


def record_ahead(
    repository: Repository, staging: Staging, proposal: Proposal, staged: dict[str, Entry]
) -> None:
    """Bring everything derived to the staged tree; `staged`: path -> entry just staged by us.

    Leaves the flag that lets post-commit end at once after this very commit.
    """
    commit = read_variables().commit
    try:
        tree = _staged_tree(staging, proposal, staged, bool(commit))
        holds = proposal.settings.config.selection.holds
        buried = [(path, entry.blob) for path, entry in staged.items() if holds(path)]
        ledger = fold(
            proposal.staged,
            buried,
            proposal.reader,
            lookup_in(repository, proposal.head_tree, proposal.settings, staging),
        )
        keep_standing(repository, Standing(tree, proposal.settings.blob, ledger))
        changes = dict(memory_changes(proposal.changes, proposal.settings.config))
        changes.update(buried)
        done = note_between(
            repository, proposal.head_tree, tree, proposal.settings, changes, proposal.reader
        )
        if done:
            flag = f"+{commit}" if commit else tree
            write_file(repository.state_dir, QUIET, os.fsencode(f"{flag}\n"))
    except (MemtoolsError, OSError):
        return  # post-commit then does it, and says what is wrong


def _staged_tree(
    staging: Staging, proposal: Proposal, staged: dict[str, Entry], is_written_next: bool
) -> str:
    """The id of the tree that is staged; written, unless git itself does that next."""
    found = None
    is_plain = not proposal.undone and 0 < len(proposal.all_changes) <= _FEW
    if is_written_next and is_plain:  # with nothing staged, git makes no tree
        changes = {
            change.path: (change.new_mode, change.new) if change.new_mode != ABSENT else None
            for change in proposal.all_changes
        }
        changes |= {path: (entry.mode, entry.blob) for path, entry in staged.items()}
        found = tree_with(staging.git, proposal.head_tree, changes)
    return found or staging.write_tree()
