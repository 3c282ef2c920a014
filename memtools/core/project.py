"""The project a session works for: how its folders and remotes are compared, and its scope.

Must not know git or a file: folders come in as absolute text, remotes as their URLs.
"""

from __future__ import annotations

import re

from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SHARE, SEPARATE = "share", "separate"
# Patterns as text: compiled when a scope is looked for, not when a hook starts.
_SCHEME = r"[a-zA-Z][a-zA-Z0-9+.-]*://"
_USER = r"^[^/@]*@"
_PORT = r"^([^/:]+):[0-9]+(?=/|$)"
_SCP = r"^([^/:]{2,}):"  # host:path; one letter is a drive


class Project(NamedTuple):
    """Where a session stands.

    `folder` is where it was started; `top` is its work tree's ("" outside of any), `main_top` that
    of the main work tree of the same repository. `remotes` are URLs, the one it came from first.
    `base` is the top of the repository of memories when the session stands in it, else "".
    """

    folder: str
    top: str = ""
    main_top: str = ""
    remotes: tuple[str, ...] = ()
    base: str = ""


def plain_remote(url: str) -> str:
    """A remote as it is compared: `host/path`, without scheme, user, port and `.git`.

    `git@github.com:acme/alpha.git` and `https://github.com/acme/alpha/` are the same.
    """
    text = url.strip().replace("\\", "/")
    scheme = re.match(_SCHEME, text)
    rest = re.sub(_USER, "", text[scheme.end() :] if scheme else text)
    rest = re.sub(_PORT, r"\1", rest) if scheme else re.sub(_SCP, r"\1/", rest)
    host, slash, path = rest.rstrip("/").removesuffix(".git").rstrip("/").partition("/")
    return f"{host.lower()}{slash}{path.lstrip('/')}"


def scope_of(
    project: Project, scopes: Iterable[tuple[str, tuple[str, ...]]], worktrees: str = SHARE
) -> str:
    """The scope of a session: the deepest folder that `scopes` names, else a remote, else a name.

    `scopes` are (scope, folders and remotes). The name is the remote's, else the top folder's. With
    worktrees SEPARATE a linked work tree has a scope of its own, unless its folder is named.
    """
    pairs = [(scope, entry) for scope, entries in scopes for entry in entries]
    named = _by_folder(project, pairs, shares=worktrees == SHARE)
    if named:
        return named
    scope = _by_remote(project, pairs) or _name(project)
    if worktrees == SEPARATE and project.top != project.main_top:
        return f"{scope}/{_last(project.top)}"
    return scope


def _by_folder(project: Project, pairs: list[tuple[str, str]], *, shares: bool) -> str:
    standing = [project.folder, *([project.main_top] if shares else [])]
    found = [
        (len(folder), scope)
        for scope, entry in pairs
        if (folder := _folder(project, entry))
        if any(_is_below(place, folder) for place in standing if place)
    ]
    return max(found, key=lambda pair: pair[0], default=(0, ""))[1]


def _folder(project: Project, entry: str) -> str:
    """The folder an entry names: an absolute one, or one of the repository of memories."""
    plain = entry.replace("\\", "/").removeprefix("./").rstrip("/")
    if plain.startswith("/") or plain[1:2] == ":":
        return plain
    base = project.base.replace("\\", "/")
    return f"{base}/{plain}".removesuffix("/.") if base else ""


def _is_below(place: str, folder: str) -> bool:
    return f"{place}/".replace("\\", "/").startswith(f"{folder}/")


def _by_remote(project: Project, pairs: list[tuple[str, str]]) -> str:
    mine = [plain_remote(url) for url in project.remotes]
    found = [
        (mine.index(remote), scope)
        for scope, entry in pairs
        if (remote := plain_remote(entry)) in mine
    ]
    return min(found, key=lambda pair: pair[0], default=(0, ""))[1]


def _name(project: Project) -> str:
    remote = plain_remote(project.remotes[0]) if project.remotes else ""
    return _last(remote) or _last(project.main_top) or _last(project.folder)


def _last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2].removesuffix(".git")
