"""pre-push: no tip leaves with a marker that has no tombstone, unless the remote has it already."""

from __future__ import annotations

from memtools.core.problem import Problem, problem
from memtools.core.retraction import Judged, MarkerState
from memtools.core.wording import say
from memtools.git.objects import tree_id
from memtools.usecases.outcome import Outcome, code_of
from memtools.usecases.standing import ledger_of
from memtools.usecases.state import read_standing
from memtools.usecases.tree import plan_of, settings_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.usecases.repository import Repository


def pre_push(repository: Repository, lines: list[str]) -> Outcome:
    """Judge each pushed tip. `lines`: `local-ref local-oid remote-ref remote-oid`, as git says."""
    problems: list[Problem] = []
    judged: set[str] = set()
    for line in lines:
        words = line.split(" ")
        if len(words) != 4 or not words[1].strip("0"):  # a deletion
            continue
        _, tip, _, remote = words
        if tip not in judged:
            judged.add(tip)
            problems += _problems(repository, tip, remote)
    return Outcome(code_of(problems), tuple(problems))


def _problems(repository: Repository, tip: str, remote: str) -> list[Problem]:
    unapplied = _open_markers(repository, tip)
    if not unapplied:
        return []
    known = {(m.path, m.phrase) for m in _open_markers(repository, remote)}
    return [
        problem(
            marker.path,
            marker.line,
            "retract-unapplied",
            say(
                "this marker is not applied at {tip}: {victims} has no tombstone",
                tip=tip[:10],
                victims=", ".join(marker.live),
            ),
            say("memtools sweep --apply, then push again"),
            severity="warning" if (marker.path, marker.phrase) in known else "",
        )
        for marker in unapplied
    ]


def _open_markers(repository: Repository, commit: str) -> list[Judged]:
    tree = tree_id(repository.git, commit) if commit.strip("0") else None
    if tree is None:  # a new branch, or a tip this clone has not fetched
        return []
    settings = settings_at(repository.git, tree)
    ledger = ledger_of(repository, read_standing(repository.state_dir), tree, settings)
    return [m for m in plan_of(ledger, settings).markers if m.state is MarkerState.OPEN]
