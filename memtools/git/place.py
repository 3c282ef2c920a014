"""Where a folder stands: the repository whose work tree it is the top of, and its git folders.

Must not know what is kept there. For what installs: the folder alone decides, variables of git do
not count, and there may be no repository yet. What works on memories asks `open_repository`, which
counts GIT_DIR and the like as git itself does.
"""

from __future__ import annotations

import os

from memtools.errors import GitError, UsageError, say
from memtools.git.run import Git, environment
from memtools.git.trouble import git_error, line_break
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Place(NamedTuple):
    """A work tree: absolute paths of its top, its own git dir and the one all work trees share."""

    git: Git
    top: str
    git_dir: str
    common_dir: str


def find_place(folder: str, environ: Mapping[str, str]) -> Place | None:
    """The work tree that holds `folder` (which need not exist yet); None when there is none.

    Variables that bind git to another repository are dropped: the folder alone decides.

    Raises:
        GitError: a bare repository, the inside of a git dir, or git refuses to say.
        UsageError: `folder` is not a folder.
    """
    base = os.path.abspath(folder)
    while not os.path.lexists(base):
        base = os.path.dirname(base)
    if not os.path.isdir(base):
        raise UsageError(say("{path} is not a folder", path=base), say("name a folder of notes"))
    git = Git(base, environment(environ, foreign=True))
    asked = ("rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--absolute-git-dir")
    code, out, err = git.call(*asked, "--git-common-dir")
    if code:
        if b"not a git repository" in err:
            return None
        raise git_error(asked, code, err)
    answers = os.fsdecode(out).split("\n")[:-1]
    if len(answers) > len(asked):
        raise line_break(base)
    is_bare, is_inside, git_dir, common = answers
    if is_bare == "true":
        raise GitError(
            say(
                "{path} is a bare repository: it has no work tree, so nobody commits notes in it",
                path=git_dir,
            ),
            say("run this in a clone or in a linked worktree of it"),
        )
    if is_inside != "true":
        raise GitError(
            say("{path} is inside a git dir", path=base),
            say("run this at the top of the work tree"),
        )
    top = os.path.normpath(git.line("rev-parse", "--show-toplevel"))
    common = os.path.realpath(os.path.join(base, common))
    return Place(Git(top, git.env), top, git_dir, common)


def find_bare(folder: str, environ: Mapping[str, str]) -> Place | None:
    """The bare repository whose folder this is (`top` is that folder too); None: it is none."""
    base = os.path.abspath(folder)
    if not os.path.isdir(base):
        return None
    git = Git(base, environment(environ, foreign=True))
    asked = ("rev-parse", "--is-bare-repository", "--is-inside-git-dir", "--absolute-git-dir")
    code, out, _ = git.call(*asked)
    answers = os.fsdecode(out).split("\n")[:-1]
    if code or len(answers) != 3 or answers[:2] != ["true", "true"]:
        return None
    git_dir = os.path.realpath(answers[2])
    return Place(Git(git_dir, git.env), git_dir, git_dir, git_dir)


def require_place(folder: str, environ: Mapping[str, str]) -> Place:
    """The work tree that holds `folder`.

    Raises:
        GitError: there is none.
    """
    place = find_place(folder, environ)
    if place is None:
        raise GitError(
            say("{path} is not in a git repository", path=os.path.abspath(folder)),
            say("type `memtools init DIR` to make one"),
        )
    return place


def local_config(git: Git) -> dict[str, tuple[str, ...]]:
    """The repository's own configuration (not the person's): key to its values, in their order."""
    found: dict[str, tuple[str, ...]] = {}
    code, out, _ = git.call("config", "--local", "--includes", "-z", "--list")
    for entry in out.split(b"\0")[:-1] if code == 0 else ():
        key, _, value = os.fsdecode(entry).partition("\n")
        found[key] = (*found.get(key, ()), value)
    return found


def config_files(git: Git) -> list[str]:
    """The files that git's configuration comes from here, included ones too; absolute paths.

    Also those it would include, were they there.
    """
    code, out, _ = git.call("config", "--includes", "-z", "--show-origin", "--list")
    fields = [os.fsdecode(each) for each in out.split(b"\0")[:-1]] if code == 0 else []
    found: dict[str, None] = {}
    for origin, entry in zip(fields[::2], fields[1::2], strict=False):
        if not origin.startswith("file:"):
            continue
        name = os.path.join(git.cwd, origin.removeprefix("file:"))
        found[name] = None
        key, _, value = entry.partition("\n")
        if key.startswith(("include.", "includeif.")) and key.endswith(".path"):
            found[os.path.join(os.path.dirname(name), os.path.expanduser(value))] = None
    return list(found)
