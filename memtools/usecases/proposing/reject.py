"""reject: a person turns one candidate away; its file goes, and why stays in the commit.

Must not keep a word of the candidate: the record is path, rule, reason, and a digest of where it
was imported from, so that the next import passes it over.
"""

from __future__ import annotations

from memtools.core.invisible import bytes_of, escape_for_terminal
from memtools.core.trailers import REJECTED
from memtools.core.wording import say
from memtools.errors import DONE, FINDINGS, GitError, UsageError
from memtools.git.objects import blob_id
from memtools.git.trailers import commits_telling
from memtools.usecases.changing.head import own_message
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.newfile import plain_text
from memtools.usecases.changing.owncommit import NewBytes, commit_files
from memtools.usecases.committing.tombstones import author_date
from memtools.usecases.proposing.approve import changed_since_shown
from memtools.usecases.proposing.candidates import find_candidate, refuse_agent, rule_of
from memtools.usecases.proposing.desk import open_desk
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.wording import Said
    from memtools.git.run import Git
    from memtools.usecases.proposing.candidates import Held
    from memtools.usecases.repository import Repository

_ORIGIN = "Memtools-Rejected-Origin"


class Rejection(NamedTuple):
    """What goes, and what was done; `rule` is what the gate says of it now.

    `is_new_plan`: nothing was done, since it differs from what the dry run showed.
    """

    path: str
    blob: str
    rule: str
    why: str
    applied: bool = False
    is_new_plan: bool = False
    notices: tuple[Said, ...] = ()

    @property
    def code(self) -> int:
        """The exit code."""
        return FINDINGS if self.is_new_plan else DONE


def reject(
    repository: Repository,
    address: str,
    *,
    why: str,
    blob: str = "",
    apply: bool = False,
    now: float | None = None,
) -> Rejection:
    """Show what rejecting a candidate of HEAD does; with `apply` do it, in a commit of its own.

    `blob`: the id of the bytes the person saw. `now` (seconds since 1970): the dry run keeps its
    plan.

    Raises:
        UsageError: no reason is given.
        PolicyError: an agent asks.
        ChangedError: the candidate is not what was shown.
        RefusedError: there is no such candidate.
        GitError: as `commit_files`.
    """
    refuse_agent()
    reason = escape_for_terminal(plain_text(why))
    if not reason:
        raise UsageError(
            say("a rejection says why: --why is empty"),
            say('type: memtools reject PATH --why "the reason"'),
        )
    if apply:
        refuse_under_way(repository)
    desk = open_desk(repository, writes=apply)
    held = find_candidate(desk, address)
    if blob and blob != held.blob:
        raise changed_since_shown(held.path)
    rule = rule_of(desk, held)
    rows = ((held.path, held.blob),)
    watch = Watch(repository, ("reject", held.path), apply, now)
    is_new = not blob and watch.is_new(rows)
    acts = apply and not is_new
    notices = _commit(repository, held, rule, reason) if acts else ()
    watch.close(rows, has_acted=acts)
    return Rejection(held.path, held.blob, rule, reason, acts, is_new, notices)


def _commit(repository: Repository, held: Held, rule: str, reason: str) -> tuple[Said, ...]:
    name = escape_for_terminal(held.path)
    trailers = [f"{REJECTED}: {name} {rule}"]
    origin = held.fields.get("imported_from", "")
    if origin:
        trailers.append(f"{_ORIGIN}: {origin_digest(origin)}")
    message = own_message(f"Reject {name}", reason, trailers)
    at = author_date(repository.git)
    return commit_files(repository, [NewBytes(held.path, None)], message, at).notices


def origin_digest(origin: str) -> str:
    """What stands for an `imported_from` in a record that holds no word of the candidate."""
    return blob_id(bytes_of(origin))


def rejected_origins(git: Git) -> set[str]:
    """The digests of what was imported once and rejected, in the history of HEAD."""
    try:
        return {
            value for told in commits_telling(git, (_ORIGIN,)) for value in told.values(_ORIGIN)
        }
    except GitError:  # nothing is committed yet
        return set()
