"""A repository in the middle of a person's day, and the commands that are killed in it."""

from __future__ import annotations

import sys
from typing import NamedTuple

from tests.helpers import CHECKOUT, Sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Files = Mapping[str, str]

MEMTOOLS = (sys.executable, "-I", "-S", str(CHECKOUT / "memtools" / "start.py"))
# Commits that set the scene: no hook of ours looks at them.
UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}

PHRASE = "The blue resolver was the root cause"
MARKER = f"\nRETRACTS: {PHRASE}\n"
CAUSE = "# Cause\n\nThe lease ran out at night.\n"
DNS = f"---\n# a remark\ntitle: DNS\npriority: high\n---\n{PHRASE} of the outage.\n"
SUMMARY = "---\nderived_from: notes/dns.md\n---\nIn spring the resolver was renamed twice.\n"
BUILD = "# Build\n\nThe build runs in the green pool.\n"
LIST = "# List\n\n- eggs for the resolver\n"
OLD = "---\ntitle: Old\n---\nReboot the violet router twice before a release.\n"
CANDIDATE = "---\nstatus: candidate\nsource: stated\n---\nThe lease of the resolver ran out.\n"
# What a reader may see of the above; each sentence stands in one memory.
SENTENCES = (
    PHRASE,
    "In spring the resolver was renamed twice",
    "The lease ran out at night",
    "The build runs in the green pool",
    "eggs for the resolver",
    "Reboot the violet router twice",
    "The lease of the resolver ran out",
)
QUESTION = "resolver lease night green pool violet router"

# Committed, in two commits: what is there, and what an earlier correction took away.
COMMITTED = {
    "notes/dns.md": DNS,
    "notes/summary.md": SUMMARY,
    "notes/build.md": BUILD,
    "notes/list.md": LIST,
    "notes/old.md": OLD,
    "inbox/lease.md": CANDIDATE + MARKER,
    "AGENTS.md": "# Agents\n",
}
CORRECTION = {"notes/new.md": "# New\n\nRETRACTS: Reboot the violet router twice\n"}
# The person's own: staged, then not staged, then not even known to git.
STAGED = {"notes/list.md": LIST + "- milk\n"}
UNSTAGED = {
    "notes/dns.md": DNS + "A line of mine.\n",
    "notes/list.md": LIST + "- milk\n- bread\n",
    "AGENTS.md": "\nA rule of mine.\n",  # added to what stands there
}
UNTRACKED = {"notes/draft.md": "# Draft\n\nUnfinished.\n"}


class Command(NamedTuple):
    """A command, and what the person did before they typed it.

    `before` is committed unseen, `staged` and `unstaged` come on top of the person's own.
    `has_own`: is the person's own there at all? `cut_short`: a commit before it, which was killed
    when git had made it.
    """

    argv: tuple[str, ...]
    before: Files = {}  # noqa: RUF012  # nobody writes to it
    staged: Files = {}  # noqa: RUF012
    unstaged: Files = {}  # noqa: RUF012
    has_own: bool = True
    cut_short: tuple[str, ...] = ()


_COMMIT = ("git", "commit", "-q", "-m", "Cause")
_PART = (*_COMMIT, "--", "notes/build.md")
# Those of row R1, and others that only the long run kills.
OWED = {
    "commit": Command(_COMMIT, staged={"notes/cause.md": CAUSE + MARKER}),
    "commit, nothing else changed": Command(
        _COMMIT, staged={"notes/cause.md": CAUSE + MARKER}, has_own=False
    ),
    "commit -a": Command((*_COMMIT, "-a"), unstaged={"notes/build.md": BUILD + MARKER}),
    "commit -- path": Command(_PART, unstaged={"notes/build.md": BUILD + MARKER}),
    "commit --amend": Command(
        (*_COMMIT, "--amend"),
        before={"notes/cause.md": CAUSE},
        staged={"notes/cause.md": CAUSE + MARKER},
    ),
    "approve": Command((*MEMTOOLS, "approve", "inbox/lease.md", "--apply")),
    "restore": Command(
        (*MEMTOOLS, "restore", "notes/old.md", "--why", "right", "--drop-marker", "--apply")
    ),
    "retract": Command((*MEMTOOLS, "retract", PHRASE, "--why", "a lease", "--apply")),
}
ALSO = {
    "reject": Command((*MEMTOOLS, "reject", "inbox/lease.md", "--why", "not so", "--apply")),
    "sweep": Command((*MEMTOOLS, "sweep", "--apply"), before={"notes/cause.md": CAUSE + MARKER}),
    "commit after one that was cut short": Command(
        ("git", "commit", "-q", "-m", "More"),
        unstaged={"notes/build.md": BUILD + MARKER},
        cut_short=_PART,
    ),
    "doctor --fix": Command(
        (*MEMTOOLS, "doctor", "--fix"),
        unstaged={"notes/build.md": BUILD + MARKER},
        cut_short=_PART,
    ),
}


def build(repo: Sandbox) -> None:
    """Make the repository all commands start from; `repo` is one after `memtools init`."""
    repo.save(COMMITTED, "Start")
    repo.memtools("render", "--to", "AGENTS.md")
    repo.stage()
    repo.commit("Render")
    repo.save(CORRECTION, "Correct")
    repo.git("repack", "-a", "-d", "-q")


def prepare(repo: Sandbox, command: Command) -> None:
    """What the person does before the command."""
    if command.before:
        _write(repo, command.before)
        repo.stage(*command.before)
        repo.commit("Before", env=UNSEEN)
    staged = {**(STAGED if command.has_own else {}), **command.staged}
    if staged:
        _write(repo, staged)
        repo.stage(*staged)
    _write(repo, {**(UNSTAGED | UNTRACKED if command.has_own else {}), **command.unstaged})
    if command.cut_short:
        hook, aside = repo.path(".git/hooks/post-commit"), repo.path(".git/aside")
        hook.rename(aside)
        repo.git(*command.cut_short[1:])
        aside.rename(hook)


def _write(repo: Sandbox, files: Files) -> None:
    for path, text in files.items():
        there = repo.read(path) if path == "AGENTS.md" else b""
        repo.write(path, there + text.encode())
