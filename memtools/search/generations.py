"""The folder of the search index: which generation is in force, and whether its files are sound.

`manifest` names the generation, a folder that holds tantivy's files. A rebuild fills a new
generation and switches by renaming the manifest, so a killed one changes nothing; an update commits
in place and then renames the manifest, so a crash between the two leaves a manifest that does not
agree: behind, never mixed. Knows no tantivy.

Every file is read in full and compared with its sum once a day, and when somebody asks for it: a
disk may lose a bit without the times of the file telling. `proved` is as old as the last time.
"""

from __future__ import annotations

import os
import time

from memtools.core.wording import say
from memtools.files import TEMPORARY, is_locked, make_folder, remove_entry, remove_own, write_own
from memtools.search import manifest
from memtools.search.guard import (
    DAMAGED,
    MISSING,
    Guard,
    StoreError,
    WriterLock,
    busy,
    moved,
    not_written,
)
from memtools.search.manifest import Manifest

_LOCK = "lock"
_PROVED = "proved"
_PREFIX = "g"
_DAY = 86_400
_NAP = 0.01


class Generations:
    """All generations in `folder`; waits are seconds, for a writer and for a reader."""

    def __init__(self, folder: str, writer_wait: float, reader_wait: float) -> None:
        self.folder = folder
        self.writer_wait = writer_wait
        self._reader_wait = reader_wait
        self._lock_path = os.path.join(folder, _LOCK)
        self._proved = b""

    def guard(self) -> Guard:
        """What stands around calls of tantivy."""
        return Guard(self.folder)

    def lock(self) -> WriterLock:
        """The right to write, for a `with` statement; makes the folder."""
        try:
            make_folder(self.folder)
        except OSError as error:
            raise failed(error) from error
        return WriterLock(self._lock_path, self.writer_wait)

    def place(self, generation: str) -> str:
        """The folder with tantivy's files."""
        return os.path.join(self.folder, generation)

    def new(self) -> str:
        """The name of a generation that does not exist yet."""
        return _PREFIX + os.urandom(6).hex()

    def in_force(self, *, thorough: bool = False) -> Manifest:
        """The manifest, when every file agrees with it; `thorough` believes no times.

        A writer between its commit and its manifest is waited for, unless it is this process.
        Raises StoreError: MISSING, DAMAGED or BUSY.
        """
        until = time.monotonic() + self._reader_wait
        while True:
            writing = is_locked(self._lock_path)
            found, wrong = self._inspect(thorough)
            if found is not None and not wrong:
                return found
            now, _ = _read(self.folder)
            if now is not None and (found is None or now.raw != found.raw):
                continue
            if not writing and wrong == manifest.META and self._recover():
                continue
            if not writing or time.monotonic() >= until:
                raise busy() if writing else _unusable(wrong)
            time.sleep(_NAP)

    def held(self) -> Manifest:
        """The same for the process that holds the lock: it waits for nobody."""
        found, wrong = self._inspect()
        if wrong == manifest.META and self._write_recovered():
            found, wrong = self._inspect()
        if found is None or wrong:
            raise _unusable(wrong)
        return found

    def _recover(self) -> bool:
        """Finish what a killed writer began; False when there is nothing of the kind."""
        try:
            with WriterLock(self._lock_path, 0.0):
                return self._write_recovered()
        except StoreError:
            return False

    def _write_recovered(self) -> bool:
        from memtools.search import recovery

        try:
            found, _ = _read(self.folder)
            made = recovery.recovered(self.folder, found) if found is not None else None
            if made is not None:
                manifest.write(self.folder, made)
        except (OSError, ValueError):
            return False
        return made is not None

    def publish(self, lock: WriterLock, made: Manifest, before: Manifest | None) -> None:
        """Put a manifest in force, unless somebody else wrote one since `before` was read."""
        now, _ = _read(self.folder)
        if not lock.is_ours() or (before is not None and (now is None or now.raw != before.raw)):
            raise moved()
        manifest.write(self.folder, made)

    def sweep(self) -> None:
        """Take away what killed rebuilds left, and the generation before this one."""
        found, _ = _read(self.folder)
        try:
            for name in os.listdir(self.folder):
                if name.startswith(_PREFIX) and (found is None or name != found.generation):
                    remove_entry(os.path.join(self.folder, name))
                elif name.startswith(TEMPORARY):
                    os.unlink(os.path.join(self.folder, name))
        except OSError:
            return  # the next writer tries again

    def note_proved(self, found: Manifest) -> None:
        """Every file has just been compared with its sum."""
        self._proved = found.raw
        try:
            write_own(os.path.join(self.folder, _PROVED), b"")
        except OSError:
            return  # the next process looks again

    def _inspect(self, thorough: bool = False) -> tuple[Manifest | None, str]:
        found, wrong = _read(self.folder)
        if found is None:
            return found, wrong
        thorough = thorough or not self._is_proved(found)
        wrong = manifest.fault(self.folder, found, thorough)
        if thorough and not wrong:
            self.note_proved(found)
        elif thorough:
            self._forget_proof()
        return found, wrong

    def _is_proved(self, found: Manifest) -> bool:
        """By this process, or by any within a day."""
        if self._proved == found.raw:
            return True
        try:
            last = os.lstat(os.path.join(self.folder, _PROVED)).st_mtime
        except OSError:
            return False
        return abs(time.time() - last) < _DAY

    def _forget_proof(self) -> None:
        """What was found by reading all stays found, although the times say nothing."""
        self._proved = b""
        try:
            remove_own(os.path.join(self.folder, _PROVED))
        except OSError:
            return  # where nothing can be removed, nothing could be written


def failed(error: OSError) -> StoreError:
    """The error for a disk that does not let us write."""
    what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    return not_written(what)


def _unusable(wrong: str) -> StoreError:
    hint = say("memtools index --rebuild")
    if not wrong:
        return StoreError(MISSING, say("there is no search index yet"), hint)
    return StoreError(DAMAGED, say("the search index is damaged: {name}", name=wrong), hint)


def _read(folder: str) -> tuple[Manifest | None, str]:
    """The manifest and what is wrong with it; (None, "") when there is none."""
    try:
        return manifest.read(folder), ""
    except (OSError, ValueError, LookupError):  # LookupError: of another version
        return None, "manifest"
