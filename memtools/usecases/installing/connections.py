"""One connection of an agent, as the install record keeps it, so that it can be taken back.

Must not write anything, nor know the formats of agents.
"""

from __future__ import annotations

from memtools.core.settings_entries import Written
from memtools.values import NamedTuple

PROJECT, USER = "project", "user"


class File(NamedTuple):
    """A settings file: what was put in, whether it is ours as a whole, and the folders made.

    `stood`: what was there when that was nothing but blanks (None: it was more).
    """

    path: str
    is_new: bool
    folders: tuple[str, ...]
    written: tuple[Written, ...]
    stood: str | None = None


class Setting(NamedTuple):
    """An entry of the git config of the repository at `folder`; `before` is "" for none."""

    folder: str
    key: str
    value: str
    before: str


class Connection(NamedTuple):
    """An agent, the place of its settings, what was asked for, the program, and what was written.

    `folder` is the project ("" for the person's own settings). All paths are absolute.
    """

    agent: str
    place: str
    folder: str
    memory: str
    python: str
    start: str
    files: tuple[File, ...] = ()
    settings: tuple[Setting, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """There is one connection of an agent at each place."""
        return self.agent, self.place, self.folder


def read_connection(values: list[object]) -> Connection:
    """A connection as the record holds it.

    Raises:
        TypeError or ValueError: it is none.
    """
    *texts, files, settings = values
    agent, place, folder, memory, python, start = map(str, texts)
    return Connection(
        agent,
        place,
        folder,
        memory,
        python,
        start,
        tuple(_read_file(*one) for one in files),  # type: ignore[attr-defined]  # TypeError is said
        tuple(Setting(*map(str, one)) for one in settings),  # type: ignore[attr-defined]
    )


def _read_file(
    path: str,
    is_new: bool,
    folders: list[str],
    written: list[list[object]],
    stood: str | None = None,
) -> File:
    ours = []
    for kind, where, value, blank in written:
        assert isinstance(where, list)
        ours.append(Written(str(kind), tuple(map(str, where)), str(value), str(blank)))
    return File(str(path), bool(is_new), tuple(map(str, folders)), tuple(ours), stood)
