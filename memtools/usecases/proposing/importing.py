"""import: what another system remembers enters as candidates, through the gate, in one commit.

An entry that was imported before, with the same bytes, is left alone: a second run changes nothing.
"""

from __future__ import annotations

import os

from memtools.core.gate import Proposer, Verdict
from memtools.core.header import read_header, split
from memtools.core.memory import read_memory
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.errors import DONE, FINDINGS, RefusedError, UsageError
from memtools.git.objects import blob_id, blobs_at, read_objects
from memtools.git.staging import Staging
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.meanwhile import MeanwhileError
from memtools.usecases.changing.new import slug
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.proposing.desk import open_desk
from memtools.usecases.proposing.folder import LeftOut
from memtools.usecases.proposing.judge import Offer, judge
from memtools.usecases.proposing.policy import refuse_unsure_policy
from memtools.usecases.proposing.quarantine import commit_drafts, draft, inbox_paths
from memtools.usecases.proposing.reject import origin_digest, rejected_origins
from memtools.usecases.proposing.sources import FORMATS
from memtools.usecases.repository import load_config, open_repository, require_top
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtools.core.screen import Finding
    from memtools.core.wording import Said
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.proposing.judge import Judged
    from memtools.usecases.proposing.quarantine import Draft
    from memtools.usecases.proposing.sources import Entry
    from memtools.usecases.repository import Repository

    Progress = Callable[[int, int], None] | None

_TRIES = 5  # times an import is judged anew because somebody else committed meanwhile


class Imported(NamedTuple):
    """One entry and what the gate said; `path` "": rejected. `place`: where it was found."""

    place: str
    decision: str
    rule: str
    path: str
    findings: tuple[Finding, ...]
    blob: str = ""


class Import(NamedTuple):
    """What an import found and did; `known`: entries that were imported before.

    `is_new_plan`: nothing was done, since it differs from what the dry run showed.
    """

    format: str
    entries: tuple[Imported, ...]
    left_out: tuple[LeftOut, ...]
    known: int
    applied: bool = False
    is_new_plan: bool = False
    notices: tuple[Said, ...] = ()

    @property
    def code(self) -> int:
        """The exit code."""
        rejected = any(not entry.path for entry in self.entries)
        faults = any(left.is_fault for left in self.left_out)
        return FINDINGS if rejected or faults or self.is_new_plan else DONE


def import_memories(
    repository: Repository,
    format: str,
    path: str,
    *,
    apply: bool = False,
    now: float | None = None,
    progress: Progress = None,
) -> Import:
    """Judge every entry below `path` (on disk) and with `apply` store what is not rejected.

    `format`: claude, codex, obsidian or ndjson. `now` (seconds since 1970): the dry run keeps its
    plan. `progress` is told (done, all).

    Raises:
        UsageError: no such format, or `path` cannot be read.
        GitError: as `commit_files`.
    """
    if format not in FORMATS:
        raise UsageError(
            say("{word} cannot be imported", word=format),
            say("type one of: {words}", words=", ".join(FORMATS)),
        )
    _refuse_own(repository, path)
    if apply:
        refuse_under_way(repository)
    entries, left_out = FORMATS[format][1](path)
    watch = Watch(repository, ("import", format, path), apply, now)
    for left in reversed(range(_TRIES)):
        try:
            return _import(watch, format, (entries, left_out), progress)
        except MeanwhileError:
            if not left:
                raise
            watch = watch._replace(repository=open_repository(repository.top))
    raise AssertionError  # the last try returns or raises


def _refuse_own(repository: Repository, path: str) -> None:
    """Memories of a repository are not imported into it a second time."""
    top = os.path.realpath(require_top(repository))
    below = os.path.relpath(os.path.realpath(path), top).replace(os.sep, "/")
    if below == ".." or below.startswith("../"):
        return
    staged = Staging(repository.git, repository.git_dir).matching([below])
    holds = load_config(repository)[0].selection.holds
    if below == "." or any(holds(name) for name in staged):
        raise UsageError(
            say("what stands in {path} are memories of this repository already", path=path),
            say("type: memtools search WORDS"),
        )


def _import(
    watch: Watch, format: str, found: tuple[list[Entry], list[LeftOut]], progress: Progress
) -> Import:
    desk = open_desk(watch.repository, writes=watch.is_apply)
    refuse_unsure_policy(desk.faults)
    entries, left_out = found
    offers = _offers(desk, format, entries)
    judged, unfit = _judge_all(desk, offers, progress)
    at = author_date(watch.repository.git)
    drafts = _drafts(desk, judged, at)
    rows = tuple((path, f"{one.judged.decision.decision}") for path, one in drafts.items())
    is_new = watch.is_new(rows)
    acts = watch.is_apply and not is_new
    notices = commit_drafts(desk, [*drafts.values()], at) if acts and drafts else ()
    watch.close(rows, has_acted=acts)
    stored = {id(one.judged): one for one in drafts.values()}
    return Import(
        format,
        tuple(_imported(entry, one, stored.get(id(one))) for entry, one in judged),
        (*left_out, *unfit),
        len(entries) - len(offers),
        applied=acts,
        is_new_plan=is_new,
        notices=notices,
    )


def _offers(desk: Desk, format: str, entries: Sequence[Entry]) -> list[tuple[Entry, Offer]]:
    """The entries that were not imported (or rejected) before, each once."""
    known, found = _known_origins(desk), []
    rejected = rejected_origins(desk.head.repository.git)
    for entry in entries:
        origin = f"{format}:{entry.origin}@{blob_id(entry.raw)[:12]}"
        if origin not in known and origin_digest(origin) not in rejected:
            known.add(origin)
            offer = Offer(
                entry.raw,
                FORMATS[format][0],
                entry.title,
                place=entry.origin,
                imported_from=origin,
            )
            found.append((entry, offer))
    return found


def _known_origins(desk: Desk) -> set[str]:
    """What the memories of HEAD say they were imported from."""
    git, tree = desk.head.repository.git, desk.head.tree
    _, out, _ = git.call("grep", "-l", "-z", "-e", "^imported_from:", tree)
    names = [os.fsdecode(name).partition(":")[2] for name in out.split(b"\0")[:-1]]
    blobs = [entry.blob for entry in blobs_at(git, tree, names).values()]
    headers = (read_header(split(raw or b"")) for raw in read_objects(git, blobs))
    return {str(header.fields.get("imported_from", "")) for header in headers}


def _judge_all(
    desk: Desk, offers: Sequence[tuple[Entry, Offer]], progress: Progress
) -> tuple[list[tuple[Entry, Judged]], list[LeftOut]]:
    judged, unfit = [], []
    for number, (entry, offer) in enumerate(offers, start=1):
        try:
            memory = read_memory("", offer.raw, desk.config.vocabulary)
            if memory.status is Status.RETRACTED:
                unfit.append(LeftOut(entry.place, say("it is retracted there"), is_fault=False))
            else:
                one = judge(desk, offer, Proposer.AGENT, with_lookalikes=False)
                judged.append((entry, one))
        except RefusedError as error:
            unfit.append(LeftOut(entry.place, say("{why}", why=error.message)))
        if progress is not None:
            progress(number, len(offers))
    return judged, unfit


def _drafts(desk: Desk, judged: Sequence[tuple[Entry, Judged]], at: str) -> dict[str, Draft]:
    """What is to be stored, by path: under its own name where it has one."""
    kept = [(e, one) for e, one in judged if one.decision.decision is not Verdict.REJECT]
    names = [entry.name or f"{at[:10]}-{slug(one.title)}" for entry, one in kept]
    paths = inbox_paths(desk, names) if names else []
    return {path: draft(desk, one, at, path) for path, (_, one) in zip(paths, kept, strict=True)}


def _imported(entry: Entry, one: Judged, stored: Draft | None) -> Imported:
    place = entry.place
    if any(not found.line for found in one.findings):  # its very name holds what was found
        place = f"{place.rpartition('/')[0]}/…".lstrip("/")
    path, blob = (stored.path, stored.blob) if stored is not None else ("", "")
    decision = one.decision
    return Imported(place, str(decision.decision), decision.rule, path, one.findings, blob)
