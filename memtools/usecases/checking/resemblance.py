"""How alike new memories are to all others; remembered from range to range.

Everything is kept by blob, so nothing that is kept can be out of date. Must not know what becomes
of a look-alike.
"""

from __future__ import annotations

from memtools.core.likeness import (
    COPY,
    PARAPHRASE,
    can_be_reworded,
    comparable,
    likeness,
    rewording,
    says_again,
    says_the_same,
)
from memtools.core.sampling import KEPT, sample_of, worth_comparing
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memtools.usecases.tree import Reader

    # How alike in percent, and: does it say the same in the same words?
    Score = tuple[int, bool]
    Scores = dict[str, dict[str, Score]]  # blob of a new memory -> blob of another -> score
    Pairs = Sequence[tuple[str, str]]  # memories as (path, blob)


class Met(NamedTuple):
    """`scores` of the new memories with all that are alike among `others`, by their blobs."""

    scores: Scores
    others: frozenset[str]


class Compared(NamedTuple):
    """What is known. `samples`: blob -> its runs of letters, parted by blanks.

    What was compared with `living` memories and what with `retracted` ones are kept apart: a text
    may be that of both, and is held against each in another way.
    """

    samples: dict[str, str]
    living: Met
    retracted: Met


NOTHING = Compared({}, Met({}, frozenset()), Met({}, frozenset()))


class Resemblance:
    """Compares memories by their blobs; `known` grows."""

    def __init__(self, reader: Reader, known: Compared = NOTHING) -> None:
        self._reader = reader
        self._texts: dict[str, str] = {}
        self.known = known

    def with_living(self, new: Pairs, others: Pairs) -> Scores:
        """The scores of new memories with each living one that is alike."""
        living = self._met(new, others, self.known.living, is_gone=False)
        self.known = self.known._replace(living=living)
        return living.scores

    def with_retracted(self, new: Pairs, others: Pairs) -> Scores:
        """The same with those that are retracted: no pair should be missed."""
        retracted = self._met(new, others, self.known.retracted, is_gone=True)
        self.known = self.known._replace(retracted=retracted)
        return retracted.scores

    def _met(self, new: Pairs, others: Pairs, known: Met, *, is_gone: bool) -> Met:
        again = {blob: path for path, blob in new if blob in known.scores}
        fresh = {blob: path for path, blob in new if blob not in known.scores}
        held = {blob: path for path, blob in others}
        due = {blob: path for blob, path in held.items() if blob not in known.others}
        found: Scores = {blob: {} for blob in fresh}
        for blob in again:
            kept = known.scores[blob].items()
            found[blob] = {other: score for other, score in kept if other in held}
        unread = [(path, blob) for blob, path in fresh.items() if blob not in self._texts]
        for studied in self._reader(unread):
            self._texts[studied.facts.blob] = comparable(studied.body)
        for mine, theirs in ((fresh, held), (again, due)):
            for blob, other, score in self._compare(mine, theirs, is_gone=is_gone):
                found[blob][other] = score
        return Met(found, frozenset(held))

    def _compare(
        self, mine: Mapping[str, str], theirs: Mapping[str, str], *, is_gone: bool
    ) -> Iterator[tuple[str, str, Score]]:
        if not mine or not theirs:
            return
        near = self._near(mine, theirs, all_of_them=is_gone)
        copies = self._by_text(mine, theirs) if is_gone else {}
        find: Callable[[str], list[str]] | None = None
        for studied in self._reader([(theirs[blob], blob) for blob in near]):
            other, text = studied.facts.blob, comparable(studied.body)
            found = {*near[other], *copies.get(text, ())}
            if is_gone and can_be_reworded(text):
                find = find or rewording({blob: self._text(mine, blob) for blob in mine})
                found.update(find(text))
            for blob in found:
                score = score_of(self._text(mine, blob), text, is_gone=is_gone)
                if score:
                    yield blob, other, score

    def _near(
        self, mine: Mapping[str, str], theirs: Mapping[str, str], *, all_of_them: bool
    ) -> dict[str, list[str]]:
        """Other blob -> those of `mine` that may read like it.

        `all_of_them`: no other one is left out, and no pair should be missed.
        """
        ours, others = list(mine), list(theirs)
        near: dict[str, list[str]] = {blob: [] for blob in others} if all_of_them else {}
        samples = [self._sample(mine, blob, is_whole=all_of_them) for blob in ours]
        pairs = worth_comparing(samples, self._sampled(theirs), all_of_them=all_of_them)
        for one, place in pairs:
            near.setdefault(others[place], []).append(ours[one])
        return near

    def _by_text(self, mine: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, list[str]]:
        """Comparable text -> those of `mine` that have it, as far as one of `theirs` may, too."""
        self._sampled({**mine, **theirs})
        samples, found = self.known.samples, dict[str, list[str]]()
        like = {samples[blob] for blob in theirs}
        for blob in mine:
            if samples[blob] in like:
                found.setdefault(self._text(mine, blob), []).append(blob)
        return found

    def _text(self, memories: Mapping[str, str], blob: str) -> str:
        """The comparable text of one of these memories, given as blob -> path."""
        if blob not in self._texts:
            self._texts[blob] = comparable(self._reader.one(memories[blob], blob).body)
        return self._texts[blob]

    def _sample(self, memories: Mapping[str, str], blob: str, *, is_whole: bool) -> list[str]:
        """That of one of these memories; `is_whole`: not cut, what it costs."""
        if blob not in self._texts:
            kept = self._sampled({blob: memories[blob]})[0]
            if not is_whole or len(kept) < KEPT:
                return kept
        return sample_of(self._text(memories, blob))

    def _sampled(self, memories: Mapping[str, str]) -> list[list[str]]:
        """The sample of each memory, given as blob -> path; none is taken twice."""
        samples = self.known.samples
        lacking = [(path, blob) for blob, path in memories.items() if blob not in samples]
        for studied in self._reader(lacking):
            sample = sample_of(comparable(studied.body))[:KEPT]
            samples[studied.facts.blob] = " ".join(sample)
        return [samples[blob].split() for blob in memories]


def score_of(text: str, other: str, *, is_gone: bool) -> Score | None:
    """How alike two comparable texts are, None when they are not; `is_gone`: one was retracted."""
    if text and text == other:
        return 100, True
    percent = says_again(text, other) if is_gone else likeness(text, other, PARAPHRASE)
    return (percent, percent >= COPY and says_the_same(text, other)) if percent else None
