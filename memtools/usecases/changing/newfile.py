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
    from collections.abc import Iterable, Mapping

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


def free_path(
    repository: Repository,
    selection: Selection,
    folder: str,
    name: str,
    given: Iterable[str] = (),
) -> str:
    """`folder/name.md`, or with -2, -3 … the first that is a memory's and taken nowhere; "": none.

    Taken: in HEAD, in staging or on disk, in any case of letters (two names on one file of a Mac),
    or one of the paths that were `given` away.
    """
    prefix = f"{folder}/" if folder not in ("", ".") else ""
    taken = _names_on_disk(os.path.join(repository.top, prefix))
    taken.update(alike(path[len(prefix) :]) for path in given if path.startswith(prefix))
    for number in range(1, _NUMBERS):
        end = f"-{number}.md" if number > 1 else ".md"
        path = prefix + cut(name, _LONGEST - len(end)) + end
        if not selection.holds(path) or alike(path.rpartition("/")[2]) in taken:
            continue
        if not _is_in_git(repository, path):
            return path
    return ""


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


def _is_in_git(repository: Repository, path: str) -> bool:
    tree = repository.head_tree
    if tree and blobs_at(repository.git, tree, [path]):
        return True
    return bool(Staging(repository.git, repository.git_dir).entries([path]))
