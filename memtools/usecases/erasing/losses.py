"""What a rewrite would lose here beside what it is for: said before anything is done.

Must not change anything.
"""

from __future__ import annotations

import os

from memtools.core.erasure import Finder, telling_lines, without_told
from memtools.files import open_plain
from memtools.git.everything import commit_refs, commits, objects
from memtools.git.objects import blob_id
from memtools.usecases.bundles import own_folder
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.usecases.erasing.targets import Past, Targets
    from memtools.usecases.repository import Repository


class Rewritten(NamedTuple):
    """How many commits there are, get new ids, lose a signature, and stand on no remote."""

    total: int
    rewritten: int
    signed: int
    unpushed: int
    refs: tuple[str, ...]


class Losses(NamedTuple):
    """`uncommitted`: tracked files with changes; `untracked`: files that hold what is erased.

    Of the files git does not know, those of `rendered` are written anew without what `render` told
    in them, and those of `quoting` hold some lines of the memory and stay.
    `stashes` are kept, written anew; `backups` are bundles of ours, which hold the old history.
    """

    uncommitted: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    rendered: tuple[str, ...] = ()
    quoting: tuple[str, ...] = ()
    stashes: int = 0
    backups: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()


def count_rewritten(
    repository: Repository, past: Past, blobs: set[str], told: Iterable[str]
) -> Rewritten:
    """What becomes of the commits when these blobs go or change, and the commits `told` do."""
    git = repository.git
    touching = {one.commit for one in past.changes if {one.old, one.new} & blobs} | set(told)
    nodes = commits(git)
    new: set[str] = set()
    for node in nodes:
        if node.commit in touching or node.is_signed or not new.isdisjoint(node.parents):
            new.add(node.commit)
    refs = tuple(ref for ref, commit in commit_refs(git).items() if commit in new)
    unpushed = int(git.run("rev-list", "--count", "--branches", "--tags", "--not", "--remotes"))
    signed = sum(node.is_signed for node in nodes)
    return Rewritten(len(nodes), len(new), signed, unpushed, refs)


def find_losses(repository: Repository, targets: Targets) -> Losses:
    """What is not committed, and what is kept beside the history."""
    git = repository.git
    changed = git.names("diff", "--name-only", "-z", "--no-ext-diff", "--no-renames", "HEAD")
    staged = git.names("diff", "--cached", "--name-only", "-z", "--no-ext-diff", "--no-renames")
    code, out, _ = git.call("rev-list", "--walk-reflogs", "--count", "refs/stash")
    folder = own_folder(repository)
    backups = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    untracked, rendered, quoting = _untracked(repository, targets)
    return Losses(
        tuple(sorted({*changed, *staged})),
        tuple(untracked),
        tuple(rendered),
        tuple(quoting),
        int(out) if code == 0 else 0,
        tuple(backups),
        tuple(git.line("remote").split()),
    )


def _untracked(repository: Repository, targets: Targets) -> tuple[list[str], list[str], list[str]]:
    """Files that git does not know, ignored ones too, that hold something of what is erased.

    Those with a text or a whole version, those that `render` wrote, and those with some lines.
    """
    git, texts = repository.git, Finder(targets.texts)
    lines = Finder(targets.lines)
    versions = [
        [Finder([line]) for line in told]
        for _, data in objects(git, targets.blobs)
        if (told := telling_lines(data))
    ]
    whole: list[str] = []
    rendered: list[str] = []
    quoting: list[str] = []
    for path in git.names("ls-files", "--others", "-z"):
        try:
            with open(open_plain(os.path.join(repository.top, path)), "rb") as file:
                data = file.read()
        except OSError:
            continue
        after = without_told(data, targets.paths)
        if texts.finds(after) or blob_id(after) in targets.blobs:
            whole.append(path)
        elif lines.finds(after):
            copies = any(all(line.finds(after) for line in version) for version in versions)
            (whole if copies else quoting).append(path)
        if after != data and path not in whole:
            rendered.append(path)
    return whole, rendered, quoting
