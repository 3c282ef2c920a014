"""The files under `<git dir>/memtools/`: ledger, journal, flags; each written whole or not at all.

Everything here is derived or short-lived: a file that is missing or damaged is as good as none.
"""

from __future__ import annotations

import marshal
import os

from memtools.core.facts import FACTS_VERSION, Declared, Facts
from memtools.core.ledger import Ledger
from memtools.files import (
    make_folder,
    make_way,
    open_plain,
    read_plain,
    remove_own,
    take_lock,
    write_own,
)
from memtools.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

# `starting.py` reads the first line without loading this module; a test holds the two together.
LEDGER_MAGIC = b"memtools-ledger"
# The flag of a pre-commit after which post-commit has nothing to do; emptied by post-commit. It
# holds the tree HEAD must have then; or the id of the git process that commits, after "+" when all
# was done, after "=" when there was nothing to do (written by `starting.py`).
QUIET = "quiet"
CHECKED = "checked-1"  # the tree at the end of the last range that was checked
STAGED_VIEW = "staged-view-4"  # what staging takes away from readers
AUDITED = "audited-1"  # up to which commit the approvals of each protected branch are in order
RECEIVED = "received-1"  # what was said of pushes, in a repository that receives them
NOTED = "search-noted-1"  # what changed since the search index was written
PLANS = "plans"  # what dry runs named
LOST = "lost"  # tombstones that stood here once
UNATTENDED = "unattended"  # what commits nobody watched left open
JOURNAL = "journal"
LEDGER = "ledger"
_PATIENCE = 5.0  # seconds; the journal is held for the time of one write


class Standing(NamedTuple):
    """A ledger and what it is true of: a tree id, the blob id of `.memtools.toml` ("-": none).

    `read_whole`: how many memories a full pass had to read for it just now; 0 when there was none.
    """

    tree: str
    config_blob: str
    ledger: Ledger
    read_whole: int = 0


class JournalRow(NamedTuple):
    """A staged blob this product replaced: it stood as `old`, and stands as `new` since."""

    path: str
    old: str
    new: str


def write_file(folder: str, name: str, data: bytes, *, durable: bool = False) -> None:
    """Write `folder/name` in one step; makes the folder (mode 0700).

    `durable` waits for the disk: for what is lost when it is lost. All else is made again.
    """
    write_own(os.path.join(folder, name), data, durable=durable)


def read_file(folder: str, name: str) -> bytes | None:
    """The bytes of `folder/name`, or None when there is no such file."""
    try:
        return read_plain(os.path.join(folder, name))
    except OSError:
        return None


def remove_file(folder: str, name: str) -> None:
    """Take a file away; nothing happens when there is none."""
    remove_own(os.path.join(folder, name))


def lower_flag(folder: str, name: str) -> None:
    """Empty a flag; one that is not raised is left alone, what is no flag makes way."""
    make_way(os.path.join(folder, name))
    if read_file(folder, name):
        write_file(folder, name, b"")


def write_standing(folder: str, standing: Standing) -> None:
    """Keep the ledger.

    First line: magic, version, tree, config blob, `open` or `quiet` (may markers have work left?),
    checksum; then the rows in marshal's form. The first line alone serves the hook that has nothing
    to do (`starting.py`), which must not load more than that.
    """
    ledger = standing.ledger
    body = marshal.dumps(plain_ledger(ledger), 4)
    word = b"open" if _may_have_work(ledger) else b"quiet"
    head = b" ".join(
        (
            LEDGER_MAGIC,
            b"%d" % FACTS_VERSION,
            standing.tree.encode(),
            standing.config_blob.encode(),
            word,
            b"%d" % _checksum(body),
        )
    )
    write_file(folder, LEDGER, head + b"\n" + body)


def plain_ledger(ledger: Ledger) -> tuple[list[Any], list[Any]]:
    """A ledger in types that marshal knows."""
    return [_plain(row) for row in ledger.rows.values()], list(ledger.hits.items())


def whole_ledger(rows: list[Any], hits: list[Any]) -> Ledger:
    """A ledger as `plain_ledger` left it, whole again.

    Raises:
        ValueError, TypeError, LookupError: it is none.
    """
    facts = [_whole(row) for row in rows]
    return Ledger({row.path: row for row in facts}, dict(hits))


def _plain(row: Facts) -> tuple[object, ...]:
    """A row without types of our own, which marshal does not know."""
    if not row.markers:
        return tuple(row)
    return (*row[:-1], tuple(map(tuple, row.markers)))


def _whole(row: tuple[Any, ...]) -> Facts:
    """A row as `_plain` left it, whole again."""
    if row[-1]:
        row = (*row[:-1], tuple(map(Declared._make, row[-1])))
    return Facts._make(row)


def read_standing_head(folder: str) -> tuple[str, str] | None:
    """What the kept ledger is true of, by its first line alone: a tree, a config blob."""
    try:
        with open(open_plain(os.path.join(folder, LEDGER)), "rb") as file:
            words = file.readline(300).split()
    except OSError:
        return None
    if len(words) != 6 or words[:2] != [LEDGER_MAGIC, b"%d" % FACTS_VERSION]:
        return None
    return words[2].decode(), words[3].decode()


def read_standing(folder: str) -> Standing | None:
    """The kept ledger, or None when there is none of this version that can be believed."""
    data = read_file(folder, LEDGER)
    head, _, body = (data or b"").partition(b"\n")
    words = head.split(b" ")
    if len(words) != 6 or words[0] != LEDGER_MAGIC or words[1] != b"%d" % FACTS_VERSION:
        return None
    if words[5] != b"%d" % _checksum(body):
        return None
    try:
        ledger = whole_ledger(*marshal.loads(body))
    except (ValueError, TypeError, EOFError, LookupError):
        return None
    return Standing(words[2].decode(), words[3].decode(), ledger)


def _may_have_work(ledger: Ledger) -> bool:
    """Could a marker of this ledger still retract something? Then the hook must plan every time."""
    from memtools.core.retraction import MarkerState, Policy, make_plan

    loosest = Policy(min_columns=0, store_of=lambda path: path)
    if not any(row.markers for row in ledger.rows.values()):
        return False
    return any(marker.state is MarkerState.OPEN for marker in make_plan(ledger, loosest).markers)


def _checksum(data: bytes) -> int:
    from binascii import crc32

    return crc32(data)


def read_journal(folder: str) -> tuple[JournalRow, ...]:
    """The journal; a damaged one counts as empty (its rows only ever speed up a repair)."""
    data = read_file(folder, JOURNAL)
    if not data:
        return ()
    head, _, body = data.partition(b"\n")
    if head != b"%d" % _checksum(body):
        return ()
    fields = body.split(b"\0")
    return tuple(
        JournalRow(os.fsdecode(path), old.decode(), new.decode())
        for path, old, new in zip(fields[0::3], fields[1::3], fields[2::3], strict=False)
    )


def change_journal(
    folder: str, *, add: Sequence[JournalRow] = (), drop: Iterable[JournalRow] = ()
) -> None:
    """Bring rows in (in place of those of the same path) and take out exactly these rows.

    Rows that others write meanwhile stay: several hooks may run in one work tree at once.
    """
    taken, gone = {row.path for row in add}, set(drop)
    lock = _lock(folder)
    try:
        before = read_journal(folder)
        kept = [row for row in before if row.path not in taken and row not in gone]
        after = (*kept, *add)
        if after != before:
            write_journal(folder, after)
    finally:
        if lock >= 0:
            os.close(lock)


def _lock(folder: str) -> int:
    """The lock of the journal; -1 when others hold it for seconds: that is not waited for."""
    make_folder(folder)
    try:
        return take_lock(os.path.join(folder, "journal-lock"), _PATIENCE)
    except BlockingIOError:
        return -1


def write_journal(folder: str, rows: tuple[JournalRow, ...]) -> None:
    """Keep these rows and no others; no rows, no file."""
    if not rows:
        remove_file(folder, JOURNAL)
        return
    body = b"".join(
        os.fsencode(row.path) + b"\0" + row.old.encode() + b"\0" + row.new.encode() + b"\0"
        for row in rows
    )
    write_file(folder, JOURNAL, b"%d\n" % _checksum(body) + body, durable=True)
