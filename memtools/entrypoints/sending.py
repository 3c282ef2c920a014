"""What `propose --push` and `--pull-request` do once the branch is there, and what they say of it.

The body of a pull request is the summary of `check`. Must not store a candidate.
"""

from __future__ import annotations

from memtools.core.wording import Said, say
from memtools.entrypoints import text
from memtools.errors import MemtoolsError
from memtools.usecases.proposing.publishing import (
    Destination,
    ask_for_merge,
    compared_with,
    destination_of,
    push,
)
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.proposing.propose import Proposal
    from memtools.usecases.repository import Repository


class Sent(NamedTuple):
    """What became of a branch: the remote it goes to, how many commits went, the request's address.

    `error` is what went wrong on the way; all before it was done.
    """

    remote: str = ""
    is_pushed: bool = False
    commits: int = 0
    request: str = ""
    error: MemtoolsError | None = None


def send(repository: Repository, found: Proposal, *, asks: bool) -> Sent:
    """Push the branch of a proposal that was stored; `asks`: open a pull request, too."""
    sent = Sent()
    try:
        destination = destination_of(repository)
        sent = Sent(destination.remote)
        if not found.applied:
            return sent
        sent = sent._replace(commits=push(repository, destination, found.branch), is_pushed=True)
        if not asks:
            return sent
        title, body = f"Propose {found.path}", _body(repository, destination, found.branch)
        address = ask_for_merge(repository, destination, found.branch, title, body)
        return sent._replace(request=address)
    except MemtoolsError as error:
        return sent._replace(error=error)


def _body(repository: Repository, destination: Destination, branch: str) -> str:
    """What the branch does to the memories, as `check --format github` tells it."""
    from memtools.entrypoints.formats.summary import MARKER, summary
    from memtools.usecases.checking.check import check
    from memtools.usecases.checking.diff import differences_of

    since = compared_with(repository, destination)
    checked = check(repository, range=f"{since}..refs/heads/{branch}")
    return summary(checked, differences_of(repository, checked)).removeprefix(f"{MARKER}\n")


def sent_lines(sent: Sent, found: Proposal) -> Iterator[Said]:
    """What to say of it."""
    if sent.remote and not found.applied:
        yield say("(--apply pushes it to {remote}, too)", remote=sent.remote)
    if sent.is_pushed:
        yield say(
            "pushed {branch} to {remote}: {count} commits it did not have",
            branch=found.branch,
            remote=sent.remote,
            count=sent.commits,
        )
    if sent.request:
        yield say("asked for its merge: {address}", address=sent.request)


def show_failure(sent: Sent) -> int:
    """Say what went wrong on the way, if anything; returns its exit code, else 0."""
    if sent.error is None:
        return 0
    text.show_error(sent.error)
    return sent.error.exit_code
