"""A push, judged where it is received: what may get onto a protected branch, what is not stored.

Runs before any ref moves, on the objects git keeps apart until then. Must not write a ref or an
object; what it keeps are answers, which cost only time when they are lost.
"""

from __future__ import annotations

import os

from memtools.core.problem import Problem, problem
from memtools.core.protected import is_protected
from memtools.core.screen_secrets import find_secrets, with_way_out
from memtools.core.wording import say
from memtools.git.refs import is_ancestor, moved_by
from memtools.git.run import AS_STORED
from memtools.git.written import commits_of, written_by
from memtools.usecases.checking.check import problems_of_range
from memtools.usecases.checking.receipts import keep_answer, kept_answer, key_of
from memtools.usecases.checking.screens import in_new_lines
from memtools.usecases.outcome import Outcome, code_of
from memtools.usecases.tree import Reader, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.core.settings import Approval
    from memtools.core.wording import Said
    from memtools.git.run import Git
    from memtools.usecases.repository import Repository

_SHOWN = 30  # problems of one push
# Commits the person who runs the server looked at: what reads like a secret there is none.
LET_PASS = "memtools.noSecretsIn"


class Update(NamedTuple):
    """One line git feeds: the commits before and after ("": none), and the full ref."""

    old: str
    new: str
    ref: str


def pre_receive(repository: Repository, lines: Sequence[str]) -> Outcome:
    """Judge a push, whole: one error refuses all of it. `lines`: `old new ref`, as git says."""
    git = repository.git.with_env(**AS_STORED)
    repository = repository._replace(git=git)
    problems: list[Problem] = []
    others = []
    head_rules = None
    if repository.head_tree:
        head_rules = settings_at(git, repository.head_tree).config.approval
    for update in filter(None, map(_parsed, lines)):
        update = update._replace(ref=moved_by(git, repository.common_dir, update.ref))
        if _is_guarded(git, update, head_rules):
            problems += _onto_protected(repository, update)
        else:
            others.append(update)
    tips = [update.new for update in others if update.new]
    found = list(_secrets(repository, tips))
    if found:
        let_pass = _let_pass(git)
        tips = [tip for tip in tips if tip not in let_pass]
        found = list(_secrets(repository, tips)) if let_pass else found
    problems += with_way_out(found, _way_out(tips))
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
    if not update.ref.startswith("refs/heads/"):  # others may name what is no commit
        return False
    own = update.old or ("" if head_rules else update.new)
    rules = [settings_at(git, own).config.approval] if own else []
    rules += [head_rules] if head_rules else []
    return any(is_protected(update.ref, one.protected) for one in rules)


def _onto_protected(repository: Repository, update: Update) -> Sequence[Problem]:
    git = repository.git
    if not update.new:
        return [_refused(update, say("a protected branch is not deleted by a push"))]
    base = update.old
    if base and not is_ancestor(git, base, update.new):
        what = say("a protected branch only grows: this push would take commits out of it")
        return [_refused(update, what)]
    if not base and repository.head_tree:  # judged as if it were to be merged
        base = git.line("rev-parse", "--verify", "HEAD^{commit}")
    rules = settings_at(git, base).config.approval if base else None
    is_signed = rules is not None and rules.allowed_signers != ""
    key = key_of(git, base, update.new, by_commit=is_signed)
    found = kept_answer(repository.state_dir, key)
    if found is None:
        found = problems_of_range(repository, base, update.new)
        keep_answer(repository.state_dir, key, found)
    if any(one.rule == "secret-found" for one in found) and update.new in _let_pass(git):
        return [one for one in found if one.rule != "secret-found"]
    return with_way_out(found, _way_out([update.new]))


def _let_pass(git: Git) -> frozenset[str]:
    """The ids of the commits that may be pushed although they hold what looks like a secret."""
    return frozenset(os.fsdecode(git.call("config", "--get-all", LET_PASS)[1]).split())


def _way_out(tips: Sequence[str]) -> Said:
    return say(
        "take it out of the commit that brings it (git commit --amend, git rebase -i), and push "
        "again; when it is none, who runs the server types there: "
        "git config --add {key} {commit}",
        key=LET_PASS,
        commit=tips[0] if len(tips) == 1 else "COMMIT",
    )


def _refused(update: Update, what: Said) -> Problem:
    hint = say("push a commit that undoes it; who runs the server can change the branch there")
    return problem(update.ref, 0, "protected-branch", what, hint)


def _secrets(repository: Repository, tips: Sequence[str]) -> Iterator[Problem]:
    """Secrets in memories of commits that are new here, wherever they are pushed to.

    What a memory is HEAD's settings say, else those of the tip.
    """
    git = repository.git
    commits = _commits(git, tips)
    if not commits:
        return
    settings = settings_at(git, repository.head_tree or commits[0])
    reader = Reader(git, settings.config)
    told: set[tuple[str, str]] = set()
    new = commits_of(git, "--stdin", "--not", "--all", tips=commits)
    for path, blob, olds in written_by(git, new):
        if (path, blob) in told or not settings.config.selection.holds(path):
            continue
        told.add((path, blob))
        memory = reader.one(path, blob).memory
        if found := find_secrets(memory):
            versions = [reader.one(path, old).memory for old in olds]
            yield from in_new_lines(memory, found, versions)


def _commits(git: Git, tips: Sequence[str]) -> list[str]:
    """The commits the pushed refs end in; a ref may also name a tree or a blob."""
    asked = "".join(f"{tip}^{{commit}}\n" for tip in tips).encode()
    out = git.run("cat-file", "--batch-check", stdin=asked) if tips else b""
    rows = [line.split() for line in out.decode("utf-8", "replace").splitlines()]
    return [row[0] for row in rows if row[1:2] == ["commit"]]
