"""A push, judged where it is received: what may get onto a protected branch, what is not stored.

Runs before any ref moves, on the objects git keeps apart until then. Must not write a ref or an
object; what it keeps are answers, which cost only time when they are lost.
"""

from __future__ import annotations

from memtools.core.memory import numbered_lines
from memtools.core.problem import Problem, problem
from memtools.core.protected import is_protected
from memtools.core.screen_secrets import find_secrets
from memtools.core.wording import say
from memtools.git.objects import RAW, REGULAR, parse_raw
from memtools.usecases.checking.check import problems_of_range
from memtools.usecases.checking.receipts import keep_answer, kept_answer, key_of
from memtools.usecases.outcome import Outcome, code_of
from memtools.usecases.tree import Reader, settings_blob, settings_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.core.settings import Approval
    from memtools.core.wording import Said
    from memtools.git.objects import Change
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Settings

_SHOWN = 30  # problems of one push


class Update(NamedTuple):
    """One line git feeds: the commits before and after ("": none), and the full ref."""

    old: str
    new: str
    ref: str


def pre_receive(repository: Repository, lines: Sequence[str]) -> Outcome:
    """Judge a push, whole: one error refuses all of it. `lines`: `old new ref`, as git says."""
    git = repository.git.with_env(GIT_NO_REPLACE_OBJECTS="1")
    repository = repository._replace(git=git)
    problems: list[Problem] = []
    others = []
    head_rules = None
    if repository.head_tree:
        head_rules = _settings(git, repository.head_tree).config.approval
    for update in filter(None, map(_parsed, lines)):
        if _is_guarded(git, update, head_rules):
            problems += _onto_protected(repository, update)
        else:
            others.append(update)
    problems += _secrets(repository, [update.new for update in others if update.new])
    problems.sort(key=lambda found: not found.is_error)
    rest = len(problems) - _SHOWN
    more = (say("and {count} more findings", count=rest),) if rest > 0 else ()
    return Outcome(code_of(problems), tuple(problems[:_SHOWN]), more)


def _parsed(line: str) -> Update | None:
    words = line.split(" ", 2)
    if len(words) != 3:
        return None
    old, new = (word if word.strip("0") else "" for word in words[:2])
    return Update(old, new, words[2])


def _is_guarded(git: Git, update: Update, head_rules: Approval | None) -> bool:
    """Is it a protected branch, by its own settings before the push or by those of HEAD?

    The first push of all has nothing but what it brings.
    """
    own = update.old or ("" if head_rules else update.new)
    rules = [_settings(git, own).config.approval] if own else []
    rules += [head_rules] if head_rules else []
    return any(is_protected(update.ref, one.protected) for one in rules)


def _settings(git: Git, treeish: str) -> Settings:
    return settings_of(git, settings_blob(git, treeish))


def _onto_protected(repository: Repository, update: Update) -> Sequence[Problem]:
    git = repository.git
    if not update.new:
        return [_refused(update, say("a protected branch is not deleted by a push"))]
    base = update.old
    if base and git.call("merge-base", "--is-ancestor", base, update.new)[0]:
        what = say("a protected branch only grows: this push would take commits out of it")
        return [_refused(update, what)]
    if not base and repository.head_tree:  # judged as if it were to be merged
        base = git.line("rev-parse", "--verify", "HEAD^{commit}")
    rules = _settings(git, base).config.approval if base else None
    is_signed = rules is not None and rules.allowed_signers != ""
    key = key_of(git, base, update.new, by_commit=is_signed)
    found = kept_answer(repository.state_dir, key)
    if found is None:
        found = problems_of_range(repository, base, update.new)
        keep_answer(repository.state_dir, key, found)
    return found


def _refused(update: Update, what: Said) -> Problem:
    hint = say("push a commit that undoes it; who runs the server can change the branch there")
    return problem(update.ref, 0, "protected-branch", what, hint)


def _secrets(repository: Repository, tips: Sequence[str]) -> Iterator[Problem]:
    """Secrets in memories of commits that are new here, wherever they are pushed to.

    What a memory is HEAD's settings say, else those of the tip.
    """
    git = repository.git
    if not tips:
        return
    # A tag of a tree or blob has no commits; git then says so and lists none.
    code, out, _ = git.call("rev-list", "--no-merges", *tips, "--not", "--all", "--")
    if code or not out:
        return
    settings = _settings(git, repository.head_tree or tips[0])
    reader = Reader(git, settings.config)
    told: set[tuple[str, str]] = set()
    listed = git.run("diff-tree", "--stdin", "--root", "-r", *RAW, "--no-commit-id", stdin=out)
    for change in parse_raw(listed):
        is_memory = change.new_mode in REGULAR and settings.config.selection.holds(change.path)
        if not is_memory or (change.path, change.new) in told:
            continue
        told.add((change.path, change.new))
        memory = reader.one(change.path, change.new).memory
        if found := find_secrets(memory):
            texts = dict(numbered_lines(memory))
            known = _lines(reader, change) if change.old_mode in REGULAR else frozenset()
            yield from (one for one in found if texts.get(one.line) not in known)


def _lines(reader: Reader, change: Change) -> frozenset[str]:
    memory = reader.one(change.path, change.old).memory
    return frozenset(text for _, text in numbered_lines(memory))
