"""Commits nobody watches (rule 14b): never stopped by a marker, what is open is told later.

Known by OBSIDIAN_GIT or MEMTOOLS_UNATTENDED, or `git config memtools.unattended` while stderr is no
terminal.
"""

from __future__ import annotations

import os

from memtools.core.wording import packed, say, unpacked
from memtools.git.objects import blobs_at
from memtools.usecases.state import UNATTENDED, remove_file
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.problem import Problem
    from memtools.core.wording import Said
    from memtools.git.staging import Staging
    from memtools.usecases.committing.proposal import Proposal
    from memtools.usecases.repository import Repository


class Report(NamedTuple):
    """What one commit left open at `path`, as it was said then; `rule` is that of the problem."""

    path: str
    rule: str
    line: Said


def hold_back(
    repository: Repository, staging: Staging, proposal: Proposal, paths: Sequence[str]
) -> tuple[str, ...]:
    """Keep these files out of the commit: staging goes back to HEAD's entry, the disk stays."""
    wanted = sorted(set(paths))
    if not wanted:
        return ()
    held = blobs_at(repository.git, proposal.head_tree, wanted)
    entries = staging.entries(wanted)
    staging.write(
        [
            entries[path]._replace(mode=held[path].mode, blob=held[path].blob)
            for path in wanted
            if path in held and path in entries
        ]
    )
    staging.drop([path for path in wanted if path not in held])
    return tuple(wanted)


def report_open(repository: Repository, problems: Sequence[Problem]) -> None:
    """Remember what this commit left open, for the next attended one and for `doctor`."""
    from memtools.usecases.keeping import write_checked

    rows = [(f"{p.path}:{p.line}", p.rule, packed(p.message)) for p in problems]
    known = _kept(repository)
    kept = [*known, *(row for row in rows if row not in known)]
    write_checked(repository.state_dir, UNATTENDED, kept)


def open_reports(repository: Repository) -> list[Report]:
    """What unattended commits left open and nobody was told yet."""
    return [
        Report(
            place.rpartition(":")[0],
            rule,
            say("{place}: {rule}: {what}", place=place, rule=rule, what=unpacked(what)),
        )
        for place, rule, what in _kept(repository)
    ]


def _kept(repository: Repository) -> list[tuple[str, str, object]]:
    if not os.path.lexists(os.path.join(repository.state_dir, UNATTENDED)):
        return []  # as nearly always; a hook then loads no more
    from memtools.usecases.keeping import read_checked

    return read_checked(repository.state_dir, UNATTENDED, [(str, str, object)]) or []


def take_reported(repository: Repository) -> list[str]:
    """The open reports as notices; they count as told from now on."""
    reports = open_reports(repository)
    if not reports:
        return []
    remove_file(repository.state_dir, UNATTENDED)
    return [say("left open by an unattended commit: {line}", line=one.line) for one in reports]
