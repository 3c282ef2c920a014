"""Asks a forge for a pull request, by the program that speaks to it: GitHub's gh, GitLab's glab.

Must not know what is proposed. Fixed argument lists, no shell; the text of the request goes in as
data, never as an option.
"""

from __future__ import annotations

import os
import shutil
import subprocess

from memtools.errors import ExtraError, GitError, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GH, GLAB = "gh", "glab"
_SECONDS = 120  # how long a forge may take to answer
_LONGEST = 30_000  # characters of a text that goes in as an argument: an argument holds 128 KiB


class Request(NamedTuple):
    """A pull request to open: from `branch` into `base` ("": what the forge has as its default)."""

    branch: str
    base: str
    title: str
    body: str


def program_for(url: str, path: str) -> str:
    """The program that speaks to the forge of a remote's URL; that is gh when nothing tells.

    `path`: the folders to look in, as PATH has them.
    """
    host = _host(url)
    if "gitlab" in host:
        return GLAB
    if "github" in host or find(GH, path) or not find(GLAB, path):
        return GH
    return GLAB


def _host(url: str) -> str:
    """The host of a remote's URL in lower case; "" for a folder of this machine."""
    _, scheme, rest = url.lower().partition("://")
    if scheme:
        return rest.partition("/")[0].rpartition("@")[2]
    host, colon, _ = url.lower().partition(":")
    return host if colon and "/" not in host else ""


def find(program: str, path: str) -> str:
    """Where a program stands, "" when it is not there; folders that are not absolute count not."""
    folders = [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]
    return shutil.which(program, path=os.pathsep.join(folders)) or ""


def asking_for(program: str, branch: str, base: str) -> list[str]:
    """The arguments that ask for the merge of a branch; who types them is asked for the words."""
    words = ["mr", "create", "--source-branch"] if program == GLAB else ["pr", "create", "--head"]
    onto = "--target-branch" if program == GLAB else "--base"
    return [*words, branch, *((onto, base) if base else ())]


def arguments(program: str, request: Request) -> list[str]:
    """The arguments that open a request; gh takes the body from standard input."""
    asked = asking_for(program, request.branch, request.base)
    if program == GLAB:
        told = ("--title", request.title, "--description", request.body[:_LONGEST])
        return [*asked, "--yes", *told]
    return [*asked, "--title", request.title, "--body-file", "-"]


def open_request(program: str, request: Request, top: str, env: Mapping[str, str]) -> str:
    """Open a pull request from the work tree `top`; returns the last line it says: its address.

    Raises:
        ExtraError: the program is not installed.
        GitError: it did not open the request.
    """
    found = find(program, env.get("PATH", os.defpath))
    if not found:
        raise ExtraError(say("{program} is not installed, or not on PATH", program=program))
    asked = {**env, "GH_PROMPT_DISABLED": "1", "NO_PROMPT": "1", "NO_COLOR": "1"}
    try:
        done = subprocess.run(
            [found, *arguments(program, request)],
            cwd=top,
            env=asked,
            input=request.body.encode("utf-8", "replace"),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or say("it did not answer")
        raise GitError(_failed(program, reason)) from error
    if done.returncode:
        reason = _last(done.stderr) or f"exit status {done.returncode}"
        raise GitError(_failed(program, reason))
    return _last(done.stdout)


def _failed(program: str, reason: str) -> str:
    return say("{program} did not open a pull request: {reason}", program=program, reason=reason)


def _last(out: bytes) -> str:
    lines = [line.strip() for line in out.decode("utf-8", "replace").splitlines()]
    return next((line for line in reversed(lines) if line), "")
