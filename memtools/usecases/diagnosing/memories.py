"""The doctor's look at the memories of HEAD: markers, headers, and what makes a layer go stale.

Changes nothing: what is wrong with a memory is mended by a person, in a commit.
"""

from __future__ import annotations

from memtools.core.likeness import comparable, repeats
from memtools.core.retraction import MarkerState
from memtools.core.vocabulary import Priority, Status
from memtools.core.wording import lines, say, shell_word
from memtools.usecases.checking.problems import doubles, orphans, problems_of
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.installing.unknown_words import count_unknown_words, mapping_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.problem import Problem
    from memtools.usecases.diagnosing.patient import Patient

_MANY = 10  # high-priority memories from which on their share is judged
_SHARE = 0.3  # of the active memories
_LOW = 0.5  # confidence below which a memory should not speak at every turn
_COMPARED = 300  # high-priority memories compared with each other
_IDLE = (MarkerState.AMBIGUOUS, MarkerState.IGNORED, MarkerState.MUTUAL)


def settings(patient: Patient) -> Iterator[Check]:
    """Can the settings be read, every line of them?"""
    found = patient.settings.problems
    if found:
        first = found[0]
        message = say("{path}:{line}: {what}", path=first.path, line=first.line, what=first.message)
        yield Check("settings", False, message, first.hint or say("mend .memtools.toml"))
    else:
        yield Check("settings", True, say("the settings can be read"))


def unapplied_markers(patient: Patient) -> Iterator[Check]:
    """Markers whose victim has no tombstone yet."""
    targets = patient.tree.plan.targets
    if not targets:
        yield Check("markers-unapplied", True, say("every marker is applied"))
        return
    places = [f"{t.path} ({t.declared_in}:{t.declared_line})" for t in targets]
    message = say("hidden, but without tombstone: {places}", places=named(places))
    blocked = [p for p in _problems(patient) if p.rule == "retract-not-editable"]
    hint = blocked[0].message if blocked else say("type: memtools sweep --apply")
    yield Check("markers-unapplied", False, message, hint)


def idle_markers(patient: Patient) -> Iterator[Check]:
    """Markers that are too short, hit several memories, or would retract each other."""
    idle = [marker for marker in patient.tree.plan.markers if marker.state in _IDLE]
    if not idle:
        yield Check("markers-idle", True, say("every marker names one memory"))
        return
    places = [f"{m.path}:{m.line} ({m.state})" for m in idle]
    message = say("these markers retract nothing: {places}", places=named(places))
    first = next(p for p in _problems(patient) if (p.path, p.line) == (idle[0].path, idle[0].line))
    hint = say("{place}: {what}", place=f"{first.path}:{first.line}", what=first.message)
    yield Check("markers-idle", False, message, hint)


def unmatched_markers(patient: Patient) -> Iterator[Check]:
    """Markers without a memory: right when it was deleted, so this is only told."""
    idle = [m for m in patient.tree.plan.markers if m.state is MarkerState.UNMATCHED]
    if idle:
        places = named(f"{m.path}:{m.line}" for m in idle)
        message = say("no memory holds the phrase of these markers: {places}", places=places)
        hint = say("fine when the memory was deleted; else correct the phrase")
        yield Check("markers-unmatched", True, message, hint)
    else:
        yield Check("markers-unmatched", True, say("every marker matches a memory"))


def orphaned_tombstones(patient: Patient) -> Iterator[Check]:
    """Tombstones whose marker is gone: they stay, so this is only told."""
    found = [problem.path for problem in orphans(patient.tree)]
    if found:
        message = say("tombstones without a marker (they stay): {paths}", paths=named(found))
        hint = say(
            'to bring one back: memtools restore {path} --why "…" --apply',
            path=shell_word(found[0]),
        )
        yield Check("tombstones-orphaned", True, message, hint)
    else:
        yield Check("tombstones-orphaned", True, say("every tombstone has its marker"))


def status_words(patient: Patient) -> Iterator[Check]:
    """Status words outside the vocabulary, with the settings lines that map them."""
    counts = count_unknown_words(_own_problems(patient))
    if counts:
        message = say(
            "memories with these status words stay hidden: {words}",
            words=named(f"{word} ({count})" for word, count in counts.items()),
        )
        yield Check("status-words", False, message, lines(mapping_lines(counts)))
    else:
        yield Check("status-words", True, say("every status word is in the vocabulary"))


def headers(patient: Patient) -> Iterator[Check]:
    """Headers that cannot be read for sure; one that is only no YAML is told, not counted."""
    unsure = [p for p in _own_problems(patient) if p.rule.startswith(("header-", "file-", "body-"))]
    errors = [p for p in unsure if p.is_error]
    places = named(dict.fromkeys(f"{p.path}:{p.line}" for p in errors or unsure))
    if errors:
        message = say("these files cannot be read for sure, so they are hidden: {places}",
                      places=places)  # fmt: skip
        yield Check("headers", False, message, errors[0].hint or errors[0].message)
    elif unsure:
        message = say("read as far as possible, see memtools check: {places}", places=places)
        yield Check("headers", True, message, unsure[0].hint)
    else:
        yield Check("headers", True, say("every header can be read"))


def ids(patient: Patient) -> Iterator[Check]:
    """Memories that share an id."""
    found = list(doubles(patient.tree))
    if found:
        message = say("{path}: {what}", path=found[0].path, what=found[0].message)
        yield Check("ids", False, message, found[0].hint)
    else:
        yield Check("ids", True, say("every id is that of one memory"))


def priority_inflation(patient: Patient) -> Iterator[Check]:
    """When everything is important, nothing is."""
    active = [seen for seen in patient.tree.seen.values() if seen.status == Status.ACTIVE]
    high = sum(seen.priority == Priority.HIGH for seen in active)
    share = round(100 * high / len(active)) if active else 0
    if high >= _MANY and high > _SHARE * len(active):
        message = say("{share} % of the active memories have high priority", share=share)
        hint = say("give those that need not speak at every turn `priority: normal`")
        yield Check("priority-inflation", False, message, hint)
    else:
        message = say("memories with high priority: {high} of {all}", high=high, all=len(active))
        yield Check("priority-inflation", True, message)


def low_confidence(patient: Patient) -> Iterator[Check]:
    """Memories that speak at every turn although nobody is sure of them."""
    unsure = [
        path
        for path in sorted(patient.tree.layer)
        if (confidence := patient.tree.seen[path].confidence) is not None and confidence < _LOW
    ]
    if unsure:
        message = say("high priority, but low confidence: {paths}", paths=named(unsure))
        hint = say("confirm it (raise `confidence`), lower its priority, or retract it")
        yield Check("low-confidence", False, message, hint)
    else:
        yield Check("low-confidence", True, say("no uncertain memory speaks at every turn"))


def look_alikes(patient: Patient) -> Iterator[Check]:
    """High-priority memories that say nearly the same."""
    pairs = list(_look_alikes(patient))
    if pairs:
        shown = named(f"{one} = {other}" for one, other in pairs)
        message = say("high-priority memories that say nearly the same: {pairs}", pairs=shown)
        hint = say("keep one of them; retract the other by its path")
        yield Check("look-alikes", False, message, hint)
    else:
        yield Check("look-alikes", True, say("no two high-priority memories say the same"))


def _own_problems(patient: Patient) -> Iterator[Problem]:
    for seen in patient.tree.seen.values():
        yield from seen.problems


def _problems(patient: Patient) -> list[Problem]:
    git = patient.repository.git
    return problems_of(git, patient.tree, patient.reader, refuses_unmatched=False)


def _look_alikes(patient: Patient) -> Iterator[tuple[str, str]]:
    held = patient.tree.files.memories
    paths = sorted(patient.tree.layer)[:_COMPARED]
    texts = [
        (studied.facts.path, comparable(studied.memory.body))
        for studied in patient.reader([(path, held[path]) for path in paths])
    ]
    for number, (path, one) in enumerate(texts):
        for other_path, other in texts[:number]:
            if repeats(one, other):
                yield other_path, path
