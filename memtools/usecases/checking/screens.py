"""What the screens find in the memories of a change and in its new lines; none is screened twice.

Must not know what follows from a finding.
"""

from __future__ import annotations

from memtools.core.memory import numbered_lines
from memtools.core.screen_secrets import with_way_out
from memtools.core.wording import say
from memtools.usecases.checking.files import changed_files
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.facts import Studied
    from memtools.core.memory import Memory
    from memtools.core.problem import Problem
    from memtools.core.wording import Said
    from memtools.usecases.checking.change import Means, Step
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


def new_findings(step: Step, means: Means) -> Iterator[Problem]:
    """What the screens find in lines the old tree did not have."""
    reader, screens = means.reader, means.screens
    changed = changed_files(step.before.files, step.after.files)
    present = [(path, blob) for path, blob in changed if blob is not None]
    clean = screens.clean
    for studied in reader([pair for pair in present if pair not in clean]):
        memory = studied.memory
        if found := screens(studied).problems:
            found = tuple(with_way_out(found, _way_out())) if step.until else found
            yield from in_new_lines(memory, found, old_versions(step, reader, memory.path))


def _way_out() -> Said:
    return say(
        "take it out of the commit that brings it (git commit --amend, git rebase -i), and renew "
        "it when it was pushed; when it is none, who merges decides"
    )


def in_new_lines(
    memory: Memory, found: Sequence[Problem], versions: Sequence[Memory]
) -> Iterator[Problem]:
    """Those of the findings in a memory whose line none of these older versions has."""
    texts = dict(numbered_lines(memory))
    known = {text for version in versions for _, text in numbered_lines(version)}
    yield from (one for one in found if texts.get(one.line) not in known)


def old_versions(step: Step, reader: Reader, path: str) -> list[Memory]:
    """The memory as the old tree has it, if it does; `path`: where it stands now."""
    came_from = step.came_from.get(path, path)
    blob = step.before.files.memories.get(came_from)
    return [reader.one(came_from, blob).memory] if blob else []
