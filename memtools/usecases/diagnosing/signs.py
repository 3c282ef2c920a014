"""What the symptoms of a wrongly set gate are worked out from: HEAD, its history, its candidates.

Must not judge: which figure is too high is the doctor's business.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from memtools.core.candidate import says_candidate
from memtools.core.deeds import Act, followed
from memtools.core.header import read_header, split
from memtools.core.likeness import comparable, is_copy, repeats
from memtools.core.memory import MAX_FILE
from memtools.core.retraction import MarkerState
from memtools.core.sampling import sample_of, worth_comparing
from memtools.core.symptoms import DAY, Symptoms, symptoms_of, ways_in
from memtools.core.vocabulary import BRANCHES, Status
from memtools.git.branch import unmerged_below
from memtools.git.objects import read_objects
from memtools.usecases.diagnosing.deeds import read_deeds, untold_approvals
from memtools.usecases.gatelog import Word, read_answers
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.deeds import Deed
    from memtools.core.screen import Kind
    from memtools.git.run import Git
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.gatelog import Answer
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Reader

_COMPARED = 300  # candidates compared with each other
_SHORT = 100  # letters of a text
_SCREENED = 1000  # memories that came through the gate and are looked at again, the newest
_KINDS: frozenset[Kind] = frozenset({"secret", "personal"})


class Signs(NamedTuple):
    """The figures, and the places behind some of them.

    `queue`: candidates with the days they wait, the oldest first. `repeated`: a candidate and an
    older one it repeats; `again`: a candidate and how often it was proposed once more since it
    waits. `findings`: `PATH:LINE (KIND)` of secrets and personal data in memories
    that came through the gate. `returned`: an active memory and the retracted one it says again.
    """

    symptoms: Symptoms = Symptoms()
    queue: tuple[tuple[str, int], ...] = ()
    repeated: tuple[tuple[str, str], ...] = ()
    again: tuple[tuple[str, int], ...] = ()
    findings: tuple[str, ...] = ()
    returned: tuple[tuple[str, str], ...] = ()


def read_signs(repository: Repository, tree: Tree, reader: Reader, now: datetime) -> Signs:
    """Work all of it out. `now`: aware."""
    git = repository.git
    answers = list(read_answers(repository.state_dir))
    statuses = tree.statuses
    deeds = followed(read_deeds(git), statuses)
    deeds += untold_approvals(git, reader, deeds, statuses)
    seconds = int(now.timestamp())
    waiting = _waiting(git, tree, deeds, seconds)
    # Branches that are not merged are candidates, too (rule 19).
    since = {**waiting, **unmerged_below(git, BRANCHES)}
    return Signs(
        symptoms_of(
            deeds, statuses, since, seconds, [a.at for a in answers if a.word is Word.REJECTED]
        ),
        tuple(_aged(since, seconds)),
        tuple(_repeated(tree, reader, waiting)),
        tuple(_again(tree, answers, waiting)),
        tuple(_findings(git, tree, deeds, statuses)),
        tuple(dict.fromkeys(_returned(tree, reader, statuses))),
    )


def _waiting(git: Git, tree: Tree, deeds: Sequence[Deed], now: int) -> dict[str, int]:
    """The candidates of HEAD, and from when on they wait, as far as that is known."""
    paths = [path for path, seen in tree.seen.items() if seen.status == Status.CANDIDATE]
    proposed = {deed.path: deed.at for deed in reversed(deeds) if deed.act is Act.PROPOSED}
    contents = read_objects(git, [tree.files.memories[path] for path in paths])
    found = {}
    for path, raw in zip(paths, contents, strict=True):
        header = read_header(split(raw or b""))
        if says_candidate(header):
            fields = header.fields
            told = (str(fields.get(key, "")) for key in ("proposed_at", "created"))
            times = (*map(_seconds, told), proposed.get(path, 0), now)
            found[path] = next(filter(None, times))
    return found


def _aged(since: dict[str, int], now: int) -> Iterator[tuple[str, int]]:
    for at, name in sorted((at, name) for name, at in since.items()):
        yield name, max(0, now - at) // DAY


def _seconds(text: str) -> int:
    """An ISO date or date-time as seconds since 1970 (without offset: UTC); 0 for what is none."""
    try:
        found = datetime.fromisoformat(text)
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        return int(aware.timestamp())
    except (ValueError, OverflowError):
        return 0


def _texts(tree: Tree, reader: Reader, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(path, comparable text) of some memories."""
    for studied in reader([(path, tree.files.memories[path]) for path in paths]):
        yield studied.facts.path, comparable(studied.body)


def _samples(tree: Tree, reader: Reader, paths: Iterable[str]) -> list[list[str]]:
    return [sample_of(text) for _, text in _texts(tree, reader, paths)]


def _repeated(tree: Tree, reader: Reader, since: dict[str, int]) -> Iterator[tuple[str, str]]:
    oldest_first = sorted(since, key=lambda path: (since[path], path))[:_COMPARED]
    before: list[tuple[str, str]] = []
    for path, text in _texts(tree, reader, oldest_first):
        other = next((known for known, words in before if _says_again(text, words)), "")
        if other:
            yield path, other
        before.append((path, text))


def _again(
    tree: Tree, answers: Iterable[Answer], since: dict[str, int]
) -> Iterator[tuple[str, int]]:
    counts = Counter(answer.what for answer in answers if answer.word is Word.AGAIN)
    for path in sorted(since):
        count = counts[tree.files.memories[path]]
        if count:
            yield path, count


def _says_again(text: str, words: str) -> bool:
    """Of two short texts one word may be all that matters: these must be equal."""
    return text == words if len(text) < _SHORT else repeats(text, words)


def _findings(
    git: Git, tree: Tree, deeds: Sequence[Deed], statuses: dict[str, str]
) -> Iterator[str]:
    paths = [path for path in ways_in(deeds, statuses) if statuses[path] == Status.ACTIVE]
    if not paths:
        return
    from memtools.core.screen import screen

    paths = paths[:_SCREENED]
    contents = read_objects(git, [tree.files.memories[path] for path in paths])
    for path, raw in zip(paths, contents, strict=True):
        for finding in screen((raw or b"")[:MAX_FILE].decode("utf-8", "replace"), _KINDS):
            if finding.is_certain:
                yield f"{path}:{finding.line} ({finding.kind})"


def _returned(tree: Tree, reader: Reader, statuses: dict[str, str]) -> Iterator[tuple[str, str]]:
    """By the phrase of an applied marker, and by the words of a whole memory."""
    for marker in tree.plan.markers:
        if marker.state is MarkerState.APPLIED:
            yield from ((path, marker.buried[0]) for path in marker.live)
    retracted = [path for path, status in statuses.items() if status == Status.RETRACTED]
    if not retracted:
        return
    active = [path for path, status in statuses.items() if status == Status.ACTIVE]
    buried, alive = (_samples(tree, reader, paths) for paths in (retracted, active))
    near: dict[str, list[str]] = {}
    for one, at in worth_comparing(buried, alive, all_of_them=True):
        near.setdefault(active[at], []).append(retracted[one])
    words = dict(_texts(tree, reader, retracted)) if near else {}
    for path, text in _texts(tree, reader, near):
        for other in near[path]:
            if is_copy(text, words[other]):
                yield path, other
                break
