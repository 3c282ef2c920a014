"""Who signed a commit: git's own verification of ssh signatures, against files that are given.

Must not know who may sign what. Signatures of other kinds (OpenPGP, X.509) are only named: git
judges them by the keys of whoever runs it, so the answer would differ from one machine to another.
"""

from __future__ import annotations

import os

from memtools.git.objects import read_objects
from memtools.git.run import AS_STORED
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtools.git.run import Git

GOOD = "good"
UNSIGNED = "unsigned"
OTHER = "other"  # no ssh signature
UNLISTED = "unlisted"  # right, by a key that is not listed, or was not valid at that time
BAD = "bad"  # not of these bytes, by a revoked key, or nobody could tell: git runs ssh-keygen
_STATES = {"G": GOOD, "U": UNLISTED}
_HEADERS = (b"gpgsig ", b"gpgsig-sha256 ")
_SSH = b"-----BEGIN SSH SIGNATURE-----"


class Signature(NamedTuple):
    """What a commit's signature is worth: one of the words above, and whose it is when known.

    `principal` stands in the file of signers, `key` is the key's fingerprint.
    """

    state: str
    principal: str = ""
    key: str = ""


def read_signatures(
    git: Git, commits: Sequence[str], allowed: bytes, revoked: bytes
) -> dict[str, Signature]:
    """The signature of each commit; `allowed` and `revoked` are the bytes of the two files.

    About 20 ms for each signed commit: git starts ssh-keygen for it. No replacement of a commit
    (git-replace(1)) counts.
    """
    git = git.with_env(**AS_STORED)
    found = {}
    for commit, raw in zip(commits, read_objects(git, commits), strict=True):
        first = _signature_line(raw or b"")
        if first != _SSH:
            found[commit] = Signature(OTHER if first else UNSIGNED)
    signed = [commit for commit in commits if commit not in found]
    if signed:
        found.update(_verified(git, signed, allowed, revoked))
    return found


def _signature_line(raw: bytes) -> bytes:
    """The first line of a commit's signature; git takes the first one there is."""
    for line in raw.partition(b"\n\n")[0].splitlines():
        if line.startswith(_HEADERS):
            return line.partition(b" ")[2].strip()
    return b""


def _verified(
    git: Git, commits: Iterable[str], allowed: bytes, revoked: bytes
) -> dict[str, Signature]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        options = []
        for key, data in (("allowedSignersFile", allowed), ("revocationFile", revoked)):
            path = os.path.join(folder, key)
            with open(path, "wb") as file:
                file.write(data)
            options += ["-c", f"gpg.ssh.{key}={path}"]
        options += ["-c", "gpg.ssh.program=ssh-keygen"]  # not one that believes everything
        asked = "".join(commit + "\n" for commit in commits).encode()
        form = "--format=%H%x00%G?%x00%GS%x00%GF"
        out = git.run(*options, "log", "--no-walk=unsorted", "--stdin", form, stdin=asked)
    found = {}
    for line in os.fsdecode(out).split("\n")[:-1]:
        commit, letter, principal, key = line.split("\0")
        found[commit] = Signature(_STATES.get(letter, BAD), principal, key)
    return found
