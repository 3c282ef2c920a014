"""What the tests of retraction by commit share: making a commit, and what must hold after it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from tests.helpers import DATE, Result, Sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Files = Mapping[str, str | bytes]

HEADLINE = 160
# Commits that set the scene: no hook of ours looks at them.
UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}


class State(NamedTuple):
    """Everything a refused commit must leave as it was."""

    head: str
    status: str
    staging: str
    refs: str
    files: dict[str, bytes]
    journal: bool


def lesson(row: str) -> str:
    """The wrong sentence of one row; no other row's phrase stands in it."""
    return f"the {row} cache was the root cause"


def memory(text: str, header: str = "title: Target\n") -> str:
    """A memory with front matter that says `text`."""
    return f"---\n{header}---\nWe saw that {text}.\n\nEnd.\n"


def fix(*lines: str, header: str = "title: Fix\n") -> str:
    """A declaring memory whose body is these lines."""
    body = "".join(f"{line}\n" for line in lines)
    return f"---\n{header}---\n{body}"


def retracts(*phrases: str, header: str = "title: Fix\n") -> str:
    """A declaring memory with one marker for each phrase."""
    return fix(*(f"RETRACTS: {phrase}" for phrase in phrases), header=header)


def given(repo: Sandbox, files: Files) -> None:
    """Commit `files` unseen by our hooks, as if they had come from elsewhere."""
    put(repo, files)
    repo.commit("Given", env=UNSEEN)


def put(repo: Sandbox, files: Files) -> None:
    """Write and stage `files`."""
    for path, content in files.items():
        repo.write(path, content)
    repo.stage(*files)


def state(repo: Sandbox) -> State:
    """What is true of HEAD, staging, the refs and every file."""
    return State(
        repo.git("rev-parse", "--verify", "-q", "HEAD", check=False).out,
        repo.status(),
        repo.git("ls-files", "-s").out,
        repo.git("for-each-ref").out,
        _files(repo.top),
        repo.path(".git/memtools/journal").exists(),
    )


def _files(top: Path) -> dict[str, bytes]:
    found = {}
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = Path(folder, name)
            where = str(path.relative_to(top))
            found[where] = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
    return found


def refused(
    repo: Sandbox,
    files: Files,
    rule: str,
    *args: str,
    env: Mapping[str, str] | None = None,
) -> str:
    """Commit `files`; it must be stopped by `rule` with nothing changed. Returns what was said."""
    put(repo, files)
    before = state(repo)
    done = repo.commit("Refused", *args, code=1, env=env)
    assert state(repo) == before
    assert_stopped(done, rule)
    return done.err


def assert_stopped(done: Result, rule: str) -> None:
    """The first line is whole in itself, and the rule is named below it."""
    first = done.err.split("\n")[0]
    assert first.startswith("memtools: "), done.err
    assert len(first) <= HEADLINE, first
    assert f": {rule}: " in done.err, done.err


def tombstone(before: str | bytes, by: str, at: str = DATE, why: str = "") -> bytes:
    """The bytes a memory has as a tombstone: the status line and at most three new ones."""
    raw = before if isinstance(before, bytes) else before.encode()
    mark = raw[:3] if raw.startswith(b"\xef\xbb\xbf") else b""
    text = raw[len(mark) :]
    end = b"\r\n" if b"\r\n" in text else b"\n"
    lines = [f"retracted_at: {at}", f'retracted_by: "[[{by}]]"']
    lines += [f"retracted_reason: {why}"] if why else []
    new = [line.encode() for line in lines]
    rule = b"---" + end
    if not text.startswith(rule):
        block = end.join([b"---", b"status: retracted", *new, b"---", b""])
        return mark + block + text
    header, _, body = text[len(rule) :].partition(rule)
    kept = header.split(end)[:-1]
    status = [number for number, line in enumerate(kept) if line.startswith(b"status:")]
    if status:
        kept[status[0]] = b"status: retracted"
    else:
        new.insert(0, b"status: retracted")
    return mark + rule + end.join([*kept, *new, b""]) + rule + body


def assert_same(repo: Sandbox, path: str, wanted: str | bytes) -> None:
    """`path` has these bytes in HEAD, in staging and on disk."""
    raw = wanted if isinstance(wanted, bytes) else wanted.encode()
    assert repo.show("HEAD", path) == raw
    assert repo.staged(path) == raw
    assert repo.read(path) == raw


def assert_retracted(
    repo: Sandbox, path: str, before: str | bytes, by: str = "fix", at: str = DATE, why: str = ""
) -> None:
    """`path` is the tombstone of `before` in HEAD, in staging and on disk."""
    assert_same(repo, path, tombstone(before, by, at, why))


def is_retracted(repo: Sandbox, path: str, rev: str = "HEAD") -> bool:
    """Does `path` hold a tombstone in `rev`?"""
    return b"\nstatus: retracted" in repo.show(rev, path)


def said_of(done: Result, start: str) -> str:
    """The lines of stderr that begin with `start`, each with the indented lines below it."""
    out, taking = [], False
    for line in done.err.split("\n"):
        taking = line.startswith(start) if not line.startswith(" ") else taking
        if taking:
            out.append(line)
    return "\n".join(out)
