"""The approved ref that readers are bound to (`read_ref`, rule 17): its name, its tree, its age.

Must not know what is read. Nothing here uses the network.
"""

from __future__ import annotations

import os

from memtools.config import SETTINGS_FILE, Config, overridden, parse_config, read_variables
from memtools.core.settings import CHECKS
from memtools.core.vocabulary import BRANCHES
from memtools.core.wording import Said, say
from memtools.errors import GitError
from memtools.git.refs import branch_of_head, branch_tips, fetched_at, find_commit
from memtools.usecases.repository import (
    Approved,
    load_config,
    make_state_dir,
    read_file_config,
    read_settings,
    where_to_look,
)
from memtools.usecases.tree import settings_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from memtools.git.refs import Commit
    from memtools.usecases.repository import Repository

_FRESH = 24 * 60 * 60  # seconds
_CANDIDATES = f"{BRANCHES}/"
_USUAL = ("origin/HEAD", "master")  # approved branches of who has no protected one


def read_ref(repository: Repository, given: Mapping[str, object] | None = None) -> tuple[str, str]:
    """The ref readers are bound to ("": none), and where that was set when it is not the file.

    Precedence: `given`, the variable, git config (so that no branch can unbind an agent), the file.
    In an agent's session the variable comes last: its environment binds it and never unbinds it.
    While the file of the work tree cannot be read, that of HEAD counts. Where none of them names
    one, a branch of candidates is still not believed, checked out or detached at its tip: readers
    see the protected branch.
    """
    if given and "read_ref" in given:
        return str(given["read_ref"]), ""
    variables = read_variables()
    stated = [
        (text, f"variable {variable}")
        for name, variable, text in variables.overrides
        if name == "read_ref" and not CHECKS[name](text)[1]
    ]
    if stated and not variables.agent:
        return stated[0]
    code, out, _ = repository.git.call("config", "--get", "memtools.readRef")
    if code == 0:
        return os.fsdecode(out).strip(), "git config memtools.readRef"
    config = read_file_config(repository)[0]
    if not config.roots and repository.top:
        config = parse_config(read_settings(repository, "HEAD"))[0]
    if stated and not config.read_ref:
        return stated[0]
    branch = branch_of_head(repository.git, repository.git_dir) or _tip_at_head(repository)
    if config.read_ref or not branch.startswith(_CANDIDATES):
        return config.read_ref, ""
    return _approved_branch(repository, config), f"HEAD: {branch}"


def _tip_at_head(repository: Repository) -> str:
    """The branch of candidates whose tip a detached HEAD is, when it is that of no other branch."""
    tips = branch_tips(repository.git, points_at="HEAD") if repository.head_tree else {}
    refs = [ref.split("/") for ref in tips]
    names = ["/".join(ref[2 if ref[1] == "heads" else 3 :]) for ref in refs]
    return names[0] if names and all(name.startswith(_CANDIDATES) for name in names) else ""


def _approved_branch(repository: Repository, config: Config) -> str:
    """The branch readers see in place of a branch of candidates; it may not be there."""
    protected = [name for name in config.approval.protected if not name.startswith(_CANDIDATES)]
    names = [*protected, *_USUAL]
    found = (name for name in names if find_commit(repository.git, name) is not None)
    return next(found, names[0])


def bound(repository: Repository) -> Repository:
    """The repository as readers have it: its tree is that of the approved ref, if there is one.

    State of readers is kept apart for each ref, so that a ledger or search index of one tree is not
    brought to another and back.

    Raises:
        GitError: there is no such ref. Nothing is shown then.
    """
    name, origin = read_ref(repository)
    if not name:
        return repository
    found = require_commit(repository, name, origin)
    _make_state_dir(repository)
    approved = Approved(name, found.ref, found.commit, repository.head_tree)
    return repository._replace(head_tree=found.tree, approved=approved)


def _make_state_dir(repository: Repository) -> None:
    try:
        make_state_dir(repository)
    except OSError:  # costs speed, nothing else
        return


def require_commit(repository: Repository, name: str, origin: str = "") -> Commit:
    """The commit of the approved ref; `origin` says where the ref was set.

    Raises:
        GitError: there is no such ref.
    """
    found = find_commit(repository.git, name)
    if found is not None:
        return found
    remote, slash, branch = name.partition("/")
    where = origin or f"read_ref in {SETTINGS_FILE}"
    raise GitError(
        say("there is no revision {name} here ({where}): nothing is shown", name=name, where=where),
        say("type: git fetch {remote} {branch}", remote=remote, branch=branch)
        if slash
        else where_to_look(repository.git),
    )


def reading_config(repository: Repository) -> Config:
    """The settings readers go by: of the work tree, or of the ref `repository` is bound to."""
    if repository.approved is None:
        return load_config(repository)[0]
    config = settings_at(repository.git, repository.head_tree).config
    return overridden(config, read_variables())[0]


def ref_age_notice(repository: Repository, now: datetime) -> Said | None:
    """That what was fetched is over a day old, and what to type; None while it is fresh.

    `repository` as `bound` gives it (`View.repository`); a local branch has no age.
    """
    approved = repository.approved
    fresh_until = 0.0 if approved is None else ref_fresh_until(repository, approved)
    if approved is None or not fresh_until or now.timestamp() <= fresh_until:
        return None
    age = now.timestamp() - fresh_until + _FRESH
    remote = approved.ref.split("/")[2]
    days = int(age // _FRESH)
    old = say("{days} days", days=days) if days > 1 else say("1 day")
    return say(
        "what was fetched of {ref} is {old} old; type: git fetch {remote}",
        ref=approved.name,
        old=old,
        remote=remote,
    )


def ref_fresh_until(repository: Repository, approved: Approved) -> float:
    """From when on what was fetched is old (seconds since the epoch); 0.0: never."""
    at = fetched_at(approved.ref, repository.git_dir, repository.common_dir)
    return 0.0 if at is None else at + _FRESH
