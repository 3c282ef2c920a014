"""The repository a command works on: where it stands, git bound to it, and its settings.

Must not know what is done there.
"""

from __future__ import annotations

import os

from memtools.config import (
    SETTINGS_FILE,
    UNREADABLE,
    Config,
    environ,
    overridden,
    parse_config,
    read_variables,
)
from memtools.core.problem import Problem, problem
from memtools.core.settings_file import MAX_BYTES
from memtools.core.wording import Said, say
from memtools.errors import GitError
from memtools.files import make_folder, open_plain
from memtools.git.objects import read_objects, tree_id
from memtools.git.run import Git, environment
from memtools.values import NamedTuple

# Sources of settings beside a treeish; no revision can be named like this.
WORK_TREE = "the work tree"
STAGING = "the staging area"
OF_REFS = "ref-"  # how the folders begin in which we keep files for an approved ref
_ASKED = (
    "rev-parse",
    "--is-bare-repository",
    "--is-inside-work-tree",
    "--path-format=absolute",
    "--git-dir",
    "--git-common-dir",
    "--show-cdup",
    "HEAD^{tree}",
)


class Approved(NamedTuple):
    """The ref that readers are bound to: its name as set, its full ref, its commit.

    `own_tree` is HEAD's, as `Repository.head_tree` was before it was bound.
    """

    name: str
    ref: str
    commit: str
    own_tree: str


class Repository(NamedTuple):
    """A git repository; folders are absolute.

    `top` is the work tree's ("" when there is none here: bare, or started inside the git dir);
    `git_dir` is this work tree's own, `common_dir` the one all linked work trees share;
    `git` runs at the top, else in the git dir; `head_tree` is "" before the first commit.
    With `approved` it is the repository as readers bound to that ref have it: `head_tree` is the
    ref's (`readref.bound`).
    """

    top: str
    git_dir: str
    common_dir: str
    git: Git
    is_bare: bool
    head_tree: str = ""
    approved: Approved | None = None

    @property
    def state_dir(self) -> str:
        """Where memtools keeps its own files for this work tree; it may not exist yet.

        What is kept of an approved ref's tree has a folder of its own in there.
        """
        folder = os.path.join(self.git_dir, "memtools")
        if self.approved is None:
            return folder
        from binascii import crc32

        return os.path.join(folder, f"{OF_REFS}{crc32(os.fsencode(self.approved.ref)):08x}")


def open_repository(path: str = ".") -> Repository:
    """Find the repository that holds the folder `path`, with one git call.

    GIT_DIR, GIT_WORK_TREE and GIT_INDEX_FILE count as git itself counts them.

    Raises:
        GitError: there is none, or git refuses to open it.
    """
    try:
        here = os.path.realpath(path)
    except OSError:  # the current folder has been deleted
        here = ""
    if not os.path.isdir(here):
        raise GitError(say("{path} is not a folder", path=path))
    env = environment(environ())
    code, out, err = Git(here, env).call(*_ASKED)
    answers = os.fsdecode(out).split("\n")[:-1]
    if len(answers) < 4:
        raise _refused(here, env, code, err)
    if len(answers) > len(_ASKED) - 2:
        from memtools.git.trouble import line_break

        raise line_break(here)
    is_bare, is_inside, git_dir, common_dir, *rest = answers
    tree = rest[-1] if code == 0 else ""
    top = os.path.normpath(os.path.join(here, rest[0])) if is_inside == "true" else ""
    git = Git(top or git_dir, _bound(env, here, git_dir, top))
    return Repository(top, git_dir, common_dir, git, is_bare == "true", tree)


def make_state_dir(repository: Repository) -> str:
    """Make the folder for our own files when it is missing (mode 0700); returns where it is."""
    make_folder(repository.state_dir)
    return repository.state_dir


def sibling_state_dirs(repository: Repository) -> list[str]:
    """Where memtools keeps its files for the other work trees of the same repository."""
    common = repository.common_dir
    folders = [common]
    linked = os.path.join(common, "worktrees")
    if os.path.isdir(linked):
        folders += sorted(entry.path for entry in os.scandir(linked))
    states = [os.path.join(folder, "memtools") for folder in folders]
    mine = os.path.realpath(repository.state_dir)
    return [state for state in states if os.path.realpath(state) != mine]


def require_top(repository: Repository) -> str:
    """The top of the work tree.

    Raises:
        GitError: there is no work tree here.
    """
    if not repository.top:
        raise GitError(
            say("{path} has no work tree here", path=repository.git_dir),
            say("run this in a work tree of the repository"),
        )
    return repository.top


def load_config(
    repository: Repository, source: str = WORK_TREE
) -> tuple[Config, tuple[Problem, ...]]:
    """The settings in a treeish, in STAGING or in the WORK_TREE, with those variables set on top.

    Raises: as `read_file_config`.
    """
    config, problems = read_file_config(repository, source)
    config, more = overridden(config, read_variables())
    return config, (*problems, *more)


def read_file_config(
    repository: Repository, source: str = WORK_TREE
) -> tuple[Config, tuple[Problem, ...]]:
    """The settings as the file in a treeish, in STAGING or in the WORK_TREE has them.

    A bare repository has those of HEAD. While the file has conflicts in staging, our side counts.

    Raises:
        GitError: there is no such revision.
    """
    try:
        raw = read_settings(repository, source)
    except OSError as error:
        message = say("cannot be read as a file: {reason}", reason=error.strerror or str(error))
        return UNREADABLE, (problem(SETTINGS_FILE, 0, "config-invalid", message),)
    return parse_config(raw)


def read_settings(repository: Repository, source: str = WORK_TREE) -> bytes | None:
    """The bytes of the settings file in a source; None when it has none.

    Raises:
        GitError: there is no such revision.
        OSError: the file of the work tree is no regular file, or cannot be read.
    """
    if source == WORK_TREE and repository.top:
        return _read_file(os.path.join(repository.top, SETTINGS_FILE))
    git = repository.git
    if source == STAGING:
        found = list(read_objects(git, [f":0:{SETTINGS_FILE}", f":2:{SETTINGS_FILE}"]))
        return found[0] if found[0] is not None else found[1]
    treeish = "HEAD" if source == WORK_TREE else source
    if "\n" not in treeish:
        raw = next(read_objects(git, [f"{treeish}:{SETTINGS_FILE}"]))
        if raw is not None or treeish == "HEAD" or tree_id(git, treeish):
            return raw
    raise GitError(say("there is no revision {name} here", name=treeish), where_to_look(git))


def where_to_look(git: Git) -> Said:
    """What to type when a revision is not here."""
    if git.line("rev-parse", "--is-shallow-repository") == "true":
        return say("this clone is shallow: git fetch --unshallow")
    return say("type: git fetch, then look with git branch -a and git tag")


def _read_file(path: str) -> bytes | None:
    try:
        descriptor = open_plain(path)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _bound(env: dict[str, str], here: str, git_dir: str, top: str) -> dict[str, str]:
    """The environment for git at another folder than `here`: relative names made absolute."""
    bound = dict(env)
    if bound.get("GIT_INDEX_FILE"):
        bound["GIT_INDEX_FILE"] = os.path.join(here, bound["GIT_INDEX_FILE"])
    if "GIT_DIR" in bound:
        bound["GIT_DIR"] = git_dir
        if top:
            bound["GIT_WORK_TREE"] = top
    return bound


def _refused(here: str, env: dict[str, str], code: int, err: bytes) -> GitError:
    from memtools.git.trouble import git_error

    said = git_error(_ASKED[:1], code, err)
    if b"safe.directory" in err:
        return GitError(
            said.message, say("type: git config --global --add safe.directory {path}", path=here)
        )
    if b"not a git repository" not in err:
        return said
    if env.get("GIT_DIR"):
        return GitError(
            say("GIT_DIR names no git repository: {path}", path=env["GIT_DIR"]),
            say("type: unset GIT_DIR"),
        )
    return GitError(
        say("{path} is not in a git repository", path=here),
        say("type: cd into your notes, or: memtools init DIR"),
    )
