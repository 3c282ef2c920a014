"""Who may approve by signature (`approval.allowed_signers`), as a tree has it, and who did.

The file of signers and the one of revoked keys beside it are read from a tree that was approved
already, never from what is judged by them. Must not know what an approval is.
"""

from __future__ import annotations

from memtools.core.signers import REVOKED, agents_keys, is_agent, persons
from memtools.core.wording import Said, say
from memtools.errors import PolicyError
from memtools.git.objects import REGULAR, blobs_at, read_objects
from memtools.git.signatures import (
    GOOD,
    OTHER,
    UNLISTED,
    UNSIGNED,
    Signature,
    read_signatures,
)
from memtools.git.trouble import git_error
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.config import Config
    from memtools.git.run import Git


class Signers(NamedTuple):
    """The two files of a tree (blob ids, "" when missing); `path` is that of the first."""

    path: str
    listed: str
    revoked: str

    @property
    def paths(self) -> tuple[str, str]:
        """Where both stand."""
        return self.path, self.path + REVOKED


def signers_at(git: Git, tree: str, path: str) -> Signers:
    """The files of a tree (or commit) for the setting `path`; a link there is no file."""
    wanted = (path, path + REVOKED)
    held = {p: e.blob for p, e in blobs_at(git, tree, wanted).items() if e.mode in REGULAR}
    return Signers(path, held.get(path, ""), held.get(path + REVOKED, ""))


def signers_for(git: Git, tree: str, config: Config) -> Signers | None:
    """Who has to sign a commit of ours that lets something in; None: nobody.

    Raises:
        PolicyError: git has no ssh key to sign with here.
    """
    path = config.approval.allowed_signers
    if not path:
        return None
    _require_key(git)
    return signers_at(git, tree, path)


def signatures_of(git: Git, commits: Sequence[str], signers: Signers) -> dict[str, Signature]:
    """The signature of each commit as a person's; an agent's key counts as not listed."""
    allowed, revoked = (_bytes(git, blob) for blob in (signers.listed, signers.revoked))
    found = read_signatures(git, commits, persons(allowed), revoked)
    agents = agents_keys(allowed)
    for commit, one in found.items():
        if is_agent(one.principal) or one.key in agents:
            found[commit] = one._replace(state=UNLISTED)
    return found


def is_signed(signature: Signature) -> bool:
    """Is it a listed person's?"""
    return signature.state == GOOD


def fault_of(signature: Signature, signers: Signers) -> Said:
    """Why a signature approves nothing."""
    if not signers.listed:
        return say("there is no file {path}, so nobody may approve", path=signers.path)
    if signature.state == UNSIGNED:
        return say("it is not signed")
    if signature.state == OTHER:
        return say("its signature is none of ssh")
    if signature.state == UNLISTED:
        return say(
            "its key ({key}) is no person's in {path}, or was not valid then",
            key=signature.key,
            path=signers.path,
        )
    return say("its signature is broken, its key is revoked, or ssh-keygen cannot be run here")


def config_hint() -> Said:
    """What a person types so that git signs with their ssh key."""
    return say(
        "type: git config gpg.format ssh && git config user.signingKey ~/.ssh/id_ed25519.pub "
        "(the file of your key)"
    )


def _require_key(git: Git) -> None:
    form, key, command = (
        git.call("config", "--get", name)[1].strip()
        for name in ("gpg.format", "user.signingKey", "gpg.ssh.defaultKeyCommand")
    )
    if form != b"ssh" or not (key or command):
        raise PolicyError(
            say("an approval has to be signed here, and git has no ssh key to sign with; "
                "nothing was changed"),
            config_hint(),
        )  # fmt: skip


def write_signed(git: Git, command: Sequence[str], message: bytes) -> None:
    """Run `git commit`, signed.

    Raises:
        PolicyError: git could not sign it.
        GitError: it was not made for another reason.
    """
    verb, *rest = command
    code, _, err = git.call(verb, "-S", *rest, stdin=message)
    if code and b"failed to write commit object" in err:
        reason = git_error(command, code, err).message
        raise PolicyError(
            say("git could not sign this approval: {reason}; nothing was changed", reason=reason),
            config_hint(),
        )
    if code:
        raise git_error(command, code, err)


def require_signed(git: Git, commit: str, signers: Signers) -> None:
    """After that commit was made, before its branch keeps it.

    Raises:
        PolicyError: no listed person signed it.
    """
    signature = signatures_of(git, [commit], signers)[commit]
    if not is_signed(signature):
        raise PolicyError(
            say(
                "this approval does not count: {fault}; nothing was changed",
                fault=fault_of(signature, signers),
            ),
            config_hint(),
        )


def _bytes(git: Git, blob: str) -> bytes:
    return (next(read_objects(git, [blob])) or b"") if blob else b""
