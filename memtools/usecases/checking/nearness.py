"""Which memories may read like new ones: told by samples, and remembered from range to range.

Everything is kept by blob, so nothing that is kept can be out of date. Must not know what becomes
of a look-alike, nor how alike two texts are.
"""

from __future__ import annotations

from memtools.core.likeness import comparable
from memtools.core.sampling import KEPT, sample_of, worth_comparing
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memtools.usecases.tree import Reader


class Near(NamedTuple):
    """What is known. `samples`: blob -> its runs of letters, parted by blanks.

    `pairs`: blob of a memory that was new -> those among `compared` that may read like it.
    """

    samples: dict[str, str]
    pairs: dict[str, list[str]]
    compared: frozenset[str]


UNKNOWN = Near({}, {}, frozenset())


class Nearness:
    """Tells what is worth comparing; `known` grows."""

    def __init__(self, reader: Reader, known: Near = UNKNOWN) -> None:
        self._reader = reader
        self.known = known

    def __call__(
        self, new: Mapping[str, str], others: Mapping[str, str], wanted: Collection[str]
    ) -> dict[str, set[str]]:
        """Blob of a new memory -> blobs of others that may read like it.

        `new`: blob -> comparable text. `others`: blob -> a path it stands at. `wanted`: those of
        which none should be missed.
        """
        pairs, compared = self.known.pairs, self.known.compared
        near = {blob: set(pairs.get(blob, ())) & others.keys() for blob in new}
        asked = [blob for blob in others if blob in wanted or blob not in compared]
        for mine, theirs in (
            ([blob for blob in new if blob not in pairs], list(others)),
            ([blob for blob in new if blob in pairs], asked),
        ):
            samples = [sample_of(new[blob]) for blob in mine]
            lenient = {place for place, blob in enumerate(theirs) if blob in wanted}
            sampled = self._sampled([(others[blob], blob) for blob in theirs]) if mine else []
            for one, place in worth_comparing(samples, sampled, lenient):
                near[mine[one]].add(theirs[place])
        found = {blob: sorted(blobs) for blob, blobs in near.items()}
        self.known = Near(self.known.samples, found, frozenset(others))
        return near

    def _sampled(self, pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
        """The sample of each memory, given as (path, blob); none is taken twice."""
        samples = self.known.samples
        for studied in self._reader([pair for pair in pairs if pair[1] not in samples]):
            sample = sample_of(comparable(studied.body))[:KEPT]
            samples[studied.facts.blob] = " ".join(sample)
        return [samples[blob].split() for _, blob in pairs]
