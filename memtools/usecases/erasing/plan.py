"""erase, as a plan: what goes, what is changed with it, what would be lost, what stays.

Must not change anything.
"""

from __future__ import annotations

import os

from memtools.core.erasure import Finder, without_told
from memtools.core.wording import say, shell_word
from memtools.errors import RefusedError
from memtools.git.everything import all_ids, commit_refs, objects, refs
from memtools.git.objects import blob_id, list_tree
from memtools.git.retag import chain
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.committing.tombstones import BACKUP_REF
from memtools.usecases.erasing.losses import Losses, Rewritten, count_rewritten, find_losses
from memtools.usecases.erasing.proof import prove
from memtools.usecases.erasing.shape import refuse_hidden, refuse_shape
from memtools.usecases.erasing.targets import Past, Targets, find_targets, read_past
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtools.git.run import Git
    from memtools.usecases.changing.kept_plan import Rows
    from memtools.usecases.repository import Repository


class Erasure(NamedTuple):
    """A plan.

    `copies`: other paths at which the same bytes stand, and go; `changed`: blob -> its bytes then;
    `changed_paths` where those stand; `quoted`: files of HEAD that hold lines of the memory and
    stay as they are; `beside`: objects that are no files, and files of git, that hold a text;
    `others`: paths of other files that end as one of the memory does; `seen`: the refs it is for.
    """

    targets: Targets
    copies: tuple[str, ...]
    changed: dict[str, bytes]
    gone: frozenset[str]
    changed_paths: tuple[str, ...]
    quoted: tuple[str, ...]
    rewritten: Rewritten
    losses: Losses
    beside: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    seen: frozenset[tuple[str, str]] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Is there nothing to erase?"""
        files = self.losses.untracked or self.losses.rendered
        return not any((self.gone, self.changed, files, self.beside))

    @property
    def announced(self) -> frozenset[str]:
        """The files that keep lines of the memory."""
        return frozenset((*self.quoted, *self.losses.quoting))

    @property
    def rows(self) -> Rows:
        """What a dry run names, and `--apply` may change."""
        gone = [(blob, "gone") for blob in sorted(self.gone)]
        changed = [(blob, "changed") for blob in sorted(self.changed)]
        lost = [(path, "lost") for path in (*self.losses.uncommitted, *self.losses.untracked)]
        anew = [(path, "rendered") for path in self.losses.rendered]
        return (*gone, *changed, *lost, *anew)


def watch_erasure(
    repository: Repository, address: str, texts: Sequence[str], *, apply: bool, now: float
) -> Watch:
    """One run of the command (rule 18); the texts are known again by their digests alone."""
    digests = [blob_id(text.encode("utf-8", "surrogateescape")) for text in texts]
    return Watch(repository, ("erase", address, *digests), apply, now)


def plan_erasure(repository: Repository, address: str, texts: Sequence[str]) -> Erasure:
    """Work out what erasing a memory (`address` ""), and texts in all files, comes to.

    Raises:
        UsageError: nothing is named, or a text is too short.
        RefusedError: the address names nothing, or a name of a file or branch holds a text.
        GitError: the history cannot be rewritten from here.
    """
    refuse_shape(repository)
    past = read_past(repository)
    return plan_targets(repository, past, find_targets(repository, past, address, texts))


def plan_targets(repository: Repository, past: Past, targets: Targets) -> Erasure:
    """The same for targets that are known."""
    finder, seen = Finder(targets.texts), named_now(repository.git)
    _refuse_names(repository, past, targets, finder)
    git = repository.git
    gone, changed = set(targets.blobs), {}
    for blob, data in objects(git, all_ids(git, blobs=True)):
        if blob in gone:
            continue
        after = finder.erased(without_told(data, targets.paths))
        if not after and data:
            gone.add(blob)
        elif after != data:
            changed[blob] = after
    beside = set(prove(repository, Targets(texts=targets.texts)).left) - gone - changed.keys()
    _refuse_trees(repository, gone | changed.keys() | beside)
    refuse_hidden(repository, gone | changed.keys())
    mine = set(targets.paths)
    others = {path for paths in past.paths_of.values() for path in paths} - mine
    return Erasure(
        targets,
        tuple(sorted(_paths(past, gone) - mine)),
        changed,
        frozenset(gone),
        tuple(sorted(_paths(past, changed))),
        _quoted(repository, targets, gone, changed),
        count_rewritten(repository, past, gone | changed.keys(), beside),
        find_losses(repository, targets),
        tuple(sorted(beside)),
        tuple(sorted(path for path in others if path.endswith(targets.paths))),
        seen,
    )


def named_now(git: Git) -> frozenset[tuple[str, str]]:
    """Every ref with what it names, but for our own."""
    return frozenset(pair for pair in refs(git).items() if not pair[0].startswith("refs/memtools/"))


def _paths(past: Past, blobs: Iterable[str]) -> set[str]:
    return {path for blob in blobs for path in past.paths_of.get(blob, ())}


def _quoted(
    repository: Repository, targets: Targets, gone: set[str], changed: dict[str, bytes]
) -> tuple[str, ...]:
    """Files of HEAD that would still hold a line of the memory."""
    finder = Finder(targets.lines, plain=True)
    git = repository.git
    entries = [e for e in list_tree(git, repository.head_tree) if e.blob not in gone]
    found = []
    for entry, (blob, data) in zip(
        entries, objects(git, [entry.blob for entry in entries]), strict=True
    ):
        if finder.finds(changed.get(blob, data)):
            found.append(entry.path)
    return tuple(found)


def _refuse_names(repository: Repository, past: Past, targets: Targets, finder: Finder) -> None:
    """A name is not changed behind a person's back."""
    mine = set(targets.paths)
    paths = {path for found in past.paths_of.values() for path in found} - mine
    path = next((p for p in sorted(paths) if finder.finds(os.fsencode(p))), None)
    if path is not None:
        raise RefusedError(
            say("the name of a file holds the text: {path}; nothing was changed", path=path),
            say("erase that file first: memtools erase {path}", path=shell_word(path)),
        )
    ref = next((r for r in sorted(refs(repository.git)) if finder.finds(os.fsencode(r))), None)
    if ref is not None:
        raise RefusedError(
            say("the name of a ref holds the text: {ref}; nothing was changed", ref=ref),
            say("rename or delete it first: git branch -m, git tag -d, git update-ref -d"),
        )


def _refuse_trees(repository: Repository, holding: set[str]) -> None:
    """A ref that names no commit, nor a tag of one, has no history to be written anew."""
    git = repository.git
    whole = commit_refs(git)
    for ref, found in refs(git).items():
        if ref in whole or ref == BACKUP_REF:
            continue
        named = chain(git, found)
        code, out, _ = git.call("ls-tree", "-r", "--format=%(objectname)", named[-1])
        if holding & {*named, *(() if code else out.decode().split())}:
            raise RefusedError(
                say("{ref} names no commit and holds what is to be erased", ref=ref),
                say("type: git update-ref -d {ref}", ref=shell_word(ref)),
            )
