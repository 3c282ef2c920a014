"""restore: the way back from a tombstone, beside `git revert`; who and why stay in the file.

The status gets the bytes it had before the tombstone, looked up in the history of HEAD. A marker
that would retract the memory again is in the way: it is named, or taken out in the same commit.
"""

from __future__ import annotations

from memtools.core.edit import Set, raw_value
from memtools.core.problem import Problem, problem
from memtools.core.refusals import shorten
from memtools.core.vocabulary import Status
from memtools.core.wording import Said, say, shell_word
from memtools.errors import FINDINGS, RefusedError, UsageError
from memtools.git.objects import blobs_at
from memtools.usecases.addresses import resolve_address
from memtools.usecases.changing.head import own_message, read_head
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.newfile import plain_text
from memtools.usecases.changing.owncommit import NewBytes, commit_files
from memtools.usecases.changing.restored_file import (
    Before,
    Dropped,
    emptied,
    restored_bytes,
    version_before,
    without_standing_markers,
)
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.outcome import code_of
from memtools.usecases.person import require_person
from memtools.usecases.signing import signers_for
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.addresses import Found
    from memtools.usecases.changing.head import Head
    from memtools.usecases.repository import Repository


class Restored(NamedTuple):
    """What `restore` found and did.

    `commit` set the tombstone ("": not in this history). `status` is the word it goes back to ("":
    the line is taken out). `gone`: memories that only held a marker and go with it; `also`: those
    the same memory retracted, which stay as they are.
    `is_new_plan`: nothing was done, since it differs from what the dry run showed.
    """

    applied: bool
    is_new_plan: bool
    path: str
    title: str
    retracted_by: str
    retracted_at: str
    commit: str
    status: str
    dropped: tuple[Dropped, ...]
    gone: tuple[str, ...]
    also: tuple[str, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Said, ...]

    @property
    def code(self) -> int:
        """The exit code."""
        return FINDINGS if self.is_new_plan else code_of(self.problems)


def restore(
    repository: Repository,
    address: str,
    *,
    why: str,
    drop_marker: bool = False,
    apply: bool = False,
    now: float | None = None,
) -> Restored:
    """Bring one retracted memory of HEAD back; a dry run without `apply`.

    `now` (seconds since 1970): the dry run keeps its plan, and `apply` holds to it (rule 18).

    Raises:
        UsageError: no reason is given.
        PolicyError: an agent asks for it, or it has to be signed by a person and is not.
        RefusedError: the address names no retracted memory, or several.
        GitError: a merge, rebase, cherry-pick or revert is under way, a lock is held, or a hook of
            the person refused the commit; nothing was changed.
    """
    reason = plain_text(why)
    _refuse_without_right(reason)
    if apply:
        refuse_under_way(repository)
    head = read_head(repository, writes=apply)
    found = _retracted(repository, address)
    before = version_before(head, found)
    at = author_date(repository.git)
    edited = restored_bytes(head, found, before, (Set("restored_at", at),
                             Set("restored_reason", reason)))  # fmt: skip
    if isinstance(edited, Problem):
        return _result(head, found, before, problems=(edited,))
    files, standing = without_standing_markers(head, {found.path: edited}, found.path)
    if standing and not drop_marker:
        problems = tuple(_stands(found.path, marker) for marker in standing)
        return _result(head, found, before, dropped=standing, problems=problems)
    command = ("restore", found.path, reason, str(drop_marker))
    held = blobs_at(repository.git, head.tree, sorted(files))
    rows = tuple((path, held[path].blob) for path in sorted(files))
    watch = Watch(repository, command, apply, now)
    is_new = watch.is_new(rows)
    acts = apply and not is_new
    result = _result(head, found, before, dropped=standing)
    gone = () if result.also else emptied(head, standing)
    changed = [NewBytes(path, None if path in gone else data) for path, data in files.items()]
    message = _message(found.path, reason, standing)
    notices = _commit(head, changed, message, at) if acts else ()
    watch.close(rows, has_acted=acts)
    return result._replace(applied=acts, is_new_plan=is_new, gone=gone, notices=notices)


def _refuse_without_right(reason: str) -> None:
    if not reason:
        raise UsageError(
            say("a restored memory says why: --why is empty"),
            say('type: memtools restore ADDRESS --why "it was right after all"'),
        )
    require_person(say("an agent cannot restore a memory; nothing was changed"))


def _retracted(repository: Repository, address: str) -> Found:
    found = resolve_address(repository, address)
    if found.memory.status != Status.RETRACTED:
        raise RefusedError(
            say("{path} is not retracted", path=found.path),
            say("type: memtools explain {path}", path=shell_word(found.path)),
        )
    return found


def _stands(path: str, marker: Dropped) -> Problem:
    return problem(
        marker.path,
        marker.line,
        "marker-stands",
        say(
            "RETRACTS: {phrase} would retract {path} again; add --drop-marker to take it out",
            phrase=shorten(marker.phrase),
            path=path,
        ),
        say("or take that line out yourself, commit, and restore then"),
    )


def _result(
    head: Head,
    found: Found,
    before: Before | None,
    *,
    dropped: tuple[Dropped, ...] = (),
    problems: tuple[Problem, ...] = (),
) -> Restored:
    memory = found.memory
    status = str(Status.ACTIVE)
    if before is not None:
        status = (raw_value(before.raw, "status") or b"").decode()
    also = [
        path
        for path, row in sorted(head.ledger.rows.items())
        if row.status == Status.RETRACTED and path != found.path and row.retracted_by
        and row.retracted_by == memory.retracted_by
    ]  # fmt: skip
    return Restored(
        False,
        False,
        found.path,
        memory.title,
        memory.retracted_by,
        memory.retracted_at,
        before.commit if before else "",
        status,
        dropped,
        (),
        tuple(also),
        problems,
        (),
    )


def _message(path: str, reason: str, dropped: tuple[Dropped, ...]) -> str:
    lines = [reason, *(f"Marker taken out: {one.path}:{one.line}" for one in dropped)]
    return own_message(f"Restore {path}", "\n\n".join(lines))


def _commit(head: Head, changed: list[NewBytes], message: str, at: str) -> tuple[Said, ...]:
    signers = signers_for(head.repository.git, head.tree, head.settings.config)
    return commit_files(head.repository, changed, message, at, signers=signers).notices
