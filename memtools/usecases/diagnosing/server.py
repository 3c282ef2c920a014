"""The doctor's look at a bare repository: does it judge what is pushed?

Must not read a memory: what stands there is examined in a clone.
"""

from __future__ import annotations

from memtools.core.wording import say
from memtools.git.place import find_bare
from memtools.git.shims import SERVER_STAGES
from memtools.usecases.diagnosing.patient import Check
from memtools.usecases.diagnosing.reachability import answers_at
from memtools.usecases.installing.server import unjudged_branch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtools.usecases.repository import Repository


def examine_server(repository: Repository, environ: Mapping[str, str]) -> Iterator[Check]:
    """Is the hook there, and does it judge pushes to the branch of HEAD?"""
    place = find_bare(repository.git_dir, environ)
    for reached in answers_at(place, environ, SERVER_STAGES) if place else ():
        yield Check(f"hook-{reached.stage}", reached.ok, reached.message, reached.hint or "")
    found = unjudged_branch(repository.git, repository.git_dir)
    if found:
        yield Check("server-branch", False, found.message, found.hint)
    else:
        yield Check("server-branch", True, say("pushes to the branch of HEAD are judged"))
