"""Which of many texts are worth comparing letter by letter: those that share some of their runs.

A sample is the same for the same text each time, so it can be kept. Finding by samples loses few
pairs of texts that are alike, and costs a look at some fifty runs a text. Must not know memories.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from memtools.core.likeness import RUN
from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    Sample = Sequence[str]

# Runs that begin with a letter that stands about once in 25, in some scripts. A text with few of
# them is short, or of another script: it gives others of its runs, too.
_ANCHORED = lazy(f"[bkvpのをкд].{{{RUN - 1}}}")
_FEW = 16
_FILLED = 40
KEPT = 48  # of a sample, the first ones, when it stands for a text that others are held against
_RAREST = 24  # of a sample: those that fewest texts have
_COMMON = 50  # texts that have a run; what stands in more of them tells nothing
_MOST = 12  # of theirs for one of mine
# One in so many of the runs of the smaller sample has to be shared.
_SHARE = 6
_EACH = 20_000  # pairs of texts that cost a quarter of a second
_SHARE_OF_ALL = 16  # when no pair should be missed


def sample_of(text: str) -> list[str]:
    """Some runs of letters of a comparable text, sorted; none holds a blank."""
    tight = text.replace(" ", "")
    found = set(_ANCHORED.findall(tight))
    if len(found) < _FEW:
        others = [run for run in _first_runs(tight, _FILLED) if run not in found]
        found.update(others[: _FILLED - len(found)])
    return sorted(found)


def _first_runs(tight: str, count: int) -> list[str]:
    """The first ones in the order of their letters."""
    found: set[str] = set()
    for letter in sorted(set(tight)):
        at = tight.find(letter)
        while 0 <= at <= len(tight) - RUN:
            found.add(tight[at : at + RUN])
            at = tight.find(letter, at + 1)
        if len(found) >= count:
            break
    return sorted(found)[:count]


def worth_comparing(
    mine: Sequence[Sample],
    theirs: Sequence[Sample],
    *,
    all_of_them: bool = False,
    share: int = 0,
) -> Iterator[tuple[int, int]]:
    """The pairs of texts that may be alike, as (place in `mine`, place in `theirs`).

    Samples of `theirs` may be cut to KEPT. Of each text those it shares most runs with, or with
    `all_of_them` each pair; but of texts that are alike in masses, some. `share`: one in so many
    runs has to be shared (0: as it serves most).
    """
    runs = set(chain.from_iterable(mine))
    shared = [runs.intersection(sample) for sample in theirs]
    counted = Counter(chain.from_iterable(shared))
    common = {run for run, count in counted.items() if count > _COMMON}
    _thin_out(shared, common, _MOST if all_of_them else 0)
    telling = counted if all_of_them else {run: counted[run] for run in counted.keys() - common}
    rarest = [_rarest(sample, telling)[: None if all_of_them else _RAREST] for sample in mine]
    share = share or (_SHARE_OF_ALL if all_of_them else _SHARE)
    holders: dict[str, list[int]] = {}
    for place, sample in enumerate(rarest):
        for run in sample:
            holders.setdefault(run, []).append(place)
    found: list[list[tuple[int, int]]] = [[] for _ in mine]
    for place, held in enumerate(shared):
        counts: dict[int, int] = {}
        for one in chain.from_iterable(map(holders.__getitem__, holders.keys() & held)):
            counts[one] = counts.get(one, 0) + 1
        for one, count in counts.items():
            if count >= min(len(rarest[one]), len(theirs[place])) / share:
                found[one].append((-count, place))
    for one, places in enumerate(found):
        for _, place in sorted(places)[: None if all_of_them else _MOST]:
            yield one, place


def near_ones(mine: Sequence[str], theirs: Sequence[str]) -> Iterator[list[int]]:
    """For each comparable text of `mine` the places of those in `theirs` it may be alike to.

    All of them, unless there are so many pairs that samples have to tell.
    """
    if len(mine) * len(theirs) <= _EACH:
        yield from ([*range(len(theirs))] for _ in mine)
        return
    near: list[list[int]] = [[] for _ in mine]
    samples = [sample_of(text) for text in mine]
    kept = [sample_of(text)[:KEPT] for text in theirs]
    for one, place in worth_comparing(samples, kept, all_of_them=True, share=_SHARE):
        near[one].append(place)
    copies: dict[str, list[int]] = {}
    for place, text in enumerate(theirs):
        copies.setdefault(text, []).append(place)
    for text, places in zip(mine, near, strict=True):
        yield sorted({*places, *copies.get(text, ())})


def _thin_out(shared: Sequence[set[str]], common: AbstractSet[str], most: int) -> None:
    """Take common runs out of all texts but the first `most` that have them."""
    left = dict.fromkeys(common, most)
    for held in shared:
        for run in held & common:
            left[run] -= 1
            if left[run] < 0:
                held.discard(run)


def _rarest(sample: Sample, counted: Mapping[str, int]) -> list[str]:
    """The runs of a sample that any text has, those of the fewest texts first."""
    return sorted(counted.keys() & set(sample), key=lambda run: (counted[run], run))
