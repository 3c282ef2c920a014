"""What the history of HEAD says was proposed, approved and rejected: by trailers, and by merges.

Must not judge. Anybody who commits can write such a trailer: these are figures, no proof.
"""

from __future__ import annotations

from memtools.core.deeds import Act, Deed
from memtools.core.trailers import APPROVED, BY_DAILY, GATE, PROPOSED, REJECTED
from memtools.core.vocabulary import Status
from memtools.errors import GitError
from memtools.git.blobhistory import made_on_the_line
from memtools.git.trailers import commits_telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtools.git.run import Git
    from memtools.git.trailers import Told
    from memtools.usecases.tree import Reader

_ACTS = {PROPOSED: Act.PROPOSED, APPROVED: Act.APPROVED, REJECTED: Act.REJECTED}


def read_deeds(git: Git) -> list[Deed]:
    """All of them, the newest first; merged branches count with what was done on them."""
    try:
        return [deed for told in commits_telling(git, _ACTS) for deed in _deeds(told)]
    except GitError:  # nothing is committed yet
        return []


def _deeds(told: Told) -> Iterator[Deed]:
    is_by_daily = BY_DAILY in map(": ".join, told.trailers)
    said = {value.partition(" ")[0] for value in told.values(GATE)}
    verdict = said.pop() if len(said) == 1 else ""
    for key, value in told.trailers:
        act = _ACTS.get(key)
        if act is Act.REJECTED:
            path, blob = value.rpartition(" ")[0], ""
        else:
            blob, _, path = value.partition(" ")
        if act is not None:
            yield Deed(act, path, blob, told.at, told.who, told.commit, verdict, is_by_daily)


def untold_approvals(
    git: Git, reader: Reader, deeds: Iterable[Deed], statuses: Mapping[str, str]
) -> Iterator[Deed]:
    """Approvals no trailer tells: the merge of a branch, a status that was changed by hand.

    `statuses`: path -> status of each memory of HEAD.
    """
    every = list(deeds)
    told = {deed.path for deed in every if deed.act is Act.APPROVED}
    proposed = {deed.path: deed for deed in reversed(every) if deed.act is Act.PROPOSED}
    is_in = (Status.ACTIVE, Status.RETRACTED)
    wanted = {p for p in proposed if statuses.get(p) in is_in and p not in told}
    for made in made_on_the_line(git, sorted(wanted)):
        if made.path not in wanted or not made.blob:
            continue
        if reader.one(made.path, made.blob).memory.status is Status.ACTIVE:
            wanted.remove(made.path)
            first = proposed[made.path]
            if made.commit != first.commit:  # else its branch became the line: nobody knows when
                yield Deed(Act.APPROVED, made.path, first.blob, made.at, made.who, made.commit)
