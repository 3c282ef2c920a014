"""The way of a branch `memory/…` to a person who is elsewhere: pushed, and a pull request opened.

Must not store a candidate, nor write what the request says. What fails leaves the branch here.
"""

from __future__ import annotations

from memtools.core.wording import say, shell_word
from memtools.errors import GitError, MemtoolsError
from memtools.git.forge import Request, asking_for, open_request, program_for
from memtools.git.refs import branch_of_head, find_commit
from memtools.git.remotes import (
    count_unpushed,
    default_branch,
    push_branch,
    push_remote,
    remote_url,
)
from memtools.usecases.settings import settings_in_force
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository


class Destination(NamedTuple):
    """Where a branch goes: a remote, the branch there it asks to be merged into ("": its default).

    `program` opens the pull request.
    """

    remote: str
    base: str
    program: str

    def push_command(self, branch: str) -> str:
        """What a person types to push the branch."""
        return f"git push {shell_word(self.remote)} {shell_word(branch)}"

    def request_command(self, branch: str) -> str:
        """What a person types to open the pull request; its words are theirs."""
        words = (self.program, *asking_for(self.program, branch, self.base))
        return " ".join(map(shell_word, words))


def destination_of(repository: Repository) -> Destination:
    """Where a branch would go.

    Raises:
        GitError: there is no remote, or several and nothing that chooses.
    """
    git = repository.git
    remote = push_remote(git, branch_of_head(git, repository.git_dir))
    if not remote:
        raise GitError(
            say("there is no remote to push to, or none of several is the default"),
            say("type: git remote add origin URL, or git config remote.pushDefault NAME"),
        )
    bound, slash, branch = settings_in_force(repository).config.read_ref.partition("/")
    base = branch if slash and bound == remote else default_branch(git, remote)
    path = git.env.get("PATH", "")
    return Destination(remote, base, program_for(remote_url(git, remote), path))


def compared_with(repository: Repository, destination: Destination) -> str:
    """The revision here that a request will be compared with: what was fetched of it, else HEAD."""
    ref = f"refs/remotes/{destination.remote}/{destination.base}"
    return ref if destination.base and find_commit(repository.git, ref) else "HEAD"


def push(repository: Repository, destination: Destination, branch: str) -> int:
    """Push a branch; returns how many commits went along that the remote did not have.

    Raises:
        GitError: the remote cannot be reached, or refuses; the hint is the command to type.
    """
    count = count_unpushed(repository.git, destination.remote, branch)
    try:
        push_branch(repository.git, destination.remote, branch)
    except GitError as error:
        error.hint = say("type: {command}", command=destination.push_command(branch))
        raise
    return count


def ask_for_merge(
    repository: Repository, destination: Destination, branch: str, title: str, body: str
) -> str:
    """Open the pull request; returns its address.

    Raises:
        ExtraError: the forge's program is not installed; the hint is the command to type.
        GitError: it did not open the request.
    """
    request = Request(branch, destination.base, title, body)
    git = repository.git
    try:
        return open_request(destination.program, request, repository.top, git.env)
    except MemtoolsError as error:
        error.hint = say("type: {command}", command=destination.request_command(branch))
        raise
