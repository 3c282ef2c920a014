"""The tree at the end of the last range that was checked: the next range is read from there.

And what the screens found nothing in: memories of that tree, commits of that range. A server, or a
branch that grows, is judged by what changed since; a memo that is missing, damaged or of other
settings costs one full pass. A tree checked by itself never uses it. Must not know what becomes of
the findings.
"""

from __future__ import annotations

from memtools.core.facts import FACTS_VERSION
from memtools.core.version import VERSION
from memtools.errors import GitError
from memtools.git.objects import diff_trees
from memtools.usecases.checking.files import Files, files_after, files_at
from memtools.usecases.checking.resemblance import Compared, Met
from memtools.usecases.checking.screens import NOTHING_PASSED, Passed
from memtools.usecases.checking.tree import Seen, Speaker, Tree
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.state import CHECKED, plain_ledger, whole_ledger
from memtools.usecases.tree import Settings, plan_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memtools.git.run import Git
    from memtools.usecases.checking.resemblance import Scores
    from memtools.usecases.repository import Repository

_MADE_BY = (VERSION, FACTS_VERSION, 11)
_PAIRS = [(str, str)]
_FACTS = (str, str, str, bool, *(str,) * 7, [str], [(int, str)])
_SEEN = (
    *(str, [str], str, str, float | int | None, str, [str], ()),
    *([(str, str, str, str, int)], bool),
)
_MET = ({str: {str: (int, bool)}}, [str])
_SHAPE = (
    *(object, str, str, _PAIRS, [str], _PAIRS, ([_FACTS], [(str, [str])])),
    *([(str, _SEEN)], _PAIRS, [str], _PAIRS, {str: str}, _MET, _MET),
)
_COMMITS = 5000  # kept of a range


class Memo(NamedTuple):
    """What is kept: a tree, its id; `clean` and `passed` as `Screens` has them; `compared`."""

    tree_id: str
    tree: Tree
    clean: frozenset[tuple[str, str]]
    passed: Passed
    compared: Compared


def files_by(git: Git, memo: Memo | None, tree_id: str, settings: Settings) -> Files:
    """What a tree holds: by what differs from the kept one, if that is still in this clone."""
    if memo is None:
        return files_at(git, tree_id, settings)
    try:
        return files_after(memo.tree.files, diff_trees(git, memo.tree_id, tree_id), settings)
    except GitError:
        return files_at(git, tree_id, settings)


def read_memo(repository: Repository, settings: Settings) -> Memo | None:
    """What is kept, when the tree was looked at under these settings.

    Memories with problems are not in its `seen`: they are looked at each time anew.
    """
    kept = read_checked(repository.state_dir, CHECKED, _SHAPE)
    try:
        made_by, blob, tree_id, memories, symlinks, places, ledger, seen, clean, *rest = kept
        if (made_by, blob) != (_MADE_BY, settings.blob):
            return None
        bytes.fromhex(tree_id)  # git is asked for it
        whole = whole_ledger(*ledger)
        told = {path: _whole(row) for path, row in seen}
        files = Files(dict(memories), tuple(symlinks), dict(places))
        tree = Tree(files, settings, whole, plan_of(whole, settings), told)
        pairs = frozenset((path, blob) for path, blob in clean)
        *way, samples, living, retracted = rest
        known = Compared(samples, _met(*living), _met(*retracted))
        return Memo(tree_id, tree, pairs, _passed(*way), known)
    except (TypeError, ValueError, LookupError, AttributeError):
        return None


def write_memo(repository: Repository, memo: Memo) -> None:
    """Keep it; where that cannot be written the next range costs a full pass again."""
    tree, files = memo.tree, memo.tree.files
    seen = [(path, _plain(one)) for path, one in tree.seen.items() if not one.problems]
    passed = memo.passed if len(memo.passed.commits) <= _COMMITS else NOTHING_PASSED
    held, compared = set(files.memories.values()), memo.compared
    kept = (
        _MADE_BY,
        tree.settings.blob,
        memo.tree_id,
        list(files.memories.items()),
        list(files.symlinks),
        list(files.places.items()),
        plain_ledger(tree.ledger),
        seen,
        [pair for pair in memo.clean if files.memories.get(pair[0]) == pair[1]],
        list(passed.commits),
        list(passed.buried),
        {blob: text for blob, text in compared.samples.items() if blob in held},
        (compared.living.scores, list(compared.living.others)),
        (compared.retracted.scores, list(compared.retracted.others)),
    )
    write_checked(repository.state_dir, CHECKED, kept)


def _passed(commits: list[str], buried: list[tuple[str, str]]) -> Passed:
    return Passed(frozenset(commits), frozenset((path, blob) for path, blob in buried))


def _met(scores: Scores, others: list[str]) -> Met:
    return Met(scores, frozenset(others))


def _plain(seen: Seen) -> tuple[Any, ...]:
    return (*seen[:-2], (tuple(seen.speaker),) if seen.speaker else (), seen.is_empty)


def _whole(row: tuple[Any, ...]) -> Seen:
    *told, speaker, is_empty = row
    return Seen._make((*told, Speaker._make(*speaker) if speaker else None, is_empty))
