"""The problems a change brings in: what no single tree shows, and who let it in.

Must not know what stood wrong before.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE
from memtools.core.problem import ERROR, WARNING, problem
from memtools.core.wording import say
from memtools.usecases.checking.returns import SILENT
from memtools.usecases.checking.sides import RANGE
from memtools.usecases.tree import settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtools.core.problem import Problem
    from memtools.git.run import Git
    from memtools.usecases.checking.change import Step
    from memtools.usecases.checking.returns import Return
    from memtools.usecases.checking.sides import Sides


def brought_problems(
    git: Git, sides: Sides, step: Step, returned: Iterable[Return]
) -> list[Problem]:
    """What came back in silence; of a range also other settings, and what nobody signed."""
    found = [one.problem for one in returned if one.how == SILENT]
    if sides.kind == RANGE:
        found += _unread_settings(git, sides)
        found += _settings(git, sides, step)
        found += _unsigned(git, sides)
    return found


def _unread_settings(git: Git, sides: Sides) -> Iterator[Problem]:
    """By settings that cannot be read no file is a memory: then nothing was judged.

    A range that mends them says so by its own finding.
    """
    told = sides.settings
    if told.config.roots or not any(one.is_error for one in told.problems):
        return
    changes = sides.own_settings != sides.base_settings
    if changes and settings_of(git, sides.own_settings).config.roots:
        return
    what = say("the settings this is judged by cannot be read, so no file counted as a memory")
    hint = say("mend them first, in a change of its own: memtools config names what is wrong")
    yield problem(SETTINGS_FILE, 1, "config-invalid", what, hint)


def _settings(git: Git, sides: Sides, step: Step) -> Iterable[Problem]:
    if sides.base_settings == sides.own_settings:
        return ()
    from memtools.usecases.checking.configuration import Blobs, changed_settings

    blobs = Blobs(sides.base_settings, sides.own_settings)
    return changed_settings(git, blobs, step.after, sides.until)


def _unsigned(git: Git, sides: Sides) -> list[Problem]:
    """What a range lets in without a person's signature.

    Before it stands on a protected branch that is no more than worth knowing: a merge that a person
    signs may still let it in.
    """
    rules = sides.settings.config.approval
    if not (rules.allowed_signers and sides.tip):
        return []
    from memtools.usecases.checking.authority import (
        changed_signers,
        is_protected_tip,
        unsigned_in_range,
    )

    is_landing = sides.is_landing or is_protected_tip(git, sides.until, rules.protected)
    severity = ERROR if is_landing else WARNING
    return [
        *changed_signers(git, sides.since, sides.until, rules.allowed_signers),
        *unsigned_in_range(git, sides.tip, sides.until, severity),
    ]


def unsigned_line(git: Git, sides: Sides) -> list[Problem]:
    """What stands on a protected branch although no person signed it; nothing for other commits."""
    rules = sides.settings.config.approval
    if not (rules.allowed_signers and sides.until):
        return []
    from memtools.usecases.checking.authority import is_protected_tip, unsigned_on_line

    is_protected = is_protected_tip(git, sides.until, rules.protected)
    return unsigned_on_line(git, sides.until) if is_protected else []
