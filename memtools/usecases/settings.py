"""The settings in force here, each with where it comes from.

Precedence: flag, MEMTOOLS_* variable, git config (for read_ref), file, default.
"""

from __future__ import annotations

from memtools.config import (
    SETTINGS_FILE,
    Config,
    parse_config,
    read_variables,
    replaced,
    values_of,
)
from memtools.core.problem import Problem
from memtools.core.settings_file import key_lines, line_of
from memtools.usecases.readref import read_ref, require_commit
from memtools.usecases.repository import WORK_TREE, load_config, read_settings
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtools.usecases.repository import Repository

DEFAULT = "default"


class Setting(NamedTuple):
    """One setting: dotted name, plain value, where it was set."""

    name: str
    value: object
    origin: str


class InForce(NamedTuple):
    """The settings that count for a reader, and the problems of where they were read."""

    config: Config
    settings: tuple[Setting, ...]
    problems: tuple[Problem, ...]


def settings_in_force(repository: Repository, flags: Mapping[str, object] | None = None) -> InForce:
    """The settings readers go by; with a `read_ref` those of that ref: no branch can unbind them.

    `flags` are settings given on the command line, by dotted name.

    Raises:
        GitError: `read_ref` names no revision.
    """
    given = dict(flags or {})
    origins = {name: f"flag --{name.rpartition('.')[2].replace('_', '-')}" for name in given}
    ref, ref_origin = read_ref(repository, given)
    source = require_commit(repository, ref, ref_origin).commit if ref else WORK_TREE
    config, problems = load_config(repository, source)
    config = replaced(config, {**given, "read_ref": ref})
    place = f"{ref}:{SETTINGS_FILE}" if ref else SETTINGS_FILE
    origins = {**_file_origins(repository, source, place), **_variable_origins(config), **origins}
    if ref_origin:
        origins["read_ref"] = ref_origin
    values = values_of(config)
    settings = [Setting(name, value, origins.get(name, DEFAULT)) for name, value in values.items()]
    return InForce(config, tuple(settings), problems)


def _file_origins(repository: Repository, source: str, place: str) -> dict[str, str]:
    try:
        raw = read_settings(repository, source)
    except OSError:
        return {}
    if raw is None:
        return {}
    lines = key_lines(raw)
    mine, default = values_of(parse_config(raw)[0]), values_of(Config())
    found = {}
    for name in mine:
        keys = _keys(name)
        line = line_of(lines, keys)
        if keys in lines or (line and mine[name] != default.get(name)):
            found[name] = f"{place}:{line}"
    return found


def _keys(name: str) -> tuple[str, ...]:
    """A dotted name as keys; a word of a vocabulary may hold dots itself."""
    return tuple(name.split(".", 2 if name.startswith("vocabulary.") else 1))


def _variable_origins(config: Config) -> dict[str, str]:
    values = values_of(config)
    return {
        name: f"variable {variable}"
        for name, variable, text in read_variables().overrides
        if str(values[name]) == text
    }
