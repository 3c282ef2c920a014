"""Memories that were retracted before a change and are not any more: in silence, or by a person.

However it went: a status edited, fields taken out, a marker dropped, a merge resolved that way, a
file deleted and added again. Must not know how the two trees were named.
"""

from __future__ import annotations

import os
import re

from memtools.core import aftermath
from memtools.core.likeness import comparable, is_copy
from memtools.core.tombstone import is_restored
from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, diff_trees, tree_id
from memtools.git.refs import span
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtools.core.memory import Memory
    from memtools.core.problem import Problem
    from memtools.git.objects import Change
    from memtools.git.run import Git
    from memtools.usecases.checking.change import Step
    from memtools.usecases.tree import Reader

SILENT = "RESURRECTION"
RESTORED = "restored"
REVERTED = "reverted"
_REVERTS = re.compile(rb"^This reverts commit ([0-9a-f]{7,64})", re.MULTILINE)


class Return(NamedTuple):
    """One memory: where it stands now, where it stood retracted, how it came back (a word above).

    `why`: what the restoration says. `declared_in`, `declared_line`: the marker that retracted it,
    when it had no tombstone yet.
    """

    path: str
    was: str
    how: str
    why: str = ""
    declared_in: str = ""
    declared_line: int = 0

    @property
    def problem(self) -> Problem:
        """What is said of one that came back in silence."""
        if self.declared_in:
            return aftermath.dropped(self.path, self.declared_in, self.declared_line)
        return aftermath.resurrected(self.path, self.was)


def returns_of(
    git: Git,
    step: Step,
    reader: Reader,
    alive_elsewhere: Iterable[str] = (),
    own: Reader | None = None,
) -> tuple[Return, ...]:
    """All of them, by path. `alive_elsewhere`: paths that live in another parent of the commit.

    `own`: reads by the vocabulary the change brings along, which says what its words will mean.
    """
    readers = (reader, own) if own is not None else (reader,)
    found = [
        *_of_tombstones(git, step, readers, frozenset(alive_elsewhere)),
        *_under_other_names(git, step, reader),
    ]
    if step.until:
        found += _of_open_markers(git, step, reader)
    return tuple(sorted({one.path: one for one in reversed(found)}.values()))


def _of_tombstones(
    git: Git, step: Step, readers: tuple[Reader, ...], elsewhere: frozenset[str]
) -> Iterator[Return]:
    """Rule 12: tombstones that are gone, at their path or where git says it was moved to."""
    held = step.after.files.memories
    for path, row in step.before.ledger.rows.items():
        if row.status != Status.RETRACTED:
            continue
        here = path if path in held else step.renames.get(path, "")
        if here not in held or held[here] == row.blob or here in elsewhere:
            continue
        for reader in readers:
            memory, old = reader.one(here, held[here]).memory, reader.one(path, row.blob).memory
            if old.status is Status.RETRACTED and memory.status is not Status.RETRACTED:
                yield _told(git, step, readers[0], Return(here, path, SILENT), (memory, old))
                break


def _under_other_names(git: Git, step: Step, reader: Reader) -> Iterator[Return]:
    """Tombstones that were deleted while the same text came in, active, as another file."""
    before, held = step.before.files.memories, step.after.files.memories
    moved = step.renames.keys() | set(step.renames.values())
    gone = [
        (path, row.blob)
        for path, row in step.before.ledger.rows.items()
        if row.status == Status.RETRACTED and path not in held and path not in moved
    ]
    fresh = [p for p in held.items() if p[0] not in before and p[0] not in moved] if gone else []
    words = {path: comparable(reader.one(path, blob).body) for path, blob in gone}
    for studied in reader(fresh):
        memory = studied.memory
        mine = comparable(studied.body) if memory.status is Status.ACTIVE else ""
        for path, blob in gone if mine else ():
            if is_copy(mine, words[path]):
                old = reader.one(path, blob).memory
                yield _told(git, step, reader, Return(memory.path, path, SILENT), (memory, old))
                break


def _of_open_markers(git: Git, step: Step, reader: Reader) -> Iterator[Return]:
    """Memories an open marker of the old tree retracted, that speak again in the new one.

    Rule 15: such a marker retracts as a tombstone does, so it is no less lost in silence.
    """
    hidden = step.after.plan.hidden
    held = step.after.files.memories
    for target in step.before.plan.targets:
        here = target.path if target.path in held else step.renames.get(target.path, "")
        if here not in held or here in hidden:
            continue
        memory = reader.one(here, held[here]).memory
        if memory.status is Status.ACTIVE:
            old = reader.one(target.path, step.before.files.memories[target.path]).memory
            place = (target.declared_in, target.declared_line)
            one = Return(here, target.path, SILENT, "", *place)
            yield _told(git, step, reader, one, (memory, old))


def _told(
    git: Git, step: Step, reader: Reader, one: Return, sides: tuple[Memory, Memory]
) -> Return:
    """The same with how it came back, when somebody says so; `sides`: the memory now and before."""
    memory, old = sides
    if is_restored(memory, old):
        return one._replace(how=RESTORED, why=memory.restored_reason)
    return one._replace(how=REVERTED) if _is_reverted(git, step, reader, one, old) else one


def _is_reverted(git: Git, step: Step, reader: Reader, one: Return, old: Memory) -> bool:
    """Does a commit on the way that touches the memory revert the one that retracted it?"""
    if not step.until:
        return False
    paths = sorted({one.path, one.was, one.declared_in} - {""})
    commits = span(step.since, step.until)
    out = git.run("log", "--format=%B", *commits, "--", *map(os.fsencode, paths))
    named = {found.decode() for found in _REVERTS.findall(out)}
    return any(_retracted(git, step, reader, commit, (paths, old)) for commit in named)


def _retracted(
    git: Git, step: Step, reader: Reader, commit: str, sides: tuple[list[str], Memory]
) -> bool:
    """Did this commit (a merge: against its first parent) retract the memory?"""
    paths, old = sides
    before, after = tree_id(git, f"{commit}^1"), tree_id(git, commit)
    if before is None or after is None:
        return False
    holds = step.after.settings.config.selection.holds
    changes = [change for change in diff_trees(git, before, after) if holds(change.path)]
    if old.status is not Status.RETRACTED:  # it had no tombstone yet: the marker came with it
        return any(change.path in paths for change in changes)
    return any(
        _is_tombstone(reader, change)
        and (change.path in paths or reader.one(change.path, change.new).memory.body == old.body)
        for change in changes
    )


def _is_tombstone(reader: Reader, change: Change) -> bool:
    """Does this change make a memory retracted?"""
    if change.new_mode not in REGULAR:
        return False
    if reader.one(change.path, change.new).memory.status is not Status.RETRACTED:
        return False
    is_old = change.old_mode in REGULAR
    return not is_old or reader.one(change.path, change.old).memory.status is not Status.RETRACTED
