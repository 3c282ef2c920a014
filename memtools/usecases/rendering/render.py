"""render: the activation layer between the two comments of files that agents read.

Writes the file it was told to, or those of this work tree that hold the comments; no memory, no
staging. What only this work tree takes away (rule 15) is not in it.
"""

from __future__ import annotations

import os

from memtools.core.block import Block, can_name, find_block, with_lines, with_new_block
from memtools.core.problem import Problem, problem
from memtools.core.selection import PLACES, is_place
from memtools.core.wording import say, shell_word
from memtools.errors import RefusedError, UsageError
from memtools.git.staging import Staging
from memtools.git.worktree import read_plain_file
from memtools.usecases.addresses import paths_meant
from memtools.usecases.reading.effective import scopes_of
from memtools.usecases.reading.recall import shown_layer, withheld_here
from memtools.usecases.reading.view import read_view, view_of
from memtools.usecases.rendering.done import (
    CURRENT,
    STALE,
    WRITTEN,
    Done,
    Rendering,
    refuse_memory,
    write_bytes,
)
from memtools.usecases.rendering.layer import layer_lines
from memtools.usecases.repository import require_top

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.wording import Said
    from memtools.usecases.reading.view import View
    from memtools.usecases.repository import Repository

# What Cursor wants above a rule that is always put before the agent.
_CURSOR_HEADER = b"---\ndescription: Memories of this repository\nalwaysApply: true\n---\n\n"


def render(
    repository: Repository, to: str = "", *, scope: str | None = None, check: bool = False
) -> Rendering:
    """Write the block of the file `to`, or of each file of this work tree that holds the comments.

    `to` may be a folder (it ends in a slash, or is one): see `folder.py`. `scope` None keeps what a
    file names. `check` writes nothing: what would change is a problem.

    Raises:
        UsageError: no file to render into, one outside of the work tree, a scope no comment can
            name.
        RefusedError: the file is a memory or no plain file.
        GitError: there is no work tree.
    """
    require_top(repository)
    if scope and not can_name(scope):
        raise UsageError(
            say("no comment can name the scope {scope}", scope=scope),
            say("use a scope without quotation marks, < and >"),
        )
    view = read_view(repository)
    if to and (to.endswith(("/", os.sep)) or os.path.isdir(to)):
        from memtools.usecases.rendering.folder import render_folder

        path = _path_of(repository, to)
        return render_folder(view, path, scope=scope, check=check)
    paths = [_path_of(repository, to)] if to else places_here(repository, view)
    if not paths and not check:
        raise UsageError(
            say("no file here holds the two comments of a block of memories"),
            say("type: memtools render --to AGENTS.md (or CLAUDE.md, GEMINI.md, a folder/)"),
        )
    tracked = _tracked(repository, paths)
    own = view_of(repository) if view.is_bound and tracked else view
    files, problems = [], []
    for path in paths:
        done = _render_file(own if path in tracked else view, path, scope, check)
        if isinstance(done, Problem):
            problems.append(done)
        else:
            files.append(done)
            if done.state == STALE:
                problems.append(_stale(path, to))
    notices = _notices(to, paths)
    withheld = withheld_here(view, scopes_of(scope or ""))
    return Rendering(tuple(files), tuple(problems), withheld, notices)


def _path_of(repository: Repository, to: str) -> str:
    paths = paths_meant(repository, to)
    if not paths or any(part.lower() == ".git" for part in paths[0].split("/")):
        raise UsageError(
            say("{path} is not inside this work tree", path=to),
            say("type: memtools render --to AGENTS.md"),
        )
    return paths[0]


def places_here(repository: Repository, view: View) -> list[str]:
    """The files of this work tree that hold the comments, be they a pair or not."""
    folder = PLACES[-1]
    try:
        names = sorted(os.listdir(os.path.join(repository.top, folder)))
    except OSError:
        names = []
    paths = [path for path in (*PLACES[:-1], *(folder + name for name in names)) if is_place(path)]
    holds = view.settings.config.selection.holds
    found = []
    for path in paths:
        data = None if holds(path) else read_plain_file(repository.top, path)
        if data is not None and find_block(path, data) is not None:
            found.append(path)
    return found


def _tracked(repository: Repository, paths: list[str]) -> frozenset[str]:
    """Those that are part of a commit: they say what its tree says, whatever `read_ref` is."""
    staging = Staging(repository.git, repository.git_dir)
    return frozenset(staging.entries(paths) if paths else ())


def _render_file(view: View, path: str, scope: str | None, check: bool) -> Done | Problem:
    top = view.repository.top
    refuse_memory(view, path)
    before = read_plain_file(top, path)
    if before is None and os.path.lexists(os.path.join(top, path)):
        raise RefusedError(
            say("{path} is no plain file; nothing was written", path=path),
            say("name the file itself, not a link to it"),
        )
    after = _with_layer(view, path, before, scope)
    if isinstance(after, Problem):
        return after
    if after == before:
        return Done(path, CURRENT)
    if check:
        return Done(path, STALE)
    write_bytes(top, path, before, after)
    return Done(path, WRITTEN)


def _with_layer(view: View, path: str, before: bytes | None, scope: str | None) -> bytes | Problem:
    data = before
    if data is None:
        data = _CURSOR_HEADER if path.endswith(".mdc") else b""
    block = find_block(path, data)
    if isinstance(block, Problem):
        return block
    named = scope if scope is not None else block.scope if block else ""
    lines = _lines(view, named)
    if isinstance(block, Block):
        return with_lines(data, block, lines, named)
    return with_new_block(path, data, lines, named)


def _lines(view: View, scope: str) -> list[str]:
    layer = shown_layer(view, scopes_of(scope))
    return layer_lines(layer, view.settings.config.activation)


def _stale(path: str, to: str) -> Problem:
    command = f"memtools render --to {shell_word(path)}" if to else "memtools render"
    what = say("it does not say what the memories say")
    return problem(path, 0, "render-stale", what, say("type: {command}", command=command))


def _notices(to: str, paths: list[str]) -> tuple[Said, ...]:
    if not to or is_place(paths[0]):
        return ()
    return (
        say(
            "commits do not keep {path} current; type memtools render --to {word} after them",
            path=paths[0],
            word=shell_word(paths[0]),
        ),
    )
