"""The hook shims: their sources, the installed form of each, and how to know one again.

Must not know where a repository keeps its hooks (`hookfolder`) or what a hook does.
"""

from __future__ import annotations

import os
import re
import shlex
import sys

from memtools.errors import GitError, say
from memtools.values import NamedTuple

STAGES = (
    "pre-commit",
    "pre-merge-commit",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "post-applypatch",
    "pre-push",
)
# In a bare repository, which receives pushes.
SERVER_STAGES = ("pre-receive",)
# Stages that git feeds on stdin.
FED_STAGES = ("post-rewrite", "pre-push", "pre-receive")
_LEFTHOOK_ARGUMENTS = {"post-merge": " {1}", "post-rewrite": " {1}", "pre-push": " {1} {2}"}
# The second line of each shim begins with this; a number, the stage and a colon follow.
_MARK = re.compile(rb"^# memtools-shim \d+ [a-z-]+:", re.MULTILINE)
_SETTINGS = re.compile(rb"^python=.* prev=", re.MULTILINE)
_LOOKED_AT = 4096  # bytes: a longer file is no shim of ours


class Program(NamedTuple):
    """How a shim starts memtools: two absolute paths, the interpreter and `memtools/start.py`."""

    python: str
    start: str


def this_program() -> Program:
    """How a shim starts the memtools that runs now."""
    return Program(sys.executable, os.path.join(_package_folder(), "start.py"))


def _package_folder() -> str:
    return os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def sources_folder() -> str:
    """Where the sources of the shims are: inside the package (a wheel) or beside it (a checkout).

    Raises:
        GitError: neither is there; the installation is incomplete.
    """
    package = _package_folder()
    for folder in (os.path.join(package, "hooks"), os.path.join(package, os.pardir, "hooks")):
        if os.path.isfile(os.path.join(folder, "pre-commit")):
            return os.path.normpath(folder)
    raise GitError(
        say("the hook sources are missing from the installation in {package}", package=package),
        say("install memtools again"),
    )


def render_shim(stage: str, program: Program) -> bytes:
    """The installed form of the shim of one stage: a whole file."""
    with open(os.path.join(sources_folder(), stage), "rb") as file:
        source = file.read()
    for field, path in (("@PYTHON@", program.python), ("@START@", program.start)):
        source = source.replace(os.fsencode(field), os.fsencode(shlex.quote(path)), 1)
    return source


def is_shim(data: bytes) -> bool:
    """Is this whole file a shim of ours, of any version?"""
    return len(data) <= _LOOKED_AT and _MARK.search(data) is not None


def program_of(data: bytes) -> Program | None:
    """The program an installed shim starts; None when the file does not say."""
    found = _SETTINGS.search(data)
    if found is None:
        return None
    try:
        words = shlex.split(os.fsdecode(found.group()))
    except ValueError:
        return None
    values = dict(word.partition("=")[::2] for word in words)
    return Program(values.get("python", ""), values.get("start", ""))


def manager_line(stage: str, manager: str) -> str:
    """The one line a person adds to the files of another hook manager, so that it calls us.

    `manager` is "lefthook" (a line of lefthook.yml) or anything else (a line of a sh hook).
    """
    if manager == "lefthook":
        given = _LEFTHOOK_ARGUMENTS.get(stage, "")
        fed = ", use_stdin: true" if stage in FED_STAGES else ""
        run = f'"memtools hook {stage}{given}"' if given else f"memtools hook {stage}"
        return f"{stage}: {{commands: {{memtools: {{run: {run}{fed}}}}}}}"
    return f'if command -v memtools >/dev/null; then memtools hook {stage} "$@"; fi'
