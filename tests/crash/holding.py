"""What is true of a repository, and what must hold after a command was killed in it."""

from __future__ import annotations

import contextlib
import os
import re
from datetime import datetime
from typing import NamedTuple

from memtools.usecases.activating.fresh import tell_anew
from memtools.usecases.activating.turn import Event, begin, tell_known
from memtools.usecases.diagnosing.doctor import doctor
from memtools.usecases.reading.recall import recall
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository
from tests.crash.scene import QUESTION, SENTENCES
from tests.helpers import DATE, Sandbox

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.diagnosing.doctor import Health

TEMPORARY = ".memtools-"
_WITH_TIMES = ("index", "private-index-N", "quiet")
_UNREAD = re.compile(r"^\.git/logs/|COMMIT_EDITMSG$|engine\.log$")
_NUMBER = re.compile("[0-9]+")


class State(NamedTuple):
    """Branches (name -> commit), staging (path -> mode and blob) and the files of the person."""

    branches: dict[str, str]
    staged: dict[str, str]
    files: dict[str, bytes]


def state(repo: Sandbox) -> State:
    """Read it; temporary files of ours are no files of the person."""
    refs = repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads").out
    staged = repo.git("ls-files", "-s", "-z").out.split("\0")[:-1]
    return State(
        dict(line.split(" ") for line in refs.splitlines()),
        {entry.split("\t")[1]: entry.split("\t")[0] for entry in staged},
        {path: data for path, data in _files(repo) if not _name(path).startswith(TEMPORARY)},
    )


def leftovers(repo: Sandbox) -> list[str]:
    """Temporary files of ours, beside notes and below the git folder."""
    kept = repo.path(".git/memtools")
    own = [path.name for path in kept.rglob("*") if path.name.startswith((TEMPORARY, "private-"))]
    return own + [path for path, _ in _files(repo) if _name(path).startswith(TEMPORARY)]


def locks(repo: Sandbox) -> list[str]:
    """Locks of git that are held."""
    found = repo.path(".git").rglob("*.lock")
    return sorted(str(p.relative_to(repo.top)) for p in found if "memtools/search" not in str(p))


def outline(repo: Sandbox) -> frozenset[tuple[str, object]]:
    """All that a later run could find, without what differs from run to run.

    (Numbers of processes and times of files.) Half-written objects, logs and drafts of messages are
    found by nobody.
    """
    found: set[tuple[str, object]] = set(state(repo).staged.items())
    for place in repo.top.rglob("*"):
        path = place.relative_to(repo.top).as_posix()
        name = place.name if "/objects/" in path else _NUMBER.sub("N", place.name)
        where = f"{path[: -len(place.name)]}{name}"
        if place.is_dir() or name.startswith("tmp_obj_") or _UNREAD.search(where):
            continue
        if name.startswith(TEMPORARY):
            found.add((TEMPORARY, place.parent.name))
        elif name.endswith(".lock") and "index" not in name:
            found.add((where, ""))
        elif name in _WITH_TIMES or name.endswith(".lock"):
            found.add((where, place.stat().st_size))
        else:
            found.add((where, place.read_bytes()))
    return frozenset(found)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _files(repo: Sandbox) -> list[tuple[str, bytes]]:
    found = []
    for folder, folders, names in os.walk(repo.top):
        if ".git" in folders:
            folders.remove(".git")
        for name in names:
            place = os.path.join(folder, name)
            with open(place, "rb") as file:
                found.append((os.path.relpath(place, repo.top), file.read()))
    return found


def shown(repo: Sandbox) -> dict[str, tuple[str, ...]]:
    """The sentences of memories that each reader shows: of search, recall, and a new turn."""
    here = open_repository(str(repo.top))
    found = search(here, QUESTION, limit=50)
    handed = recall(here, QUESTION)
    told: list[str] = []
    with contextlib.chdir(repo.top):
        turn = begin(Event("UserPromptSubmit", "s", "", ""), os.environ)
        if not tell_known(turn, lambda event, text: told.append(text)):
            tell_anew(turn, lambda event, text: told.append(text))
    here.git.close()
    return {
        "search": _known("\n".join(hit.snippet for hit in found.hits)),
        "recall": _known("\n".join(one.text for one in handed.memories)),
        "turn": _known("\n".join(told)),
    }


def _known(text: str) -> tuple[str, ...]:
    return tuple(sentence for sentence in SENTENCES if sentence in " ".join(text.split()))


def mend(repo: Sandbox) -> Health:
    """`memtools doctor --fix`."""
    here = open_repository(str(repo.top))
    health = doctor(here, fix=True, now=datetime.fromisoformat(DATE))
    here.git.close()
    return health
