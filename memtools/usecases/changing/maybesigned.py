"""A commit of ours that a person who may approve signs, and that is made in any case.

For what must not wait for a key, such as a retraction. Must not know what is committed.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.errors import PolicyError
from memtools.usecases.changing.owncommit import commit_files
from memtools.usecases.signing import signers_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.wording import Said
    from memtools.usecases.changing.head import Head
    from memtools.usecases.changing.owncommit import NewBytes


def commit_signed_if_possible(
    head: Head, files: Sequence[NewBytes], message: str, date: str
) -> tuple[Said, ...]:
    """Commit these files on top of `head`; what to tell of it.

    Raises:
        GitError: as `commit_files`.
    """
    config = head.settings.config
    try:
        signers = signers_for(head.repository.git, head.tree, config)
        return commit_files(head.repository, files, message, date, signers=signers).notices
    except PolicyError:
        made = commit_files(head.repository, files, message, date)
        unsigned = say(
            "nobody listed in {path} signed this commit: a protected branch takes it by a merge "
            "that one of them signs",
            path=config.approval.allowed_signers,
        )
        return (*made.notices, unsigned)
