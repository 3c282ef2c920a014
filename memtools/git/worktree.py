"""Bring one file of the work tree along with a change that was made to its staged blob.

The person's unstaged edits survive, because the same edit (bytes -> bytes) is made on their bytes.
Must not know what a memory is. Writes are temp file, fsync, rename; never through a symlink.
"""

from __future__ import annotations

import os
import stat

from memtools.errors import GitError, say
from memtools.files import name_place, sync_folder
from memtools.git.process import is_running
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtools.git.run import Git

FOLLOWED = "followed"
ABSENT = "absent"  # deleted or never checked out: stays so
NOT_REGULAR = say("not-regular")  # a symlink, or below one
CHANGED = say("changed meanwhile")  # another program wrote it meanwhile
LEFT = say("left")  # the edit cannot be made on these bytes
UNWRITABLE = say("unwritable")  # no permission, a full disk, a filter that fails
_TEMPORARY = b".memtools"


class Step(NamedTuple):
    """What became of a staged blob: object ids and bytes, before and after."""

    path: str
    old: str
    new: str
    old_bytes: bytes
    new_bytes: bytes


def follow(git: Git, top: str, step: Step, edit: Callable[[bytes], bytes | None]) -> str:
    """Make the work-tree file of a path follow its blob.

    `edit` makes the same change on other bytes, or gives None when it cannot. Returns one of the
    words above; only FOLLOWED may have changed the file.
    """
    try:
        return _follow(git, top, step, edit)
    except (OSError, GitError):
        return UNWRITABLE


def _follow(git: Git, top: str, step: Step, edit: Callable[[bytes], bytes | None]) -> str:
    path = step.path
    place = _place(top, path)
    if not is_plain_file(top, path):
        return NOT_REGULAR if os.path.lexists(place) else ABSENT
    with open(place, "rb") as file:
        before = file.read()
    if before == step.new_bytes:
        return FOLLOWED
    if before == step.old_bytes:
        # Git converts nothing in this file (line ends, encoding, filters): git need not be asked.
        after: bytes | None = step.new_bytes
    else:
        current = git.run("hash-object", "--stdin", "--path", path, stdin=before).decode().strip()
        if current == step.new:
            return FOLLOWED
        after = edit(before)
        if current == step.old:
            written = git.run("cat-file", "--filters", f"--path={path}", step.new)
            after = after if after is not None and _is_same_text(after, written) else written
    if after is None:
        return LEFT
    return _replace(place, before, after)


def _is_same_text(one: bytes, other: bytes) -> bool:
    """Are both the same but for line ends? Then the person's stay, whatever git would write."""
    return one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")


def replace_exact(top: str, path: str, before: bytes, after: bytes, mode: str = "") -> bool:
    """Put `after` into the plain file that holds exactly `before`; False: it was left as it is.

    `mode` as git writes it ("100755"): a file that may be executed where it should not is left too.
    """
    try:
        found = os.lstat(_place(top, path)).st_mode
        if mode and bool(found & stat.S_IXUSR) != (mode == "100755"):
            return False
        return write_over(top, path, before, after) == FOLLOWED
    except OSError:
        return False


def read_plain_file(top: str, path: str) -> bytes | None:
    """The bytes of a work-tree file; None when it is missing, a link, below a link, or no file."""
    if not is_plain_file(top, path):
        return None
    try:
        with open(_place(top, path), "rb") as file:
            return file.read()
    except OSError:
        return None


def write_new(top: str, path: str, data: bytes) -> None:
    """Create a file of the work tree (and its folders); never over one that exists.

    Raises:
        FileExistsError: something is there already.
        NotADirectoryError: a parent is a symlink or a file.
    """
    root, name = os.fsencode(top), os.fsencode(path)
    folder = root
    for part in name.split(b"/")[:-1]:
        folder = os.path.join(folder, part)
        if not os.path.lexists(folder):
            os.mkdir(folder)
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            raise NotADirectoryError(os.fsdecode(folder))
    place = os.path.join(root, name)
    if os.path.lexists(place):
        raise FileExistsError(path)
    temporary = _write_temporary(place, data, None)
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        os.rename(temporary, place)
        temporary = b""
    finally:
        if temporary:
            os.unlink(temporary)
    sync_folder(os.path.dirname(place))


def write_over(top: str, path: str, before: bytes, after: bytes) -> str:
    """Put `after` in the place of a plain file that holds `before`: FOLLOWED, else why not.

    Raises:
        OSError: it cannot be written.
    """
    if read_plain_file(top, path) != before:
        return CHANGED
    return _replace(_place(top, path), before, after)


def remove(top: str, path: str, before: bytes, above: str) -> str:
    """Take away a plain file that holds `before`, and the folders below `above` that this empties.

    Raises:
        OSError: it cannot be taken away.
    """
    if read_plain_file(top, path) != before:
        return CHANGED
    os.unlink(_place(top, path))
    folder = os.path.dirname(path)
    while folder.startswith(f"{above}/"):
        try:
            os.rmdir(_place(top, folder))
        except OSError:  # something is left in it
            break
        folder = os.path.dirname(folder)
    return FOLLOWED


def clear_leftovers(top: str, paths: Iterable[str]) -> None:
    """Take away the temporary files that killed runs left beside these files."""
    folders = {os.path.dirname(_place(top, p)) for p in paths}
    for folder in folders:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            words = name.split(b"-")
            is_ours = words[0] == _TEMPORARY and len(words) == 3 and words[1].isdigit()
            if is_ours and not is_running(int(words[1])):
                _remove(os.path.join(folder, name))


def _remove(place: bytes) -> None:
    try:
        os.unlink(place)
    except OSError:
        return


def _place(top: str, path: str) -> bytes:
    """Where a repo path stands on disk."""
    return os.path.join(os.fsencode(top), os.fsencode(path))


def is_plain_file(top: str, path: str) -> bool:
    """Is it a regular file of the work tree, neither a link nor below one?"""
    place = os.fsencode(top)
    *folders, name = os.fsencode(path).split(b"/")
    try:
        for folder in folders:
            place = os.path.join(place, folder)
            if not stat.S_ISDIR(os.lstat(place).st_mode):
                return False
        return stat.S_ISREG(os.lstat(os.path.join(place, name)).st_mode)
    except OSError:
        return False


def _replace(place: bytes, before: bytes, after: bytes) -> str:
    temporary = _write_temporary(place, after, os.stat(place).st_mode)
    try:
        with open(place, "rb") as file:
            if file.read() != before:
                return CHANGED
        os.rename(temporary, place)
        temporary = b""
    finally:
        if temporary:
            os.unlink(temporary)
    sync_folder(os.path.dirname(place))
    return FOLLOWED


def _write_temporary(place: bytes, data: bytes, mode: int | None) -> bytes:
    folder = os.path.dirname(place)
    temporary = os.path.join(
        folder, b"%s-%d-%s" % (_TEMPORARY, os.getpid(), os.urandom(4).hex().encode())
    )
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(temporary, flags, 0o600 if mode is not None else 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except OSError as error:
        os.unlink(temporary)
        name_place(error, os.fsdecode(place))
        raise
    finally:
        os.close(descriptor)
    if mode is not None:
        os.chmod(temporary, stat.S_IMODE(mode))
    return temporary
