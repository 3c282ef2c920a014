"""retract: the first line of defence (seed 1). One wrong memory, named by a person, gone at once.

Judges the tree of HEAD together with the declaring memory it would add, by the same plan as the
hook, so that both refuse the same phrases in the same words.
"""

from __future__ import annotations

from memtools.config import read_variables
from memtools.core import aftermath
from memtools.core.facts import target_hits
from memtools.core.guarded import guard
from memtools.core.memory import read_memory, stem, without_suffix
from memtools.core.problem import Problem, problem
from memtools.core.refusals import shorten
from memtools.core.retraction import MarkerState, Target
from memtools.core.screen_secrets import find_secrets
from memtools.core.wording import Said, say, shell_word
from memtools.errors import FINDINGS, PolicyError
from memtools.git.run import WITHOUT_MODULES
from memtools.git.worktree import read_plain_file
from memtools.usecases.changing.declaring import Declared, declare, marker_text, place_beside
from memtools.usecases.changing.head import (
    ALREADY,
    RETRACTED,
    WOULD_RETRACT,
    Counts,
    Victim,
    entries_at,
    own_message,
    proposal_of,
    read_head,
    victims_of,
)
from memtools.usecases.changing.kept_plan import Watch
from memtools.usecases.changing.locks import refuse_under_way
from memtools.usecases.changing.maybesigned import commit_signed_if_possible
from memtools.usecases.changing.owncommit import NewBytes
from memtools.usecases.committing.matchlog import log_retractions
from memtools.usecases.committing.places import PlaceFinder, sees_all
from memtools.usecases.committing.problems import marker_problem
from memtools.usecases.committing.tombstones import author_date, declared_dates, prepare
from memtools.usecases.outcome import code_of
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtools.core.facts import Facts
    from memtools.core.retraction import Judged
    from memtools.usecases.changing.head import Head
    from memtools.usecases.committing.tombstones import Tombstone
    from memtools.usecases.repository import Repository


_READ = 200  # changed files looked into for a phrase that HEAD lacks


class Retraction(NamedTuple):
    """What `retract` found and did.

    `declared_in` is the declaring memory, written or to be written ("": none is needed).
    `is_new_plan`: nothing was done, since it differs from what the dry run showed.
    """

    applied: bool
    is_new_plan: bool
    markers: Counts
    targets: tuple[Victim, ...]
    declared_in: str
    problems: tuple[Problem, ...]
    notices: tuple[Said, ...]

    @property
    def code(self) -> int:
        """The exit code."""
        return FINDINGS if self.is_new_plan else code_of(self.problems)


def retract(
    repository: Repository,
    phrase: str,
    *,
    why: str = "",
    apply: bool = False,
    now: float | None = None,
    sees: Callable[[str], bool] = sees_all,
) -> Retraction:
    """Retract the one memory of HEAD that a phrase or address points at; a dry run without `apply`.

    `now` (seconds since 1970): the dry run keeps its plan, and `apply` holds to it (rule 18).
    `sees`: the memories the words are looked for in, by path.

    Raises:
        GitError: a merge, rebase, cherry-pick or revert is under way, a lock is held, or a hook of
            the person refused the commit; nothing was changed.
        PolicyError: an agent would retract what only a person may.
        RefusedError: there is no place for the declaring memory, or it cannot be written.
    """
    if apply:
        refuse_under_way(repository)
    head = read_head(repository, writes=apply)._replace(sees=sees)
    target = marker_text(head, phrase)
    at = author_date(repository.git)
    draft = declare(head, "", target, why, at)
    places = PlaceFinder(repository, proposal_of(head, draft.ledger, frozenset()), sees)
    marker = draft.marker
    if marker.state is MarkerState.APPLIED:
        return _already(head, marker, places)
    if marker.state is not MarkerState.OPEN:
        nowhere = marker._replace(path="", line=0)
        proposal = proposal_of(head, draft.ledger, frozenset())
        found = marker_problem(proposal, nowhere, places)
        problems = tuple(one._replace(severity="error") for one in found)
        problems = _not_committed(head, marker) or problems
        return Retraction(False, False, Counts(1), (), "", problems, ())
    declared = declare(head, place_beside(head, marker.live[0], at), target, why, at)
    watch = Watch(repository, ("retract", phrase, why), apply, now)
    return _carry_out(head, declared, places, watch, at)


def _not_committed(head: Head, marker: Judged) -> tuple[Problem, ...]:
    """A phrase that HEAD lacks may stand in what the person has changed, staged or not."""
    if marker.state is not MarkerState.UNMATCHED or marker.passed_over:
        return ()
    repository = head.repository
    asked = ("diff-index", "--name-only", "-z", "--diff-filter=AM", WITHOUT_MODULES)
    git = repository.git.looking(repository.common_dir)
    paths = filter(head.settings.config.selection.holds, git.names(*asked, head.tree, "--"))
    for path in [path for path in paths if head.sees(path)][:_READ]:
        raw = read_plain_file(repository.top, path)
        if raw is not None and target_hits(marker.phrase, head.reader.study(path, "", raw)):
            what = say(
                '"{phrase}" is only in a change of {path} that is not committed yet',
                phrase=shorten(marker.phrase),
                path=path,
            )
            return (problem("", 0, "retract-no-match", what, say("mend the file itself"), "error"),)
    return ()


def _already(head: Head, marker: Judged, places: PlaceFinder) -> Retraction:
    """What the phrase hits is retracted: says by whom and when."""
    rows = [head.ledger.rows[path] for path in marker.buried]
    targets = [
        Target(row.path, marker.phrase, _declaring_path(head, row.retracted_by), 0, False)
        for row in rows
    ]
    notices = tuple(_said_already(row) for row in rows)
    return Retraction(
        False, False, Counts(1, 1), victims_of(places, targets, ALREADY), "", (), notices
    )


def _said_already(row: Facts) -> Said:
    if not row.retracted_by:
        return say("{path} is already retracted", path=row.path)
    return say(
        "{path} is already retracted, by {by} on {at}",
        path=row.path,
        by=row.retracted_by,
        at=row.retracted_at[:10] or "?",
    )


def _declaring_path(head: Head, link: str) -> str:
    """The path of the memory that `retracted_by` names, when it still stands and declares."""
    name = link.removeprefix("[[").removesuffix("]]")
    found = [
        path
        for path, row in head.ledger.rows.items()
        if row.markers and name in (stem(path), without_suffix(path))
    ]
    return found[0] if len(found) == 1 else ""


def _carry_out(
    head: Head,
    declared: Declared,
    places: PlaceFinder,
    watch: Watch,
    at: str,
) -> Retraction:
    mine = [target for target in declared.plan.targets if target.declared_in == declared.path]
    mine.sort(key=lambda target: bool(target.source))  # the one that was named comes first
    tombstones, problems = _prepared(head, declared, mine, at)
    if problems:
        return Retraction(False, False, Counts(1), (), declared.path, problems, ())
    if watch.is_apply:
        _refuse_agent(head, tombstones)
    rows = tuple((tombstone.entry.path, tombstone.entry.blob) for tombstone in tombstones)
    is_new = watch.is_new(rows)
    acts = watch.is_apply and not is_new
    notices = _commit(head, declared, tombstones, at) if acts else ()
    watch.close(rows, has_acted=acts)
    targets = victims_of(places, mine, RETRACTED if acts else WOULD_RETRACT)
    warnings = tuple(found for tombstone in tombstones for found in tombstone.warnings)
    warnings += tuple(
        aftermath.half_derived(path, source)
        for path, source in declared.plan.half_derived
        if source in {row[0] for row in rows}
    )
    counts = Counts(1, int(acts), int(not acts))
    return Retraction(acts, is_new, counts, targets, declared.path, warnings, notices)


def _refuse_agent(head: Head, tombstones: Sequence[Tombstone]) -> None:
    """Rule 20: what a person stated, or ranked high, an agent only proposes to retract."""
    if not read_variables().agent:
        return
    for tombstone in tombstones:
        path = tombstone.entry.path
        why = guard(head.reader.one(path, tombstone.entry.blob).facts)
        if why is not None:
            line = shell_word(f"RETRACTS: {tombstone.target.phrase}")
            raise PolicyError(
                say("an agent cannot retract {path} ({why}); nothing was changed",
                    path=path, why=why),
                say("a person decides; type: echo {line} | memtools propose - --source extracted "
                    "--apply", line=line),
            )  # fmt: skip


def _prepared(
    head: Head, declared: Declared, mine: Sequence[Target], at: str
) -> tuple[tuple[Tombstone, ...], tuple[Problem, ...]]:
    git = head.repository.git
    dates = declared_dates(git, mine, at)
    entries = entries_at(head, [target.path for target in mine])
    tombstones, problems = prepare(git, declared.ledger, mine, entries, dates)
    found = [problem._replace(path="", line=0) for problem in problems]
    found += find_secrets(read_memory(declared.path, declared.data))
    return tombstones, tuple(found)


def _commit(
    head: Head, declared: Declared, tombstones: Sequence[Tombstone], at: str
) -> tuple[Said, ...]:
    files = [NewBytes(declared.path, declared.data)]
    files += [NewBytes(t.entry.path, t.after) for t in tombstones]
    first = tombstones[0].entry.path
    why = read_memory(declared.path, declared.data).reason
    notices = commit_signed_if_possible(head, files, own_message(f"Retract {first}", why), at)
    log_retractions(head.repository, tombstones)
    undo = say(
        'undo: memtools restore {path} --why "…" --drop-marker --apply, or git revert HEAD',
        path=shell_word(first),
    )
    return (*notices, undo)
