"""What is new in a commit: markers no parent holds, what they hit before it, what was renamed.

Must not know what becomes of the markers.
"""

from __future__ import annotations

from memtools.core.facts import target_hits
from memtools.core.retraction import MarkerState
from memtools.core.vocabulary import Status
from memtools.git.objects import REGULAR, Change, blobs_at
from memtools.usecases.tree import plan_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memtools.core.ledger import Ledger
    from memtools.core.retraction import MarkerKey
    from memtools.git.staging import Staging
    from memtools.usecases.repository import Repository
    from memtools.usecases.tree import Reader, Settings


def renames_of(
    staging: Staging, head_tree: str, changes: tuple[Change, ...], reader: Reader
) -> dict[str, str]:
    """Old path -> new path: as git sees it, and memories of the same body.

    (Of a small tombstone too little is left without its fields for git to see the same file.)
    """
    gone = [(c.path, c.old) for c in changes if c.new_mode not in REGULAR and c.old_mode in REGULAR]
    added = [
        (c.path, c.new) for c in changes if c.old_mode not in REGULAR and c.new_mode in REGULAR
    ]
    if not gone or not added:
        return {}
    found = staging.renames(head_tree)
    bodies = {studied.memory.body: studied.facts.path for studied in reader(added)}
    for studied in reader([pair for pair in gone if pair[0] not in found]):
        if studied.memory.body.strip() and studied.memory.body in bodies:
            found[studied.facts.path] = bodies[studied.memory.body]
    return found


def new_markers(
    repository: Repository,
    base: Ledger,
    staged: Ledger,
    changes: tuple[Change, ...],
    parents: tuple[str, ...],
    reader: Reader,
) -> frozenset[MarkerKey]:
    """The markers whose path and phrase (renames followed) stand in no parent."""
    changed = {change.path for change in changes}
    moved_phrases = {
        declared.phrase
        for path in changed
        if path not in staged.rows and path in base.rows
        for declared in base.rows[path].markers
    }
    new = {
        (path, declared.phrase)
        for path in changed & staged.rows.keys()
        for declared in staged.rows[path].markers
        if declared.phrase not in _phrases(base, path) and declared.phrase not in moved_phrases
    }
    for parent in parents if new else ():
        held = blobs_at(repository.git, parent, {path for path, _ in new})
        studied = reader([(entry.path, entry.blob) for entry in held.values()])
        new -= {
            (memory.facts.path, declared.phrase)
            for memory in studied
            for declared in memory.facts.markers
        }
    return frozenset(new)


def _phrases(ledger: Ledger, path: str) -> set[str]:
    row = ledger.rows.get(path)
    return {declared.phrase for declared in row.markers} if row else set()


def hits_before(
    new: frozenset[MarkerKey],
    changes: tuple[Change, ...],
    renames: dict[str, str],
    reader: Reader,
    still_open: frozenset[str] = frozenset(),
) -> tuple[dict[str, set[str]], frozenset[str]]:
    """What new markers hit in HEAD's version of the changed memories, at the staged path.

    So do the phrases of markers that are `still_open` in HEAD: to rename a victim, or to edit the
    phrase away, is no escape either. Second: the new ones that hit a memory this commit deletes.
    """
    phrases = {phrase for _, phrase in new} | still_open
    present = {change.path for change in changes if change.new_mode in REGULAR}
    hits: dict[str, set[str]] = {}
    deleted: set[str] = set()
    for change in changes if phrases else ():
        here = change.path if change.path in present else renames.get(change.path, "")
        if change.old_mode not in REGULAR:
            continue
        before = reader.one(change.path, change.old)
        if before.facts.status == Status.CANDIDATE:
            continue
        for phrase in phrases:
            if not target_hits(phrase, before):
                continue
            if here:
                hits.setdefault(phrase, set()).add(here)
            else:
                deleted.add(phrase)
    return hits, frozenset(deleted & {phrase for _, phrase in new})


def open_phrases(base: Ledger, changes: tuple[Change, ...], settings: Settings) -> frozenset[str]:
    """The phrases of HEAD's open markers that hit a memory this commit changes or takes away."""
    changed = {change.path for change in changes if change.old_mode in REGULAR}
    touched = {target for target, paths in base.hits.items() if not changed.isdisjoint(paths)}
    if not touched:
        return frozenset()
    judged = plan_of(base, settings).markers
    return frozenset(m.phrase for m in judged if m.state is MarkerState.OPEN) & touched
