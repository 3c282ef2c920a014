"""What the history of HEAD says was proposed, approved and rejected: by trailers, and by merges.

Must not judge. Anybody who commits can write such a trailer: these are figures, no proof.
"""

from __future__ import annotations

from memtools.core.deeds import Act, Deed
from memtools.core.trailers import APPROVED, BY_DAILY, GATE, PROPOSED, REJECTED
from memtools.core.vocabulary import Status
from memtools.git.blobhistory import made_on_the_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtools.git.run import Git
    from memtools.usecases.tree import Reader

_ACTS = {PROPOSED: Act.PROPOSED, APPROVED: Act.APPROVED, REJECTED: Act.REJECTED}
_FIELD = "\x1f"


def read_deeds(git: Git) -> list[Deed]:
    """All of them, the newest first; merged branches count with what was done on them."""
    form = f"--format=%H{_FIELD}%at{_FIELD}%ae{_FIELD}%(trailers:only,unfold)"
    pattern = f"--grep=^({'|'.join(_ACTS)}): "
    code, out, _ = git.call("log", "-z", "-E", pattern, form, "HEAD")
    if code:  # nothing is committed yet
        return []
    records = out.decode("utf-8", "surrogateescape").split("\0")
    return [deed for record in records if record for deed in _deeds(record)]


def _deeds(record: str) -> Iterator[Deed]:
    commit, date, who, trailers = record.split(_FIELD, 3)
    at = int(date) if date.isdigit() else 0  # of a hand-made commit
    lines = trailers.split("\n")
    is_by_daily = BY_DAILY in lines
    named = [line.partition(": ") for line in lines]
    said = {value.partition(" ")[0] for key, _, value in named if key == GATE}
    verdict = said.pop() if len(said) == 1 else ""
    for key, _, value in named:
        act = _ACTS.get(key)
        if act is Act.REJECTED:
            path = value.rpartition(" ")[0]
            yield Deed(act, path, "", at, who, commit, verdict, is_by_daily)
        elif act is not None:
            blob, _, path = value.partition(" ")
            yield Deed(act, path, blob, at, who, commit, verdict, is_by_daily)


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
