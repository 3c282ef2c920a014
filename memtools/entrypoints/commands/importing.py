"""`memtools import`: what another system remembers, as candidates."""

from __future__ import annotations

import time

from memtools.core.refusals import shorten
from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.entrypoints.plans import note_new_plan
from memtools.entrypoints.progress import progress
from memtools.entrypoints.verb import APPLY, DRY_RUN, JSON, Argument, Verb
from memtools.usecases.proposing.importing import Import, import_memories
from memtools.usecases.repository import open_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def run(format: str, path: str, apply: bool, dry_run: bool, as_json: bool) -> int:
    """Judge what stands below a path; with `apply` store it in quarantine."""
    repository = open_repository()
    with progress(say("looking at each entry")) as tell:
        found = import_memories(
            repository, format, path, apply=apply and not dry_run, now=time.time(), progress=tell
        )
    if as_json:
        text.show_json(_values(found))
    else:
        for entry in found.entries:
            text.row(entry.decision, entry.rule, entry.path or "-", entry.place)
        text.results(_lines(found))
    for notice in found.notices:
        text.note(notice)
    if found.is_new_plan:
        note_new_plan()
    return found.code


def _values(found: Import) -> dict[str, object]:
    return {
        "format": found.format,
        "applied": found.applied,
        "known": found.known,
        "entries": [
            {**entry._asdict(), "findings": [dict(one._asdict()) for one in entry.findings]}
            for entry in found.entries
        ],
        "left_out": [{**left._asdict(), "why": str(left.why)} for left in found.left_out],
    }


def _lines(found: Import) -> Iterator[Said]:
    for entry in found.entries:
        for one in entry.findings:
            yield say(
                "  found: {kind} in line {line} of {place}",
                kind=one.kind,
                line=one.line,
                place=entry.place,
            )
    for left in found.left_out:
        if left.place:
            yield say("  left out: {place}: {why}", place=shorten(left.place, 100), why=left.why)
        else:
            yield say("  left out: {why}", why=left.why)
    stored = sum(bool(entry.path) for entry in found.entries)
    rejected = len(found.entries) - stored
    yield say(
        "candidates: {stored}, rejected: {rejected}, imported before: {known}",
        stored=stored,
        rejected=rejected,
        known=found.known,
    )
    if found.applied and stored:
        yield say("(committed; each waits in the inbox)")
    elif stored:
        yield say("(no changes; --apply stores the candidates in one commit)")
    else:
        yield say("(no changes; there is nothing new)")


IMPORT = Verb(
    run,
    summary="Take in what another system remembers: claude, codex, obsidian or ndjson.",
    example="memtools import claude ~/.claude/projects/my-project/memory --apply",
    parameters=(Argument("FORMAT"), Argument("PATH"), APPLY, DRY_RUN, JSON),
    details="claude: a memory folder. codex: a memory folder, or a handbook. obsidian: a vault. "
    "ndjson: a file, or - for standard input. All of it enters as candidates through the write "
    "gate, in one commit; without --apply it is only listed.",
)
