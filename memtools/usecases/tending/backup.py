"""backup: the whole repository as one bundle, called good only after it was restored once.

Must not change a memory, a ref or anything of the person: it reads the repository and writes into
one folder.
"""

from __future__ import annotations

import contextlib
import os
from enum import StrEnum

from memtools.core.wording import Said, say
from memtools.errors import GitError, UsageError
from memtools.files import make_folder, remove_entry, sync_folder, write_whole
from memtools.git.bundle import (
    bundled_tips,
    is_whole,
    missing_objects,
    named_tips,
    prove_bundle,
    shallow_ends,
    write_bundle,
)
from memtools.usecases.bundles import (
    KEPT,
    bundles_in,
    new_path,
    own_folder,
    remove_abandoned,
    remove_bundle,
    series,
    shallow_of,
    unfinished,
)
from memtools.usecases.tending.locks import alone
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from memtools.git.bundle import Tips
    from memtools.usecases.repository import Repository


class BackupState(StrEnum):
    """What there was to do."""

    EMPTY = "empty"  # no commit and no ref: nothing to back up
    CURRENT = "current"  # nothing new since the newest bundle
    WOULD_WRITE = "would-write"
    WRITTEN = "written"


class Backup(NamedTuple):
    """What a backup found or did.

    `path` is the newest good bundle ("": none yet), `size` its bytes, `refs` how many refs there
    are; `removed` older bundles that made way; `missing` says what it cannot hold.
    """

    state: BackupState
    path: str = ""
    size: int = 0
    refs: int = 0
    removed: tuple[str, ...] = ()
    missing: tuple[Said, ...] = ()


def backup(repository: Repository, *, now: datetime, to: str = "", apply: bool) -> Backup:
    """Say whether there is something new to back up; with `apply` write and prove the bundle.

    `now` (aware) names it. `to`: another folder, outside of the repository; by default
    `<git dir>/memtools/backups`.

    Raises:
        UsageError: `to` lies in the repository.
        GitError: `to` is no folder, objects are missing, the bundle cannot be written or restored,
            or another backup is at work; there is no half bundle then.
    """
    folder = _chosen(repository, to)
    git, name = repository.git, series(repository)
    tips = named_tips(git)
    if not tips.refs and not tips.heads:
        return Backup(BackupState.EMPTY)
    ends = shallow_ends(repository.common_dir)
    missing = _missing(ends)
    mine = name if to else ""  # a repository that was moved keeps what it has
    held = bundles_in(folder, mine)
    if held and _is_current(repository, held[0], tips, ends):
        return Backup(
            BackupState.CURRENT, held[0], os.path.getsize(held[0]), len(tips.refs), (), missing
        )
    _refuse_missing(repository)
    if not apply:
        path = held[0] if held else ""
        return Backup(BackupState.WOULD_WRITE, path, 0, len(tips.refs), (), missing)
    if not to:
        make_folder(folder)
    with alone(repository, "backup"):
        path = new_path(folder, name, now)
        missing += _write(repository, path, ends)
    removed = tuple(bundles_in(folder, mine)[KEPT:])
    for old in removed:
        remove_bundle(old)
    size = os.path.getsize(path)
    return Backup(BackupState.WRITTEN, path, size, len(tips.refs), removed, missing)


def _chosen(repository: Repository, to: str) -> str:
    if not to:
        return own_folder(repository)
    folder = os.path.realpath(to)
    if not os.path.isdir(folder):
        raise GitError(
            say("{path} is not a folder", path=to),
            say("make it first, or connect the disk it is on"),
        )
    for top in filter(None, (repository.top, repository.common_dir)):
        if os.path.commonpath((folder, os.path.realpath(top))) == os.path.realpath(top):
            raise UsageError(
                say("{path} is inside of the repository it would back up", path=to),
                say("name a folder outside of it, best on another disk"),
            )
    return folder


def _is_current(repository: Repository, path: str, tips: Tips, ends: bytes) -> bool:
    try:
        held = bundled_tips(repository.git, path)
    except GitError:
        return False
    if held.refs != tips.refs or not tips.heads <= held.heads:
        return False
    beside = b""
    with contextlib.suppress(OSError), open(shallow_of(path), "rb") as file:
        beside = file.read()
    return beside == ends and is_whole(path)


def _refuse_missing(repository: Repository) -> None:
    count = missing_objects(repository.git, repository.common_dir)
    if count:
        raise GitError(
            say(
                "this is a partial clone: {count} objects are only at its remote, so a backup of "
                "it could not be restored",
                count=count,
            ),
            say("type: git fetch --refetch --no-filter"),
        )


def _missing(ends: bytes) -> tuple[Said, ...]:
    if not ends:
        return ()
    return (
        say(
            "this is a shallow clone: what came before {count} of its commits is not in the backup",
            count=len(ends.splitlines()),
        ),
    )


def _write(repository: Repository, path: str, ends: bytes) -> tuple[Said, ...]:
    """Write beside, prove, then rename: under its name there is only what was restored once."""
    folder = os.path.dirname(path)
    remove_abandoned(folder)
    fresh = unfinished(folder)
    try:
        has_reflogs = write_bundle(repository.git, fresh)
        prove_bundle(repository.git, fresh, f"{fresh}.restored", ends)
        os.chmod(fresh, 0o600)
        with open(fresh, "rb") as file:
            os.fsync(file.fileno())
        if ends:
            write_whole(shallow_of(path), ends)
        os.replace(fresh, path)
        sync_folder(folder)
    except BaseException:
        remove_entry(fresh)
        raise
    if has_reflogs:
        return ()
    return (say("what only the reflogs name is not in the backup: git has lost some of it"),)
