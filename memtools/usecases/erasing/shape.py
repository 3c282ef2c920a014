"""Repositories whose history cannot be written anew from here, each with what to do instead.

Must not know what is to be erased.
"""

from __future__ import annotations

import os

from memtools.core.wording import Said, say, shell_word
from memtools.errors import GitError
from memtools.git.bundle import shallow_ends
from memtools.git.everything import refs
from memtools.git.inprogress import under_way
from memtools.git.objects import is_partial
from memtools.usecases.repository import require_top

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.repository import Repository


def refuse_shape(repository: Repository) -> None:
    """Refuse what would leave the old history somewhere, or half of it.

    Raises:
        GitError: it is bare, shallow, partial, a submodule, has other work trees, and the like.
    """
    if repository.is_bare:
        raise GitError(
            say("this repository is bare; nothing was changed"),
            say("type it in a clone, then push by force, then: git gc --prune=now here"),
        )
    require_top(repository)
    for what, hint in _faults(repository):
        raise GitError(say("{what}; nothing was changed", what=what), hint)


def refuse_hidden(repository: Repository, blobs: set[str]) -> None:
    """A file that git was told not to look at would keep its bytes, or lose them unasked.

    Raises:
        GitError: one that has to change is on disk and marked so.
    """
    for row in repository.git.names("ls-files", "-v", "-s", "-z"):
        words, _, path = row.partition("\t")
        tag, _, blob, _ = words.split(" ")
        is_hidden = tag == "S" or tag.islower()
        if is_hidden and blob in blobs and os.path.lexists(os.path.join(repository.top, path)):
            raise GitError(
                say("git was told not to look at {path}; nothing was changed", path=path),
                say(
                    "type: git update-index --no-skip-worktree --no-assume-unchanged {path}",
                    path=shell_word(path),
                ),
            )


def _faults(repository: Repository) -> Iterator[tuple[Said, Said]]:
    git, common = repository.git, repository.common_dir
    objects = os.path.join(common, "objects")
    if not repository.head_tree:
        yield say("there is no commit yet"), say("delete the file")
    if under_way(repository.git_dir):
        yield (
            say("a merge, rebase, bisect or the like is under way here"),
            say("finish it or give it up first (git status says how)"),
        )
    if shallow_ends(common):
        yield (
            say("this clone is shallow: its history is not all here"),
            say("type: git fetch --unshallow"),
        )
    if is_partial(common):
        yield (
            say("this clone is partial: its objects are not all here"),
            say("type it in a full clone"),
        )
    if git.line("rev-parse", "--show-superproject-working-tree"):
        yield (
            say("this is a submodule: the repository around it names its commits"),
            say("type it in a clone of its own, and commit the new id around it"),
        )
    if repository.git_dir != common or os.path.isdir(os.path.join(common, "worktrees")):
        yield (
            say("there are linked work trees, each with an index of its own"),
            say("type: git worktree list, then git worktree remove for each"),
        )
    if os.path.exists(os.path.join(objects, "info", "alternates")):
        yield (
            say("this repository borrows objects of another one"),
            say("type: git repack -a -d, and delete .git/objects/info/alternates"),
        )
    yield from _odd_objects(repository, objects)


def _odd_objects(repository: Repository, objects: str) -> Iterator[tuple[Said, Said]]:
    git = repository.git
    kept = [name for name in os.listdir(os.path.join(objects, "pack")) if name.endswith(".keep")]
    if kept:
        yield (
            say("git was told to keep the pack {name} as it is", name=kept[0]),
            say("delete .git/objects/pack/{name}", name=kept[0]),
        )
    if any(ref.startswith("refs/replace/") for ref in refs(git)):
        yield say("commits are replaced by others (git replace)"), say("type: git replace -d ID")
    if git.line("rev-parse", "--show-object-format") != "sha1":
        yield (
            say("git-filter-repo does not know repositories with SHA-256"),
            say("there is no other way yet"),
        )
