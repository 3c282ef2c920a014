"""The scope of a session: from what is given, set or configured, else its project's own name.

Must not look at any memory: the text of a memory never decides who may read it.
"""

from __future__ import annotations

import os

from memtools.config import environ, read_variables
from memtools.core.project import Project, scope_of
from memtools.git.run import Git, environment
from memtools.usecases.readref import bound, reading_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository

_CONFIG = r"^(memtools\.scope|remote\..*\.url)$"


def session_scope(repository: Repository, here: str, given: str = "") -> str:
    """The scope of a session that works in the folder `here`, in whatever repository that is.

    The first of: `given`, MEMTOOLS_SCOPE, `git config memtools.scope` there, the table [scopes],
    the name of the project's remote, of its top folder.
    """
    stated = given or read_variables().scope
    if stated:
        return stated
    folder = os.path.realpath(here)
    git = Git(folder, environment(environ(), foreign=True))
    configured, remotes = _configured(git)
    if configured:
        return configured
    config = reading_config(bound(repository))
    scopes = [(scope, tuple(map(_expanded, entries))) for scope, entries in config.scopes]
    top, main_top = _tops(git)
    base = repository.top if f"{folder}/".startswith(f"{repository.top}/") else ""
    project = Project(folder, top, main_top, remotes, base)
    return scope_of(project, scopes, config.activation.worktrees)


def _expanded(entry: str) -> str:
    """`~` made absolute, links in a folder followed, as they are in the folder of the session."""
    if not entry.startswith(("~", "/")):
        return entry
    return os.path.realpath(os.path.expanduser(entry))


def _configured(git: Git) -> tuple[str, tuple[str, ...]]:
    """memtools.scope ("": not set) and the URLs of the remotes, that of `origin` first."""
    code, out, _ = git.call("config", "-z", "--get-regexp", _CONFIG)
    scope, urls = "", []
    for entry in os.fsdecode(out).split("\0")[:-1] if code == 0 else ():
        key, _, value = entry.partition("\n")
        if key == "memtools.scope":
            scope = value.strip()
        else:
            urls.append((key != "remote.origin.url", value))
    return scope, tuple(url for _, url in sorted(urls, key=lambda pair: pair[0]))


def _tops(git: Git) -> tuple[str, str]:
    """The top of this work tree and of the main one; ("", "") outside of any."""
    asked = ("--path-format=absolute", "--show-toplevel", "--git-dir", "--git-common-dir")
    code, out, _ = git.call("rev-parse", *asked)
    answers = os.fsdecode(out).split("\n")[:-1]
    if code or len(answers) != len(asked) - 1:
        return "", ""
    top, git_dir, common_dir = map(os.path.realpath, answers)
    if git_dir == common_dir:
        return top, top
    # Work trees of a bare repository have no main one: its own folder stands for it.
    return top, os.path.dirname(common_dir) if os.path.basename(
        common_dir
    ) == ".git" else common_dir
