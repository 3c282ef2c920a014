"""How many memories differ from HEAD here, at a bounded cost.

Git has to look at every file to know (about 1.5 CPU microseconds each). Up to `FILES_LOOKED_AT`
tracked files that is done; above, only staging counts (known from the view, at no cost), and the
number is a least one. A file git only believes to be touched is compared by content.
"""

from __future__ import annotations

import os

from memtools.git.objects import RAW, REGULAR, parse_raw
from memtools.git.run import WITHOUT_MODULES
from memtools.git.staging import index_file
from memtools.git.worktree import is_plain_file
from memtools.usecases.tree import empty_tree
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.git.objects import Change
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository

FILES_LOOKED_AT = 5_000  # about 10 CPU ms, a tenth of a search
_COMPARED = 200  # touched files compared one by one; above, git refreshes its own knowledge


class Uncommitted(NamedTuple):
    """Paths of memories that differ from HEAD; when not `is_all` there may be more."""

    paths: tuple[str, ...]
    is_all: bool


def read_uncommitted(repository: Repository, view: View) -> Uncommitted:
    """The tracked memories that differ from HEAD, in staging or in the work tree."""
    if _tracked(repository) > FILES_LOOKED_AT:
        return Uncommitted(view.unapproved.staged, False)
    head = own_tree(view)
    changes = _against(repository, view, head)
    sure = {change.path for change in changes if not _is_touched(change)}
    touched = [change for change in changes if _is_touched(change)]
    if len(touched) > _COMPARED:
        asked = ("diff", "--name-only", "-z", "--no-ext-diff", "--no-renames", WITHOUT_MODULES)
        git = repository.git.looking(repository.common_dir)
        sure = {path for path in git.names(*asked, head, "--") if _holds(view, path)}
    else:
        sure |= set(_other_content(repository, touched))
    return Uncommitted(tuple(sorted(sure)), True)


def own_tree(view: View) -> str:
    """HEAD's tree, whatever readers are bound to."""
    approved = view.repository.approved
    if approved is None:
        return view.tree
    return approved.own_tree or empty_tree(view.repository.git)


def _against(repository: Repository, view: View, head: str) -> list[Change]:
    git = repository.git.looking(repository.common_dir)
    out = git.run("diff-index", *RAW, WITHOUT_MODULES, head, "--")
    return [change for change in parse_raw(out) if _holds(view, change.path)] if out else []


def _holds(view: View, path: str) -> bool:
    return view.settings.config.selection.holds(path)


def _is_touched(change: Change) -> bool:
    """Does git only know that the file may have changed?"""
    return change.new_mode == change.old_mode in REGULAR and not change.new.strip("0")


def _other_content(repository: Repository, touched: Iterable[Change]) -> list[str]:
    """The paths whose content is another than HEAD's, filters applied.

    What is no plain file (any more) is another; git would wait for whoever writes to a pipe.
    """
    listed = [
        change
        for change in touched
        if "\n" not in change.path and is_plain_file(repository.top, change.path)
    ]
    if not listed:
        return [change.path for change in touched]
    asked = b"".join(os.fsencode(change.path) + b"\n" for change in listed)
    git = repository.git.looking(repository.common_dir)
    code, out, _ = git.call("hash-object", "--stdin-paths", stdin=asked)
    blobs = out.decode().split()
    if code or len(blobs) != len(listed):
        return [change.path for change in touched]
    same = {change.path for change, blob in zip(listed, blobs, strict=True) if change.old == blob}
    return [change.path for change in touched if change.path not in same]


def _tracked(repository: Repository) -> int:
    """How many files git tracks here, from the head of its index; 0 when that cannot be read."""
    try:
        with open(index_file(repository.git, repository.git_dir), "rb") as file:
            head = file.read(12)
    except OSError:
        return 0
    return int.from_bytes(head[8:12], "big") if head[:4] == b"DIRC" else 0


def is_uncommitted(repository: Repository, path: str, blob: str) -> bool:
    """Does the file, or staging, hold something else than `blob`, which HEAD has at `path`?"""
    if not is_plain_file(repository.top, path):
        return True
    git = repository.git.looking(repository.common_dir)
    code, out, _ = git.call("hash-object", "--", path)
    staged = repository.git.run("ls-files", "-s", "-z", "--", path).decode("utf-8", "replace")
    return bool(code) or out.decode().strip() != blob or f" {blob} 0\t" not in staged
