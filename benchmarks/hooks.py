"""Rows P1 and P2: what our hooks add to `git commit`, against bare git, bare Python and pre-commit.

    python benchmarks/hooks.py [--sizes 1000 10000] [--rounds 15]

Whole processes, all sides interleaved in one run, medians of CPU time (user + system, of git and all it
starts). Needs the dev extra (the pre-commit framework).
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from notes import make_notes, unique_phrase

ROOT = Path(__file__).resolve().parent.parent
NO_OP = """repos:
- repo: local
  hooks:
  - {id: nothing, name: nothing, entry: 'true', language: system, always_run: true, pass_filenames: false}
"""


def environment(home):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "MEMTOOLS_", "PYTHON"))}
    return {**kept, "HOME": home, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}  # fmt: skip


class Side:
    """One repository with one kind of hook."""

    def __init__(self, place, env):
        self.place, self.env = Path(place), env

    def run(self, *argv, stdin=None):
        done = subprocess.run(argv, cwd=self.place, env=self.env, input=stdin, capture_output=True)
        if done.returncode:
            raise SystemExit(f"{argv} failed: {done.stderr.decode()}")
        return done.stdout

    def cpu(self, *argv):
        """CPU milliseconds of a process and all it waited for."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(*argv)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return spent * 1000


def make_repository(place, count, env):
    side = Side(place, env)
    Path(place).mkdir(parents=True)
    side.run("git", "init", "-q")
    for key, value in (("user.name", "A"), ("user.email", "a@example.com"), ("gc.auto", "0")):
        side.run("git", "config", key, value)
    stream = [b"commit HEAD\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\n"]
    for path, data in make_notes(count):
        stream.append(b'M 100644 inline "%s"\ndata %d\n%s\n' % (path.encode(), len(data), data))
    side.run("git", "fast-import", "--quiet", stdin=b"".join(stream))
    side.run("git", "reset", "-q", "--hard")
    return side


def copies(base, folder, env):
    """The same repository with each kind of hook."""
    sides = {}
    for name in ("bare", "python", "memtools", "framework"):
        place = Path(folder, name)
        shutil.copytree(base.place, place, symlinks=True)
        sides[name] = Side(place, env)
        sides[name].run("git", "status")
    hook = sides["python"].place / ".git/hooks/pre-commit"
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S -c pass\n")
    hook.chmod(0o755)
    sides["memtools"].run(sys.executable, "-m", "memtools", "init", ".")
    (sides["framework"].place / ".pre-commit-config.yaml").write_text(NO_OP)
    sides["framework"].run("git", "add", ".pre-commit-config.yaml")
    sides["framework"].run("git", "commit", "-qm", "config", "--no-verify")
    sides["framework"].run(sys.executable, "-m", "pre_commit", "install")
    return sides


def commit_of(side, path, text):
    """CPU of a commit that changes one file; adding it is not counted."""
    file = side.place / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    side.run("git", "add", path)
    return side.cpu("git", "commit", "-qm", "x")


def median(values):
    return statistics.median(values)


def measure(count, rounds, folder):
    env = environment(folder)
    base = make_repository(f"{folder}/base", count, env)
    sides = copies(base, f"{folder}/sides", env)
    plain = {name: [] for name in sides}
    marked = {name: [] for name in sides}
    staged = []
    for number in range(rounds + 2):
        for name, side in sides.items():
            plain[name].append(commit_of(side, "code/main.c", f"// {number}\n"))
        for name, side in sides.items():
            text = f"# Fix {number}\n\nRETRACTS: {unique_phrase(number * 4 + 1)}\n"
            marked[name].append(commit_of(side, f"fixes/fix{number}.md", text))
        staged.append(update_index(sides["bare"]))
    check_retracted(sides["memtools"], rounds)
    p1 = {name: median(values[2:]) for name, values in plain.items()}
    p2 = {name: median(values[2:]) for name, values in marked.items()}
    return p1, p2, median(staged[2:])


def update_index(side):
    line = side.run("git", "ls-files", "-s", "--", "code/main.c")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    side.run("git", "update-index", "--index-info", stdin=line)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    side.run("git", "update-index", "-q", "--refresh")
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def check_retracted(side, rounds):
    """No figure without the work: each marker of the run has its tombstone in its own commit."""
    for number in range(rounds):
        changed = side.run("git", "show", "--name-only", "--format=", f"HEAD~{2 * number}").split()
        if len(changed) != 2:
            raise SystemExit(f"a marker made no tombstone in its commit: {changed}")


def show(count, p1, p2, staged):
    print(f"\n{count} memories, median CPU ms")
    print(f"{'':12}{'touches no memory':>20}{'one new marker':>20}")
    for name in p1:
        print(f"{name:12}{p1[name]:20.1f}{p2[name]:20.1f}")
    hook = p2["python"] - p2["bare"]
    added = p2["memtools"] - p2["bare"]
    print(
        f"P1 memtools / bare-Python hook          {p1['memtools'] / p1['python']:.2f}  (goal <= 2)"
    )
    print(
        f"P1 framework no-op / memtools           {p1['framework'] / p1['memtools']:.2f}  (goal >= 4)"
    )
    print(f"P2 added / what a bare-Python hook adds {added / hook:.2f}  (goal <= 8)")
    print(
        f"P2 memtools / framework no-op           {p2['memtools'] / p2['framework']:.2f}  (goal <= 0.5)"
    )
    print(
        f"P2 added less one update-index          {added - staged:.1f} ms (update-index {staged:.1f})"
    )
    return added - staged


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    rest = {}
    for count in options.sizes:
        with tempfile.TemporaryDirectory(prefix="memtools-bench-") as folder:
            rest[count] = show(count, *measure(count, options.rounds, folder))
    if 10000 in rest and 100000 in rest:
        print(f"\nP2 rest at 100k / at 10k {rest[100000] / rest[10000]:.2f}  (goal <= 1.5)")


if __name__ == "__main__":
    main()
