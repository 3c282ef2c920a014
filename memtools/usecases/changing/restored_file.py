"""The file a restoration leaves: its status as before the tombstone, and no marker in the way.

Must not know how it is committed.
"""

from __future__ import annotations

from memtools.core.edit import Edited, Remove, Set, SetRaw, change, raw_value
from memtools.core.markers import without_line
from memtools.core.memory import read_memory
from memtools.core.problem import Problem, problem
from memtools.core.tombstone import MARKS, fields_of
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import RefusedError
from memtools.git.blobhistory import steps_of
from memtools.git.objects import blobs_at, read_blob, read_objects
from memtools.usecases.changing.declaring import is_as_declared
from memtools.usecases.changing.head import ledger_with
from memtools.usecases.tree import plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.edit import Change
    from memtools.usecases.addresses import Found
    from memtools.usecases.changing.head import Head


class Dropped(NamedTuple):
    """A marker that stands in the way; taken out with `drop_marker`."""

    path: str
    line: int
    phrase: str


class Before(NamedTuple):
    """The version before the tombstone, the tombstone itself, and the commit that made it."""

    raw: bytes
    tombstone: bytes
    commit: str


def version_before(head: Head, found: Found) -> Before | None:
    """The youngest version that was not retracted, going back from HEAD's over all parents."""
    git, vocabulary = head.repository.git, head.settings.config.vocabulary
    steps = steps_of(git, found.path)
    waiting, seen = [found.blob], {found.blob}
    while waiting:
        here = waiting.pop(0)
        for step in steps:
            if step.new != here or not step.old or step.old in seen:
                continue
            seen.add(step.old)
            raw = next(read_objects(git, [step.old]))
            if raw is None:
                continue
            if read_memory(found.path, raw, vocabulary).status != Status.RETRACTED:
                return Before(raw, read_blob(git, here), step.commit)
            waiting.append(step.old)
    return None


def restored_bytes(
    head: Head, found: Found, before: Before | None, fields: tuple[Set, ...]
) -> bytes | Problem:
    """The file without its tombstone: exactly as before when nothing else was changed since."""
    raw = read_blob(head.repository.git, found.blob)
    if before is not None and raw == before.tombstone and _is_pure(found, before):
        edited = change(found.path, before.raw, fields)
    else:
        changes: list[Change] = [_status_before(before), *map(Remove, MARKS), *fields]
        edited = change(found.path, raw, changes)
    if isinstance(edited, Problem):
        return edited
    memory = read_memory(found.path, edited.data, head.settings.config.vocabulary)
    if memory.status == Status.RETRACTED:
        return problem(
            found.path,
            1,
            "header-unprovable",
            say("it would still be retracted after that; nothing was changed"),
            say("mend its status by hand and keep the line restored_reason"),
        )
    return edited.data


def _is_pure(found: Found, before: Before) -> bool:
    """Did the commit of the tombstone change nothing but its fields?"""
    again = change(found.path, before.raw, fields_of(found.memory))
    return isinstance(again, Edited) and again.data == before.tombstone


def _status_before(before: Before | None) -> Change:
    if before is None:  # retracted from its first commit on, or a shallow clone
        return Set("status", str(Status.ACTIVE))
    raw = raw_value(before.raw, "status")
    return Remove("status") if raw is None else SetRaw("status", raw)


def without_standing_markers(
    head: Head, files: dict[str, bytes], path: str
) -> tuple[dict[str, bytes], tuple[Dropped, ...]]:
    """Take out, one by one, the markers that would retract the memory at `path` again."""
    dropped: list[Dropped] = []
    while True:
        plan = plan_of(ledger_with(head, files), head.settings)
        target = next((target for target in plan.targets if target.path == path), None)
        if target is None:
            return files, tuple(dropped)
        where = target.declared_in
        raw = files.get(where)
        if raw is None:
            entry = blobs_at(head.repository.git, head.tree, [where])[where]
            raw = read_blob(head.repository.git, entry.blob)
        files = {**files, where: _without_line(raw, target.declared_line, where)}
        line = target.declared_line + sum(
            1 for one in dropped if one.path == where and one.line <= target.declared_line
        )
        dropped.append(Dropped(where, line, target.phrase))


def emptied(head: Head, dropped: tuple[Dropped, ...]) -> tuple[str, ...]:
    """The memories that `retract` wrote, and that say nothing without these markers."""
    entries = blobs_at(head.repository.git, head.tree, sorted({one.path for one in dropped}))
    return tuple(
        path
        for path, entry in entries.items()
        if is_as_declared(path, read_blob(head.repository.git, entry.blob))
    )


def _without_line(raw: bytes, line: int, path: str) -> bytes:
    rest = without_line(raw, line)
    if rest is None:
        raise RefusedError(
            say("{path}:{line} is no marker line that can be taken out", path=path, line=line),
            say("take it out by hand and commit that first"),
        )
    return rest
