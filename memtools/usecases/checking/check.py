"""check: is what a tree says about retraction true, and what does a change do to what agents hear?

The proof behind the hooks: a full pass over one tree by `ls-tree` and `cat-file`, without network,
search index or the kept ledger; serves bare and shallow repositories.
"""

from __future__ import annotations

from memtools.core.problem import Problem
from memtools.core.screen_secrets import find_secrets, without_echoes
from memtools.core.wording import say
from memtools.errors import DONE, FINDINGS, UsageError
from memtools.git.run import AS_STORED
from memtools.usecases.checking.alike import Alike, find_alike
from memtools.usecases.checking.answerable import key, sorted_out
from memtools.usecases.checking.approval import Approval, Brought, approval_of
from memtools.usecases.checking.blocks import stale_blocks
from memtools.usecases.checking.brought import brought_problems, unsigned_line
from memtools.usecases.checking.change import Means, Step
from memtools.usecases.checking.hushed import hushed
from memtools.usecases.checking.memo import Memo, write_memo
from memtools.usecases.checking.memories import Evidence, Touched, touched_memories
from memtools.usecases.checking.problems import problems_of
from memtools.usecases.checking.resemblance import NOTHING, Resemblance
from memtools.usecases.checking.retractions import Retraction, retractions_of
from memtools.usecases.checking.returns import Return, returns_of
from memtools.usecases.checking.screens import Screens, new_findings
from memtools.usecases.checking.sides import (
    RANGE,
    TREE,
    Sides,
    brought_settings,
    range_side,
    staged_side,
    step_of,
    tree_side,
)
from memtools.usecases.checking.tree import Speaker, Tree, look, look_beside, refuse_missing
from memtools.usecases.checking.way import walk
from memtools.usecases.outcome import code_of
from memtools.usecases.tree import Reader, settings_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.settings import Activation
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository


class Checked(NamedTuple):
    """What a check found.

    `older`: how many problems the base had already and nobody touched; they are not listed.
    `changes`: memories that speak on both sides, with other bytes; `returned`: memories that were
    retracted and are no more. Of a range also all `memories`
    it touches, what new ones are `alike`, who must approve, and the commits it spans (`since` "":
    it starts from nothing). `code` is the exit code.
    """

    problems: tuple[Problem, ...]
    older: int = 0
    enters: tuple[Speaker, ...] = ()
    leaves: tuple[Speaker, ...] = ()
    changes: tuple[Speaker, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    returned: tuple[Return, ...] = ()
    memories: tuple[Touched, ...] = ()
    alike: tuple[Alike, ...] = ()
    approval: Approval = Approval()
    since: str = ""
    until: str = ""
    code: int = DONE


def check(
    repository: Repository,
    treeish: str = "",
    *,
    staged: bool = False,
    range: str = "",
    everything: bool = False,
    strict: bool = False,
) -> Checked:
    """Judge a tree (HEAD), the staging area, or what a range `A..B` brings; nothing is written.

    `everything`: HEAD, and secrets in lines however old. `strict`: a warning fails too.

    Raises:
        UsageError: no such revision, or two targets at once.
        GitError: `staged` without a work tree.
    """
    if sum((bool(treeish), staged, bool(range), everything)) > 1:
        raise UsageError(
            say("a treeish, --staged, --range and --all cannot be checked together"),
            say("type: memtools check --help"),
        )
    if staged:
        sides = staged_side(repository)
    elif range:  # what is merged is what is stored, whatever stands in for it here
        repository = repository._replace(git=repository.git.with_env(**AS_STORED))
        sides = range_side(repository, range)
    else:
        sides = tree_side(repository, treeish or "HEAD")
    checked = hushed(_judge(repository, sides, everything=everything))
    code = FINDINGS if strict and checked.problems else code_of(checked.problems)
    return checked._replace(code=code)


def problems_of_range(repository: Repository, base: str, tip: str) -> tuple[Problem, ...]:
    """What is wrong with commits that are about to become part of a protected branch.

    `base`: its end before them ("": it begins with them). What only a reader of a pull request
    wants to know is left out.
    """
    sides = range_side(repository, f"{base or '0'}..{tip}")._replace(is_landing=True)
    return hushed(_judge(repository, sides)).problems


def _judge(repository: Repository, sides: Sides, *, everything: bool = False) -> Checked:
    git = repository.git
    reader = Reader(git, sides.settings.config)
    after = _look(git, sides, reader)
    found = problems_of(git, after, reader, refuses_unmatched=_refuses_unmatched(sides))
    found += stale_blocks(git, after, reader, _activation(git, sides))
    if sides.kind != RANGE:  # a range is judged by its base; what it brings comes below
        found = [*sides.settings.problems, *found]
    if everything:
        found += _all_secrets(after, reader)
    if sides.bases:
        return _judge_change(repository, sides, reader, after, found)
    found += unsigned_line(git, sides)
    return Checked(tuple(found), retractions=retractions_of(reader, after, None))


def _judge_change(
    repository: Repository, sides: Sides, reader: Reader, after: Tree, found: list[Problem]
) -> Checked:
    """What a change answers for of what was `found` in the tree it ends with, and what it does."""
    git, memo = repository.git, sides.memo
    befores = [look_beside(after, files, reader) for files in sides.bases]
    step = step_of(sides, befores[0], after)
    kept, older = sorted_out(sides, found, _known(git, sides, befores, reader))
    screens = Screens(memo.clean, memo.passed) if memo else Screens()
    means = Means(git, reader, screens, Resemblance(reader, memo.compared if memo else NOTHING))
    kept += new_findings(step, means)
    way = walk(step, means)
    own = brought_settings(git, sides)
    returned = () if sides.is_revert else returns_of(step, means, way.buried, own)
    kept = without_echoes([*kept, *way.problems, *brought_problems(git, sides, step, returned)])
    old, new = step.before.layer, after.layer
    checked = Checked(
        tuple(kept),
        older,
        tuple(new[path] for path in sorted(new.keys() - old.keys())),
        tuple(old[path] for path in sorted(old.keys() - new.keys())),
        tuple(new[path] for path in sorted(_changed_speakers(step))),
        retractions_of(reader, after, step.before),
        returned,
    )
    if sides.kind != RANGE:
        return checked
    if not sides.is_landing:
        checked = _with_approval(means, checked, step)
    kept_now = Memo(sides.tree, after, screens.clean, screens.passed, means.resemblance.known)
    if memo is None or memo._replace(tree=after) != kept_now:
        write_memo(repository, kept_now)
    return checked


def _known(
    git: Git, sides: Sides, befores: Sequence[Tree], reader: Reader
) -> set[tuple[str, str, str]]:
    """The keys of the problems the bases have already."""
    found = set()
    for number, before in enumerate(befores):
        problems = problems_of(git, before, reader, refuses_unmatched=_refuses_unmatched(sides))
        found |= {
            key(problem)
            for problem in problems
            if number == 0 or problem.rule != "retract-unapplied"  # a merge brings that one in
        }
        found.update(map(key, stale_blocks(git, before, reader, sides.settings.config.activation)))
    return found


def _refuses_unmatched(sides: Sides) -> bool:
    return sides.kind != TREE and sides.settings.config.retraction.unmatched == "refuse"


def _look(git: Git, sides: Sides, reader: Reader) -> Tree:
    """The tree that is judged; of a range by what differs from the last one that was."""
    if sides.memo is None:
        return look(git, sides.files, sides.settings, reader)
    tree = look_beside(sides.memo.tree, sides.files, reader)
    refuse_missing(git, tree)
    return tree


def _with_approval(means: Means, checked: Checked, step: Step) -> Checked:
    """Add what a pull request is told beyond a commit: look-alikes, the gate, who approves."""
    alike = find_alike(step, means)
    evidence = Evidence(
        checked.problems, checked.retractions, alike, means.screens, checked.returned
    )
    memories = touched_memories(step, means.reader, evidence)
    speakers = (*checked.enters, *checked.leaves, *checked.changes)
    brought = Brought(speakers, memories, checked.retractions, checked.problems)
    approval = approval_of(brought, step.after.settings.config.approval)
    return checked._replace(
        memories=memories, alike=alike, approval=approval, since=step.since, until=step.until
    )


def _activation(git: Git, sides: Sides) -> Activation:
    """How much a block may hold: of a range its own settings say so, they let nothing else in."""
    if sides.kind != RANGE:
        return sides.settings.config.activation
    return settings_of(git, sides.own_settings).config.activation


def _changed_speakers(step: Step) -> set[str]:
    """Memories of the layer on both sides whose file differs."""
    old, new = step.before, step.after
    return {
        path
        for path in old.layer.keys() & new.layer.keys()
        if old.files.memories.get(path) != new.files.memories.get(path)
    }


def _all_secrets(tree: Tree, reader: Reader) -> list[Problem]:
    pairs = list(tree.files.memories.items())
    return [found for studied in reader(pairs) for found in find_secrets(studied.memory)]
