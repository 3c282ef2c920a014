"""What `init` put into a repository, kept so that `uninstall` takes back exactly that.

Must not decide what is installed. The record is `<common git dir>/memtools/installed`, JSON.
"""

from __future__ import annotations

import hashlib
import json
import os
from enum import StrEnum
from pathlib import Path

from memtools.files import read_plain, write_own
from memtools.usecases.installing.connections import Connection, read_connection
from memtools.usecases.statefiles import RECORD
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memtools.core.wording import Said


class Report(NamedTuple):
    """What a run wrote (with `is_dry_run`: would write), found in order, and took away.

    `put_back`: what stood there before us stands there again; `edited`: what is left without ours.
    Paths are relative to `top` where they are below it; a configuration entry is `FILE: KEY`.
    """

    top: str
    wrote: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    put_back: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    notices: tuple[Said, ...] = ()
    is_dry_run: bool = False


class Undoing(StrEnum):
    """How something of ours was taken away; named as in `Report`."""

    REMOVED = "removed"
    PUT_BACK = "put_back"
    EDITED = "edited"


class Undone(NamedTuple):
    """One thing that was taken back, as a person reads its place."""

    how: Undoing
    place: str


class Record(NamedTuple):
    """Everything of ours in one repository.

    `config` holds (key, value); `hooks` the folders (relative to the common git dir when below it);
    `files` (repo-relative path, sha256 of what was written); `created` what had not been there, of
    `attributes`, `info` and `hooks`; `connections` what `connect` wrote for agents.
    """

    config: tuple[tuple[str, str], ...] = ()
    hooks: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    created: tuple[str, ...] = ()
    connections: tuple[Connection, ...] = ()

    def merged(self, other: Record) -> Record:
        """Both together; of a file in both the other's hash counts."""
        return Record(
            tuple(dict.fromkeys(self.config + other.config)),
            tuple(dict.fromkeys(self.hooks + other.hooks)),
            tuple({**dict(self.files), **dict(other.files)}.items()),
            tuple(dict.fromkeys(self.created + other.created)),
            tuple({one.key: one for one in self.connections + other.connections}.values()),
        )


class Step(NamedTuple):
    """One thing to write: how a person reads it, and the function that does it."""

    shown: str
    apply: Callable[[], object]


class Part(NamedTuple):
    """A part of what `init` plans; `wrote` names what was done before there could be a plan."""

    steps: tuple[Step, ...] = ()
    kept: tuple[str, ...] = ()
    notices: tuple[Said, ...] = ()
    record: Record = Record()
    wrote: tuple[str, ...] = ()


def read_record(common_dir: str) -> Record | None:
    """The record; None when there is none or nobody can read it."""
    try:
        kept = json.loads(read_plain(record_place(common_dir)).decode("utf-8", "surrogateescape"))
        return Record(
            tuple((str(key), str(value)) for key, value in kept["config"]),
            tuple(str(folder) for folder in kept["hooks"]),
            tuple((str(path), str(digest)) for path, digest in kept["files"]),
            tuple(str(name) for name in kept["created"]),
            tuple(read_connection(values) for values in kept.get("connections", ())),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write_record(common_dir: str, record: Record) -> None:
    """Keep the record; its folder is made, for its owner only."""
    text = json.dumps({"schema_version": 1, **record._asdict()}, indent=1)
    write_own(record_place(common_dir), text.encode("ascii"), durable=True)


def digest(data: bytes) -> str:
    """How a file's bytes are known again."""
    return hashlib.sha256(data).hexdigest()


def shown(path: str | Path, top: str) -> str:
    """A path as a person wants to read it: relative to the top when it is below."""
    place = Path(path)
    return place.relative_to(top).as_posix() if place.is_relative_to(top) else str(place)


def record_place(common_dir: str) -> str:
    """Where the record stands."""
    return os.path.join(common_dir, "memtools", RECORD)
