"""Runs `python -m memtools` without the start: a process that has loaded memtools forks for each.

The child is a process of its own, with the arguments, folder, variables and streams it was given;
it skips only what every start does alike. Hooks, servers and the tests of the start start in full.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

CHECKOUT = Path(__file__).resolve().parent.parent
# Python reads these when it starts: where they differ, a start is what is tested.
_OF_THE_START = ("PYTHON", "LC_", "LANG", "TZ")
_NEVER_LOADED = ("memtools.__main__", "memtools.entrypoints.mcp.")
_OFTEN_LOADED = ("yaml", "markdown_it", "tantivy", "click", "frontmatter", "rapidfuzz")
_HEAD_BYTES = 8
_UNFINISHED = 99


class Warm:
    """The process; it ends with the one that made it."""

    def __init__(self) -> None:
        env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
        self._start = _of_the_start(env)
        self._busy = threading.Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.warm", str(theirs.fileno())],
                cwd=CHECKOUT,
                env=env,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def close(self) -> None:
        """End it."""
        self._socket.close()
        self._process.wait()

    def run(
        self, args: list[str], cwd: str, env: Mapping[str, str], stdin: bytes, timeout: int
    ) -> tuple[int, bytes, bytes] | None:
        """Status, stdout and stderr of `memtools ARGS`; None when it needs a start of its own."""
        if _of_the_start(env) != self._start or not self._busy.acquire(blocking=False):
            return None  # two at a time are no less at the same time here
        try:
            self._socket.settimeout(timeout)
            return self._ask({"args": args, "cwd": cwd, "env": dict(env)}, stdin)
        finally:
            self._busy.release()

    def _ask(self, what: Mapping[str, object], stdin: bytes) -> tuple[int, bytes, bytes]:
        raw = json.dumps(what).encode("ascii")
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(stdin)
            given.seek(0)
            streams = [file.fileno() for file in (given, out, err)]
            socket.send_fds(self._socket, [len(raw).to_bytes(_HEAD_BYTES, "big")], streams)
            self._socket.sendall(raw)
            code = int.from_bytes(_read(self._socket, _HEAD_BYTES), "big", signed=True)
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()


def _of_the_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_OF_THE_START)}


def _read(source: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        more = source.recv(size - len(found))
        if not more:
            raise EOFError("the other end has gone")
        found += more
    return found


def _load() -> None:
    import memtools

    for found in pkgutil.walk_packages(memtools.__path__, "memtools."):
        if not found.name.startswith(_NEVER_LOADED):
            importlib.import_module(found.name)
    for name in _OFTEN_LOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # so that a child need not copy what it only looks at


def _serve(source: socket.socket) -> None:
    """Fork for each request until the other end is closed."""
    while True:
        head, streams, *_ = socket.recv_fds(source, _HEAD_BYTES, 3)
        if not head:
            return
        head += _read(source, _HEAD_BYTES - len(head))
        asked = json.loads(_read(source, int.from_bytes(head, "big")))
        child = os.fork()
        if not child:
            source.close()
            _be(asked["args"], asked["cwd"], asked["env"], streams)
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        source.sendall(code.to_bytes(_HEAD_BYTES, "big", signed=True))


def _be(args: list[str], cwd: str, env: dict[str, str], streams: list[int]) -> NoReturn:
    """Be the program that was asked for."""
    try:
        from memtools.start import run_and_leave

        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        sys.argv[:] = [str(CHECKOUT / "memtools" / "__main__.py"), *args]
        run_and_leave()
    finally:
        os._exit(_UNFINISHED)


if __name__ == "__main__":
    _load()
    _serve(socket.socket(fileno=int(sys.argv[1])))
