"""The doctor's look at what commits nobody watched left open, as far as it still is.

Must not repeat what is wrong with HEAD: other checks tell that.
"""

from __future__ import annotations

from memtools.core.conflict_marks import find_conflict_marks
from memtools.core.memory import read_memory
from memtools.core.screen_secrets import find_secrets
from memtools.core.wording import Said, say
from memtools.git.worktree import read_plain_file
from memtools.usecases.checking.problems import problems_of
from memtools.usecases.committing.problems import HELD_BACK
from memtools.usecases.committing.unattended import open_reports, take_reported
from memtools.usecases.diagnosing.patient import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.committing.unattended import Report
    from memtools.usecases.diagnosing.patient import Patient

_OF_MARKERS = ("retract-", "marker-")


def unattended_reports(patient: Patient) -> Iterator[Check]:
    """What commits nobody watched left open, and nobody has mended since."""
    reports = _still_open(patient)
    if reports:
        message = say(
            "unattended commits left open ({count}): {first}",
            count=len(reports),
            first=reports[0].line,
        )
        hint = say("mend it; memtools doctor --fix, or the next commit, counts it as told")
        yield Check("unattended-reports", False, message, hint, True)
    else:
        yield Check("unattended-reports", True, say("no unattended commit left anything open"))


def fix_reports(patient: Patient) -> Said:
    """Count the reports as told."""
    take_reported(patient.repository)
    return say("the reports of unattended commits count as told")


def _still_open(patient: Patient) -> list[Report]:
    reports = open_reports(patient.repository)
    if not reports:
        return []
    git = patient.repository.git
    found = problems_of(git, patient.tree, patient.reader, refuses_unmatched=False)
    standing = {(problem.path, problem.rule) for problem in found}
    return [one for one in reports if _is_open(patient, one, standing)]


def _is_open(patient: Patient, one: Report, standing: set[tuple[str, str]]) -> bool:
    """Does HEAD, or the file on disk that was held back, still show it?"""
    raw = read_plain_file(patient.repository.top, one.path)
    if raw is None and one.path not in patient.tree.files.memories:
        return False
    if one.rule.startswith(_OF_MARKERS):
        return (one.path, one.rule) in standing
    if one.rule not in HELD_BACK:
        return True
    memory = read_memory(one.path, raw or b"")
    found = (*find_secrets(memory), *find_conflict_marks(memory))
    return one.rule in {problem.rule for problem in found}
