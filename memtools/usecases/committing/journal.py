"""The journal: blobs this product replaced, so that index and work tree can be brought along later.

A partial commit, `-a`, `-i`, `-p`, a private index and a killed process all leave something behind;
the next hook finishes it here. A row whose commit never came serves the undo in `proposal.py`.
"""

from __future__ import annotations

from memtools.core.edit import Edited, change
from memtools.core.header import split
from memtools.core.memory import read_memory
from memtools.core.selection import is_place
from memtools.core.tombstone import field_changes
from memtools.git.mergefile import merge_file
from memtools.git.objects import REGULAR, blob_id, blobs_at, read_objects, tree_id, write_blobs
from memtools.git.staging import OWN, Entry, Staging, refresh
from memtools.git.worktree import (
    FOLLOWED,
    LEFT,
    Step,
    clear_leftovers,
    follow,
    read_plain_file,
    replace_exact,
)
from memtools.usecases.committing.underway import is_committing
from memtools.usecases.state import JournalRow, change_journal, read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memtools.git.objects import TreeEntry
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository

# `old` of a row whose file this product created, `new` of one whose file it took out.
NOTHING = "-"


def finish(repository: Repository, staging: Staging) -> tuple[str, ...]:
    """Bring this index, and the work tree when the index is its own, along with rows HEAD has.

    Returns the paths of files left alone. A row whose tombstone was edited or renamed in the index
    since is brought up to that. Rows neither in HEAD nor in the index are dropped, unless another
    commit is being made: they may be its own.
    """
    rows = read_journal(repository.state_dir)
    if not rows or not repository.head_tree:
        return ()
    head = blobs_at(repository.git, repository.head_tree, [row.path for row in rows])
    entries = staging.entries([row.path for row in rows])
    held = {path: entry.blob for path, entry in head.items()}
    landed = [row for row in rows if held.get(row.path, NOTHING) == row.new]
    _stage_landed(repository, staging, landed, entries, head)
    staged = [row for row in rows if row.path in entries and entries[row.path].blob == row.new]
    rest = [row for row in rows if row not in landed and row not in staged]
    edited = _edited_since(repository, staging, rest)
    if edited:
        change_journal(repository.state_dir, add=edited)
    if staging.kind != OWN:
        return ()
    clear_leftovers(repository.top, [row.path for row in rows])
    left = bring_files_along(repository, landed)
    dead = rest if rest and _is_alone(repository) else []
    given_up = [row for row in dead if row.path in entries and entries[row.path].blob == row.old]
    _put_files_back(repository, given_up)
    change_journal(repository.state_dir, drop=[*landed, *dead])
    return tuple(path for path, word in left.items() if word not in ("absent",))


def _edited_since(
    repository: Repository, staging: Staging, rows: Sequence[JournalRow]
) -> list[JournalRow]:
    """Rows for tombstones of these that stand in the index in other bytes, or at another path.

    A tombstone is known again by what it says of its retraction; one that HEAD has came to stay.
    """
    git, tree = repository.git, repository.head_tree
    steps = [step for row in rows if row.old != NOTHING and (step := _step(git, row))]
    if not steps:
        return []
    paths = [step.path for step in steps]
    in_head = blobs_at(git, tree, paths)
    held = read_objects(git, [entry.blob for entry in in_head.values()])
    kept = {path: _said(path, raw or b"") for path, raw in zip(in_head, held, strict=True)}
    steps = [s for s in steps if _said(s.path, s.new_bytes) != kept.get(s.path)]
    gone = set(paths) - staging.entries(paths).keys()
    staged = [one for one in staging.diff(tree) if one.new_mode in REGULAR]
    found = []
    for one, raw in zip(staged, read_objects(git, [one.new for one in staged]), strict=True):
        step = _origin(steps, one.path, raw or b"", gone)
        carry = _carrier(git, Step(one.path, *_turned(step))) if step else None
        back = carry(raw) if carry and raw is not None else None
        if back is not None and back != raw:
            blob = write_blobs(git, [back], repository.state_dir)[0]
            found.append(JournalRow(one.path, blob, one.new))
    return found


def _origin(steps: Sequence[Step], path: str, raw: bytes, gone: set[str]) -> Step | None:
    """The step that made this tombstone: of the same path, else the only one whose path is gone."""
    said = _said(path, raw)
    alike = [step for step in steps if said[0] and _said(step.path, step.new_bytes) == said]
    same = [step for step in alike if step.path == path]
    moved = [step for step in alike if step.path in gone]
    body = split(raw).body
    same = same or [step for step in moved if split(step.new_bytes).body == body] or moved
    return same[0] if len(same) == 1 else None


def _turned(step: Step) -> tuple[str, str, bytes, bytes]:
    return step.new, step.old, step.new_bytes, step.old_bytes


def _said(path: str, raw: bytes) -> tuple[str, str, str]:
    memory = read_memory(path, raw)
    return memory.retracted_at, memory.retracted_by, memory.retracted_reason


def _put_files_back(repository: Repository, given_up: Sequence[JournalRow]) -> None:
    """A file that was written for a commit nobody made goes back, if it is still as we left it.

    (A run killed between file and staging; or the person unstaged what was given up.)
    """
    for row in given_up:
        raw = read_plain_file(repository.top, row.path)
        if raw is None or blob_id(raw, len(row.new)) != row.new:
            continue
        before = next(read_objects(repository.git, [row.old]))
        if before is not None and replace_exact(repository.top, row.path, raw, before):
            refresh(repository.git, [row.path])


def _is_alone(repository: Repository) -> bool:
    """Is no other commit being made, nor was one made since HEAD was read? In this order."""
    return (
        not is_committing(repository.git_dir, repository.state_dir)
        and tree_id(repository.git, "HEAD") == repository.head_tree
    )


def bring_files_along(repository: Repository, rows: Sequence[JournalRow]) -> dict[str, str]:
    """Make work-tree files follow their rows; path -> word of `git.worktree` if left alone."""
    words = {}
    for row in rows:
        if NOTHING in row:
            from memtools.usecases.committing import wholefiles  # a hook seldom has such a row

            make = wholefiles.create if row.old == NOTHING else wholefiles.take_away
            words[row.path] = make(repository, row)
        else:
            words[row.path] = _follow(repository, row)
    there = [row.path for row in rows if row.new != NOTHING and words[row.path] == FOLLOWED]
    refresh(repository.git, there)
    return {path: word for path, word in words.items() if word != FOLLOWED}


def undoable_rows(repository: Repository) -> tuple[JournalRow, ...]:
    """The rows whose blob before can still be put back (a gc may have taken it)."""
    rows = read_journal(repository.state_dir)
    held = list(read_objects(repository.git, [row.old for row in rows]))
    return tuple(row for row, raw in zip(rows, held, strict=True) if raw is not None)


def _follow(repository: Repository, row: JournalRow) -> str:
    step = _step(repository.git, row)
    if step is None:
        return LEFT
    edit = _carrier(repository.git, step)
    return follow(repository.git, repository.top, step, edit)


def _step(git: Git, row: JournalRow) -> Step | None:
    """Both sides of a row; None when git lacks one of them (a gc may have taken it)."""
    old, new = read_objects(git, [row.old, row.new])
    return None if old is None or new is None else Step(row.path, row.old, row.new, old, new)


def _carrier(git: Git, step: Step) -> Callable[[bytes], bytes | None]:
    """The change of a step as a function on other bytes: the same fields, else a 3-way merge."""

    def carry(raw: bytes) -> bytes | None:
        fields = field_changes(step.path, step.old_bytes, step.new_bytes)
        lost = split(raw).kind == "none" != split(step.old_bytes).kind  # its header, by hand
        if fields and not lost:
            edited = change(step.path, raw, fields)
            if isinstance(edited, Edited):
                return edited.data
        if not fields and is_place(step.path):
            from memtools.core.block import carried_block

            carried = carried_block(step.path, raw, step.new_bytes)
            if carried is not None:
                return carried
        conflicts, merged = merge_file(git, step.old_bytes, raw, step.new_bytes)
        return _without_lines(raw, step.old_bytes, step.new_bytes) if conflicts else merged

    return carry


def _stage_landed(
    repository: Repository,
    staging: Staging,
    landed: Sequence[JournalRow],
    entries: Mapping[str, Entry],
    head: Mapping[str, TreeEntry],
) -> None:
    new, gone = [], []
    for row in landed:
        entry = entries.get(row.path)
        if row.new == NOTHING:
            if entry is not None and entry.blob == row.old:
                gone.append(row.path)
        elif entry is None:
            if row.old == NOTHING:
                new.append(Entry(row.path, head[row.path].mode, row.new, "H"))
        elif entry.blob == row.old:
            new.append(entry._replace(blob=row.new))
        elif entry.blob != row.new and row.old != NOTHING:
            raw = next(read_objects(repository.git, [entry.blob]))
            step = _step(repository.git, row)
            carried = _carrier(repository.git, step)(raw) if step and raw is not None else None
            if carried is not None and carried != raw:
                blob = write_blobs(repository.git, [carried], repository.state_dir)[0]
                new.append(entry._replace(blob=blob))
    staging.write(new)
    staging.drop(gone)


def _without_lines(raw: bytes, old: bytes, new: bytes) -> bytes | None:
    """`raw` without the lines that `new` lacks; None when they are not once in it each."""
    left = new.splitlines()
    gone = [line for line in old.splitlines() if not (left[:1] == [line] and left.pop(0) == line)]
    lines = raw.splitlines(keepends=True)
    plain = [line.rstrip(b"\r\n") for line in lines]
    if left or not gone or any(plain.count(line) != 1 for line in gone):
        return None
    return b"".join(line for line, text in zip(lines, plain, strict=True) if text not in gone)
