"""One `git cat-file --batch` kept open: many looks at objects for the price of one process.

Must not know what the objects mean. Ends when closed, or with this process.
"""

from __future__ import annotations

import os
import sys

from memtools.errors import GitError, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Requests written before their answers are read: together they fit into any pipe.
_AHEAD = 64


class Batch:
    """An open `cat-file --batch`."""

    __slots__ = ("_in", "_out", "_pid")

    def __init__(self, argv: Sequence[str], env: Mapping[str, str]) -> None:
        request, self._in = os.pipe()
        out, answer = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, request, 0), (os.POSIX_SPAWN_DUP2, answer, 1)]
        self._pid = os.posix_spawnp(argv[0], list(argv), env, file_actions=actions)
        os.close(request)
        os.close(answer)
        self._out = open(out, "rb", buffering=1 << 16)  # noqa: SIM115  # lives as long as this

    def read(self, names: Sequence[str | bytes]) -> Iterator[bytes | None]:
        """The bytes of each named object in order; None for one that is missing.

        Raises:
            GitError: git gave up: an object is damaged, or a partial clone would have to fetch it.
        """
        for start in range(0, len(names), _AHEAD):
            part = names[start : start + _AHEAD]
            self._ask(part)
            # All answers are taken before one is given: who stops half-way leaves none behind.
            yield from [self._answer() for _ in part]

    def named(self, name: str) -> tuple[str, bytes] | None:
        """Id and bytes of what a name without a line break stands for; None when nothing does."""
        self._ask([name])
        header, data = self._headed()
        return None if data is None else (header.split(b" ")[0].decode(), data)

    def _ask(self, names: Sequence[str | bytes]) -> None:
        try:
            os.write(self._in, b"".join(os.fsencode(name) + b"\n" for name in names))
        except BrokenPipeError as gone:
            raise _ended() from gone

    def _answer(self) -> bytes | None:
        return self._headed()[1]

    def _headed(self) -> tuple[bytes, bytes | None]:
        header = self._out.readline()
        if header.endswith((b" missing\n", b" ambiguous\n")):
            return header, None
        if not header:
            raise _ended()
        data = self._out.read(int(header.rpartition(b" ")[2]))
        self._out.read(1)
        return header, data

    def close(self) -> None:
        """End the process and wait for it."""
        if self._pid:
            os.close(self._in)
            self._out.close()
            os.waitpid(self._pid, 0)
            self._pid = 0

    def __del__(self) -> None:
        """Leave no process behind when nobody closed it; when Python ends the system does that."""
        if not sys.is_finalizing() and hasattr(self, "_out"):
            self.close()


def _ended() -> GitError:
    return GitError(
        say("git stopped reading objects: one is damaged, or only at a remote"),
        say("type: git fsck, or in a partial clone: git fetch --refetch --no-filter"),
    )


def can_batch() -> bool:
    """Can a process be kept open here? Not on Windows."""
    return sys.platform != "win32" and hasattr(os, "posix_spawnp")
