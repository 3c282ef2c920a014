"""A candidate that HEAD holds: read, judged again as it stands, and what its approval would write.

Must not approve or reject anything, nor believe what a candidate says of its own class.
"""

from __future__ import annotations

import os

from memtools.core.candidate import says_candidate, unfit
from memtools.core.edit import Set, change
from memtools.core.gate import SOURCES, Proposer
from memtools.core.header import read_header, split
from memtools.core.memory import Exposure, read_memory
from memtools.core.problem import Problem, problem
from memtools.core.vocabulary import BRANCHES, Status
from memtools.core.waiting import Waiting
from memtools.core.wording import say, shell_word
from memtools.errors import RefusedError
from memtools.git.branch import branches_below
from memtools.git.objects import blobs_at, read_blob, read_objects
from memtools.git.run import WITHOUT_MODULES
from memtools.usecases.addresses import resolve_address
from memtools.usecases.person import require_person
from memtools.usecases.proposing.desk import study_candidate
from memtools.usecases.proposing.judge import Offer, judge
from memtools.usecases.proposing.pending import find_pending, pending_tombstones
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.memory import Memory
    from memtools.usecases.changing.head import Head, Victim
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.proposing.desk import Desk
    from memtools.usecases.proposing.judge import Judged
    from memtools.usecases.repository import Repository

UNKNOWN = "external"  # where a candidate comes from that does not say: the strictest
Rows = tuple[tuple[str, str], ...]


class Held(NamedTuple):
    """A candidate of HEAD; `fields` are its front matter as text.

    `is_draft`: it says so in another word than `candidate`.
    """

    path: str
    blob: str
    raw: bytes
    memory: Memory
    fields: dict[str, str]
    is_draft: bool = False

    @property
    def objection(self) -> str:
        """What somebody wrote against it; "" when nobody did."""
        return self.fields.get("objection", "").strip()


class Entering(NamedTuple):
    """What an approval writes: the memory, and the tombstones its markers ask for.

    `rows` (path, blob now) are what it is bound to.
    """

    data: bytes
    victims: tuple[Victim, ...]
    tombstones: tuple[Tombstone, ...]
    rows: Rows


def refuse_agent() -> None:
    """Rule 20: an agent proposes, a person decides.

    Raises:
        PolicyError: an agent's session asks.
    """
    require_person(say("an agent cannot decide about a candidate; nothing was changed"))


def find_candidate(desk: Desk, address: str) -> Held:
    """The candidate of HEAD at an address, as it is in staging and on disk, too.

    Raises:
        RefusedError: there is none, or it has changes that are not committed.
    """
    repository = desk.head.repository
    if address in branches_below(repository.git, BRANCHES):
        raise RefusedError(
            say("{branch} is a branch: to merge it is to approve it", branch=address),
            say("type: git merge {branch}, or git branch -D {branch}", branch=shell_word(address)),
        )
    found = resolve_address(repository, address)
    if found.memory.status is not Status.CANDIDATE:
        raise _no_candidate(found.memory)
    raw = read_blob(repository.git, found.blob)
    held = held_candidate(desk.head, found.path, found.blob, raw)
    if is_changed(repository, held.path):
        raise RefusedError(
            say("{path} has changes that are not committed", path=held.path),
            say("commit them, or type: git restore --staged --worktree {path}",
                path=shell_word(held.path)),
        )  # fmt: skip
    return held


def has_gone(repository: Repository, path: str, blob: str) -> bool:
    """Does HEAD hold other bytes there by now, or none? Somebody else may have decided."""
    held = blobs_at(repository.git, repository.head_tree, [path]).get(path)
    return held is None or held.blob != blob


def _no_candidate(memory: Memory) -> RefusedError:
    path, unread = memory.path, next((one for one in memory.problems if one.is_error), None)
    if unread is not None and memory.exposure is Exposure.NONE:
        return RefusedError(
            say("{path} cannot be read for sure: {why}", path=path, why=unread.message),
            say("mend it and commit that, or type: git rm {path}", path=shell_word(path)),
        )
    return RefusedError(
        say("{path} is no candidate: its status is {status}", path=path, status=str(memory.status)),
        say("type: memtools explain {path}", path=shell_word(path)),
    )


def held_candidate(head: Head, path: str, blob: str, raw: bytes) -> Held:
    """A candidate of HEAD, taken apart."""
    header = read_header(split(raw))
    fields = {key: str(value) for key, value in header.fields.items()}
    memory = read_memory(path, raw, head.settings.config.vocabulary)
    return Held(path, blob, raw, memory, fields, not says_candidate(header))


def held_candidates(desk: Desk) -> list[Held]:
    """The candidates of HEAD that say so in this very word."""
    git, rows = desk.head.repository.git, desk.head.ledger.rows
    paths = sorted(path for path, row in rows.items() if row.status == Status.CANDIDATE)
    entries = blobs_at(git, desk.head.tree, paths) if paths else {}
    blobs = [entries[path].blob for path in paths]
    found = [
        held_candidate(desk.head, path, blob, raw or b"")
        for path, blob, raw in zip(paths, blobs, read_objects(git, blobs), strict=True)
    ]
    return [held for held in found if not held.is_draft]


def is_changed(repository: Repository, path: str) -> bool:
    """Does staging or the file on disk hold something else than HEAD?"""
    return path in changed_paths(repository, path)


def changed_paths(repository: Repository, *paths: str) -> set[str]:
    """Of these paths (none: of all) those at which staging or the file on disk differs from HEAD.

    Two questions: an edit that is only staged is no difference between the file and HEAD.
    """
    git = repository.git.looking(repository.common_dir)
    asked = ("diff", "--name-only", "-z", "--no-ext-diff", "--no-renames", WITHOUT_MODULES)
    found = [git.run(*asked, *staged, "HEAD", "--", *paths) for staged in ((), ("--cached",))]
    return {os.fsdecode(path) for out in found for path in out.split(b"\0")[:-1]}


def judge_again(desk: Desk, held: Held, proposer: Proposer = Proposer.PERSON) -> Judged:
    """What the gate says of a candidate by now, whatever it said before.

    Raises:
        RefusedError: it cannot be judged: it is no text, too large, or holds conflict marks.
    """
    memory = held.memory
    source = memory.source if memory.source in SOURCES else UNKNOWN
    offer = Offer(held.raw, source, "", memory.confidence, memory.failure_cost)
    return judge(desk, offer, proposer, with_lookalikes=False)


def judged_or_fault(desk: Desk, held: Held) -> Judged | Problem:
    """What the gate says of a candidate by now; or what keeps it from judging this one."""
    fault = unfit(held.raw)
    if fault is not None:
        return fault
    try:
        return judge_again(desk, held)
    except RefusedError as error:
        return problem(held.path, 1, "header-unprovable", error.message, error.hint)


def rule_of(desk: Desk, held: Held) -> str:
    """The rule the gate goes by, or the problem that keeps it from judging."""
    found = judged_or_fault(desk, held)
    return found.rule if isinstance(found, Problem) else found.decision.rule


def waiting(held: Held, rule: str) -> Waiting:
    """A candidate as the queue knows it."""
    memory, fields = held.memory, held.fields
    return Waiting(
        held.path,
        held.blob,
        memory.title,
        memory.source,
        memory.confidence,
        memory.failure_cost,
        rule,
        fields.get("proposed_at", "") or memory.created,
        fields.get("approve_after", ""),
        held.objection,
    )


def work_out(desk: Desk, held: Held, at: str) -> Entering:
    """What approving a candidate writes (rules 9 and 20). `at`: ISO date-time of the commit.

    Raises:
        RefusedError: its header cannot be set, or its markers would not act as they stand.
    """
    data = _active_bytes(desk, held)
    fault = next(
        (one for one in study_candidate(desk, held.path, data).problems if one.is_error), None
    )
    if fault is not None:
        raise RefusedError(fault.message, fault.hint)
    pending = find_pending(desk.head, held.path, data, Proposer.PERSON)
    if pending.unclear:
        raise RefusedError(
            say("{path} has a RETRACTS: line that would not act as it stands", path=held.path),
            say("type: memtools explain {path}; then mend the line and commit it",
                path=shell_word(held.path)),
        )  # fmt: skip
    made = pending_tombstones(desk.head, pending, held.path, at)
    rows = ((held.path, held.blob), *((one.entry.path, one.entry.blob) for one in made))
    return Entering(data, pending.victims, made, rows)


def _active_bytes(desk: Desk, held: Held) -> bytes:
    made = change(held.path, held.raw, [Set("status", str(Status.ACTIVE))])
    if isinstance(made, Problem):
        raise RefusedError(made.message, made.hint)
    memory = read_memory(held.path, made.data, desk.config.vocabulary)
    if memory.status is not Status.ACTIVE or memory.exposure is Exposure.NONE:
        fault = next((one for one in memory.problems if one.is_error), None) or problem(
            held.path, 1, "header-unprovable", say("its status cannot be set for sure")
        )
        raise RefusedError(fault.message, fault.hint)
    return made.data
