"""What a candidate is judged against: HEAD, its settings, what was retracted there.

Opened once for one candidate or a whole import. Must not know the policy, nor store anything.
"""

from __future__ import annotations

from memtools.core.address import parse_address
from memtools.core.facts import study, target_hits
from memtools.core.gate import Repeat
from memtools.core.likeness import COPY, PARAPHRASE, comparable, likeness, says_again, says_the_same
from memtools.core.memory import read_memory
from memtools.git.objects import blobs_at
from memtools.usecases.changing.head import read_head
from memtools.usecases.committing.places import sees_all
from memtools.usecases.repository import load_config
from memtools.usecases.searchindex import best_paths
from memtools.usecases.settings import settings_in_force
from memtools.usecases.tree import NO_CONFIG, plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memtools.config import Config
    from memtools.core.facts import Studied
    from memtools.core.problem import Problem
    from memtools.usecases.changing.head import Head
    from memtools.usecases.repository import Repository

_ASKED = 50  # memories the search index is asked for
_SHOWN = 5  # look-alikes that are shown
_WORDS = 400  # characters of a candidate the search index is asked with


class Buried(NamedTuple):
    """A retracted memory: its words as they are compared, and what is told of its end."""

    path: str
    words: str
    by: str
    at: str
    why: str


class Alike(NamedTuple):
    """A memory that reads like the candidate; `score` from 0 to 1."""

    path: str
    score: float
    status: str


class Desk(NamedTuple):
    """`config`: the settings the gate goes by; `phrases`: (phrase, path it retracted).

    `faults`: what is wrong in the file of these settings.
    """

    head: Head
    config: Config
    buried: tuple[Buried, ...]
    phrases: tuple[tuple[str, str], ...]
    faults: tuple[Problem, ...] = ()


def open_desk(
    repository: Repository, *, writes: bool, sees: Callable[[str], bool] = sees_all
) -> Desk:
    """Read what candidates are judged against: the memories whose paths the proposer `sees`.

    The settings are those of `read_ref`, else of HEAD, else (none committed yet) of the work tree:
    an agent cannot loosen the gate by saving a file.

    Raises:
        GitError: there is no work tree.
        PolicyError: the repository asks for another memtools.
    """
    head = read_head(repository, writes=writes)._replace(sees=sees)
    plan = plan_of(head.ledger, head.settings)
    hidden = {target.path: target.declared_in for target in plan.targets}
    gone = [path for path in (*head.ledger.tombstones, *hidden) if sees(path)]
    held = blobs_at(repository.git, head.tree, gone) if gone else {}
    pairs = [(entry.path, entry.blob) for entry in held.values()]
    buried = tuple(_buried(one, hidden) for one in head.reader(pairs))
    phrases = tuple(
        (marker.phrase, path)
        for marker in plan.markers
        for path in (*marker.buried, *(path for path in marker.live if path in hidden))[:1]
        if parse_address(marker.phrase).kind == "phrase" and sees(path)
    )
    config, faults = _config(repository, head)
    return Desk(head, config, buried, phrases, faults)


def _config(repository: Repository, head: Head) -> tuple[Config, tuple[Problem, ...]]:
    in_force = settings_in_force(repository)
    if in_force.config.read_ref:
        return in_force.config, in_force.problems
    if head.settings.blob != NO_CONFIG:
        return head.settings.config, head.settings.problems
    return load_config(repository)


def _buried(studied: Studied, hidden: dict[str, str]) -> Buried:
    memory = studied.memory
    by = memory.retracted_by or hidden.get(memory.path, "")
    words = comparable(studied.body)
    return Buried(memory.path, words, by, memory.retracted_at, memory.retracted_reason)


def find_repeat(desk: Desk, studied: Studied) -> tuple[Repeat | None, int]:
    """The retracted memory a candidate says again, and how alike the two are in percent."""
    words = comparable(studied.body)
    best, score = None, 0
    for buried in desk.buried:
        alike = says_again(words, buried.words)
        if alike > score:
            best, score = buried, alike
    if best is None:
        best = _by_phrase(desk, studied)
        score = PARAPHRASE
    if best is None:
        return None, 0
    is_copy = score >= COPY and says_the_same(words, best.words)
    return Repeat(best.path, best.by, best.at, best.why, is_copy), score


def _by_phrase(desk: Desk, studied: Studied) -> Buried | None:
    """The retracted memory whose retracted phrase the candidate holds word for word."""
    path = next((path for phrase, path in desk.phrases if target_hits(phrase, studied)), "")
    return next((buried for buried in desk.buried if buried.path == path), None)


def find_alike(desk: Desk, title: str, studied: Studied) -> tuple[Alike, ...]:
    """The memories that read most like a candidate: a hint, so that nothing is stored twice."""
    text = studied.body
    repository = desk.head.repository
    asked = f"{title} {text}"[:_WORDS]
    best = best_paths(repository, asked, desk.head.tree, desk.head.settings, _ASKED)
    paths = list(filter(desk.head.sees, best or ()))
    held = blobs_at(repository.git, desk.head.tree, paths) if paths else {}
    words = comparable(text)
    found = []
    for other in desk.head.reader([(entry.path, entry.blob) for entry in held.values()]):
        alike = likeness(words, comparable(other.body), PARAPHRASE)
        if alike:
            found.append(Alike(other.memory.path, alike / 100, str(other.memory.status)))
    return tuple(sorted(found, key=lambda one: (-one.score, one.path))[:_SHOWN])


def study_candidate(desk: Desk, path: str, raw: bytes) -> Studied:
    """A candidate's bytes as a memory of this repository would be studied."""
    return study(read_memory(path, raw, desk.config.vocabulary), "")
