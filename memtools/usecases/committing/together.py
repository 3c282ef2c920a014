"""Tombstones into files and staging with one write of git's index, where nothing stands against it.

The usual commit: the files are as staged, and git converts nothing in them. Then git stages the
files themselves, with their times; else the blob is staged first and the file follows.
"""

from __future__ import annotations

import os

from memtools.errors import GitError
from memtools.git.objects import is_partial, read_objects
from memtools.git.staging import OWN
from memtools.git.worktree import replace_exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.git.staging import Entry, Staging
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.rendering.blocks import Rewrite
    from memtools.usecases.repository import Repository

    Write = tuple[Tombstone | Rewrite, Entry]


def stage_with_files(repository: Repository, staging: Staging, changed: Sequence[Write]) -> bool:
    """Write new bytes into files, and stage these; `changed`: (what to write, its entry then).

    False: it cannot be done so (git would convert a file, or refuses to take one in); what is
    written already is right, the rest is as it was.

    Raises:
        GitError: a lock is held; nothing was changed.
    """
    git = repository.git
    entries = [entry for _, entry in changed]
    blobs = [entry.blob for entry in entries]
    if staging.kind != OWN or len(set(blobs)) < len(blobs) or is_partial(repository.common_dir):
        return False
    # A blob that is there already could not tell afterwards whether it was staged; nor can one that
    # two files share.
    if any(raw is not None for raw in read_objects(git, blobs)):
        return False
    if os.path.lexists(os.path.join(repository.git_dir, "index.lock")):
        return False
    old = [raw or b"" for raw in read_objects(git, [write.entry.blob for write, _ in changed])]
    if not _write_files(repository, changed, old):
        return False
    try:
        staging.write_from_files(entries)
    except GitError as error:  # else a filter, or core.safecrlf
        _put_back(repository, changed, old)
        if error.is_lock:
            raise
        return False
    return all(raw is not None for raw in read_objects(git, blobs))


def _write_files(repository: Repository, changed: Sequence[Write], old: Sequence[bytes]) -> bool:
    """All files, or none."""
    for number, ((write, entry), before) in enumerate(zip(changed, old, strict=True)):
        if replace_exact(repository.top, entry.path, before, write.after, entry.mode):
            continue
        _put_back(repository, changed[:number], old)
        return False
    return True


def _put_back(repository: Repository, changed: Sequence[Write], old: Sequence[bytes]) -> None:
    for (write, entry), before in zip(changed, old, strict=False):
        replace_exact(repository.top, entry.path, write.after, before)
