"""What the screens find in the memories of a change, each memory screened once.

Must not know which lines are new, nor what follows from a finding.
"""

from __future__ import annotations

from memtools.core.screen_problems import find_unseen_and_orders
from memtools.core.screen_secrets import find_sensitive
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.facts import Studied
    from memtools.core.problem import Problem
    from memtools.git.run import Git
    from memtools.usecases.tree import Reader


class Screened(NamedTuple):
    """`is_doubtful`: something else is there whose shape alone does not prove a secret."""

    problems: tuple[Problem, ...]
    is_doubtful: bool


class Screens:
    """Screens memories, and remembers what was found."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Screened] = {}

    def __call__(self, studied: Studied) -> Screened:
        """All findings in one memory."""
        key = (studied.facts.path, studied.facts.blob)
        if key not in self._known:
            found, is_doubtful = find_sensitive(studied.memory)
            found += find_unseen_and_orders(studied.memory)
            self._known[key] = Screened(tuple(found), is_doubtful)
        return self._known[key]


class Means(NamedTuple):
    """What a check looks at a change with."""

    git: Git
    reader: Reader
    screens: Screens
