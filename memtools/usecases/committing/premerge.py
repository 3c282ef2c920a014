"""pre-merge-commit: a merge commit cannot take what its hook stages, so the merge stops instead.

`merge_mode = "follow-up"` (and every unattended merge) lets it through and leaves the tombstones to
a commit of their own, which post-merge makes.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.errors import FINDINGS
from memtools.usecases.committing.precommit import pre_commit
from memtools.usecases.outcome import Outcome
from memtools.usecases.tree import settings_at, with_variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository

STOP, FOLLOW_UP = "stop", "follow-up"


def pre_merge_commit(repository: Repository, *, unattended: bool) -> Outcome:
    """Stage the tombstones that the merge makes due; code 1 when there were any."""
    if merge_mode(repository, unattended=unattended) == FOLLOW_UP:
        return Outcome()
    outcome = pre_commit(repository, merging=_merged_heads(repository))
    if outcome.code or not (outcome.retracted or outcome.rendered):
        return outcome
    stop = say(
        "the merge stops here so that this gets into its commit; "
        "finish it with: git commit --no-edit (or git merge --abort)"
    )
    return outcome._replace(code=FINDINGS, notices=(stop, *outcome.notices))


def _merged_heads(repository: Repository) -> tuple[str, ...]:
    """What is being merged: git writes MERGE_HEAD only after this hook, but sets GITHEAD_<id>."""
    names = (name.partition("GITHEAD_") for name in repository.git.env)
    return tuple(commit for before, found, commit in names if found and not before)


def merge_mode(repository: Repository, *, unattended: bool) -> str:
    """`stop` or `follow-up`, by a variable or the settings of HEAD."""
    if unattended or not repository.head_tree:
        return FOLLOW_UP if unattended else STOP
    settings = with_variables(settings_at(repository.git, repository.head_tree))
    return settings.config.retraction.merge_mode
