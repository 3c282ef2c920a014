"""All screens over one text: secrets, personal data, unseen characters, orders to an assistant.

A finding names kind, detector and line, and never holds what was found. What follows from a finding
is the write gate's business, not this module's.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from memtools.core.screen_addresses import addresses_in
from memtools.core.screen_comments import comments_in
from memtools.core.screen_hidden import hidden_in
from memtools.core.screen_orders import orders_in
from memtools.core.screen_personal import (
    cards_in,
    ibans_in,
    mail_addresses_in,
    my_numbers_in,
    named_numbers_in,
)
from memtools.core.screen_phones import phones_in
from memtools.core.screen_scripts import mixed_scripts_in
from memtools.core.screen_secrets import DOUBTFUL, all_secrets_in, plain_text
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal

    Kind = Literal["secret", "personal", "hidden", "mixed-script", "comment", "instruction"]
    # Gives (name, offset in the text) for each thing it finds.
    Detector = Callable[[str], Iterator[tuple[str, int]]]

KINDS = frozenset({"secret", "personal", "hidden", "mixed-script", "comment", "instruction"})


class Finding(NamedTuple):
    """What was found: its kind, the name of its detector, its line (from 1). Never its text."""

    kind: Kind
    name: str
    line: int

    @property
    def is_certain(self) -> bool:
        """Is it a secret or personal data beyond doubt? All else is for a person to judge."""
        return self.kind in ("secret", "personal") and self.name not in DOUBTFUL


def screen(text: str, kinds: frozenset[str] = KINDS) -> tuple[Finding, ...]:
    """All findings of these kinds in a text, by line; each detector at most once a line.

    Unseen characters are looked for in the text as it is, all else after NFKC without them.
    """
    raw = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = plain_text(raw)
    found = set()
    for source, detectors in ((raw, _RAW), (plain, _PLAIN)):
        starts = list(accumulate((len(line) + 1 for line in source.split("\n")), initial=0))
        for kind, detector in detectors:
            if kind not in kinds:
                continue
            found |= {
                Finding(kind, name, bisect_right(starts, at)) for name, at in detector(source)
            }
    return tuple(sorted(found, key=lambda one: (one.line, one.kind, one.name)))


def personal_in(plain: str) -> Iterator[tuple[str, int]]:
    """(name, offset) of all personal data; `plain` comes from `plain_text`."""
    for detector in _PERSONAL:
        yield from detector(plain)


_PERSONAL: tuple[Detector, ...] = (
    mail_addresses_in,
    phones_in,
    cards_in,
    ibans_in,
    my_numbers_in,
    named_numbers_in,
    addresses_in,
)
_RAW: tuple[tuple[Kind, Detector], ...] = (("hidden", hidden_in),)
_PLAIN: tuple[tuple[Kind, Detector], ...] = (
    ("secret", all_secrets_in),
    ("personal", personal_in),
    ("mixed-script", mixed_scripts_in),
    ("comment", comments_in),
    ("instruction", orders_in),
)
