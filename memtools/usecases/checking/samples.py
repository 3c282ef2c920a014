"""The samples of memories that others are held against; no memory is sampled twice.

Must not know which of them are compared.
"""

from __future__ import annotations

from memtools.core.likeness import comparable
from memtools.core.sampling import KEPT, sample_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtools.usecases.tree import Reader


class Samples:
    """Takes samples, and remembers them.

    `known`: blob -> its sample from before, the runs parted by blanks.
    """

    def __init__(self, reader: Reader, known: Mapping[str, str]) -> None:
        self._reader = reader
        self.known = dict(known)

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
        """The sample of each memory, given as (path, blob)."""
        new = [pair for pair in pairs if pair[1] not in self.known]
        for studied in self._reader(new):
            sample = sample_of(comparable(studied.body))[:KEPT]
            self.known[studied.facts.blob] = " ".join(sample)
        return [self.known[blob].split() for _, blob in pairs]
