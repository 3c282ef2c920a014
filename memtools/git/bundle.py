"""Bundles: a whole repository in one file, written by git and proved by restoring it.

Must not know what a memory is, nor where bundles are kept.
"""

from __future__ import annotations

import hashlib
import os
import shutil

from memtools.errors import GitError, say
from memtools.git.objects import is_partial, lines_of
from memtools.git.run import Git, environment
from memtools.values import NamedTuple

_EVERYTHING = (("--all", "--reflog"), ("--all",))
_HEADER = 1 << 24  # bytes a header may have: 100,000 refs with long names
_PART = 1 << 20


class Tips(NamedTuple):
    """What a repository or a bundle names: `OBJECT REF` of all refs, and ids HEADs stand on."""

    refs: frozenset[str]
    heads: frozenset[str]


def named_tips(git: Git) -> Tips:
    """All refs here, and the commit of this work tree's HEAD (none before the first commit)."""
    out = git.run("for-each-ref", "--format=%(objectname) %(refname)")
    code, head, _ = git.call("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    heads = frozenset(() if code else head.decode().split())
    return Tips(frozenset(lines_of(out)), heads)


def bundled_tips(git: Git, path: str) -> Tips:
    """The same of a bundle, which names the HEAD of each work tree in a way of its own.

    Raises:
        GitError: it is none.
    """
    lines = lines_of(git.run("bundle", "list-heads", path))
    refs = frozenset(line for line in lines if line.partition(" ")[2].startswith("refs/"))
    return Tips(refs, frozenset(line.partition(" ")[0] for line in lines))


def write_bundle(git: Git, path: str) -> bool:
    """Bundle all refs, each HEAD, and what only reflogs name (older stashes, for one).

    Returns False when the reflogs had to be left out: what they name is partly gone already.

    Raises:
        GitError: objects are missing, or the disk is full; no file is left.
    """
    found: GitError | None = None
    for everything in _EVERYTHING:
        try:
            git.run("bundle", "create", "--quiet", path, *everything)
        except GitError as error:
            found = found or error
        else:
            return everything is _EVERYTHING[0]
    assert found is not None
    raise found


def is_whole(path: str) -> bool:
    """Is a bundle as it was written? The pack in it ends with a checksum of itself."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEADER)
            start = head.find(b"\n\n") + 2
            if not head.startswith(b"# v") or start < 2:
                return False
            is_long = b"@object-format=sha256\n" in head[:start]
            digest = hashlib.sha256() if is_long else hashlib.sha1(usedforsecurity=False)
            left = os.fstat(file.fileno()).st_size - digest.digest_size - start
            file.seek(start)
            while left > 0 and (part := file.read(min(left, _PART))):
                digest.update(part)
                left -= len(part)
            return file.read() == digest.digest()
    except OSError:
        return False


def prove_bundle(git: Git, path: str, folder: str, shallow: bytes) -> None:
    """Restore a bundle into `folder` (it must not exist) and compare; the folder is gone then.

    `shallow`: where the history of a shallow clone ends, as its file `shallow` has it; b"": whole.
    `git bundle verify` alone believes a bundle that nobody can clone.

    Raises:
        GitError: it cannot be restored, or something is missing from it.
    """
    git.run("bundle", "verify", "--quiet", path)
    try:
        restored = _restored(git, path, folder, shallow)
        # Bytes were compared with their ids when the pack was unpacked. Here: is everything there?
        restored.run("fsck", "--connectivity-only", "--no-dangling", "--no-progress")
        if named_tips(restored).refs != bundled_tips(git, path).refs:
            raise GitError(
                say("a clone of the backup has other refs than the backup: {path}", path=path)
            )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _restored(git: Git, path: str, folder: str, shallow: bytes) -> Git:
    env = environment(git.env, foreign=True)
    if not shallow:
        outside = Git(os.path.dirname(folder), env)
        outside.run("clone", "--quiet", "--mirror", "--template=", "--", path, folder)
        return Git(folder, env)
    form = git.line("rev-parse", "--show-object-format")
    outside = Git(os.path.dirname(folder), env)
    outside.run("init", "--quiet", "--bare", "--template=", f"--object-format={form}", folder)
    with open(os.path.join(folder, "shallow"), "wb") as file:
        file.write(shallow)
    restored = Git(folder, env)
    restored.run("fetch", "--quiet", "--", path, "+refs/*:refs/*")
    return restored


def shallow_ends(common_dir: str) -> bytes:
    """Where the history of a shallow clone ends: one commit a line; b"" for a whole clone."""
    try:
        with open(os.path.join(common_dir, "shallow"), "rb") as file:
            return file.read()
    except OSError:
        return b""


def missing_objects(git: Git, common_dir: str) -> int:
    """How many objects of a partial clone are only at its remote; the network is not used."""
    if not is_partial(common_dir):
        return 0
    out = git.run("rev-list", "--objects", "--all", "--missing=print", "--quiet")
    return sum(line.startswith(b"?") for line in out.splitlines())
