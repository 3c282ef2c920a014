"""What the screens find in the memories of a change; nothing is screened twice.

Must not know which lines are new, nor what follows from a finding.
"""

from __future__ import annotations

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.core.facts import Studied
    from memtools.core.problem import Problem
    from memtools.git.run import Git
    from memtools.usecases.checking.resemblance import Resemblance
    from memtools.usecases.tree import Reader


class Screened(NamedTuple):
    """`is_doubtful`: something else is there whose shape alone does not prove a secret."""

    problems: tuple[Problem, ...]
    is_doubtful: bool


_NOTHING = Screened((), is_doubtful=False)


class Passed(NamedTuple):
    """Commits that wrote no secret, in whatever version of a memory.

    `buried`: the tombstones they made, as (path, blob).
    """

    commits: frozenset[str]
    buried: frozenset[tuple[str, str]]


NOTHING_PASSED = Passed(frozenset(), frozenset())


class Screens:
    """Screens memories, and remembers what was found.

    `clean`: memories, as (path, blob), in which nothing was found before; `passed`: commits, too.
    """

    def __init__(
        self, clean: Iterable[tuple[str, str]] = (), passed: Passed = NOTHING_PASSED
    ) -> None:
        self._known = dict.fromkeys(clean, _NOTHING)
        self.passed = passed

    def __call__(self, studied: Studied) -> Screened:
        """All findings in one memory."""
        key = (studied.facts.path, studied.facts.blob)
        if key not in self._known:
            from memtools.core.screen_problems import find_unseen_and_orders
            from memtools.core.screen_secrets import find_sensitive

            found, is_doubtful = find_sensitive(studied.memory)
            found += find_unseen_and_orders(studied.memory)
            self._known[key] = Screened(tuple(found), is_doubtful)
        return self._known[key]

    @property
    def clean(self) -> frozenset[tuple[str, str]]:
        """The memories in which nothing was found, so far."""
        return frozenset(pair for pair, found in self._known.items() if found == _NOTHING)


class Means(NamedTuple):
    """What a check looks at a change with."""

    git: Git
    reader: Reader
    screens: Screens
    resemblance: Resemblance
