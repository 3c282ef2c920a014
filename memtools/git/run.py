"""The only place that starts git: argument lists, bytes in and out, one policy for the environment.

Must not know what a memory is. Uses `os.posix_spawn`, because importing `subprocess` costs a hook
as much as two Python starts; where that is missing (Windows) it falls back to `subprocess`.
"""

from __future__ import annotations

import os
import sys

from memtools.errors import GitError, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from memtools.git.batch import Batch

# Told to every call: no program that the repository's own configuration names is started, but what
# a commit, a fetch or a push of ours cannot do without (docs/decisions.md); messages are UTF-8.
_SAFE = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.alternateRefsCommand=:"),
    *("-c", "log.showSignature=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8"),
    *("-c", "protocol.ext.allow=never"),
)
# Verbs that may reach another repository. All others fetch nothing, in a partial clone neither.
_REACHING = ("clone", "commit", "fetch", "push")
# Verbs that take names of commits and of files: a file may be called HEAD, or as an id.
_TELLING_APART = ("diff", "diff-index", "diff-tree", "log", "rev-list", "show")
_NO_TRANSPORT = {"GIT_ALLOW_PROTOCOL": "none"}
NOTHING = "MEMTOOLS_NOTHING"  # a variable that holds an empty text for git
# Fixed for every call: names are names, not patterns; reads take no lock; messages are English.
_ALWAYS = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}
# Taken away in every call: they would change what names or differences mean.
DROPPED = (
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
)
# `git rev-parse --local-env-vars` of git 2.39 and later; dropped before work in another repository.
LOCAL_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_INTERNAL_SUPER_PREFIX",
)
# History as it is stored: no object stands in for another one (git-replace(1)), and no commit has
# other parents than it says (grafts; of a file that can be read git would give advice).
AS_STORED = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.path.join(os.devnull, "none"),
}

# Whatever `.gitmodules` says of it: a submodule is in the tree.
WITH_MODULES = "--ignore-submodules=none"
# For a look at files: what a submodule holds is not ours, and git would start itself in there.
WITHOUT_MODULES = "--ignore-submodules=all"
# Compares a tree with staging, where what is only meant to be added does not stand yet.
STAGED = ("diff-index", "--cached", "--ita-invisible-in-index", WITH_MODULES)
# What `starting.py` asked before anything else was loaded: tree -> output of diff-index. Taken
# once.
FIRST_DIFF: dict[str, bytes] = {}


class Git:
    """Git in one folder with one environment.

    `cwd` is where git runs (for the top of a work tree: paths are then repo-relative);
    `env` is the full environment, already cleaned by `environment`.
    """

    __slots__ = ("_batch", "_options", "cwd", "env", "known")

    def __init__(self, cwd: str, env: Mapping[str, str], options: Sequence[str] = ()) -> None:
        self.cwd = cwd
        self.env = dict(env)
        self._options = options
        self._batch: Batch | None = None
        # Answers that never change (about objects named by their ids), for who asks again.
        self.known: dict[tuple[str, ...], Any] = {}

    def with_env(self, **changes: str) -> Git:
        """The same git with some variables changed."""
        return Git(self.cwd, {**self.env, **changes}, self._options)

    def looking(self, common_dir: str) -> Git:
        """The same git for a look at files: no hook, and no filter of the repository's own.

        Filters that the person's configuration names (global, system) stay. Where one is left out
        a file may count as changed that is not, until `git status` looks at it.
        """
        from memtools.git.filters import without_own

        options = ("-c", f"core.hooksPath={os.devnull}", *without_own(self, common_dir))
        return Git(self.cwd, {**self.env, NOTHING: ""}, options)

    def run(self, *args: str | bytes, stdin: bytes | None = None) -> bytes:
        """Run `git ARGS` and return its stdout.

        Raises:
            GitError: git ended with a status other than 0; the message holds its last stderr line.
        """
        code, out, err = self.call(*args, stdin=stdin)
        if code:
            from memtools.git.trouble import git_error

            raise git_error(args, code, err)
        return out

    def line(self, *args: str | bytes) -> str:
        """Stdout of `git ARGS` as text without its line end."""
        return os.fsdecode(self.run(*args)).rstrip("\n")

    def names(self, *args: str | bytes) -> list[str]:
        """The names `git ARGS` lists, each ended by a NUL (`-z`)."""
        return [os.fsdecode(name) for name in self.run(*args).split(b"\0")[:-1]]

    def call(self, *args: str | bytes, stdin: bytes | None = None) -> tuple[int, bytes, bytes]:
        """Run `git ARGS`; return exit status, stdout and stderr, whatever they are."""
        verb = verb_of(args)
        env = self.env if verb in _REACHING else self.alone
        end = ("--",) if verb in _TELLING_APART and "--" not in args else ()
        return spawn([*self.argv, *args, *end], env, stdin)

    @property
    def argv(self) -> list[str]:
        """How every call of this git begins."""
        start = ("git", "-C", self.cwd, "--literal-pathspecs", "--no-pager")
        return [*start, *_SAFE, *self._options]

    @property
    def alone(self) -> dict[str, str]:
        """The environment of a call that reaches no other repository."""
        return {**self.env, **_NO_TRANSPORT}

    def batch(self) -> Batch:
        """The open `cat-file --batch` of this git, started when first asked."""
        if self._batch is None:
            from memtools.git.batch import Batch

            self._batch = Batch([*self.argv, "cat-file", "--batch"], self.alone)
        return self._batch

    def close(self) -> None:
        """End the process kept open, if there is one."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None


def environment(base: Mapping[str, str], *, foreign: bool = False) -> dict[str, str]:
    """The environment for git made from `base`; `foreign` drops what binds to one repository."""
    dropped = DROPPED + LOCAL_VARIABLES if foreign else DROPPED
    kept = {key: value for key, value in base.items() if key not in dropped}
    return {**kept, **_ALWAYS}


def verb_of(args: Sequence[str | bytes]) -> str:
    """What git is asked to do: the first word that is no option of git itself."""
    words = iter(args)
    for word in words:
        if word == "-c":
            next(words, None)
        elif os.fsencode(word)[:1] != b"-":
            return os.fsdecode(word)
    return "git"


def spawn(
    argv: Sequence[str | bytes], env: Mapping[str, str], stdin: bytes | None = None
) -> tuple[int, bytes, bytes]:
    """Start a program, feed it `stdin`, wait; return exit status, stdout, stderr (bytes)."""
    if sys.platform == "win32" or not hasattr(os, "posix_spawnp"):
        return _spawn_portable(argv, env, stdin)
    source = _anonymous(stdin) if stdin is not None else os.open(os.devnull, os.O_RDONLY)
    errors = _anonymous(b"")
    read_end, write_end = os.pipe()
    try:
        try:
            pid = os.posix_spawnp(
                os.fspath(argv[0]),
                [os.fsencode(a) for a in argv],
                env,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, source, 0),
                    (os.POSIX_SPAWN_DUP2, write_end, 1),
                    (os.POSIX_SPAWN_DUP2, errors, 2),
                ],
            )
        except FileNotFoundError as gone:
            raise GitError(
                say("git is not installed, or not on PATH"), say("install git 2.39 or later")
            ) from gone
        os.close(write_end)
        write_end = -1
        out = _read_all(read_end)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.lseek(errors, 0, os.SEEK_SET)
        return code, out, _read_all(errors)
    finally:
        for descriptor in (source, errors, read_end, write_end):
            if descriptor >= 0:
                os.close(descriptor)


def _spawn_portable(
    argv: Sequence[str | bytes], env: Mapping[str, str], stdin: bytes | None
) -> tuple[int, bytes, bytes]:
    import subprocess

    done = subprocess.run(
        [os.fsdecode(a) for a in argv],
        env=dict(env),
        input=stdin if stdin is not None else b"",
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def _anonymous(data: bytes) -> int:
    """A descriptor of a nameless file that holds `data` and stands at its start."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("memtools")
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _read_all(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, 1 << 20):
        parts.append(part)
    return b"".join(parts)
