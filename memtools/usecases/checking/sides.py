"""What a check judges, and against what: a tree, the staging area, or the end of a range.

Resolves what a person typed; must not judge anything. Settings come from the tree that is judged,
but those of a range from its base, so that no change judges itself by its own settings (rule 22).
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE
from memtools.core.wording import say
from memtools.errors import UsageError
from memtools.git.objects import REGULAR, RENAMES, commit_at, diff_trees, parse_renames, tree_id
from memtools.git.refs import merge_bases
from memtools.usecases.checking.change import Step
from memtools.usecases.checking.files import Files, changed_files, files_at, files_before, files_of
from memtools.usecases.checking.memo import Memo, files_by, read_memo
from memtools.usecases.repository import require_top, where_to_look
from memtools.usecases.tree import (
    NO_CONFIG,
    empty_tree,
    settings_at,
    settings_blob,
    settings_of,
)
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.git.run import Git
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings

TREE = "tree"
STAGED = "staged"
RANGE = "range"


class Sides(NamedTuple):
    """`bases`: the trees it starts from, the first one counts (none: the tree stands for itself).

    `base_settings` and `own_settings` are the blobs of the settings file on both sides (NO_CONFIG:
    none); `renames` old path -> new; `since` and `until` the commits of a range, else "", `tip` the
    one it was asked to start from, `tree` the one it ends with, `memo` what is kept of the last
    range; `crossed` are other commits at which its sides part (merged crosswise). `merging`: what
    is merged into HEAD by the commit being made. `is_revert`: a revert is being committed;
    `is_landing`: the range is about to become part of a protected branch.
    """

    kind: str
    files: Files
    settings: Settings
    bases: tuple[Files, ...] = ()
    base_settings: str = NO_CONFIG
    own_settings: str = NO_CONFIG
    renames: dict[str, str] = {}  # noqa: RUF012  # never changed: a NamedTuple's default
    since: str = ""
    until: str = ""
    tip: str = ""
    tree: str = ""
    memo: Memo | None = None
    crossed: tuple[str, ...] = ()
    merging: tuple[str, ...] = ()
    is_revert: bool = False
    is_landing: bool = False


def tree_side(repository: Repository, treeish: str) -> Sides:
    """A tree that is judged by itself.

    Raises:
        UsageError: there is no such thing.
    """
    git = repository.git
    if treeish == "HEAD":
        tree = repository.head_tree or empty_tree(git)
    else:
        found = None if treeish.startswith("-") else tree_id(git, treeish)
        if found is None:
            raise UsageError(
                say("there is no revision {name} here", name=treeish), where_to_look(git)
            )
        tree = found
    settings = settings_at(git, tree)
    until = ""
    if settings.config.approval.allowed_signers:
        code, out, _ = git.call("rev-parse", "--verify", "--quiet", treeish + "^{commit}")
        until = out.decode().strip() if code == 0 else ""
    return Sides(TREE, files_at(git, tree, settings), settings, until=until)


def staged_side(repository: Repository) -> Sides:
    """The index named by GIT_INDEX_FILE against HEAD, and against what is being merged.

    Raises:
        GitError: there is no work tree.
    """
    from memtools.git.inprogress import is_reverting, merge_heads
    from memtools.git.staging import Staging

    require_top(repository)
    git = repository.git
    staging = Staging(git, repository.git_dir)
    entries = staging.entries()
    held = entries.get(SETTINGS_FILE)
    own = held.blob if held is not None and held.mode in REGULAR else NO_CONFIG
    settings = settings_of(git, own)
    head = repository.head_tree or empty_tree(git)
    merging = merge_heads(repository.git_dir)
    trees = [head, *(_commit(git, parent)[1] for parent in merging)]
    bases = tuple(files_at(git, tree, settings) for tree in trees)
    files = files_of(entries.values(), settings)
    base_settings = settings_blob(git, head)
    if bases[0] == files and base_settings == own:
        return Sides(TREE, files, settings)
    has_gone = bool(bases[0].memories.keys() - files.memories.keys())
    renames = staging.renames(head) if has_gone else {}
    sides = Sides(STAGED, files, settings, bases, base_settings, own, renames)
    return sides._replace(merging=merging, is_revert=is_reverting(repository.git_dir))


def range_side(repository: Repository, text: str) -> Sides:
    """The end of a range `A..B` against the commit where B left A; an all-zero A is no commit.

    Raises:
        UsageError: no range, or a commit of it is not in this clone.
    """
    git = repository.git
    start, dots, end = text.partition("..")
    if not dots:
        raise UsageError(
            say("{text} is no range", text=text), say("type: memtools check --range main..HEAD")
        )
    until, tree = _commit(git, end.removeprefix(".") or "HEAD")
    if start and not start.strip("0"):  # what a forge gives for a branch that is new
        settings = settings_at(git, tree)
        memo = read_memo(repository, settings)
        files = files_by(git, memo, tree, settings)
        sides = Sides(RANGE, files, settings, (Files({}, (), {}),), settings.blob, settings.blob)
        return sides._replace(until=until, tree=tree, memo=memo)
    tip, tip_tree = _commit(git, start or "HEAD")
    parted, *crossed = merge_bases(git, tip, until) or [tip]
    since, base_tree = _commit(git, parted)
    settings = settings_at(git, tip_tree)
    memo = read_memo(repository, settings)
    after = files_by(git, memo, tree, settings)
    before = files_before(after, diff_trees(git, base_tree, tree), settings)
    return Sides(
        RANGE,
        after,
        settings,
        (before,),
        base_settings=settings_blob(git, base_tree),
        own_settings=settings_blob(git, tree),
        renames=_renames(git, base_tree, tree, before, after),
        since=since,
        until=until,
        tip=tip,
        tree=tree,
        memo=memo,
        crossed=tuple(crossed),
    )


def step_of(sides: Sides, before: Tree, after: Tree) -> Step:
    """The step from the first base of a change to its end."""
    told = (sides.renames, sides.since, sides.until, sides.tip, sides.crossed, sides.merging)
    return Step(before, after, *told)


def touched_paths(sides: Sides) -> frozenset[str]:
    """The memories and places that differ from the base, and links that are new."""
    if not sides.bases:
        return frozenset()
    base, files = sides.bases[0], sides.files
    links = set(files.symlinks) - set(base.symlinks)
    places = {path for path, blob in files.places.items() if base.places.get(path) != blob}
    return frozenset(path for path, _ in changed_files(base, files)) | links | places


def brought_settings(git: Git, sides: Sides) -> Settings | None:
    """The settings a change brings along; None: it changes none."""
    if sides.own_settings == sides.base_settings:
        return None
    return settings_of(git, sides.own_settings)


def _commit(git: Git, name: str) -> tuple[str, str]:
    """The ids of a commit and of its tree."""
    found = commit_at(git, name)
    if found is None:
        raise UsageError(
            say("there is no commit {name} in this clone", name=name),
            where_to_look(git),
        )
    return found


def _renames(git: Git, old: str, new: str, before: Files, after: Files) -> dict[str, str]:
    if not before.memories.keys() - after.memories.keys():
        return {}
    return parse_renames(git.run("diff-tree", "-r", *RENAMES, old, new))
