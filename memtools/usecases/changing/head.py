"""HEAD as a whole: its ledger, what its markers come to, what our own commits start from.

For commands that act outside a commit of the person (`sweep`, `retract`, `restore`): they judge the
tree of HEAD, never what is staged or on disk.
"""

from __future__ import annotations

from memtools.config import read_variables
from memtools.core.address import parse_address
from memtools.core.facts import study
from memtools.core.ledger import fold
from memtools.core.memory import read_memory
from memtools.core.phrase import find_line
from memtools.core.retraction import MarkerState
from memtools.core.wording import say
from memtools.errors import PolicyError, pip_install
from memtools.git.objects import REGULAR, blobs_at
from memtools.git.staging import Entry
from memtools.usecases.committing.places import PlaceFinder, sees_all
from memtools.usecases.committing.proposal import Proposal
from memtools.usecases.lookup import lookup_in
from memtools.usecases.repository import require_top
from memtools.usecases.standing import standing_at
from memtools.usecases.tree import Reader, empty_tree, settings_at, with_variables
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtools.core.facts import Studied
    from memtools.core.ledger import Ledger
    from memtools.core.retraction import MarkerKey, Plan, Target
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings

WOULD_RETRACT = "would-retract"
RETRACTED = "retracted"
ALREADY = "already"
PENDING = "pending"


class Head(NamedTuple):
    """The tree of HEAD (the empty one before the first commit), read under its own settings.

    `sees`: the paths of the memories that new words are compared with. An agent is not to learn
    from an answer what stands in a memory of another scope.
    """

    repository: Repository
    tree: str
    settings: Settings
    ledger: Ledger
    reader: Reader
    sees: Callable[[str], bool] = sees_all


class Victim(NamedTuple):
    """A memory a marker retracts; `text` is the line of the file the phrase hits.

    `state` is one of the words above. `source`: the memory it was derived from, when it goes along
    with that; such a victim is hit by no phrase, and `text` is "".
    """

    path: str
    line: int
    title: str
    priority: str
    phrase: str
    declared_in: str
    declared_line: int
    state: str
    text: str = ""
    source: str = ""


class Counts(NamedTuple):
    """How many markers there are, and how many of them are in which state."""

    found: int = 0
    applied: int = 0
    open: int = 0
    pending: int = 0


def read_head(repository: Repository, *, writes: bool) -> Head:
    """Read HEAD; `writes`: somebody is going to commit on top of it.

    Raises:
        GitError: there is no work tree.
        PolicyError: the repository asks for another memtools, which alone may write here.
    """
    require_top(repository)
    tree = repository.head_tree or empty_tree(repository.git)
    settings = with_variables(settings_at(repository.git, tree))
    if writes and not settings.config.is_met:
        wanted = settings.config.requires
        raise PolicyError(
            say("this repository requires memtools {wanted}; nothing was changed", wanted=wanted),
            say("install it: {command}", command=pip_install(f"memtools{wanted}")),
        )
    ledger = standing_at(repository, tree, settings).ledger
    return Head(repository, tree, settings, ledger, Reader(repository.git, settings.config))


def ledger_with(head: Head, contents: Mapping[str, bytes], gone: Iterable[str] = ()) -> Ledger:
    """The ledger of HEAD with these files (path -> whole file) in place of its own.

    `gone`: paths of HEAD that are taken out.
    """
    lookup = lookup_in(head.repository, head.tree, head.settings)
    changes: list[tuple[str, str | None]] = [(path, "") for path in contents]
    changes += [(path, None) for path in gone]
    found = fold(head.ledger, changes, reader_with(head, contents), lookup)
    if head.sees is sees_all:
        return found
    hits = {
        target: tuple(path for path in paths if path in contents or head.sees(path))
        for target, paths in found.hits.items()
    }
    return found._replace(hits=hits)


def reader_with(
    head: Head, contents: Mapping[str, bytes]
) -> Callable[[Sequence[tuple[str, str]]], Iterator[Studied]]:
    """Reads memories of HEAD, and these files (path -> whole file) in place of its own."""
    vocabulary = head.settings.config.vocabulary
    files = {path: study(read_memory(path, raw, vocabulary), "") for path, raw in contents.items()}

    def read(pairs: Sequence[tuple[str, str]]) -> Iterator[Studied]:
        others = head.reader([pair for pair in pairs if pair[0] not in files])
        return (files.get(path) or next(others) for path, _ in pairs)

    return read


def proposal_of(head: Head, ledger: Ledger, new: frozenset[MarkerKey]) -> Proposal:
    """HEAD looked at as a commit that changes no memory and has the markers of `new`."""
    return Proposal(
        head_tree=head.tree,
        all_changes=(),
        settings=head.settings,
        base=head.ledger,
        staged=ledger,
        changes=(),
        undone={},
        new=new,
        old_hits={},
        deleted_hits=frozenset(),
        renames={},
        other_parents=(),
        reader=head.reader,
    )


def entries_at(head: Head, paths: Iterable[str]) -> dict[str, Entry]:
    """The entries of some memories in HEAD, as staging would hold them."""
    held = blobs_at(head.repository.git, head.tree, paths)
    return {
        entry.path: Entry(entry.path, entry.mode, entry.blob, "H")
        for entry in held.values()
        if entry.mode in REGULAR
    }


def victims_of(places: PlaceFinder, targets: Sequence[Target], state: str) -> tuple[Victim, ...]:
    """The targets with title and matched text."""
    found = {
        studied.facts.path: studied.memory for studied in places.studied(t.path for t in targets)
    }
    victims = []
    for target in targets:
        memory = found.get(target.path)
        if memory is None:
            continue
        line, text = 1, ""
        if not target.source:
            line, text = _matched(target.phrase, memory.title, memory.body, memory.body_line)
        victims.append(
            Victim(
                target.path,
                line,
                memory.title,
                str(memory.priority),
                target.phrase,
                target.declared_in,
                target.declared_line,
                state,
                text,
                target.source,
            )
        )
    return tuple(victims)


def _matched(phrase: str, title: str, body: str, body_line: int) -> tuple[int, str]:
    """Where a phrase hits, and that line; the title for an address, or for a hit in it."""
    if parse_address(phrase).kind != "phrase":
        return 1, title
    line = find_line(phrase, body, body_line)
    if not line:
        return 1, title
    return line, body.split("\n")[line - body_line].strip()


def count_markers(plan: Plan) -> Counts:
    """The markers of a tree by state."""
    states = [marker.state for marker in plan.markers]
    return Counts(
        len(states),
        states.count(MarkerState.APPLIED),
        states.count(MarkerState.OPEN),
        states.count(MarkerState.PENDING),
    )


def own_message(subject: str, body: str = "", trailers: Sequence[str] = ()) -> str:
    """The message of a commit of ours; an agent's session is named in it (rule 20)."""
    agent = " ".join(read_variables().agent.split())
    last = "\n".join([*trailers, f"Memtools-Agent: {agent}"] if agent else trailers)
    return "\n\n".join(part for part in (subject, body, last) if part) + "\n"
