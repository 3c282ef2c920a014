"""What the doctor looks at, and the shape of an answer. Must not examine anything itself."""

from __future__ import annotations

from datetime import UTC, datetime

from memtools.config import environ
from memtools.usecases.checking.files import files_at
from memtools.usecases.checking.tree import Tree, look
from memtools.usecases.diagnosing.signs import Signs, read_signs
from memtools.usecases.installing.init import Machine, this_machine
from memtools.usecases.repository import require_top
from memtools.usecases.state import Standing, read_standing
from memtools.usecases.tree import Reader, Settings, empty_tree, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtools.usecases.repository import Repository

_SHOWN = 5  # places named one by one


class Check(NamedTuple):
    """One answer. `ok` may come with a message that is worth knowing; `hint` is what to type.

    `fixable`: `doctor --fix` can mend it.
    """

    id: str
    ok: bool
    message: str
    hint: str = ""
    fixable: bool = False


class Patient(NamedTuple):
    """The repository, HEAD read in full, and the ledger as it was kept before anyone looked."""

    repository: Repository
    machine: Machine
    tree_id: str
    settings: Settings
    tree: Tree
    reader: Reader
    kept: Standing | None
    signs: Signs


def read_patient(
    repository: Repository, machine: Machine | None = None, now: datetime | None = None
) -> Patient:
    """Read what there is to examine; `now` is aware (default: it is now).

    Raises:
        GitError: there is no work tree.
    """
    require_top(repository)
    tree_id = repository.head_tree or empty_tree(repository.git)
    settings = settings_at(repository.git, tree_id)
    reader = Reader(repository.git, settings.config)
    tree = look(repository.git, files_at(repository.git, tree_id, settings), settings, reader)
    kept = read_standing(repository.state_dir)
    machine = machine or this_machine(environ())
    signs = read_signs(repository, tree, reader, now or datetime.now(UTC))
    return Patient(repository, machine, tree_id, settings, tree, reader, kept, signs)


def named(texts: Iterable[str]) -> str:
    """The first few of some texts in one line, with the number of the rest."""
    every = list(texts)
    rest = f" (+{len(every) - _SHOWN})" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + rest
