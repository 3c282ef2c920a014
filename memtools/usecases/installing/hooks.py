"""The part of `init` that installs hooks: which shims are written, and what to say where none is.

Must not write anything itself: it returns steps.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from memtools.core.wording import Said, lines, say
from memtools.git.hookfolder import (
    PREVIOUS,
    HookFolder,
    Kind,
    Reach,
    install_shim,
    is_current,
    reach_of,
    will_chain,
)
from memtools.git.shims import STAGES, Program, manager_line, render_shim
from memtools.usecases.installing.record import Part, Record, Step, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.git.place import Place


def plan_hooks(
    folder: HookFolder,
    place: Place,
    program: Program,
    *,
    is_forced: bool,
    stages: Sequence[str] = STAGES,
) -> Part:
    """The shims to write into the hooks folder, or the lines a person adds to somebody's files."""
    if folder.kind is Kind.OFF:
        line = say(
            "core.hooksPath is {path}, so git runs no hook here and no commit retracts; to change "
            "that, type `git config --unset core.hooksPath` and `memtools init` again",
            path=folder.path,
        )
        return Part(notices=(line,))
    if folder.kind is Kind.HUSKY or not (folder.is_ours_to_write or is_forced):
        return _ask_for_lines(folder, stages)
    steps, kept, notices = [], [], []
    for stage in stages:
        data = render_shim(stage, program)
        name = shown(Path(folder.path, stage), place.top)
        if is_current(folder, stage, data) or reach_of(folder, stage) is Reach.LINE:
            kept.append(name)
            continue
        steps.append(Step(name, partial(install_shim, folder, stage, data)))
        if will_chain(folder, stage):
            notices.append(
                say("{hook} was there before: it is kept as {kept} and runs after ours",
                    hook=name, kept=f"{stage}{PREVIOUS}")
            )  # fmt: skip
    if folder.kind is Kind.LEFTHOOK and steps:
        notices.append(_lefthook_notice())
    recorded = (shown(folder.path, place.common_dir),)
    created = () if Path(folder.path).exists() else ("hooks",)
    record = Record(hooks=recorded, created=created)
    return Part(tuple(steps), tuple(kept), tuple(notices), record)


def _lefthook_notice() -> Said:
    return say(
        "`lefthook install` takes these hooks away: type `memtools init` after it, or let lefthook "
        "call memtools (it then hides unstaged edits meanwhile) by these lines of lefthook.yml:\n"
        "{lines}",
        lines=lines((manager_line(stage, "lefthook") for stage in STAGES), indent=""),
    )


def _ask_for_lines(folder: HookFolder, stages: Sequence[str]) -> Part:
    """Nothing is written into a folder that is tracked, shared or written by somebody else."""
    home = shown(folder.home, folder.top)
    missing = [stage for stage in stages if reach_of(folder, stage) not in _REACHED]
    kept = tuple(f"{home}/{stage}" for stage in stages if stage not in missing)
    if not missing:
        return Part(kept=kept)
    if folder.kind is Kind.HUSKY:
        why = say("husky runs the hooks of this repository, from {home}", home=home)
    elif folder.kind is Kind.SHARED:
        why = say(
            "core.hooksPath of your own git config is {home}, which serves all your repositories; "
            "`memtools init --into-hooks-path` writes there all the same",
            home=home,
        )
    else:
        why = say(
            "core.hooksPath is {home}, inside the work tree; `memtools init --into-hooks-path` "
            "writes there all the same",
            home=home,
        )
    wanted = (
        say("add to {file}: {line}", file=f"{home}/{stage}", line=manager_line(stage, ""))
        for stage in missing
    )
    return Part(kept=kept, notices=(why, *wanted))


_REACHED = (Reach.SHIM, Reach.LEGACY, Reach.LINE)
