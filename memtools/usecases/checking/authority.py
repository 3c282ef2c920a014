"""Who let in what: the commits of a first-parent line that approve, and whether a person signed.

Each is judged by settings and signers that were approved before it. Must not know how the line was
named, nor what else its commits bring.
"""

from __future__ import annotations

from memtools.config import SETTINGS_FILE, parse_config, values_of
from memtools.core.problem import ERROR, Problem, problem
from memtools.core.protected import is_protected
from memtools.core.vocabulary import Status
from memtools.core.wording import Said, say
from memtools.git.firstparents import first_parent_steps
from memtools.git.objects import REGULAR, read_objects
from memtools.git.refs import branch_tips
from memtools.git.run import AS_STORED
from memtools.git.signatures import OTHER, UNSIGNED
from memtools.usecases.signing import (
    Signers,
    fault_of,
    is_signed,
    signatures_of,
    signers_at,
)
from memtools.usecases.tree import NO_CONFIG, Reader, settings_at
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtools.core.facts import Studied
    from memtools.git.firstparents import Step
    from memtools.git.objects import Change
    from memtools.git.run import Git
    from memtools.git.signatures import Signature
    from memtools.usecases.tree import Settings

_FREE = "activation."  # settings that let nothing in


class Rules(NamedTuple):
    """By what a commit is judged: settings and signers of a commit before it."""

    settings: Settings
    signers: Signers


class Entry(NamedTuple):
    """One thing a commit lets in, where, and by which rules it was judged."""

    commit: str
    path: str
    what: Said
    signers: Signers


def rules_at(git: Git, commit: str) -> Rules | None:
    """What a commit says about signatures; None: nothing."""
    settings = settings_at(git, commit)
    path = settings.config.approval.allowed_signers
    return Rules(settings, signers_at(git, commit, path)) if path else None


def unsigned_in_range(git: Git, since: str, until: str, severity: str = ERROR) -> list[Problem]:
    """What the commits of `until` let in without a person's signature, judged by those of `since`.

    No commit of a range adds a signer for another one of it.
    """
    git = git.with_env(**AS_STORED)
    rules = rules_at(git, since)
    if rules is None:
        return []
    reader = Reader(git, rules.settings.config)
    entries = [
        entry
        for step in first_parent_steps(git, until, since)
        for entry in _entries(git, reader, step, rules)
    ]
    signatures = _signatures(git, entries)
    return [
        _problem(entry, signatures[entry.commit], severity)
        for entry in entries
        if not is_signed(signatures[entry.commit])
    ]


def unsigned_on_line(git: Git, until: str, since: str = "") -> list[Problem]:
    """What came in without a person's signature and still stands so.

    Each commit is judged by the ones before it that were approved. `since`: up to where the line
    was looked at. A later commit that a person signed, and that changes the same file, lets it in.
    """
    git = git.with_env(**AS_STORED)
    entries = [*_line_entries(git, first_parent_steps(git, until, since))]
    signatures = _signatures(git, entries)
    left: dict[str, Problem] = {}
    for entry in entries:
        signature = signatures[entry.commit]
        left.pop(entry.path, None)
        if not is_signed(signature):
            left[entry.path] = _problem(entry, signature, ERROR)
    return list(left.values())


def _line_entries(git: Git, steps: Sequence[Step]) -> Iterator[Entry]:
    """What each commit lets in, by the rules of the last commit that might set any."""
    rules = rules_at(git, steps[0].parent) if steps and steps[0].parent else None
    reader = Reader(git, rules.settings.config) if rules else None
    for step in steps:
        entries = [*_entries(git, reader, step, rules)] if rules and reader else []
        yield from entries
        decisive = {SETTINGS_FILE, *(rules.signers.paths if rules else ())}
        if not any(change.path in decisive for change in step.changes):
            continue
        is_entry = any(entry.path in decisive for entry in entries)
        if not is_entry or is_signed(_signatures(git, entries)[step.commit]):
            rules = rules_at(git, step.commit)
            reader = Reader(git, rules.settings.config) if rules else None


def _entries(git: Git, reader: Reader, step: Step, rules: Rules) -> Iterator[Entry]:
    holds = rules.settings.config.selection.holds
    moved = _moved(reader, [change for change in step.changes if holds(change.path)])
    for change in step.changes:
        what: Said | None = None
        if change.path == SETTINGS_FILE:
            if _guards_otherwise(git, change):
                what = say("changes settings that guard memories")
        elif change.path in rules.signers.paths:
            what = say("changes who may approve")
        elif holds(change.path) and change not in moved:
            what = _lets_in(_side(reader, change, is_new=False), _side(reader, change, is_new=True))
        if what is not None:
            yield Entry(step.commit, change.path, what, rules.signers)


def _lets_in(before: Studied | None, after: Studied | None) -> Said | None:
    """What a change of one memory lets in; None: nothing."""
    if after is not None and _speaks(after):
        if before is None:
            return say("lets in a new memory")
        if before.facts.status == Status.RETRACTED:
            return say("brings back a retracted memory")
        return say("changes an active memory") if _speaks(before) else say("lets in a candidate")
    if before is None or not _speaks(before):
        return None
    kept = {marker.phrase for marker in after.facts.markers} if after else set()
    if any(marker.phrase not in kept for marker in before.facts.markers):
        return say("takes a RETRACTS: line out")
    return None


def _speaks(studied: Studied) -> bool:
    return studied.facts.exposed and studied.facts.status == Status.ACTIVE


def _side(reader: Reader, change: Change, *, is_new: bool) -> Studied | None:
    mode, blob = (change.new_mode, change.new) if is_new else (change.old_mode, change.old)
    return reader.one(change.path, blob) if mode in REGULAR else None


def _moved(reader: Reader, changes: Iterable[Change]) -> set[Change]:
    """Both ends of active memories that only have another name: the same bytes, once each."""
    gone = {}
    for change in changes:
        old = _side(reader, change, is_new=False) if change.new_mode not in REGULAR else None
        if old is not None and _speaks(old):
            gone[change.old] = change
    found = set()
    for change in changes:
        if change.old_mode not in REGULAR and change.new in gone:
            found |= {change, gone.pop(change.new)}
    return found


def _guards_otherwise(git: Git, change: Change) -> bool:
    """Are settings in force afterwards that differ in more than what is handed out?"""
    old, new = (
        values_of(parse_config(_settings_bytes(git, mode, blob))[0])
        for mode, blob in ((change.old_mode, change.old), (change.new_mode, change.new))
    )
    return any(
        old.get(name) != new.get(name)
        for name in old.keys() | new.keys()
        if not name.startswith(_FREE)
    )


def _settings_bytes(git: Git, mode: str, blob: str) -> bytes | None:
    return next(read_objects(git, [blob])) if mode in REGULAR and blob != NO_CONFIG else None


def _signatures(git: Git, entries: Sequence[Entry]) -> dict[str, Signature]:
    """The signature of each commit that lets something in."""
    by_signers: dict[Signers, dict[str, None]] = {}
    for entry in entries:
        by_signers.setdefault(entry.signers, {})[entry.commit] = None
    found: dict[str, Signature] = {}
    for signers, commits in by_signers.items():
        found |= signatures_of(git, list(commits), signers)
    return found


def changed_signers(git: Git, since: str, until: str, path: str) -> Iterator[Problem]:
    """A finding for each of the two files that a range changes."""
    old, new = (signers_at(git, commit, path) for commit in (since, until))
    for place, before, after in zip(old.paths, old[1:], new[1:], strict=True):
        if before != after:
            what = say("this change sets who may approve; it was judged by the file before it")
            yield problem(place, 1, "signers-changed", what, say("read its diff, line by line"))


def is_protected_tip(git: Git, commit: str, patterns: Sequence[str]) -> bool:
    """Does a protected branch, or what a remote has as one, end in this commit?"""
    return any(is_protected(ref, patterns) for ref in branch_tips(git, points_at=commit))


def _problem(entry: Entry, signature: Signature, severity: str) -> Problem:
    rule = "approval-unsigned" if signature.state in (UNSIGNED, OTHER) else "approval-not-allowed"
    what = say(
        "commit {commit} {what}, and it approves nothing: {fault}",
        commit=entry.commit[:10],
        what=entry.what,
        fault=fault_of(signature, entry.signers),
    )
    hint = say(
        "a person listed in {path} lets it in by a commit they sign: git merge --no-ff -S BRANCH, "
        "or memtools approve of a candidate",
        path=entry.signers.path,
    )
    return problem(entry.path, 1, rule, what, hint, severity)
