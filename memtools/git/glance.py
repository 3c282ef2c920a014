"""What the files of git say by themselves, for whoever cannot afford to start git.

Only where things stand is told here; what they come to is for git to say. Must not know what is
kept beside them.
"""

from __future__ import annotations

import os

_PREFIXES = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")  # as git looks a name up
_LINK = b"ref:"
_MANY = 20  # names that lead on to another


def find_git_dir(folder: str) -> tuple[str, list[str]]:
    """The git dir of the work tree that holds an absolute folder ("": none is seen).

    Also all paths that were looked at: one of them changes before another git dir is found here.
    """
    seen = []
    while True:
        place = os.path.join(folder, ".git")
        seen.append(place)
        if os.path.isdir(place):
            return place, seen
        if os.path.lexists(place):
            return _named(place, b"gitdir:"), seen
        above = os.path.dirname(folder)
        if above == folder:
            return "", seen
        folder = above


def find_common_dir(git_dir: str) -> str:
    """The folder all linked work trees share, for the git dir of one of them."""
    return _named(os.path.join(git_dir, "commondir"), b"") or git_dir


def ref_files(git_dir: str, common_dir: str, name: str) -> list[str]:
    """All files that decide what a name means (HEAD, a branch), whether they exist or not."""
    bases = dict.fromkeys((git_dir, common_dir))
    found = {os.path.join(base, "reftable", "tables.list"): None for base in bases}
    found[os.path.join(common_dir, "packed-refs")] = None
    waiting = [name]
    for asked in waiting:
        is_whole = asked == "HEAD" or asked.startswith("refs/")
        names = [asked] if is_whole else [prefix + asked for prefix in _PREFIXES]
        for path in [os.path.join(base, each) for base in bases for each in names]:
            if path not in found and len(waiting) < _MANY:
                found[path] = None
                head = _read(path)
                if head.startswith(_LINK):
                    waiting.append(os.fsdecode(head[len(_LINK) :].strip()))
    return list(found)


def _named(path: str, start: bytes) -> str:
    """The folder a file of git names, relative to where the file is; "" when it names none."""
    text = _read(path)
    if not text.startswith(start) or not text[len(start) :].strip():
        return ""
    name = os.fsdecode(text[len(start) :].strip())
    return os.path.normpath(os.path.join(os.path.dirname(path), name))


def _read(path: str) -> bytes:
    """The first bytes of a small file of git; none when it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return b""
    try:
        return os.read(descriptor, 5000)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
