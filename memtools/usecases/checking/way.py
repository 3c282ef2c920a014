"""What the commits of a range leave behind on their way to its end, and neither end has.

Secrets that were taken out again, tombstones. Must not know what becomes of the findings.
"""

from __future__ import annotations

from memtools.core.problem import Problem
from memtools.core.screen_secrets import find_secrets
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.git.refs import span
from memtools.git.written import commits_of, written_by
from memtools.usecases.checking.files import changed_files
from memtools.usecases.checking.screens import NOTHING_PASSED, Passed, in_new_lines, old_versions
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.checking.change import Means, Step


class Way(NamedTuple):
    """`problems`: secrets in lines that are new. `buried`: tombstones, as (path, blob)."""

    problems: tuple[Problem, ...] = ()
    buried: frozenset[tuple[str, str]] = frozenset()


def walk(step: Step, means: Means) -> Way:
    """Look at each memory that a commit of the range leaves behind; the end was screened before.

    Commits that were passed before are not read again, unless they made a tombstone that is gone.
    """
    if not step.until:
        return Way()
    git, reader, screens, _ = means
    commits = commits_of(git, *span(step.since, step.until))
    passed = screens.passed
    if any(step.is_alive(path) for path, _ in passed.buried):
        passed = NOTHING_PASSED
    holds = step.after.settings.config.selection.holds
    new = [commit for commit in commits if commit not in passed.commits]
    versions = {(one.path, one.blob) for one in written_by(git, new) if holds(one.path)}
    changed = changed_files(step.before.files, step.after.files)
    judged = {(path, blob) for path, blob in changed if blob is not None}
    is_clean = screens.clean.issuperset(versions & judged)
    problems = []
    buried = passed.buried | (versions & step.after.ledger.tombstones.items())
    for studied in reader(sorted(versions - judged)):
        memory = studied.memory
        if memory.status is Status.RETRACTED:
            buried |= {(memory.path, studied.facts.blob)}
        if secrets := find_secrets(memory):
            is_clean = False
            for one in in_new_lines(memory, secrets, old_versions(step, reader, memory.path)):
                what = say("a commit of this range holds what looks like a secret in this line")
                hint = say("take that commit out of the branch, and renew the secret")
                problems.append(one._replace(message=what, hint=hint))
    screens.passed = Passed(frozenset(commits), buried) if is_clean else NOTHING_PASSED
    return Way(tuple(problems), buried)
