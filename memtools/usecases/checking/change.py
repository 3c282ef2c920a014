"""What a change brings that no single tree shows: what the screens find in its new lines.

Judges a tree against the one it starts from. Must not know how either was named.
"""

from __future__ import annotations

from memtools.core.memory import numbered_lines
from memtools.core.problem import Problem
from memtools.core.screen_secrets import find_secrets, with_way_out
from memtools.core.wording import say
from memtools.git.refs import span
from memtools.git.written import commits_of, written_by
from memtools.usecases.checking.tree import changed_files
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtools.core.memory import Memory
    from memtools.core.wording import Said
    from memtools.usecases.checking.screens import Means
    from memtools.usecases.checking.tree import Tree
    from memtools.usecases.tree import Reader


class Step(NamedTuple):
    """From one tree to another.

    `renames` old path -> new, `since` and `until` the commits that lead there ("": none do yet).
    """

    before: Tree
    after: Tree
    renames: dict[str, str]
    since: str = ""
    until: str = ""


def new_findings(step: Step, means: Means) -> Iterator[Problem]:
    """What the screens find in lines the old tree did not have.

    Secrets also in commits on the way that took them out again.
    """
    reader, screens = means.reader, means.screens
    came_from = {new: old for old, new in step.renames.items()}
    changed = changed_files(step.before.files, step.after.files)
    present = [(path, blob) for path, blob in changed if blob is not None]
    clean, judged = screens.clean, set(present)
    for studied in reader([pair for pair in present if pair not in clean]):
        memory = studied.memory
        if found := screens(studied).problems:
            found = tuple(with_way_out(found, _way_out())) if step.until else found
            old = _before(step, reader, came_from.get(memory.path, memory.path))
            yield from in_new_lines(memory, found, old)
    commits = commits_of(means.git, *span(step.since, step.until)) if step.until else []
    on_the_way = _on_the_way(step, means, commits)
    is_clean = screens.clean.issuperset(on_the_way & judged)
    for studied in reader(sorted(on_the_way - judged)):
        memory = studied.memory
        if secrets := find_secrets(memory):
            is_clean = False
            old = _before(step, reader, came_from.get(memory.path, memory.path))
            for one in in_new_lines(memory, secrets, old):
                what = say("a commit of this range holds what looks like a secret in this line")
                hint = say("take that commit out of the branch, and renew the secret")
                yield one._replace(message=what, hint=hint)
    screens.passed = frozenset(commits) if is_clean else frozenset()


def _way_out() -> Said:
    return say(
        "take it out of the commit that brings it (git commit --amend, git rebase -i), and renew "
        "it when it was pushed; when it is none, who merges decides"
    )


def in_new_lines(
    memory: Memory, found: Sequence[Problem], versions: Sequence[Memory]
) -> Iterator[Problem]:
    """Those of the findings in a memory whose line none of these older versions has."""
    texts = dict(numbered_lines(memory))
    known = {text for version in versions for _, text in numbered_lines(version)}
    yield from (one for one in found if texts.get(one.line) not in known)


def _before(step: Step, reader: Reader, path: str) -> list[Memory]:
    """The memory as the old tree has it at a path, if it does."""
    blob = step.before.files.memories.get(path)
    return [reader.one(path, blob).memory] if blob else []


def _on_the_way(step: Step, means: Means, commits: list[str]) -> set[tuple[str, str]]:
    """Each memory that a commit not passed before leaves behind, as (path, blob)."""
    holds = step.after.settings.config.selection.holds
    new = [commit for commit in commits if commit not in means.screens.passed]
    return {(one.path, one.blob) for one in written_by(means.git, new) if holds(one.path)}
