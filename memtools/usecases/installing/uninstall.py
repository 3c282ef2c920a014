"""`uninstall`: take back what `init` and `connect` wrote, and put hooks back; notes stay.

Must not remove anything they did not write, nor a file that has changed since.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from memtools.core.wording import Said, say
from memtools.files import write_whole
from memtools.git import attributes
from memtools.git.hookfolder import (
    PREVIOUS,
    HookFolder,
    Kind,
    Reach,
    find_folder,
    reach_of,
    remove_shim,
)
from memtools.git.place import Place, find_bare, local_config, require_place
from memtools.git.shims import SERVER_STAGES, STAGES
from memtools.usecases.bundles import BACKUPS, SUFFIX
from memtools.usecases.installing.disconnect import write_disconnected
from memtools.usecases.installing.record import (
    Record,
    Report,
    Undoing,
    Undone,
    digest,
    read_record,
    shown,
)
from memtools.usecases.state import JOURNAL
from memtools.usecases.statefiles import ERASURE, PENDING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_ALL_STAGES = (*STAGES, *SERVER_STAGES)
# Ours whatever the record says: it may be lost.
_ALWAYS_OURS = ("memtools.python", "merge.memtools.name", "merge.memtools.driver")


def apply_uninstall(folder: str, environ: Mapping[str, str]) -> Report:
    """Take memtools out of the repository that holds `folder`; a second run finds nothing.

    Raises:
        GitError: no repository, or a held lock.
    """
    place = find_bare(folder, environ) or require_place(folder, environ)
    record = read_record(place.common_dir) or Record()
    undone: list[Undone] = []
    notices: list[Said] = []
    for connection in record.connections:
        taken, left = write_disconnected(connection, environ)
        undone += [one._replace(place=shown(one.place, place.top)) for one in taken]
        notices += left
    for hooks in _folders(place, record):
        undone += _remove_hooks(hooks)
        notices += _left_behind(hooks)
        if "hooks" in record.created:
            _remove_if_empty(Path(hooks.path))
    undone += _remove_config(place, record)
    undone += _remove_attributes(place, record)
    for path, known in record.files:
        what, line = _remove_file(place, path, known)
        undone += what
        notices += line
    for own in _own_folders(place):
        undone += _remove_derived(own, place.top)
        notices += _kept_there(own, place.top)
    return Report(
        place.top,
        removed=_places(undone, Undoing.REMOVED),
        put_back=_places(undone, Undoing.PUT_BACK),
        edited=_places(undone, Undoing.EDITED),
        notices=tuple(notices),
    )


def _places(undone: Iterable[Undone], how: Undoing) -> tuple[str, ...]:
    return tuple(one.place for one in undone if one.how is how)


def _folders(place: Place, record: Record) -> Iterable[HookFolder]:
    """The hooks folder in force, and those an earlier `init` wrote to."""
    now = find_folder(place.git, place.top, place.common_dir)
    found = {} if now.kind is Kind.OFF else {os.path.realpath(now.path): now}
    for kept in record.hooks:
        path = str(Path(place.common_dir, kept))
        found.setdefault(os.path.realpath(path), HookFolder(path, place.top, Kind.PLAIN))
    return found.values()


def _remove_hooks(folder: HookFolder) -> Iterator[Undone]:
    if not Path(folder.path).is_dir():
        return
    for stage in _ALL_STAGES:
        if remove_shim(folder, stage):
            hook = Path(folder.path, stage)
            how = Undoing.PUT_BACK if os.path.lexists(hook) else Undoing.REMOVED
            yield Undone(how, shown(hook, folder.top))


def _left_behind(folder: HookFolder) -> Iterator[Said]:
    """What only the person can take out, or decide about."""
    for stage in _ALL_STAGES:
        hook = Path(folder.home, stage)
        name = shown(hook, folder.top)
        if reach_of(folder, stage) is Reach.LINE:
            yield say("{hook} still calls `memtools hook {stage}`: take that line out where it "
                      "stands", hook=name, stage=stage)  # fmt: skip
        for kept in sorted(hook.parent.glob(f"{stage}{PREVIOUS}*")):
            yield say("{kept} stays: it was the hook before memtools, and another one has been "
                      "installed since", kept=shown(kept, folder.top))  # fmt: skip


def _remove_config(place: Place, record: Record) -> list[Undone]:
    now = local_config(place.git)
    ours = {(key, value) for key in _ALWAYS_OURS for value in now.get(key, ())}
    ours |= {(key, value) for key, value in record.config if value in now.get(key, ())}
    for key, value in sorted(ours):
        place.git.run("config", "--local", "--fixed-value", "--unset-all", key, value)
    config = shown(Path(place.common_dir, "config"), place.top)
    return [Undone(Undoing.REMOVED, f"{config}: {key}") for key, _ in sorted(ours)]


def _remove_attributes(place: Place, record: Record) -> list[Undone]:
    target = Path(place.common_dir, "info", "attributes")
    data = target.read_bytes() if target.is_file() else b""
    rest = attributes.without_block(data)
    if rest == data:
        return []
    if rest or "attributes" not in record.created:
        write_whole(str(target), rest, target.stat().st_mode & 0o777)
        return [Undone(Undoing.EDITED, shown(target, place.top))]
    target.unlink()
    if "info" in record.created:
        _remove_if_empty(target.parent)
    return [Undone(Undoing.REMOVED, shown(target, place.top))]


def _remove_file(place: Place, path: str, known: str) -> tuple[list[Undone], list[Said]]:
    """Remove a file only `init` ever wrote to, and nobody took into git."""
    target = Path(place.top, path)
    if target.is_symlink() or not target.is_file():
        return [], []
    is_tracked = place.git.run("ls-files", "-z", "--", path) != b""
    if is_tracked or digest(target.read_bytes()) != known:
        return [], [say("{path} stays: it is part of your notes now", path=path)]
    target.unlink()
    return [Undone(Undoing.REMOVED, path)], []


def _own_folders(place: Place) -> Iterator[Path]:
    """Our folder of the repository, and that of each linked work tree."""
    common = Path(place.common_dir)
    for folder in (common / "memtools", *common.glob("worktrees/*/memtools")):
        if folder.is_dir() and not folder.is_symlink():
            yield folder


def _remove_derived(folder: Path, top: str) -> list[Undone]:
    """Everything memtools derived; of a half-done retraction and of backups nothing is removed."""
    derived = [entry for entry in folder.iterdir() if not _is_canonical(entry)]
    for entry in derived:
        _remove(entry)
    _remove_if_empty(folder)
    if not folder.exists():
        return [Undone(Undoing.REMOVED, f"{shown(folder, top)}/")]
    return [Undone(Undoing.EDITED, f"{shown(folder, top)}/")] if derived else []


def _kept_there(folder: Path, top: str) -> Iterator[Said]:
    """What of our folder stays, and why."""
    for entry in sorted(folder.iterdir()) if folder.exists() else ():
        if entry.name in (JOURNAL, ERASURE):
            yield say("{path} stays: it tells what an interrupted run left half done",
                      path=shown(entry, top))  # fmt: skip
        else:
            yield say("{path} stays: backups are for you to delete", path=shown(entry, top))


def _is_canonical(entry: Path) -> bool:
    """Does this entry of our folder hold what cannot be made again?"""
    if entry.name == JOURNAL:
        return entry.is_file() and entry.stat().st_size > 0
    if entry.name == ERASURE:
        return (entry / PENDING).exists()
    return entry.name == BACKUPS or entry.suffix == SUFFIX


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
