"""new: an empty memory with a title, in the work tree; committing it is up to the person."""

from __future__ import annotations

import os
import re
import unicodedata

from memtools.config import read_variables
from memtools.core.invisible import is_utf8
from memtools.core.memory import read_memory
from memtools.core.vocabulary import Priority
from memtools.core.wording import say
from memtools.errors import GitError, RefusedError, UsageError
from memtools.git.editor import open_in_editor
from memtools.git.worktree import write_new
from memtools.usecases.changing.newfile import cut, free_path, memory_bytes, plain_text
from memtools.usecases.repository import load_config, require_top
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.config import Config
    from memtools.usecases.repository import Repository

_LONGEST = 100  # bytes of a slug
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z")  # no file of Windows can be named so


class NewMemory(NamedTuple):
    """Where it was written (repo path), and its title."""

    path: str
    title: str


def slug(title: str) -> str:
    """A title as a file name: its letters, digits and accents of any script, in lower case."""
    kept = "".join(
        char if char.isalnum() or unicodedata.category(char).startswith("M") else " "
        for char in unicodedata.normalize("NFC", title).lower()
    )
    name = cut("-".join(kept.split()), _LONGEST).strip("-")
    if not name or _RESERVED.match(name):
        return f"{name}-memory".strip("-")
    return name


def create_memory(
    repository: Repository,
    title: str,
    *,
    priority: str = "",
    scope: str = "",
    tags: Sequence[str] = (),
) -> NewMemory:
    """Write an empty memory below the first root; front matter only when a field is asked for.

    Raises:
        UsageError: no title, or an unknown priority.
        RefusedError: no root can take it.
        GitError: it cannot be written.
    """
    require_top(repository)
    plain = " ".join(title.split())
    _check(plain, priority)
    config, _ = load_config(repository)
    path = _path(repository, config, plain)
    words = [plain_text(tag) for tag in tags]
    fields = {"title": plain, "priority": priority, "scope": plain_text(scope), "tags": words}
    fields = {key: value for key, value in fields.items() if value}
    data = memory_bytes({}, f"# {plain}\n")
    if len(fields) > 1 or read_memory(path, data).title != plain:
        data = memory_bytes(fields, "")
    try:
        write_new(repository.top, path, data)
    except OSError as error:
        raise GitError(
            say("{path} cannot be written: {reason}", path=path, reason=error.strerror or "?")
        ) from error
    return NewMemory(path, plain)


def _check(title: str, priority: str) -> None:
    if not title:
        raise UsageError(say("a memory needs a title"), say('type: memtools new "A title"'))
    if not is_utf8(title):
        raise UsageError(say("the title is not UTF-8 text"))
    known = [word.value for word in Priority]
    if priority and priority not in known:
        raise UsageError(
            say("{word} is no priority", word=priority),
            say("type one of: {words}", words=", ".join(known)),
        )


def _path(repository: Repository, config: Config, title: str) -> str:
    for root in config.roots:
        is_file = os.path.isfile(os.path.join(repository.top, root))
        path = "" if is_file else free_path(repository, config.selection, root, slug(title))
        if path:
            return path
    raise RefusedError(
        say("no root of this repository can take a new memory"),
        say("type: memtools config --show-origin"),
    )


def edit_memory(repository: Repository, path: str) -> bool:
    """Open a memory in $VISUAL or $EDITOR; False when there is none, or it failed."""
    command = read_variables().editor
    return bool(command) and open_in_editor(command, os.path.join(repository.top, path))
