"""The doctor's look at connected agents: can what their settings name still be started?

Changes nothing but through `fix_agents`, which is `memtools connect` again.
"""

from __future__ import annotations

import os

from memtools.core.settings_entries import holds
from memtools.core.wording import Said, say
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.installing.connect import connect
from memtools.usecases.installing.record import read_record
from memtools.usecases.installing.scene import Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient
    from memtools.usecases.installing.connections import Connection


def connected(patient: Patient) -> Iterator[Check]:
    """Do the interpreter and start.py in the settings of agents exist?"""
    every = _connections(patient)
    broken = [one for one in every if not _can_start(one)]
    names = named(f"{one.agent} ({one.folder or one.place})" for one in broken or every)
    if broken:
        message = say("the settings of agents name a program that is gone: {names}", names=names)
        hint = say("type: memtools doctor --fix, or memtools connect AGENT --apply")
        yield Check("agents-connected", False, message, hint, True)
    elif every:
        yield Check("agents-connected", True, say("agents connected: {names}", names=names))
    else:
        yield Check("agents-connected", True, say("no agent is connected from here"))


def fix_agents(patient: Patient) -> Said:
    """Write the program of today into the settings of these agents."""
    broken = [one for one in _connections(patient) if not _can_start(one)]
    for one in broken:
        folder = one.folder or patient.repository.top
        memory = one.memory
        connect(Wanted(one.agent, folder, one.place, memory), patient.machine, apply=True)
    return say("connected again: {names}", names=named(one.agent for one in broken))


def _connections(patient: Patient) -> list[Connection]:
    """Those whose entries still stand: what a person took out is no illness."""
    record = read_record(patient.repository.common_dir)
    return [one for one in record.connections if _stands(one)] if record else []


def _stands(connection: Connection) -> bool:
    for file in connection.files:
        try:
            with open(file.path, encoding="utf-8-sig", newline="") as opened:
                if holds(opened.read(), file.written):
                    return True
        except (OSError, ValueError):
            continue
    return False


def _can_start(connection: Connection) -> bool:
    return os.access(connection.python, os.X_OK) and os.path.isfile(connection.start)
