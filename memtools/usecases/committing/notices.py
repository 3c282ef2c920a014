"""What a person is told of a commit that goes through: what it retracts, how to undo that.

Must not know how any of it was written.
"""

from __future__ import annotations

from memtools.core.wording import say, shell_word
from memtools.usecases.committing.blocks import block_notices
from memtools.usecases.committing.matchlog import retraction_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.usecases.committing.precommit import Planned
    from memtools.usecases.committing.tombstones import Applied


def notices_of(planned: Planned, applied: Applied, held: Sequence[str]) -> list[str]:
    """The sentences, in order; `held`: paths kept out of an unattended commit."""
    notices = _retractions(planned)
    if planned.proposal.read_whole:
        notices.append(
            say(
                "all {count} memories were read once, for there was no ledger of this clone yet; "
                "the next commits read only what changes",
                count=planned.proposal.read_whole,
            )
        )
    notices += [
        say("the file {path} was left as it is ({why}); the commit is right", path=path, why=word)
        for path, word in applied.left_alone.items()
        if word != "absent"
    ]
    notices += [say("kept out of this commit: {path}", path=path) for path in held]
    notices += block_notices(planned.rendered)
    if planned.left_for_sweep:
        notices.append(
            say(
                "{count} more memories wait for markers of earlier commits: memtools sweep --apply",
                count=planned.left_for_sweep,
            )
        )
    if planned.tombstones and planned.proposal.is_empty:
        notices.append(
            say("nothing else is staged: if git finds nothing to commit, run git commit once more")
        )
    return notices


def _retractions(planned: Planned) -> list[str]:
    """One line for each retraction, and one that says how to undo them."""
    if not planned.tombstones:
        return []
    lines = []
    for tombstone in planned.tombstones:
        target = tombstone.target
        memory = planned.proposal.reader.one(target.path, tombstone.entry.blob).memory
        lines.append(retraction_line(target, memory))
    named = [tombstone for tombstone in planned.tombstones if not tombstone.target.source]
    first = (named or planned.tombstones)[0].entry.path
    if planned.proposal.other_parents:
        undo = say(
            "undo: git revert -m 1 of this merge commit, or memtools restore {path} "
            '--why "…" --drop-marker --apply',
            path=shell_word(first),
        )
    else:
        undo = say(
            'undo: git revert of this commit, or memtools restore {path} --why "…" '
            "--drop-marker --apply",
            path=shell_word(first),
        )
    return [*lines, undo]
