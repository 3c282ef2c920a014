"""demo: the whole story on real git in a folder of its own, told as a transcript.

Nothing of the person's git, settings or repositories is seen or touched; no network.
"""

from __future__ import annotations

import os
import shlex

from memtools.config import environ
from memtools.core.wording import Said, say
from memtools.errors import GitError, UsageError
from memtools.git.run import spawn
from memtools.usecases.person import spoken_language
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DROPPED = ("GIT_", "MEMTOOLS_", "XDG_")
_NAME = "Demo"
_MAIL = "demo@example.com"
LESSON = """\
---
priority: high
---
# Why the sync fails

Diagnosis confirmed: the root cause is the DNS cache.
Flush it whenever the sync hangs.
"""
FIX = """\
---
reason: the certificate had expired; DNS was fine
---
# What the sync really needed

The certificate of the server had expired. Renew it.

RETRACTS: Diagnosis confirmed: the root cause is the DNS cache.
"""


class Line(NamedTuple):
    """One line of the transcript: a remark, a command (without its `$`), or a line it printed."""

    kind: str
    text: str


def tell_story(folder: str, python: str) -> Iterator[Line]:
    """Run the story in an empty `folder`; `python` is the interpreter that has memtools.

    Raises:
        GitError: a command did not end as it should.
    """
    stage = _Stage(folder, python)
    yield from stage.remark(say("An empty folder becomes a repository of memories."))
    yield from stage.run("git init --quiet --initial-branch=main")
    yield from stage.run("memtools init")
    yield from stage.run("git add .memtools.toml")
    yield from stage.run('git commit --quiet -m "Start"')
    yield from stage.remark(
        say("A lesson was written down as certain before the cause was known, with high priority.")
    )
    yield from stage.write("sync.md", LESSON)
    yield from stage.run("git add sync.md")
    yield from stage.run('git commit --quiet -m "Note why the sync fails"')
    yield from stage.remark(say("From now on every agent is told so at every turn:"))
    yield from stage.run("memtools recall")
    yield from stage.remark(
        say("It was wrong. A new memory says so, and its RETRACTS line names the old one by words.")
    )
    yield from stage.write("fix.md", FIX)
    yield from stage.run("git add fix.md")
    yield from stage.run('git commit -m "Note what the sync really needed"')
    yield from stage.remark(say("The tombstone is in the same commit; nothing else was touched:"))
    yield from stage.run("git show --stat --format=%s")
    yield from stage.run("git diff HEAD^ -- sync.md")
    yield from stage.remark(say("The wrong lesson is gone, for agents and in search:"))
    yield from stage.run("memtools recall")
    yield from stage.run('memtools search "sync"')
    yield from stage.remark(say("The way back, should it have been right after all:"))
    why = 'memtools restore sync.md --why "it was DNS after all" --drop-marker'
    yield from stage.run(why)
    yield from stage.run(f"{why} --apply")
    yield from stage.run("memtools recall")
    yield from stage.run("git log --oneline")


class _Stage:
    """The folder of the story, and the way its commands are run."""

    def __init__(self, folder: str, python: str) -> None:
        self._folder = folder
        self._python = python
        self._env = _environment(environ(), folder)

    def remark(self, text: Said) -> Iterator[Line]:
        yield Line("remark", text)

    def write(self, name: str, content: str) -> Iterator[Line]:
        """Write a file as an editor would, and show it."""
        with open(os.path.join(self._folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
        yield Line("command", f"cat {name}")
        for line in content.splitlines():
            yield Line("output", line)

    def run(self, command: str) -> Iterator[Line]:
        """Run one command line and show what it says; hooks speak before git does."""
        yield Line("command", command)
        program, *args = shlex.split(command)
        start = ["git"] if program == "git" else [self._python, "-m", "memtools"]
        code, out, err = spawn([*start, "-C", self._folder, *args], self._env)
        for line in (err + out).decode("utf-8", "replace").splitlines():
            yield Line("output", line)
        if code:
            raise GitError(
                say("the demo stopped: {command} ended with {code}", command=command, code=code),
                say("type: memtools doctor"),
            )


def _environment(base: Mapping[str, str], folder: str) -> dict[str, str]:
    """A world without the person's git, hooks and settings; language and packages stay."""
    import site

    kept = {key: value for key, value in base.items() if not key.startswith(_DROPPED)}
    home = os.path.dirname(folder)
    return {
        **kept,
        "HOME": home,
        "MEMTOOLS_LANG": spoken_language(),
        "PYTHONUSERBASE": kept.get("PYTHONUSERBASE") or site.getuserbase(),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": home,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "GIT_PAGER": "cat",
        **{f"GIT_{who}_NAME": _NAME for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": _MAIL for who in ("AUTHOR", "COMMITTER")},
    }


def make_folder(keep: str) -> str:
    """The empty folder of the story: `keep`, or a temporary one when that is "".

    Raises:
        UsageError: `keep` holds something already, or cannot be made.
    """
    import tempfile

    if not keep:
        folder = os.path.join(os.path.realpath(tempfile.mkdtemp(prefix="memtools-demo-")), "notes")
        os.mkdir(folder)
        return folder
    folder = os.path.abspath(keep)
    try:
        os.makedirs(folder, exist_ok=True)
        taken = bool(os.listdir(folder))
    except OSError as error:
        reason = error.strerror or "?"
        raise UsageError(say("cannot use {path}: {reason}", path=keep, reason=reason)) from error
    if taken:
        raise UsageError(
            say("{path} is not empty", path=keep), say("name a folder that is not there yet")
        )
    return folder


def remove_folder(folder: str) -> None:
    """Take the temporary folder away; git writes its objects read-only."""
    import shutil
    import stat

    base = os.path.dirname(folder)
    for place, _, names in os.walk(base):
        for name in names:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)
    shutil.rmtree(base, ignore_errors=True)
