"""`init`: make or adopt a repository. Decides every step before the first one is taken.

Must not touch a note, print, or read the environment on its own; `uninstall` takes back what the
record of this module names.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from memtools.config import read_variables
from memtools.core.wording import Said, say, shell_word
from memtools.errors import GitError, MemtoolsError, UsageError
from memtools.git.hookfolder import find_folder
from memtools.git.place import Place, find_bare, find_place, local_config
from memtools.git.run import Git, environment
from memtools.git.shims import SERVER_STAGES, Program, this_program
from memtools.usecases.installing.config import config_step, plan_attributes, plan_config
from memtools.usecases.installing.hooks import plan_hooks
from memtools.usecases.installing.record import (
    Part,
    Record,
    Report,
    Step,
    read_record,
    write_record,
)
from memtools.usecases.installing.server import unjudged_branch
from memtools.usecases.installing.settings import plan_settings
from memtools.usecases.installing.unknown_words import unknown_words_in
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    # Asks the person at the terminal a question that is answered by yes or no.
    Ask = Callable[[Said], bool]


class Machine(NamedTuple):
    """What `init` knows of this machine: how memtools starts here, and the person's environment."""

    program: Program
    environ: Mapping[str, str]


def this_machine(environ: Mapping[str, str]) -> Machine:
    """This interpreter with this package, in the given environment."""
    return Machine(this_program(), environ)


def plan_init(folder: str, machine: Machine, *, into_hooks_path: bool = False) -> Report:
    """What `apply_init` would write; nothing is written.

    Raises:
        GitError: git refuses to say.
        UsageError: `folder` is no folder, lies inside another repository, or is new and NAME.git.
    """
    server = find_bare(folder, machine.environ)
    if server is not None:
        return _report(_plan_server(server, machine, into_hooks_path), server.top, is_dry_run=True)
    place = _place_of(folder, machine)
    if place is not None:
        parts = _plan(place, machine, place.top, into_hooks_path)
        return _report(parts, place.top, is_dry_run=True)
    top = str(Path(folder).absolute())
    with tempfile.TemporaryDirectory() as scratch:
        made = _make_repository(scratch, machine)
        parts = [Part(kept=(), wrote=(".git/",)), *_plan(made, machine, top, into_hooks_path)]
        return _report(parts, top, is_dry_run=True)


def apply_init(
    folder: str,
    machine: Machine,
    *,
    into_hooks_path: bool = False,
    ask: Ask | None = None,
    build_index: Callable[[str], None] | None = None,
) -> Report:
    """Make or adopt the repository whose top is `folder`; a second run changes nothing.

    `ask` is None when no person is at a terminal. `build_index` gets the top of the work tree; when
    it fails, the rest stays and the report says so.

    Raises:
        GitError: a held lock, or git refuses.
        UsageError: `folder` is no folder, lies inside another repository, or is new and NAME.git.
    """
    server = find_bare(folder, machine.environ)
    if server is not None:
        parts = _plan_server(server, machine, into_hooks_path)
        _take(server, parts)
        return _report(parts, server.top)
    place = _place_of(folder, machine)
    parts = []
    if place is None:
        place = _make_repository(folder, machine)
        parts = [Part(wrote=(".git/",))]
    parts += _plan(place, machine, place.top, into_hooks_path, ask)
    _take(place, parts)
    if build_index is not None:
        parts.append(_built(place, build_index))
    return _report(parts, place.top)


def _take(place: Place, parts: list[Part]) -> None:
    """Take every step; first of all it is kept what they will have written."""
    known = read_record(place.common_dir) or Record()
    record = known
    for part in parts:
        record = record.merged(part.record)
    if record != known:
        write_record(place.common_dir, record)
    for part in parts:
        for step in part.steps:
            _apply(step)


def prefers_japanese(environ: Mapping[str, str]) -> bool:
    """Does this person read Japanese, by MEMTOOLS_LANG or else the locale?"""
    variables = read_variables(environ)
    return (variables.language or variables.locale) == "ja"


def _place_of(folder: str, machine: Machine) -> Place | None:
    """The repository whose top is `folder`; None when there is none yet."""
    place = find_place(folder, machine.environ)
    here = Path(folder).absolute()
    if place is None:
        _refuse_name_of_bare(here)
        return None
    if here.exists() and here.samefile(place.top):
        return place
    raise UsageError(
        say("{folder} lies inside the repository {top}", folder=str(here), top=place.top),
        say("type `memtools init {top}` to adopt that one, or `git init {folder}` first to give "
            "these notes one of their own", top=place.top, folder=str(here)),
    )  # fmt: skip


def _refuse_name_of_bare(here: Path) -> None:
    """What would be made has a work tree; a new folder called NAME.git is meant to have none."""
    if here.name.endswith(".git") and not (here.is_dir() and any(here.iterdir())):
        raise UsageError(
            say("{folder} is new, and by its name a bare repository, which init does not make",
                folder=str(here)),
            say("type: git init --bare {folder}, then memtools init {folder}; for a folder of "
                "notes take another name", folder=shell_word(str(here))),
        )  # fmt: skip


def _make_repository(folder: str, machine: Machine) -> Place:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise UsageError(say("cannot use {path}: {reason}", path=folder, reason=reason)) from error
    Git(folder, environment(machine.environ, foreign=True)).run("init", "-q")
    made = find_place(folder, machine.environ)
    assert made is not None  # git init has just answered 0
    return made


def _plan(
    place: Place, machine: Machine, notes: str, into_hooks_path: bool, ask: Ask | None = None
) -> list[Part]:
    """All steps; `notes` is the folder of the notes (a dry run has its repository elsewhere)."""
    folder = find_folder(place.git, place.top, place.common_dir)
    return [
        plan_settings(notes),
        plan_config(place, machine.program, is_japanese=prefers_japanese(machine.environ)),
        _plan_unattended(place, notes, ask),
        plan_attributes(place),
        plan_hooks(folder, place, machine.program, is_forced=into_hooks_path),
        Part(notices=unknown_words_in(place.git, notes)),
    ]


def _plan_server(place: Place, machine: Machine, into_hooks_path: bool) -> list[Part]:
    """A bare repository only receives: one hook, and the interpreter it is started with."""
    folder = find_folder(place.git, place.top, place.common_dir)
    is_japanese = prefers_japanese(machine.environ)
    unjudged = unjudged_branch(place.git, place.git_dir)
    return [
        plan_config(place, machine.program, is_japanese=is_japanese, is_server=True),
        plan_hooks(folder, place, machine.program, is_forced=into_hooks_path, stages=SERVER_STAGES),
        Part(notices=tuple(unjudged) if unjudged else ()),
    ]


def _plan_unattended(place: Place, notes: str, ask: Ask | None) -> Part:
    """Offer `memtools.unattended` where the obsidian-git plugin commits on its own."""
    key, plugin = "memtools.unattended", ".obsidian/plugins/obsidian-git"
    has_plugin = Path(notes, plugin).is_dir() or any(Path(notes).glob(f"*/{plugin}"))
    if not has_plugin or key in local_config(place.git):
        return Part()
    question = say(
        "The obsidian-git plugin commits on its own here. May such a commit go through although a "
        "marker in it is refused (the marker stays open and is reported)?"
    )
    if ask is not None and ask(question):
        step = config_step(place, "--replace-all", key, "true")
        return Part((step,), record=Record(config=((key, "true"),)))
    line = say(
        "the obsidian-git plugin commits on its own here; so that a refused marker never stops its "
        "backup, type: git config {key} true",
        key=key,
    )
    return Part(notices=(line,))


def _apply(step: Step) -> None:
    try:
        step.apply()
    except OSError as failed:
        raise GitError(
            say("{path} cannot be written: {why}", path=step.shown, why=failed.strerror),
            say("mend that and type `memtools init` again; it goes on where it stopped"),
        ) from failed


def _built(place: Place, build_index: Callable[[str], None]) -> Part:
    try:
        build_index(place.top)
    except MemtoolsError as failed:
        line = say(
            "the search index could not be built ({why}); type `memtools index --rebuild`",
            why=failed.message,
        )
        return Part(notices=(line,))
    return Part()


def _report(parts: list[Part], top: str, *, is_dry_run: bool = False) -> Report:
    return Report(
        top,
        wrote=tuple(n for p in parts for n in (*p.wrote, *(step.shown for step in p.steps))),
        kept=tuple(name for part in parts for name in part.kept),
        notices=tuple(line for part in parts for line in part.notices),
        is_dry_run=is_dry_run,
    )
