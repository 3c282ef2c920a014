"""Write tombstones: backup, journal, staging, work tree, in this order.

Every step can be repeated: a run that was killed is finished by the next one.
"""

from __future__ import annotations

import os
import time

from memtools.core.edit import Edited, change
from memtools.core.refusals import no_text, not_editable
from memtools.core.retraction import link_to
from memtools.core.tombstone import tombstone_fields
from memtools.errors import GitError
from memtools.git.objects import blob_id, read_objects, write_blobs
from memtools.git.staging import OWN, Entry, Staging
from memtools.usecases.committing.journal import bring_files_along
from memtools.usecases.committing.together import stage_with_files
from memtools.usecases.state import JournalRow, change_journal
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtools.core.edit import Set
    from memtools.core.ledger import Ledger
    from memtools.core.problem import Problem
    from memtools.core.retraction import Target
    from memtools.git.run import Git
    from memtools.usecases.rendering.blocks import Rewrite
    from memtools.usecases.repository import Repository

BACKUP_REF = "refs/memtools/backup"


class Tombstone(NamedTuple):
    """One memory about to be retracted: its staged entry, its bytes now and then."""

    target: Target
    entry: Entry
    fields: tuple[Set, ...]
    after: bytes
    warnings: tuple[Problem, ...]


class Applied(NamedTuple):
    """What came of it.

    `left_alone`: work-tree files that did not follow, path -> word of `git.worktree`;
    `entries`: path -> what is staged there now.
    """

    left_alone: dict[str, str]
    entries: dict[str, Entry]


def prepare(
    git: Git,
    ledger: Ledger,
    targets: Sequence[Target],
    entries: Mapping[str, Entry],
    dates: Mapping[str, str],
) -> tuple[tuple[Tombstone, ...], tuple[Problem, ...]]:
    """Work out the new bytes of each target, proved; a target that cannot be edited is a problem.

    `entries`: what is staged at each path; `dates`: declaring path -> ISO date-time.
    """
    present = [target for target in targets if target.path in entries]
    contents = read_objects(git, [entries[target.path].blob for target in present])
    tombstones, problems = [], []
    for target, raw in zip(present, contents, strict=True):
        fields = _fields(ledger, target, dates[target.declared_in])
        edited = no_text(target.path, raw) or change(target.path, raw or b"", fields)
        if isinstance(edited, Edited):
            entry = entries[target.path]
            tombstones.append(Tombstone(target, entry, fields, edited.data, edited.problems))
        else:
            problems.append(not_editable(target.declared_in, target.declared_line, edited))
    return tuple(tombstones), tuple(problems)


def _fields(ledger: Ledger, target: Target, at: str) -> tuple[Set, ...]:
    declaring = ledger.rows[target.declared_in]
    return tombstone_fields(at, link_to(target.declared_in, ledger), declaring.reason)


def apply_tombstones(
    repository: Repository,
    staging: Staging,
    writes: Sequence[Tombstone | Rewrite],
    undo: Sequence[JournalRow],
    head_tree: str,
    changed_before: frozenset[str],
) -> Applied:
    """Make tombstones and other new bytes real; put back what `undo` names.

    (That was staged for a commit nobody made.)

    `changed_before`: the paths whose staged bytes differ from HEAD's already.

    Raises:
        GitError: a lock is held; nothing was changed.
    """
    git = repository.git
    os.makedirs(repository.state_dir, mode=0o700, exist_ok=True)
    new = [w.entry._replace(blob=blob_id(w.after, len(w.entry.blob))) for w in writes]
    changed = [
        (write, entry) for write, entry in zip(writes, new, strict=True) if entry != write.entry
    ]
    rows = [JournalRow(entry.path, write.entry.blob, entry.blob) for write, entry in changed]
    taken = {row.path for row in rows}
    back = [row for row in undo if row.path not in taken]
    staged_now = {entry.path: entry for entry in new}
    if not changed and not back:
        return Applied({}, staged_now)
    _write_backup(staging, head_tree, changed_before, [row.path for row in rows])
    reversed_rows = [JournalRow(row.path, row.new, row.old) for row in back]
    later = reversed_rows if staging.kind != OWN else []  # post-commit then changes the files
    change_journal(repository.state_dir, add=[*later, *back, *rows])
    if not back and stage_with_files(repository, staging, changed):
        return Applied({}, staged_now)
    write_blobs(git, [write.after for write, _ in changed], repository.state_dir)
    staged = staging.entries([row.path for row in back])
    undone = [staged[row.path]._replace(blob=row.old) for row in back if row.path in staged]
    staging.write([*(entry for _, entry in changed), *undone])
    staged_now.update((entry.path, entry) for entry in undone)
    if staging.kind != OWN:
        return Applied({}, staged_now)
    left = bring_files_along(repository, [*rows, *reversed_rows])
    change_journal(repository.state_dir, drop=back)
    return Applied(left, staged_now)


def _write_backup(
    staging: Staging,
    head_tree: str,
    changed_before: frozenset[str],
    paths: Sequence[str],
) -> None:
    """Point the backup ref at a tree that holds the bytes before: HEAD's, or the staged one."""
    in_head = changed_before.isdisjoint(paths)
    tree = head_tree if in_head else staging.write_tree()
    staging.git.run("update-ref", BACKUP_REF, tree)


def declared_dates(git: Git, targets: Sequence[Target], now_in_commit: str) -> dict[str, str]:
    """When each target was retracted (rule 11), by the path of its declaring memory.

    A new marker's date is that of the commit being made, a standing one's that of the last commit
    that touched its memory.
    """
    new = {target.declared_in for target in targets if target.is_new}
    standing = sorted({target.declared_in for target in targets} - new)
    return {**dict.fromkeys(new, now_in_commit), **_last_touched(git, standing, now_in_commit)}


def _last_touched(git: Git, paths: Sequence[str], otherwise: str) -> dict[str, str]:
    if not paths:
        return {}
    from memtools.git.blobhistory import last_dates

    try:
        found = last_dates(git, paths)
    except GitError:  # an unborn branch
        found = {}
    raw = {path: found.get(path, "").partition(" ") for path in paths}
    return {
        path: iso_date(int(seconds), offset) if offset else otherwise
        for path, (seconds, _, offset) in raw.items()
    }


def author_date(git: Git) -> str:
    """The author date of the commit being made, as ISO date-time with offset."""
    given = git.env.get("GIT_AUTHOR_DATE", "")
    words = given.lstrip("@").split()
    if len(words) != 2 or not words[0].isdigit():
        try:
            words = git.line("var", "GIT_AUTHOR_IDENT").rsplit(" ", 2)[1:]
        except GitError:  # no name set yet: git will refuse the commit on its own
            words = [str(int(time.time())), "+0000"]
    return iso_date(int(words[0]), words[1])


def iso_date(seconds: int, offset: str) -> str:
    """A date-time in ISO form from seconds since 1970 and git's offset (`+0900`)."""
    sign = -1 if offset.startswith("-") else 1
    shift = sign * (int(offset[1:3]) * 3600 + int(offset[3:5]) * 60)
    moment = time.gmtime(seconds + shift)
    return time.strftime("%Y-%m-%dT%H:%M:%S", moment) + f"{offset[:3]}:{offset[3:5]}"
