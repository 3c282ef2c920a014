"""The doctor's look at what is derived or half done: journal, staging, ledger, index, leftovers.

What mends it changes no memory: it finishes or throws away, and makes anew what can be made anew.
"""

from __future__ import annotations

import os
import re

from memtools.core.vocabulary import Status
from memtools.core.wording import Said, say, shell_word
from memtools.errors import GitError
from memtools.files import remove_entry
from memtools.git.inprogress import is_reverting
from memtools.git.objects import REGULAR, blobs_at
from memtools.git.process import is_running
from memtools.git.staging import Staging
from memtools.usecases.bundles import abandoned, own_folder
from memtools.usecases.committing.journal import NOTHING, finish
from memtools.usecases.diagnosing.patient import Check, named
from memtools.usecases.lost import lost_tombstones as lost_paths
from memtools.usecases.reading.index import READY, index_state
from memtools.usecases.searchindex import follow_tree
from memtools.usecases.standing import keep_standing, ledger_of
from memtools.usecases.state import LEDGER, Standing, read_journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtools.usecases.diagnosing.patient import Patient

# The second number of a file beside a note is random; a settings file is written with its name.
_TEMPORARY = re.compile(r"\.memtools-(?:(\d+)-[0-9a-f]{8}|\.memtools\.toml-(\d+))\Z")
_OWN_TEMPORARY = re.compile(r"(?:\..+|blob|private-index)-(\d+)(?:-\d+)?(?:\.lock)?\Z")


def journal(patient: Patient) -> Iterator[Check]:
    """Tombstones an interrupted run left between HEAD, staging and the work tree."""
    repository = patient.repository
    rows = read_journal(repository.state_dir)
    paths = [row.path for row in rows]
    staging = Staging(repository.git, repository.git_dir)
    entries = staging.entries(paths) if rows else {}
    head = blobs_at(repository.git, patient.tree_id, paths) if rows else {}
    held = {path: entry.blob for path, entry in head.items()}
    stuck = [row.path for row in rows if held.get(row.path, NOTHING) == row.new]
    waiting = [
        row.path
        for row in rows
        if row.path not in stuck and row.path in entries and entries[row.path].blob == row.new
    ]
    if stuck:
        message = say("an interrupted run left half done: {paths}", paths=named(stuck))
        yield Check("half-done", False, message, say("type: memtools doctor --fix"), True)
    elif waiting:
        message = say("tombstones wait in staging for a commit: {paths}", paths=named(waiting))
        yield Check("half-done", True, message, say("git commit takes them"))
    elif rows:
        message = say("notes of a commit that was given up; the next hook drops them")
        yield Check("half-done", True, message, fixable=True)
    else:
        yield Check("half-done", True, say("nothing is half done"))


def staged_reversal(patient: Patient) -> Iterator[Check]:
    """A tombstone of HEAD that the next commit would take out, unless it finishes a revert."""
    if is_reverting(patient.repository.git_dir):
        yield Check("staged-reversal", True, say("a revert is under way; git commit finishes it"))
        return
    staging = Staging(patient.repository.git, patient.repository.git_dir)
    rows = patient.tree.ledger.rows
    undone = []
    for change in staging.diff(patient.tree_id):
        row = rows.get(change.path)
        if row is None or row.status != Status.RETRACTED or change.new_mode not in REGULAR:
            continue
        memory = patient.reader.one(change.path, change.new).memory
        if memory.status is not Status.RETRACTED and not memory.restored_reason:
            undone.append(change.path)
    if undone:
        message = say("staging would take these tombstones out: {paths}", paths=named(undone))
        hint = say("type: git restore --staged --worktree -- {path}", path=shell_word(undone[0]))
        yield Check("staged-reversal", False, message, hint)
    else:
        yield Check("staged-reversal", True, say("staging takes no tombstone out"))


def leftover_files(patient: Patient) -> Iterator[Check]:
    """Temporary files of runs that were killed."""
    found = _leftovers(patient)
    if found:
        message = say("a killed run left temporary files: {paths}", paths=named(found))
        yield Check("leftover-files", False, message, say("type: memtools doctor --fix"), True)
    else:
        yield Check("leftover-files", True, say("no temporary files are left"))


def ledger(patient: Patient) -> Iterator[Check]:
    """Is the ledger that hooks go by what a full pass over HEAD gives?"""
    if patient.kept is None:
        is_damaged = os.path.exists(os.path.join(patient.repository.state_dir, LEDGER))
        if is_damaged:
            message = say("the kept ledger cannot be read; the next hook makes it anew")
            yield Check("ledger", False, message, say("type: memtools doctor --fix"), True)
        else:
            yield Check("ledger", True, say("no ledger is kept yet; the next hook makes it"))
        return
    try:
        brought = ledger_of(patient.repository, patient.kept, patient.tree_id, patient.settings)
    except GitError:
        brought = None
    if brought == patient.tree.ledger:
        yield Check("ledger", True, say("the ledger equals a full pass over HEAD"))
    else:
        message = say("the ledger says something else than a full pass over HEAD")
        yield Check("ledger", False, message, say("type: memtools doctor --fix"), True)


def search_index(patient: Patient) -> Iterator[Check]:
    """Is the search index there, readable and at HEAD?"""
    state = index_state(patient.repository)
    if not patient.repository.head_tree:
        yield Check("search-index", True, say("nothing is committed yet"))
    elif state.state != READY:
        message = say("the search index cannot be used: {reason}", reason=state.message)
        hint = say("type: memtools index --rebuild")
        yield Check("search-index", False, message, hint, True)
    elif state.is_behind and _is_ahead(patient, state.tree):
        yield Check("search-index", True, say("the search index waits for the staged commit"))
    elif state.is_behind:
        message = say("the search index is not at HEAD; the next search brings it along")
        yield Check("search-index", True, message, fixable=True)
    elif not state.noted and not _holds_what_head_has(patient, state.memories):
        message = say("the search index holds {count} memories, HEAD has others",
                      count=state.memories)  # fmt: skip
        hint = say("type: memtools index --rebuild")
        yield Check("search-index", False, message, hint, True)
    else:
        yield Check("search-index", True, say("the search index is at HEAD"))


def _is_ahead(patient: Patient, tree: str) -> bool:
    """Did pre-commit bring the index to the commit it was asked about, which nobody made yet?"""
    rows = read_journal(patient.repository.state_dir)
    return patient.kept is not None and patient.kept.tree == tree and bool(rows)


def _holds_what_head_has(patient: Patient, count: int) -> bool:
    return count == len(patient.tree.files.memories)


def lost_tombstones(patient: Patient) -> Iterator[Check]:
    """Memories that were retracted here and speak again, although nobody restored them."""
    lost = lost_paths(patient.repository, patient.kept, patient.tree, patient.reader)
    if lost:
        message = say(
            "retracted before, active now, and nobody restored it: {paths}", paths=named(lost)
        )
        hint = say(
            "type: memtools retract {path} --apply; if it is right after all, write "
            "`restored_reason: why` into its front matter",
            path=shell_word(lost[0]),
        )
        yield Check("tombstones-lost", False, message, hint)
    else:
        yield Check("tombstones-lost", True, say("no tombstone was lost"))


def fix_journal(patient: Patient) -> Said:
    """Bring staging and files along with the tombstones HEAD has; drop rows of nobody."""
    staging = Staging(patient.repository.git, patient.repository.git_dir)
    left = finish(patient.repository, staging)
    if left:
        return say("finished; these files were left as they are: {paths}", paths=named(left))
    return say("finished what an interrupted run left half done")


def fix_leftovers(patient: Patient) -> Said:
    """Delete temporary files of processes that are gone."""
    found = _leftovers(patient)
    for path in found:
        remove_entry(os.path.join(patient.repository.top, path))
    return say("deleted temporary files: {paths}", paths=named(found))


def fix_ledger(patient: Patient) -> Said:
    """Keep the ledger of the full pass."""
    standing = Standing(patient.tree_id, patient.settings.blob, patient.tree.ledger)
    keep_standing(patient.repository, standing)
    return say("made the ledger anew")


def fix_index(patient: Patient) -> Said:
    """Make the search index anew when it cannot be used, else bring it to HEAD."""
    state = index_state(patient.repository)
    is_usable = state.state == READY and state.is_behind
    follow_tree(patient.repository, patient.tree_id, patient.settings, rebuild=not is_usable)
    return say("the search index was brought to HEAD")


def _leftovers(patient: Patient) -> list[str]:
    """Temporary files of ours whose process is gone, from the top of the work tree."""
    repository = patient.repository
    found = [
        path
        for path in repository.git.names("ls-files", "--others", "-z")
        if _is_abandoned(_TEMPORARY.match(path.rpartition("/")[2]))
    ]
    for folder, _, names in os.walk(repository.state_dir):
        found += [
            os.path.relpath(os.path.join(folder, name), repository.top)
            for name in names
            if _is_abandoned(_OWN_TEMPORARY.match(name))
        ]
    left = abandoned(own_folder(repository))
    found += [os.path.relpath(path, repository.top) for path in left]
    return sorted(found)


def _is_abandoned(match: re.Match[str] | None) -> bool:
    return match is not None and not is_running(int(next(filter(None, match.groups()))))
