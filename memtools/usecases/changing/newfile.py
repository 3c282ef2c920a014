"""Memories this product writes anew: their bytes, and a name that is still free.

Must not know why a memory is written, nor rewrite a file that exists (`core/edit.py` does).
"""

from __future__ import annotations

import os
import unicodedata

from memtools.git.objects import blobs_at
from memtools.git.staging import Staging

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtools.core.selection import Selection
    from memtools.usecases.repository import Repository

_LONGEST = 255  # bytes of a file name, on all usual file systems
_NUMBERS = 1000  # names tried before giving up


def memory_bytes(fields: Mapping[str, object], body: str) -> bytes:
    """A whole new file: front matter when there are fields, then the body."""
    text = body
    if fields:
        import frontmatter
        import yaml

        post = frontmatter.Post(body)
        post.metadata = dict(fields)
        text = frontmatter.dumps(
            post, Dumper=yaml.SafeDumper, sort_keys=False, allow_unicode=True, width=1 << 30
        )
    return (text.rstrip("\n") + "\n").encode()


def plain_text(text: str) -> str:
    """A text of the command line in one line; what is not UTF-8 in it becomes a question mark."""
    return " ".join(text.split()).encode("utf-8", "replace").decode()


def free_path(repository: Repository, selection: Selection, folder: str, name: str) -> str:
    """`folder/name.md`, or with -2, -3 … the first that is a memory's and taken nowhere; "": none.

    Taken: in HEAD, in staging or on disk, in any case of letters (two names on one file of a Mac).
    """
    return free_paths(repository, selection, [(folder, name)])[0]


def free_paths(
    repository: Repository, selection: Selection, wanted: Sequence[tuple[str, str]]
) -> list[str]:
    """The same for many (folder, name), all of them different; git is asked once a number."""
    found = [""] * len(wanted)
    numbers = dict.fromkeys(range(len(wanted)), 1)
    taken: dict[str, set[str]] = {}
    while numbers:
        tried = {}
        for place, number in list(numbers.items()):
            path, number = _next_free(repository, selection, wanted[place], number, taken)
            if path:
                tried[place] = path
                numbers[place] = number + 1
            else:
                del numbers[place]
        held = _in_git(repository, list(tried.values()))
        for place, path in tried.items():
            if path not in held:
                found[place] = path
                del numbers[place]
    return found


def _next_free(
    repository: Repository,
    selection: Selection,
    wanted: tuple[str, str],
    first: int,
    taken: dict[str, set[str]],
) -> tuple[str, int]:
    """The first path, from number `first` on, that nothing on disk or `taken` before is called."""
    folder, name = wanted
    prefix = f"{folder}/" if folder not in ("", ".") else ""
    names = taken.get(alike(prefix))
    if names is None:
        names = taken[alike(prefix)] = _names_on_disk(os.path.join(repository.top, prefix))
    for number in range(first, _NUMBERS):
        end = f"-{number}.md" if number > 1 else ".md"
        path = prefix + cut(name, _LONGEST - len(end)) + end
        own = alike(path.rpartition("/")[2])
        if selection.holds(path) and own not in names:
            names.add(own)
            return path, number
    return "", first


def cut(name: str, size: int) -> str:
    """As much of a name as fits into `size` bytes, whole characters only."""
    while len(os.fsencode(name)) > size:
        name = name[:-1]
    return name


def alike(name: str) -> str:
    """The form names are compared in."""
    return unicodedata.normalize("NFC", name).casefold()


def _names_on_disk(folder: str) -> set[str]:
    try:
        return {alike(name) for name in os.listdir(folder)}
    except OSError:
        return set()


def _in_git(repository: Repository, paths: Sequence[str]) -> set[str]:
    """Those of some paths that HEAD or staging holds."""
    if not paths:
        return set()
    tree = repository.head_tree
    held = set(blobs_at(repository.git, tree, paths)) if tree else set()
    return held | set(Staging(repository.git, repository.git_dir).entries(paths))
