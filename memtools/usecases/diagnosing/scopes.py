"""The doctor's look at scopes: what of one project's memories gets into another.

Changes nothing: a person says which project a memory belongs to.
"""

from __future__ import annotations

from collections import Counter

from memtools.core.facts import source_target
from memtools.core.links import names_of, pointed_at
from memtools.core.memory import stem
from memtools.core.vocabulary import Status
from memtools.core.wording import say
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.reading.effective import plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.core.memory import Memory
    from memtools.usecases.diagnosing.patient import Patient

_ENOUGH = 2  # memories of one scope that make their folder one of that scope


def scope_leaks(patient: Patient) -> Iterator[Check]:
    """Memories drawn from one project's memories that speak in others, too."""
    tree = patient.tree
    leaks = []
    for path, row in tree.ledger.rows.items():
        if row.status != Status.ACTIVE:
            continue
        sources = {
            hit for e in row.derived_from for hit in tree.ledger.hits.get(source_target(e), ())
        }
        scopes = {plain_name(tree.seen[source].scope) for source in sources} - {""}
        if scopes and scopes != {plain_name(tree.seen[path].scope)}:
            leaks.append(f"{path} ({', '.join(sorted(scopes))})")
    if leaks:
        message = say("derived from memories of another scope: {paths}", paths=named(leaks))
        hint = say("give it the `scope` of its sources, or take `derived_from` out")
        yield Check("scope-leaks", False, message, hint)
    else:
        yield Check("scope-leaks", True, say("no memory leaks out of its scope"))


def scope_links(patient: Patient) -> Iterator[Check]:
    """Links from one project's memories into another's: an agent of the one cannot follow them."""
    scoped = _scoped(patient)
    found = list(_links_between(patient, scoped)) if len(set(scoped.values())) > 1 else []
    if found:
        message = say("links into another scope: {links}", links=named(found))
        hint = say("write down here what is needed here, or give the linked memory no `scope`")
        yield Check("scope-links", False, message, hint)
    else:
        yield Check("scope-links", True, say("no link leads into another scope"))


def missing_scopes(patient: Patient) -> Iterator[Check]:
    """Memories for all projects in a folder whose others are for one: perhaps an oversight."""
    scoped = _scoped(patient)
    folders: dict[str, list[str]] = {}
    for path in _active(patient):
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    found = []
    for paths in folders.values():
        scopes = Counter(scoped.get(path, "") for path in paths)
        bare = scopes.pop("", 0)
        if len(scopes) == 1 and max(_ENOUGH, bare + 1) <= sum(scopes.values()):
            found += [f"{path} ({next(iter(scopes))})" for path in paths if path not in scoped]
    if found:
        message = say("no scope, unlike all others in the folder: {paths}", paths=named(found))
        hint = say("give it their `scope`, or move it where memories for all projects are")
        yield Check("scope-missing", False, message, hint)
    else:
        yield Check("scope-missing", True, say("no memory lacks the scope of its folder"))


def _active(patient: Patient) -> list[str]:
    statuses = patient.tree.statuses
    return [path for path in sorted(statuses) if statuses[path] == Status.ACTIVE]


def _scoped(patient: Patient) -> dict[str, str]:
    """The active memories that belong to a project: path -> scope as it is compared."""
    scopes = {path: plain_name(patient.tree.seen[path].scope) for path in _active(patient)}
    return {path: scope for path, scope in scopes.items() if scope}


def _links_between(patient: Patient, scoped: dict[str, str]) -> Iterator[str]:
    held = patient.tree.files.memories
    memories: list[Memory] = [
        studied.memory for studied in patient.reader([(path, held[path]) for path in scoped])
    ]
    called: dict[str, set[str]] = {}
    for memory in memories:
        for name in names_of(memory):
            called.setdefault(name, set()).add(memory.path)
    shared = {stem(path) for path in held if path not in scoped}
    for memory in memories:
        mine = scoped[memory.path]
        for name in sorted(pointed_at(memory) - shared):
            targets = called.get(name, set())
            if targets and all(scoped[target] != mine for target in targets):
                target = min(targets)
                yield f"{memory.path} -> {target} ({scoped[target]})"
