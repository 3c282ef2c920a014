"""Kill a command right before its N-th call that changes a repository (`killpoint.c`)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.helpers import TIMEOUT_SECONDS, Sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SOURCE = Path(__file__).with_name("killpoint.c")
KILLED = 137


class Run(NamedTuple):
    """How a command ended, what it said, the calls it made or was about to make.

    A call is its name and a path from the top of the repository: "rename .git/index".
    """

    code: int
    said: str
    calls: list[str]


def run_killed(program: Path, repo: Sandbox, number: int, argv: Sequence[str]) -> Run:
    """Run `argv` at a terminal in the repository, killed before call `number` (0: not at all)."""
    log = repo.top.with_name(f"{repo.top.name}.log")
    screen, terminal = os.openpty()
    try:
        done = subprocess.run(
            [program, f"{repo.top}/", str(number), log, *argv],
            cwd=repo.top,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        os.close(terminal)
        said = _read_all(screen)
    finally:
        os.close(screen)
    return Run(done.returncode, said, log.read_text("utf-8", "surrogateescape").splitlines())


def _read_all(screen: int) -> str:
    parts = []
    try:
        while part := os.read(screen, 1 << 16):
            parts.append(part)
    except OSError:  # nobody writes there any more
        pass
    return b"".join(parts).decode("utf-8", "replace")


def build(folder: Path) -> Path:
    """Build the program that kills, or skip with the reason."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    program = folder / "killpoint"
    made = subprocess.run(
        [compiler, "-O1", "-o", program, _SOURCE], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip(f"killpoint.c cannot be built here: {made.stderr.decode()[-200:]}")
    tried = subprocess.run([program, "/", "0", folder / "log", "true"], check=False)
    if tried.returncode:
        pytest.skip("processes cannot be traced here")
    return program
