"""The proof after an erasure: every object and every file below the work tree is looked through.

Must not change anything, nor name what was erased.
"""

from __future__ import annotations

import os
import stat

from memtools.core.erasure import Finder
from memtools.git.everything import all_ids, held, objects
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from memtools.git.run import Git
    from memtools.usecases.erasing.targets import Targets
    from memtools.usecases.repository import Repository

_PART = 1 << 20


class Proof(NamedTuple):
    """`objects` of git and `files` that were looked through; `left`: where something still stands.

    `quoted`: files of the work tree that hold lines of the memory.
    """

    objects: int
    files: int
    left: tuple[str, ...]
    quoted: tuple[str, ...] = ()


def prove_objects(git: Git, targets: Targets) -> tuple[int, list[str]]:
    """How many objects there are, and those that still hold something."""
    ids, finder = all_ids(git), Finder(targets.texts)
    left = sorted(held(git, targets.blobs))
    if targets.texts:
        left += [one for one, data in objects(git, ids) if finder.finds(data)]
    return len(ids), left


def prove(
    repository: Repository, targets: Targets, announced: Container[str] | None = None
) -> Proof:
    """Look through all that is here: objects decompressed, files as they stand on disk.

    A file that holds lines of the memory and was not `announced` (None: all were) is `left`.
    """
    count, left = prove_objects(repository.git, targets)
    texts, top, git_dir = Finder(targets.texts), repository.top, repository.common_dir
    mine = list(_files(top, git_dir))
    told = Finder(targets.lines)
    quoted = [path for path in mine if _finds(path, told)]
    # What still stands in the notes may stand in what is derived from them.
    lines = set(targets.lines) - _standing(quoted, targets)
    beside = list(_files(git_dir, ""))
    for path in (*mine, *beside):
        if texts.finds(os.fsencode(_name(repository, path))) or _finds(path, texts):
            left.append(_name(repository, path))
    left += [_name(repository, path) for path in _told_by_name(repository, texts)]
    derived = Finder(lines, plain=True)
    left += [_name(repository, path) for path in beside if _finds(path, derived)]
    names = [_name(repository, path) for path in quoted]
    left += [name for name in names if announced is not None and name not in announced]
    return Proof(
        count,
        len(mine) + len(beside),
        tuple(dict.fromkeys(left)),
        tuple(name for name in names if name not in left),
    )


def _name(repository: Repository, path: str) -> str:
    return os.path.relpath(path, repository.top)


def _told_by_name(repository: Repository, texts: Finder) -> Iterator[str]:
    """Folders, links and the like whose name, or what they lead to, holds a text."""
    git_dir = repository.common_dir
    for base, left_out in ((repository.top, git_dir), (git_dir, "")):
        for path in _entries(base, left_out):
            name = os.fsencode(_name(repository, path))
            leads = os.fsencode(os.readlink(path)) if os.path.islink(path) else b""
            if texts.finds(name) or texts.finds(leads):
                yield path


def _standing(paths: list[str], targets: Targets) -> set[str]:
    """The lines of the memory that these files hold."""
    finders = {line: Finder([line], plain=True) for line in targets.lines}
    return {line for line, one in finders.items() if any(_finds(path, one) for path in paths)}


def _files(base: str, left_out: str) -> Iterator[str]:
    """Every regular file below a folder, but for those below `left_out`."""
    return (path for path in _entries(base, left_out) if _is_regular(path))


def _entries(base: str, left_out: str) -> Iterator[str]:
    """Every file, folder and link below a folder, but for what is below `left_out`."""
    for folder, folders, names in os.walk(base):
        folders[:] = sorted(name for name in folders if os.path.join(folder, name) != left_out)
        yield from (os.path.join(folder, name) for name in (*folders, *sorted(names)))


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:  # it has gone meanwhile
        return False


def _finds(path: str, finder: Finder) -> bool:
    """Does a file hold one of the texts, or is it shut? It is read in parts that overlap."""
    if not finder.longest:
        return False
    try:
        return _holds(path, finder)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _holds(path: str, finder: Finder) -> bool:
    before = b""
    with open(path, "rb") as file:
        while part := file.read(_PART):
            if finder.finds(before + part):
                return True
            before = part[-finder.longest :]
    return False
