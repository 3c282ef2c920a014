"""Memories that were retracted before a change and are not any more: in silence, or by a person.

However it went: a status edited, fields taken out, a marker dropped, a merge resolved that way, a
file deleted and added again. Must not know how the two trees were named.
"""

from __future__ import annotations

import os
import re

from memtools.core import aftermath
from memtools.core.likeness import comparable, is_copy, says_again
from memtools.core.tombstone import is_restored
from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, diff_trees, tree_id
from memtools.git.refs import span
from memtools.usecases.checking.tree import changed_files, files_at
from memtools.usecases.tree import Reader
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtools.core.facts import Studied
    from memtools.core.memory import Memory
    from memtools.core.problem import Problem
    from memtools.git.objects import Change
    from memtools.git.run import Git
    from memtools.usecases.checking.change import Step
    from memtools.usecases.tree import Settings

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
    own: Settings | None = None,
) -> tuple[Return, ...]:
    """All of them, by path. `alive_elsewhere`: paths that live in another parent of the commit.

    `own`: the settings a change brings along, which say what its words and files will be.
    """
    readers = (reader,) if own is None else (reader, Reader(git, own.config))
    found = [
        *_of_tombstones(git, step, readers, frozenset(alive_elsewhere)),
        *_under_other_names(git, step, reader, own),
    ]
    if step.until:
        found += _of_open_markers(git, step, reader)
    return tuple(sorted({one.path: one for one in reversed(found)}.values()))


def _of_tombstones(
    git: Git, step: Step, readers: tuple[Reader, ...], elsewhere: frozenset[str]
) -> Iterator[Return]:
    """Rule 12: tombstones that are gone, at their path or where git says it was moved to."""
    held = step.after.files.memories
    for path, blob in _tombstones(step):
        here = path if path in held else step.renames.get(path, "")
        if here not in held or held[here] == blob or here in elsewhere:
            continue
        for reader in readers:
            memory, old = reader.one(here, held[here]).memory, reader.one(path, blob).memory
            if old.status is Status.RETRACTED and memory.status is not Status.RETRACTED:
                if not _makes_room(step, reader, memory, old):
                    yield _told(git, step, readers[0], Return(here, path, SILENT), (memory, old))
                break


def _tombstones(step: Step) -> Iterator[tuple[str, str]]:
    """Those of the old tree, as (path, blob)."""
    rows = step.before.ledger.rows.items()
    yield from ((path, row.blob) for path, row in rows if row.status == Status.RETRACTED)


def _makes_room(step: Step, reader: Reader, memory: Memory, old: Memory) -> bool:
    """Does another text stand where the tombstone stood, which is kept at another place?"""
    words = comparable(old.body)
    if says_again(comparable(memory.body), words):
        return False
    known = set(_tombstones(step))
    rows = step.after.ledger.rows.items()
    kept = [(p, r.blob) for p, r in rows if r.status == Status.RETRACTED]
    fresh = [pair for pair in kept if pair not in known]
    return any(comparable(studied.body) == words for studied in reader(fresh))


def _under_other_names(
    git: Git, step: Step, reader: Reader, own: Settings | None
) -> Iterator[Return]:
    """Tombstones whose text is gone while it came in, active, as another file or into one."""
    lost = {path: _words(reader, path, blob) for path, blob in lost_tombstones(step, reader)}
    if not lost:
        return
    old_path = {new: old for old, new in step.renames.items()}
    for studied in _arrived(git, step, reader, own):
        memory = studied.memory
        mine = comparable(studied.body) if memory.status is Status.ACTIVE else ""
        came_from = old_path.get(memory.path, memory.path)
        for path, words in lost.items() if mine else ():
            if path == came_from or not is_copy(mine, words):
                continue
            if _said_before(step, reader, came_from, words):
                continue
            old = reader.one(path, step.before.files.memories[path]).memory
            yield _told(git, step, reader, Return(memory.path, path, SILENT), (memory, old))
            break


def lost_tombstones(step: Step, reader: Reader) -> Iterator[tuple[str, str]]:
    """Those whose text stands no more at their path, nor where they were moved to, (path, blob)."""
    held = step.after.files.memories
    for path, blob in _tombstones(step):
        here = path if path in held else step.renames.get(path, "")
        if held.get(here) == blob:
            continue
        is_there = here in held and is_copy(
            _words(reader, here, held[here]), _words(reader, path, blob)
        )
        if not is_there:
            yield path, blob


def _words(reader: Reader, path: str, blob: str) -> str:
    return comparable(reader.one(path, blob).body)


def _arrived(git: Git, step: Step, reader: Reader, own: Settings | None) -> Iterator[Studied]:
    """The memories a change writes, and those that are some by its own settings alone."""
    changed = changed_files(step.before.files, step.after.files)
    yield from reader([(path, blob) for path, blob in changed if blob is not None])
    if own is not None and step.until:
        files = files_at(git, step.until, own)
        known = step.after.files.memories
        more = [pair for pair in files.memories.items() if pair[0] not in known]
        yield from Reader(git, own.config)(more)


def _said_before(step: Step, reader: Reader, path: str, words: str) -> bool:
    """Did the living memory of the old tree at this path say the same already?"""
    blob = step.before.files.memories.get(path)
    if blob is None:
        return False
    studied = reader.one(path, blob)
    is_alive = studied.memory.status is Status.ACTIVE
    return is_alive and is_copy(comparable(studied.body), words)


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
