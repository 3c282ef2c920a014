"""A git repository to play in, and the environment that keeps a test away from the person's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from tests.warm import Warm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHECKOUT = Path(__file__).resolve().parent.parent
DATE = "2026-11-29T12:00:00+09:00"
TIMEOUT_SECONDS = 300

# What every process of a test sees; `isolated` adds the folders.
FIXED = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ann Author",
    "GIT_AUTHOR_EMAIL": "ann@example.com",
    "GIT_AUTHOR_DATE": DATE,
    "GIT_COMMITTER_NAME": "Cleo Committer",
    "GIT_COMMITTER_EMAIL": "cleo@example.com",
    "GIT_COMMITTER_DATE": DATE,
    "GIT_EDITOR": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
# Variables of the person, the agent or the hook that runs the tests.
# PYTHON*: without .pyc files each program of a test would compile memtools anew.
_DROPPED_PREFIXES = ("GIT_", "MEMTOOLS_", "LC_", "XDG_", "PRE_COMMIT", "PYTHON")
_DROPPED = ("LANG", "LANGUAGE", "EDITOR", "VISUAL", "OBSIDIAN_GIT", "NO_COLOR", "FORCE_COLOR")


def isolated(base: Mapping[str, str], home: Path, templates: Path) -> dict[str, str]:
    """The environment of a test of a test: nothing of the person's git or memtools is left."""
    kept = {
        key: value
        for key, value in base.items()
        if key not in _DROPPED and not key.startswith(_DROPPED_PREFIXES)
    }
    return {**kept, **FIXED, "HOME": str(home), "GIT_TEMPLATE_DIR": str(templates)}


class Result(NamedTuple):
    """What a program said: text (surrogateescape keeps odd bytes) and its exit status."""

    code: int
    out: str
    err: str


def run(
    argv: list[str],
    cwd: str | Path,
    env: Mapping[str, str] | None = None,
    stdin: str | bytes | None = None,
) -> Result:
    """Run a program in `cwd` with the variables of `env` added; it is never asked anything."""
    done = subprocess.run(
        [os.fsencode(arg) for arg in argv],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=to_bytes(stdin or b""),
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    return Result(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))


_warm: list[Warm] = []


def _run_memtools(
    args: tuple[str, ...], cwd: Path, env: Mapping[str, str], stdin: str | bytes | None
) -> Result:
    if not _warm:
        _warm.append(Warm())
    found = {**os.environ, **env}
    done = _warm[0].run(list(args), str(cwd), found, to_bytes(stdin or b""), TIMEOUT_SECONDS)
    if done is None:
        return run([sys.executable, "-m", "memtools", *args], cwd, env, stdin)
    code, out, err = done
    return Result(code, os.fsdecode(out), os.fsdecode(err))


def cool_down() -> None:
    """End what was kept warm for `Sandbox.memtools`."""
    while _warm:
        _warm.pop().close()


def to_bytes(content: str | bytes) -> bytes:
    """File content as bytes; line ends stay as they are written."""
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")


def longer(*values: object) -> list[object]:
    """Values of a table that only the long run takes (`pytest -m long`)."""
    return [pytest.param(value, marks=pytest.mark.long) for value in values]


def part_of(values: Sequence[object], each: int = 5) -> list[object]:
    """One value in `each`, and the others for the long run."""
    return [v if n % each == 0 else longer(v)[0] for n, v in enumerate(values)]


def examples(number: int) -> int:
    """How many examples a property is tried on: all with profile `new`, the same few without."""
    return max(number // 4, 10) if settings.default.derandomize else number


class Sandbox:
    """One work tree; paths are relative to its top."""

    def __init__(self, top: Path) -> None:
        self.top = top

    def path(self, path: str) -> Path:
        """Where `path` stands on disk."""
        return self.top / path

    def git(
        self,
        *args: str,
        check: bool = True,
        env: Mapping[str, str] | None = None,
        input: str | bytes | None = None,
    ) -> Result:
        """Run `git ARGS` at the top; with `check` a status other than 0 fails the test."""
        result = run(["git", *args], self.top, env, input)
        assert not check or result.code == 0, f"git {args} -> {result}"
        return result

    def memtools(
        self,
        *args: str,
        code: int | None = 0,
        env: Mapping[str, str] | None = None,
        input: str | bytes | None = None,
        cwd: str = "",
    ) -> Result:
        """`python -m memtools ARGS` of this checkout (`warm.py`), which must end with `code`."""
        found = {"PYTHONPATH": str(CHECKOUT), **(env or {})}
        result = _run_memtools(args, self.top / cwd, found, input)
        assert code is None or result.code == code, f"memtools {args} -> {result}"
        return result

    def init(self) -> Result:
        """`memtools init` here."""
        return self.memtools("init")

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file, with the folders it needs; returns where it stands."""
        target = self.path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(to_bytes(content))
        return target

    def read(self, path: str) -> bytes:
        """The bytes of a work-tree file."""
        return self.path(path).read_bytes()

    def stage(self, *paths: str) -> None:
        """`git add` these paths, taken as names; without any, everything."""
        chosen = ["--", *paths] if paths else ["--all"]
        self.git("--literal-pathspecs", "add", *chosen)

    def commit(
        self,
        message: str = "Change",
        *args: str,
        code: int | None = 0,
        env: Mapping[str, str] | None = None,
    ) -> Result:
        """`git commit -m MESSAGE ARGS`; `code` is the status it must end with."""
        result = self.git("commit", "-q", "-m", message, *args, check=False, env=env)
        assert code is None or result.code == code, f"git commit {args} -> {result}"
        return result

    def save(self, files: Mapping[str, str | bytes], message: str = "Change") -> Result:
        """Write, stage and commit `files`."""
        for path, content in files.items():
            self.write(path, content)
        self.stage(*files)
        return self.commit(message)

    def show(self, rev: str, path: str) -> bytes:
        """The bytes of `path` in a commit or tree."""
        return os.fsencode(self.git("cat-file", "blob", f"{rev}:{path}").out)

    def staged(self, path: str) -> bytes:
        """The bytes of `path` in staging."""
        return self.show("", path)

    def status(self) -> str:
        """`git status` in its short form; empty when there is nothing to commit."""
        return self.git("status", "--porcelain", "--untracked-files=all").out

    def head(self) -> str:
        """The commit at HEAD."""
        return self.git("rev-parse", "HEAD").out.strip()

    def files(self, rev: str = "HEAD") -> list[str]:
        """The paths in a commit or tree."""
        names = self.git("ls-tree", "-r", "-z", "--name-only", "--full-tree", rev).out
        return names.split("\0")[:-1]


def new_repository(top: Path) -> Sandbox:
    """A new repository without commits, on branch main; no commit looks for garbage."""
    top.mkdir(parents=True, exist_ok=True)
    made = Sandbox(top)
    made.git("init", "-q", "-b", "main")
    made.git("config", "maintenance.auto", "false")
    return made


def copied(template: Sandbox, top: Path) -> Sandbox:
    """A copy of a repository; staging is refreshed, since the copied files have other stat data."""
    shutil.copytree(template.top, top, symlinks=True)
    made = Sandbox(top)
    if made.path(".git/index").exists():
        made.git("update-index", "-q", "--refresh")
    return made
