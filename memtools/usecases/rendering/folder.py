"""render into a folder: one file for each memory an agent may read, in the shape of its path.

A manifest in the folder says what memtools wrote there; nothing else in it is ever touched, nothing
outside of it is written, no link is followed.
"""

from __future__ import annotations

import json
import os

from memtools.core.block import can_name
from memtools.core.problem import Problem, problem
from memtools.core.wording import say, shell_word
from memtools.errors import RefusedError
from memtools.git.worktree import FOLLOWED, read_plain_file, remove
from memtools.usecases.reading.effective import scopes_of
from memtools.usecases.reading.recall import handed_out, withheld_here
from memtools.usecases.rendering.done import (
    CURRENT,
    REMOVED,
    STALE,
    WRITTEN,
    Done,
    Rendering,
    refuse_memory,
    write_bytes,
)
from memtools.usecases.rendering.layer import memory_lines
from memtools.usecases.tree import memories_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.reading.view import View

MANIFEST = ".memtools-rendered"
_VERSION = 1


class _Manifest(NamedTuple):
    """The scope a folder is for, and the digests each path (below the folder) may have of ours."""

    scope: str
    files: dict[str, tuple[str, ...]]


def render_folder(view: View, folder: str, *, scope: str | None, check: bool) -> Rendering:
    """Bring a folder (path from the top) to what may be read; `scope` None: what it was made for.

    Raises:
        RefusedError: its files would be memories, or it is no plain folder.
        GitError: a file cannot be written.
    """
    refuse_memory(view, f"{folder}/x.md")
    top = view.repository.top
    place = os.path.join(top, folder)
    if os.path.islink(place) or (os.path.lexists(place) and not os.path.isdir(place)):
        raise RefusedError(
            say("{path} is no plain folder; nothing was written", path=folder),
            say("name the folder itself, not a link to it"),
        )
    raw = read_plain_file(top, f"{folder}/{MANIFEST}")
    before = _parse(raw)
    named = scope if scope is not None else before.scope
    scopes = scopes_of(named)
    wanted = _wanted(view, scopes)
    for path in wanted:
        refuse_memory(view, f"{folder}/{path}")
    task = _Task(top, folder, before.files, wanted)
    if not check:
        _keep(task, raw, _Manifest(named, _both(before.files, wanted)))
    files, problems = [], []
    for found in (*task.writes(check), *task.removals(check)):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            files.append(found)
    if check:
        problems += [_stale(done.path, folder) for done in files if done.state == STALE]
    else:
        kept = _both({}, wanted) | {path: before.files[path] for path in task.left}
        raw = read_plain_file(top, f"{folder}/{MANIFEST}")
        _keep(task, raw, _Manifest(named, kept))
    withheld = withheld_here(view, scopes)
    return Rendering(tuple(files), tuple(problems), withheld)


def _wanted(view: View, scopes: tuple[str, ...]) -> dict[str, bytes]:
    """Path below the folder -> whole file, of each memory that may be read here."""
    found = {}
    for path, blob in memories_of(view.repository.git, view.tree, view.settings.config):
        shown = handed_out(view, path, scopes, blob)
        lines = memory_lines(shown) if shown is not None else []
        if lines:
            found[path] = ("\n".join(lines) + "\n").encode("utf-8", "replace")
    return found


class _Task:
    """One folder being brought along; `left` are files of ours that stay, changed by others."""

    def __init__(
        self,
        top: str,
        folder: str,
        known: dict[str, tuple[str, ...]],
        wanted: dict[str, bytes],
    ) -> None:
        self.top = top
        self.folder = folder
        self._known = known
        self._wanted = wanted
        self.left: list[str] = []

    def writes(self, check: bool) -> Iterator[Done | Problem]:
        """Write what is new or other; a file of somebody else stays."""
        for path, data in self._wanted.items():
            place = f"{self.folder}/{path}"
            here = read_plain_file(self.top, place)
            if here == data:
                yield Done(place, CURRENT)
            elif not self._is_ours(path, here):
                yield self._foreign(path)
            elif check:
                yield Done(place, STALE)
            else:
                write_bytes(self.top, place, here, data)
                yield Done(place, WRITTEN)

    def removals(self, check: bool) -> Iterator[Done | Problem]:
        """Take away files of ours that nobody may read any more."""
        for path in sorted(self._known.keys() - self._wanted.keys()):
            place = f"{self.folder}/{path}"
            here = read_plain_file(self.top, place)
            if here is None and not self._is_there(place):
                continue
            if here is None or not self._is_ours(path, here):
                yield self._foreign(path)
            elif check:
                yield Done(place, STALE)
            elif remove(self.top, place, here, self.folder) == FOLLOWED:
                yield Done(place, REMOVED)

    def _is_ours(self, path: str, here: bytes | None) -> bool:
        if here is None:
            return not self._is_there(f"{self.folder}/{path}")
        return _digest(here) in self._known.get(path, ())

    def _is_there(self, place: str) -> bool:
        return os.path.lexists(os.path.join(self.top, place))

    def _foreign(self, path: str) -> Problem:
        if path in self._known:
            self.left.append(path)
        what = say("memtools did not write this file, or somebody changed it since; it stays")
        hint = say("look at it, take it away, and type the command again")
        return problem(f"{self.folder}/{path}", 0, "render-foreign", what, hint)


def _both(
    known: dict[str, tuple[str, ...]], wanted: dict[str, bytes]
) -> dict[str, tuple[str, ...]]:
    """What is ours before and after: written first, so that a killed run disowns nothing."""
    every = {path: known.get(path, ()) for path in (*known, *wanted)}
    return {
        path: tuple(dict.fromkeys((*digests, _digest(wanted[path])))) if path in wanted else digests
        for path, digests in every.items()
    }


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()


def _keep(task: _Task, before: bytes | None, manifest: _Manifest) -> None:
    files = {path: list(manifest.files[path]) for path in sorted(manifest.files)}
    values = {"memtools_render": _VERSION, "scope": manifest.scope, "files": files}
    after = (json.dumps(values, indent=1) + "\n").encode()
    if after != before:
        write_bytes(task.top, f"{task.folder}/{MANIFEST}", before, after)


def _parse(raw: bytes | None) -> _Manifest:
    """A manifest; one that is none of ours counts as empty, and paths that leave the folder too."""
    try:
        values = json.loads(raw or b"{}")
        if values.get("memtools_render") != _VERSION or not can_name(values["scope"]):
            return _Manifest("", {})
        files = {
            path: tuple(map(str, digests))
            for path, digests in values["files"].items()
            if _is_below(path)
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return _Manifest("", {})
    return _Manifest(values["scope"], files)


def _is_below(path: str) -> bool:
    parts = path.split("/")
    return path[-3:].lower() == ".md" and "\0" not in path and not {"", ".", ".."} & set(parts)


def _stale(path: str, folder: str) -> Problem:
    what = say("it is not what the memories say")
    command = f"memtools render --to {shell_word(folder + '/')}"
    return problem(path, 0, "render-stale", what, say("type: {command}", command=command))
