"""Which of many texts are worth comparing letter by letter: those that share some of their runs.

A sample is the same for the same text each time, so it can be kept. Finding by samples loses few
pairs of texts that are alike, and costs a look at some fifty runs a text. Must not know memories.
"""

from __future__ import annotations

from collections import Counter

from memtools.core.likeness import RUN, runs_of
from memtools.core.pattern import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    Sample = Sequence[str]

# Runs that begin with a letter that stands about once in 25, in some scripts; a text with few of
# them is short, or of another script, and gives others of its runs.
_ANCHORED = lazy(f"(?=([bkvpのをкд].{{{RUN - 1}}}))")
_FEW = 16
_OTHERS = 64
_RAREST = 48  # of a sample: those that fewest texts have
# One in so many of the runs of the smaller sample has to be shared.
_SHARE = 6
_SHARE_OF_WANTED = 16


def sample_of(text: str) -> list[str]:
    """Some runs of letters of a comparable text; none holds a blank."""
    found = set(_ANCHORED.findall(text.replace(" ", "")))
    return sorted(found if len(found) >= _FEW else sorted(runs_of(text))[:_OTHERS])


def worth_comparing(
    mine: Sequence[Sample], theirs: Sequence[Sample], wanted: Collection[int] = ()
) -> Iterator[tuple[int, int]]:
    """The pairs of texts that may be alike, as (place in `mine`, place in `theirs`).

    `wanted`: places in `theirs` of which no pair should be missed.
    """
    runs = {run for sample in mine for run in sample}
    shared = [runs.intersection(sample) for sample in theirs]
    counted = Counter(run for sample in shared for run in sample)
    rarest = [
        sorted(filter(counted.__contains__, sample), key=counted.__getitem__)[:_RAREST]
        for sample in mine
    ]
    holders: dict[str, list[int]] = {}
    for place, sample in enumerate(rarest):
        for run in sample:
            holders.setdefault(run, []).append(place)
    for place, found_in in enumerate(shared):
        share = _SHARE_OF_WANTED if place in wanted else _SHARE
        found = Counter(one for run in found_in for one in holders.get(run, ()))
        for one, count in sorted(found.items()):
            if count >= min(len(rarest[one]), len(theirs[place])) / share:
                yield one, place
