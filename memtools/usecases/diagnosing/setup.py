"""The doctor's look at this machine and this clone: git, parser, hooks, merge driver.

Changes nothing but through `fix_setup`, which is `memtools init` again.
"""

from __future__ import annotations

import os
import re
import shutil

from memtools.core.wording import Said, say
from memtools.errors import pip_install
from memtools.git.attributes import DRIVER, UNSPECIFIED, merge_value
from memtools.git.hookfolder import find_folder, shim_in_force
from memtools.git.place import local_config, require_place
from memtools.git.shims import STAGES, program_of, render_shim
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.diagnosing.reachability import reachability
from memtools.usecases.installing.init import apply_init

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.git.hookfolder import HookFolder
    from memtools.usecases.diagnosing.patient import Patient

_LEAST_GIT = (2, 39)


def git_version(patient: Patient) -> Iterator[Check]:
    """Older git lacks what the hooks rely on."""
    said = patient.repository.git.line("version")
    numbers = re.search(r"(\d+)\.(\d+)", said)
    is_enough = numbers is not None and tuple(map(int, numbers.groups())) >= _LEAST_GIT
    if is_enough:
        yield Check("git-version", True, say("{version}", version=said))
    else:
        message = say("{version} is too old", version=said)
        yield Check("git-version", False, message, say("install git 2.39 or later"))


def yaml_parser(patient: Patient) -> Iterator[Check]:
    """PyYAML without libyaml reads tabs otherwise, so two machines could disagree."""
    import yaml

    if hasattr(yaml, "CSafeLoader"):
        yield Check("libyaml", True, say("PyYAML has libyaml"))
    else:
        command = pip_install("--force-reinstall", "--only-binary", ":all:", "PyYAML")
        hint = say("type: {command}", command=command)
        yield Check("libyaml", False, say("PyYAML lacks libyaml: no header is read here"), hint)


def hooks(patient: Patient) -> Iterator[Check]:
    """Is memtools reached at each stage of git?"""
    folder = _folder(patient)
    for reached in reachability(patient.repository.top, patient.machine.environ):
        is_fixable = not reached.ok and folder.is_ours_to_write
        name = f"hook-{reached.stage}"
        yield Check(name, reached.ok, reached.message, reached.hint or "", is_fixable)


def hook_versions(patient: Patient) -> Iterator[Check]:
    """Are the installed shims those of this version?"""
    folder = _folder(patient)
    old = []
    for stage in STAGES:
        data = shim_in_force(folder, stage)
        program = program_of(data) if data else None
        if data and (program is None or render_shim(stage, program) != data):
            old.append(stage)
    if old:
        message = say("hooks of another version are installed: {stages}", stages=named(old))
        yield Check("hooks-current", False, message, say("type: memtools init"), True)
    else:
        yield Check("hooks-current", True, say("the installed hooks are of this version"))


def interpreter(patient: Patient) -> Iterator[Check]:
    """Does one of the interpreters in the config of this clone exist?"""
    listed = local_config(patient.repository.git).get("memtools.python", ())
    path = patient.machine.environ.get("PATH")
    there = [python for python in listed if os.access(python, os.X_OK)]
    if there or shutil.which("memtools", path=path):
        found = there[0] if there else "memtools"
        yield Check("interpreter", True, say("hooks can start {program}", program=found))
    else:
        gone = named(listed) or "memtools.python"
        message = say("no interpreter for the hooks: {names}", names=gone)
        yield Check("interpreter", False, message, say("type: memtools init"), True)


def merge_driver(patient: Patient) -> Iterator[Check]:
    """Does git merge notes with our driver?"""
    git = patient.repository.git
    has_driver = "merge.memtools.driver" in local_config(git)
    value = merge_value(git)
    if has_driver and value == DRIVER:
        yield Check("merge-driver", True, say("notes are merged field by field: retracted wins"))
    elif value not in (DRIVER, UNSPECIFIED):
        message = say("your attributes merge notes with {value}, not with memtools", value=value)
        yield Check("merge-driver", True, message, say("git attributes: *.md merge=memtools"))
    else:
        message = say("the merge driver is not registered in this clone")
        yield Check("merge-driver", False, message, say("type: memtools init"), True)


def fix_setup(patient: Patient) -> Said:
    """Install again what this clone lacks."""
    report = apply_init(patient.repository.top, patient.machine)
    return say("installed again: {paths}", paths=named(report.wrote) or "-")


def _folder(patient: Patient) -> HookFolder:
    place = require_place(patient.repository.top, patient.machine.environ)
    return find_folder(place.git, place.top, place.common_dir)
