"""For `doctor`: at which stage does a commit reach memtools, and what to type where it does not.

Must not change anything.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from memtools.core.wording import Said, say, shell_word
from memtools.git.hookfolder import HookFolder, Reach, find_folder, reach_of, shim_in_force
from memtools.git.place import local_config, require_place
from memtools.git.shims import STAGES, manager_line, program_of
from memtools.usecases.installing.record import shown
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtools.git.place import Place


class Reached(NamedTuple):
    """Is memtools reached at `stage`? `hint` is what to type when it is not."""

    stage: str
    ok: bool
    message: Said
    hint: Said | None = None


def reachability(folder: str, environ: Mapping[str, str]) -> list[Reached]:
    """One answer for each stage memtools acts at.

    Raises:
        GitError: no repository, or a bare one.
    """
    return answers_at(require_place(folder, environ), environ, STAGES)


def answers_at(place: Place, environ: Mapping[str, str], stages: Iterable[str]) -> list[Reached]:
    """One answer for each of these stages."""
    hooks = find_folder(place.git, place.top, place.common_dir)
    others = local_config(place.git).get("memtools.python", ())
    has_other = any(os.access(path, os.X_OK) for path in others)
    has_other = has_other or shutil.which("memtools", path=environ.get("PATH")) is not None
    return [_answer(hooks, stage, has_other) for stage in stages]


def _answer(folder: HookFolder, stage: str, has_other: bool) -> Reached:
    reach = reach_of(folder, stage)
    if reach in (Reach.SHIM, Reach.LEGACY):
        return _answer_of_shim(folder, stage, has_other)
    name = shown(Path(folder.home, stage), folder.top)
    if reach is Reach.LINE:
        return Reached(stage, True, say("{hook} calls memtools", hook=name))
    if reach is Reach.OFF:
        return Reached(
            stage,
            False,
            say("core.hooksPath is {path}, so git runs no hook", path=folder.path),
            say("type `git config --unset core.hooksPath`, then `memtools init`"),
        )
    messages = {
        Reach.MISSING: say("there is no hook {hook} (git clone copies none)", hook=name),
        Reach.NOT_EXECUTABLE: say("{hook} is not executable, so git skips it", hook=name),
        Reach.FOREIGN: say("the hook at {hook} does not call memtools", hook=name),
    }
    if reach is Reach.NOT_EXECUTABLE and not folder.is_ours_to_write:
        return Reached(
            stage, False, messages[reach], say("type: chmod +x {file}", file=shell_word(name))
        )
    return Reached(stage, False, messages[reach], _hint(folder, stage))


def _hint(folder: HookFolder, stage: str) -> Said:
    if folder.is_ours_to_write:
        return say("type `memtools init`: it keeps the hook that is there and calls it")
    own = shown(Path(folder.home, stage), folder.top)
    return say("add to {file}: {line}", file=own, line=manager_line(stage, ""))


def _answer_of_shim(folder: HookFolder, stage: str, has_other: bool) -> Reached:
    """The shim is run; is what it starts still there?"""
    program = program_of(shim_in_force(folder, stage))
    is_there = (
        program is not None and os.access(program.python, os.X_OK) and Path(program.start).is_file()
    )
    if is_there:
        return Reached(stage, True, say("memtools runs at {stage}", stage=stage))
    gone = program.python if program is not None else "?"
    if has_other:
        message = say("{python} is gone; another memtools runs in its place", python=gone)
        return Reached(stage, True, message, say("type `memtools init`: commits get faster"))
    return Reached(
        stage,
        False,
        say("the interpreter or the program the hook starts is gone ({python})", python=gone),
        say("install memtools again, then type `memtools init`"),
    )
