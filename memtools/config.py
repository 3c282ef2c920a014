"""`.memtools.toml` -> frozen Config; the only reader of settings and of MEMTOOLS_* variables.

Must not know git: it is given bytes, and says with path and line what is wrong in them.
"""

from __future__ import annotations

import os

from memtools.core.problem import Problem, problem
from memtools.core.requirement import satisfies
from memtools.core.selection import Selection
from memtools.core.settings import (
    CHECKS,
    SECTIONS,
    Activation,
    Approval,
    Gate,
    Retraction,
    folder,
    meaning,
    place,
    several,
    suggestion,
)
from memtools.core.settings_file import key_lines, line_of, read_toml
from memtools.core.vocabulary import DEFAULT, Vocabulary
from memtools.core.wording import Said, say
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Keys = tuple[str, ...]
    # (rule, message, hint) of a fault whose place is still to be found
    Fault = tuple[str, Said, str]

SETTINGS_FILE = ".memtools.toml"
# Settings a variable may set: what a session wants for itself. What guards the memories (roots,
# gate, approval, vocabulary) is changed in the reviewed file alone.
OVERRIDES = {
    name: f"MEMTOOLS_{name.replace('.', '_').upper()}"
    for name in CHECKS
    if name == "read_ref" or name.startswith(("retraction.", "activation."))
}


class Config(NamedTuple):
    """The settings of one repository; the defaults are those of a repository without a file.

    `stores` are (name, folders) in the order of the file, `scopes` (scope, folders and remotes of
    its projects). A file that cannot be read at all gives
    UNREADABLE, a Config without roots: nothing is a memory then, so nothing is exposed.
    """

    roots: tuple[str, ...] = (".",)
    exclude: tuple[str, ...] = ()
    requires: str = ""
    read_ref: str = ""
    stores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    scopes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    retraction: Retraction = Retraction()
    activation: Activation = Activation()
    gate: Gate = Gate()
    approval: Approval = Approval()
    vocabulary: Vocabulary = DEFAULT
    selection: Selection = Selection()

    @property
    def is_met(self) -> bool:
        """Is this memtools new enough for the repository (`requires`)?"""
        return satisfies(self.requires)


UNREADABLE = Config(roots=(), selection=Selection(()))


def parse_config(raw: bytes | None) -> tuple[Config, tuple[Problem, ...]]:
    """Read the bytes of a settings file; None (no file) gives the defaults. Never raises.

    A value that is wrong counts as absent; of a list only its wrong entries do.
    """
    if raw is None:
        return Config(), ()
    values, fault, line = read_toml(raw)
    if fault:
        hint = say("mend the file; until then no file counts as a memory")
        return UNREADABLE, (problem(SETTINGS_FILE, line, "config-invalid", fault, hint),)
    clean: dict[Keys, object] = {}
    faults: list[tuple[Keys, Fault]] = []
    for keys, value in _flatten(values):
        used, wrong = _take(keys, value)
        if used is not None:
            clean[keys] = used
        faults += [(keys, one) for one in wrong]
    lines = key_lines(raw) if faults else {}
    return _config(clean), tuple(
        problem(SETTINGS_FILE, line_of(lines, keys), *one) for keys, one in faults
    )


def values_of(config: Config) -> dict[str, object]:
    """Every setting by its dotted name, with plain values; for `memtools config`."""
    found: dict[str, object] = {}
    for name in CHECKS:
        section, _, key = name.rpartition(".")
        found[name] = getattr(getattr(config, section) if section else config, key)
    found |= {f"stores.{name}": folders for name, folders in config.stores}
    found |= {f"scopes.{name}": places for name, places in config.scopes}
    for table, words in config.vocabulary._asdict().items():
        builtin = getattr(DEFAULT, table)
        added = {word: means for word, means in words.items() if builtin.get(word) != means}
        found |= {f"vocabulary.{table}.{word}": str(means) for word, means in added.items()}
    return found


def replaced(config: Config, values: Mapping[str, object]) -> Config:
    """`config` with some settings, by dotted name and already checked, set to other values."""
    sections: dict[str, dict[str, object]] = {}
    for name, value in values.items():
        section, _, key = name.rpartition(".")
        sections.setdefault(section, {})[key] = value
    for section in [name for name in sections if name]:
        changed = getattr(config, section)._replace(**sections.pop(section))
        sections.setdefault("", {})[section] = changed
    made = config._replace(**sections.get("", {}))  # type: ignore[arg-type]  # checked by CHECKS
    return made._replace(selection=Selection(made.roots, made.exclude))


def _flatten(values: Mapping[str, object]) -> Iterator[tuple[Keys, object]]:
    """Each setting with its names from the outside in; the tables we know are opened."""
    for key, value in values.items():
        opened = key in SECTIONS or key in (*_NAMED, "vocabulary")
        if not opened or not isinstance(value, dict):
            yield (key,), value
            continue
        for name, inner in value.items():
            if key == "vocabulary" and isinstance(inner, dict):
                yield from (((key, name, word), means) for word, means in inner.items())
            else:
                yield (key, name), inner


def _take(keys: Keys, value: object) -> tuple[object, list[Fault]]:
    """The value to use for one key (None: none), and what is wrong with the given one."""
    name = ".".join(keys)
    if len(keys) == 2 and keys[0] in _NAMED:
        check = several(_NAMED[keys[0]])
    elif len(keys) == 3 and keys[:2] in _VOCABULARIES:
        check = meaning(keys[1], keys[2])
    elif keys in _KNOWN:
        check = CHECKS[name]
    elif name in SECTIONS or name in _NAMED or keys in (("vocabulary",), *_VOCABULARIES):
        return None, [("config-invalid", say("{name} must be a table", name=name), "")]
    else:
        message = say("there is no setting {name}", name=name)
        return None, [("config-unknown-key", message, suggestion(name, _NAMES))]
    used, faults = check(value)
    return used, [("config-invalid", say("{name} {fault}", name=name, fault=f), "") for f in faults]


# Tables whose keys are the names a repository gives, each with a list of these.
_NAMED = {"stores": folder, "scopes": place}
_KNOWN = {tuple(name.split(".")) for name in CHECKS}
_VOCABULARIES = (("vocabulary", "status"), ("vocabulary", "priority"))
_NAMES = [*CHECKS, *SECTIONS, *_NAMED, *(".".join(table) for table in _VOCABULARIES)]


def _config(clean: Mapping[Keys, object]) -> Config:
    fixed = {".".join(keys): value for keys, value in clean.items() if keys in _KNOWN}
    named = {
        table: tuple((keys[1], value) for keys, value in clean.items() if keys[0] == table)
        for table in _NAMED
    }
    words: dict[str, dict[str, str]] = {"status": {}, "priority": {}}
    for keys, value in clean.items():
        if keys[:2] in _VOCABULARIES:
            words[keys[1]][keys[2]] = str(value)
    vocabulary = DEFAULT.extended(**words) if any(words.values()) else DEFAULT
    return replaced(Config(vocabulary=vocabulary, **named), fixed)  # type: ignore[arg-type]


class Variables(NamedTuple):
    """What the environment says to memtools.

    `language` is MEMTOOLS_LANG, `locale` the language of the locale ("" for C); `editor` a command
    line; `commit` the git process that commits right after our hook ("" when others may come
    between); `step_summary` the file in which a workflow step of a forge tells its result;
    `overrides` are settings set by a variable, dotted name -> (variable, text as given).
    """

    language: str = ""
    locale: str = ""
    is_off: bool = False
    is_unattended: bool = False
    agent: str = ""
    scope: str = ""
    no_color: bool = False
    editor: str = ""
    overrides: tuple[tuple[str, str, str], ...] = ()
    commit: str = ""
    step_summary: str = ""


def read_variables(base: Mapping[str, str] | None = None) -> Variables:
    """Read the variables of `base`, by default of this process."""
    env = environ() if base is None else base
    locale = next((env[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(key)), "")
    return Variables(
        language=_language(env.get("MEMTOOLS_LANG", "")),
        locale=_language(locale),
        is_off=_is_on(env, "MEMTOOLS_OFF"),
        is_unattended=_is_on(env, "MEMTOOLS_UNATTENDED") or _is_on(env, "OBSIDIAN_GIT"),
        agent=env.get("MEMTOOLS_AGENT", "").strip(),
        scope=env.get("MEMTOOLS_SCOPE", "").strip(),
        no_color=bool(env.get("NO_COLOR")) or env.get("TERM") == "dumb",
        editor=env.get("VISUAL") or env.get("EDITOR") or "",
        commit=_process(env.get("MEMTOOLS_COMMIT", "")),
        step_summary=env.get("GITHUB_STEP_SUMMARY", ""),
        overrides=tuple((n, v, env[v]) for n, v in OVERRIDES.items() if v in env),
    )


def environ() -> Mapping[str, str]:
    """The environment of this process, as git inherits it (`memtools.git.run.environment`)."""
    return os.environ


def name_agent(name: str) -> None:
    """Let this process, and the git and hooks it starts, count as an agent's unless it does."""
    if not os.environ.get("MEMTOOLS_AGENT", "").strip():
        os.environ["MEMTOOLS_AGENT"] = name


def _language(text: str) -> str:
    """The language a locale names: "ja" of "ja_JP.UTF-8" and of Windows' "Japanese_Japan"."""
    word = "".join(char if char.isalpha() else " " for char in text.lower()).split(" ")[0]
    return {"japanese": "ja", "c": "", "posix": ""}.get(word, word)


def _process(text: str) -> str:
    """A process id as text; 1 is nobody's, where git is no program of POSIX."""
    return text if text.isascii() and text.isdigit() and text != "1" else ""


def _is_on(env: Mapping[str, str], name: str) -> bool:
    return env.get(name, "").strip().lower() not in ("", "0", "no", "off", "false")


def overridden(config: Config, variables: Variables) -> tuple[Config, tuple[Problem, ...]]:
    """`config` with the settings that variables set; a variable with a wrong value counts not."""
    used: dict[str, object] = {}
    problems: list[Problem] = []
    for name, variable, text in variables.overrides:
        value, faults = CHECKS[name](int(text) if text.isascii() and text.isdigit() else text)
        if not faults:
            used[name] = value
        message = [say("{name} {fault}", name=variable, fault=fault) for fault in faults]
        problems += [problem("", 0, "config-invalid", said) for said in message]
    return (replaced(config, used) if used else config), tuple(problems)
