"""`memtools backup`: the whole repository as one file, proved by restoring it."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.verb import APPLY, DRY_RUN, JSON, Option, Verb
from memtools.errors import DONE
from memtools.usecases.bundles import own_folder
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.backup import Backup, BackupState, backup
from memtools.usecases.tending.sentences import backup_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def run(to: str, apply: bool, dry_run: bool, as_json: bool) -> int:
    """Back up what is new, with `apply`."""
    repository = open_repository()
    made = backup(repository, now=datetime.now(UTC), to=to, apply=apply and not dry_run)
    folder = os.path.realpath(to) if to else own_folder(repository)
    if as_json:
        text.show_json(
            {
                "state": str(made.state),
                "applied": made.state is BackupState.WRITTEN,
                "folder": folder,
                "path": made.path,
                "bytes": made.size,
                "refs": made.refs,
                "removed": list(made.removed),
                "missing": [str(one) for one in made.missing],
            }
        )
        return DONE
    text.result(backup_line(repository, made, folder))
    text.results(_more(made))
    return DONE


def _more(made: Backup) -> Iterator[Said]:
    for what in made.missing:
        yield say("  not in it: {what}", what=what)
    for path in made.removed:
        yield say("  made way: {path}", path=path)
    if made.state is BackupState.WOULD_WRITE:
        yield say("(nothing written; memtools backup --apply writes the bundle)")


BACKUP = Verb(
    run,
    summary="Write the whole repository into one file, and prove that it can be restored.",
    example="memtools backup --apply",
    parameters=(
        Option(
            ("--to",),
            "A folder outside of the repository; by default one under the git dir.",
            metavar="DIR",
        ),
        APPLY,
        DRY_RUN,
        JSON,
    ),
    details="The file is a git bundle: git clone FILE.bundle gives the repository back. Nothing is "
    "written when nothing is new since the last one; the newest seven are kept.",
)
