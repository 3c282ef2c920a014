"""The sides of a comparison: memtools installed as a package, repositories of notes, CPU time.

A side is a whole process with all it starts; its cost is user + system CPU, from the system.
"""

from __future__ import annotations

import compileall
import ctypes
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib
import venv
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from notes import make_note

ROOT = Path(__file__).resolve().parent.parent
_PERSON = (("user.name", "A"), ("user.email", "a@example.com"), ("gc.auto", "0"))
_COMMIT = b"commit HEAD\ncommitter A <a@example.com> %d +0000\ndata 1\nx\n"
_FIRST_SECOND = 1_700_000_000


class Row(NamedTuple):
    """One line of the table. `size`: memories; `ratio`: what the goal is about."""

    name: str
    size: str
    what: str
    ours: str
    other: str
    ratio: str
    goal: str
    reached: bool | None


class Spent(NamedTuple):
    """What a process and all it waited for cost; the peak is the largest process's."""

    cpu_ms: float
    peak_mb: float
    out: bytes


class Installed(NamedTuple):
    """memtools in a virtual environment of its own, compiled, as pip would leave it."""

    python: str
    memtools: str
    start: str  # where hooks enter
    env: dict[str, str]


def install(folder: Path) -> Installed:
    """A virtual environment with this checkout's package; the libraries are those of this Python.

    A copy: who edits the checkout while it is measured changes nothing.
    """
    place = folder / "venv"
    venv.create(place, symlinks=True)
    (packages,) = place.glob("lib/python*/site-packages")
    for entry in _installed_packages():
        (packages / entry.name).symlink_to(entry)
    shutil.copytree(ROOT / "memtools", packages / "memtools", ignore=_no_caches)
    shutil.copytree(ROOT / "hooks", packages / "memtools" / "hooks")
    compileall.compile_dir(packages / "memtools", quiet=1)
    python, program = place / "bin" / "python", place / "bin" / "memtools"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["scripts"]["memtools"].partition(":")
    program.write_text(f"#!{python}\nimport sys\nfrom {module} import {name}\nsys.exit({name}())\n")
    program.chmod(0o755)
    start = packages / "memtools" / "start.py"
    return Installed(str(python), str(program), str(start), _environment(folder, place / "bin"))


def _installed_packages():
    import tantivy

    for entry in Path(tantivy.__file__).parent.parent.iterdir():
        mine = entry.name.startswith(("memtools", "__editable__", "_memtools"))
        if not mine and entry.suffix != ".pth" and entry.name != "__pycache__":
            yield entry


def _no_caches(_folder, names):
    return [name for name in names if name == "__pycache__"]


def _environment(home, programs):
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "MEMTOOLS_", "PYTHON"))
    }
    path = f"{programs}{os.pathsep}{kept.get('PATH', os.defpath)}"
    return {**kept, "HOME": str(home), "PATH": path, "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}  # fmt: skip


class Side:
    """One repository, and what is run in it."""

    def __init__(self, place, env):
        self.place, self.env = Path(place), env

    def run(self, *argv, stdin=b""):
        """Its standard output."""
        return self.spend(*argv, stdin=stdin).out

    def spend(self, *argv, stdin=b"") -> Spent:
        """What a process and all it started cost. Its input is no pipe: rg would search that."""
        with ExitStack() as open_files:
            source, out, errors = (
                open_files.enter_context(tempfile.TemporaryFile()) for _ in range(3)
            )
            source.write(stdin)
            source.seek(0)
            process = subprocess.Popen(
                argv, cwd=self.place, env=self.env, stdin=source if stdin else subprocess.DEVNULL,
                stdout=out, stderr=errors,
            )  # fmt: skip
            used = _wait_for_all(process)
            for file in (out, errors):
                file.seek(0)
            if process.returncode:
                raise SystemExit(f"{argv} failed: {errors.read().decode()}")
            cpu = sum(each.ru_utime + each.ru_stime for each in used)
            return Spent(cpu * 1000, max(each.ru_maxrss for each in used) / 1024, out.read())

    def cpu(self, *argv, stdin=b""):
        """CPU milliseconds of a process and all it waited for."""
        return self.spend(*argv, stdin=stdin).cpu_ms


def _wait_for_all(process):
    """The usage of a process, and of those it left to us when it ended (`cat-file --batch`)."""
    used = []
    while True:
        try:
            pid, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return used
        used.append(usage)
        if pid == process.pid:
            process.returncode = os.waitstatus_to_exitcode(status)


def adopt_orphans() -> None:
    """Become the parent of what our children leave behind, so that it is counted (Linux only)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def make_repository(place: Path, count: int, env: dict[str, str], *, flat: bool = False) -> Side:
    """A repository of `count` committed notes, no hooks. Notes never pile up in this process.

    `flat`: all in one folder, so that each commit writes one tree with all of them.
    """
    place.mkdir(parents=True)
    side = Side(place, env)
    side.run("git", "init", "-q")
    for key, value in _PERSON:
        side.run("git", "config", key, value)
    fast_import(side, _notes(count, flat))
    side.run("git", "reset", "-q", "--hard")
    return side


def _notes(count, flat):
    yield _COMMIT % _FIRST_SECOND
    for number in range(count):
        path, data = make_note(number)
        yield modify(placed(path, flat), data)


def placed(path: str, flat: bool) -> str:
    """Where a note stands: in its folder, or `flat`, with all others in one."""
    return f"notes/{path.rpartition('/')[2]}" if flat else path


def modify(path: str, data: bytes) -> bytes:
    """The line of `git fast-import` that writes a file."""
    return b'M 100644 inline "%s"\ndata %d\n%s\n' % (path.encode(), len(data), data)


def fast_import(side: Side, stream) -> None:
    """Feed `git fast-import`."""
    process = subprocess.Popen(
        ["git", "fast-import", "--quiet", "--force"], cwd=side.place, env=side.env,
        stdin=subprocess.PIPE,
    )  # fmt: skip
    for piece in stream:
        process.stdin.write(piece)
    process.stdin.close()
    if process.wait():
        raise SystemExit("git fast-import failed")


def commits_of_one(side: Side, numbers, seed: int) -> list[str]:
    """On top of HEAD a commit for each number, which changes that note; HEAD's tree and theirs."""
    head = side.run("git", "rev-parse", "HEAD").decode().strip()
    notes = [(make_note(n)[0], make_note(n, seed=seed + turn)[1]) for turn, n in enumerate(numbers)]
    add_commits(side, [dict([note]) for note in notes])
    trees = side.run("git", "log", "--reverse", "--format=%T", f"{head}..HEAD").decode().split()
    return [side.run("git", "rev-parse", f"{head}^{{tree}}").decode().strip(), *trees]


def add_commits(side: Side, commits) -> None:
    """On top of HEAD a commit for each of `commits`, the files it writes: path -> bytes."""
    head = side.run("git", "rev-parse", "HEAD").decode().strip()
    pieces = []
    for turn, files in enumerate(commits):
        pieces.append(_COMMIT % (_FIRST_SECOND + 1 + turn))
        pieces.append(b"" if turn else b"from %s\n" % head.encode())
        pieces += [modify(path, data) for path, data in files.items()]
    fast_import(side, pieces)


def loosen(side: Side) -> None:
    """Every object in a file of its own, as commits leave them."""
    store = side.place / ".git" / "objects" / "pack"
    packs = [pack.rename(side.place / ".git" / pack.name) for pack in store.glob("*.pack")]
    for rest in store.iterdir():
        rest.unlink()
    for pack in packs:
        side.run("git", "unpack-objects", "-q", stdin=pack.read_bytes())
        pack.unlink()


def notes_size(side: Side) -> int:
    """Bytes of all notes of HEAD."""
    listed = side.run("git", "ls-tree", "-r", "-l", "-z", "HEAD", "--", "notes").split(b"\0")
    return sum(int(line.split(b"\t")[0].split()[-1]) for line in listed if line)


def task(side: Side, installed: Installed, script: str, *arguments) -> dict:
    """Run `script --task ARGUMENTS` with the installed package; its last line is a JSON object."""
    path = Path(__file__).with_name(script)
    spent = side.spend(installed.python, str(path), "--task", *map(str, arguments))
    found = json.loads(spent.out.splitlines()[-1])
    return {**found, "whole_ms": spent.cpu_ms, "peak_mb": spent.peak_mb}


def own_cpu() -> float:
    """CPU seconds of this process and of the children it waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def median(values) -> float:
    return statistics.median(values)


def machine() -> str:
    """The class of this machine, nothing that names it."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, {model}, {platform.system()} {platform.machine()}"


def versions() -> str:
    """What was measured, and with what."""
    from importlib.metadata import version

    commit = _said("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    dirty = _said("git", "-C", str(ROOT), "status", "--porcelain", "--", "memtools", "hooks")
    return ", ".join(
        (
            f"memtools {commit}{' with uncommitted changes' if dirty else ''}",
            f"Python {platform.python_version()}",
            _said("git", "--version"),
            _said("rg", "--version").partition("\n")[0],
            f"tantivy {version('tantivy')}",
            f"pre-commit {version('pre-commit')}",
        )
    )


def _said(*argv):
    return subprocess.run(argv, capture_output=True, check=True).stdout.decode().strip()


if sys.platform == "win32":
    raise SystemExit("these benchmarks need a POSIX system")
