"""Every command killed before each call that changes the repository, and what is left then (R1).

Nothing of the person is lost, no reader shows what is retracted, and `doctor --fix` with the same
command again ends where a run that nobody killed ends.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.crash.holding import State, leftovers, locks, mend, outline, shown, state
from tests.crash.killing import KILLED, run_killed
from tests.crash.scene import ALSO, OWED, Command, prepare
from tests.helpers import Sandbox, copied, longer

_PARTS = 4  # of all calls but the usual, in the long run
_USUAL = 0  # the ordinary run: so many of the points right before a file takes its place
_EACH = 5
_SOME = -1  # of the other commands: one call in so many
_EACH_ALSO = 4


def _long(names: Iterable[str], parts: Iterable[int]) -> list[object]:
    rows = itertools.product(names, parts)
    return [pytest.param(*row, marks=pytest.mark.long) for row in rows]


class Clean(NamedTuple):
    """A command nobody killed: where it starts, its calls, and what is true before and after."""

    template: Sandbox
    command: Command
    calls: list[str]
    before: State
    after: State
    shown_before: dict[str, tuple[str, ...]]
    shown_after: dict[str, tuple[str, ...]]


@pytest.fixture(scope="module")
def clean(killpoint, start, tmp_path_factory):
    """Name of a command -> its clean run, made once."""
    made = {}

    def find(name: str) -> Clean:
        if name not in made:
            made[name] = _run_clean(killpoint, start, name, tmp_path_factory.mktemp("clean"))
        return made[name]

    return find


def _run_clean(killpoint: Path, start: Sandbox, name: str, folder: Path) -> Clean:
    command = {**OWED, **ALSO}[name]
    template = copied(start, folder / "template")
    prepare(template, command)
    before = state(template)
    repo = _copy(template, folder / "repo")
    shown_before = shown(_copy(template, folder / "looked-at"))
    done = run_killed(killpoint, repo, 0, command.argv)
    assert done.code == 0, done.said
    after, shown_after = state(repo), shown(repo)
    assert before != after
    return Clean(template, command, done.calls, before, after, shown_before, shown_after)


def _copy(template: Sandbox, top: Path) -> Sandbox:
    shutil.copytree(template.top, top, symlinks=True)
    return Sandbox(top)


def _points(calls: list[str], part: int) -> list[int]:
    """The calls (counted from 1) to be killed before."""
    numbers = range(1, len(calls) + 1)
    if part == _SOME:
        return list(numbers[::_EACH_ALSO])
    renames = [n for n in numbers if calls[n - 1].startswith("rename")]
    usual = [renames[at * len(renames) // _EACH] for at in range(min(_EACH, len(renames)))]
    if part == _USUAL:
        return usual
    rest = [n for n in numbers if n not in usual]
    size = -(-len(rest) // _PARTS)
    return rest[(part - 1) * size : part * size]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        *itertools.product(OWED, [_USUAL]),
        *_long(OWED, range(1, _PARTS + 1)),
        *_long(ALSO, [_SOME]),
    ],
)
def test_a_killed_command_loses_nothing_and_ends_as_if_nobody_had_killed_it(
    name, part, killpoint, clean, tmp_path, tried
):
    run = clean(name)
    points = _points(run.calls, part)
    tried("R1", len(points))
    seen, faults = set(), []
    for number in points:
        repo = _copy(run.template, tmp_path / "repo")
        done = run_killed(killpoint, repo, number, run.command.argv)
        assert done.code in (KILLED, 0), done.said
        left = outline(repo)
        found = _faults(killpoint, repo, run, tmp_path / "read") if left not in seen else ()
        seen.add(left)
        faults += [f"before call {number}, {done.calls[-1]}: {fault}" for fault in found]
        shutil.rmtree(repo.top)
    assert not faults, "\n".join(faults)


def _faults(killpoint: Path, repo: Sandbox, run: Clean, place: Path) -> Iterator[str]:
    yield from _lost(repo, run)
    yield from _exposed(repo, run, place)
    yield from _unmended(killpoint, repo, run)


def _lost(repo: Sandbox, run: Clean) -> Iterator[str]:
    """Is every file, staged entry and branch as it was before or as the command leaves it?"""
    checked = repo.git("fsck", "--no-dangling", check=False)
    if checked.code or checked.out or checked.err:
        yield f"git fsck: {checked}"
    now = state(repo)
    for was, is_now, will_be in zip(run.before, now, run.after, strict=True):
        for name in {*was, *is_now, *will_be}:
            if is_now.get(name) not in (was.get(name), will_be.get(name)):
                yield f"{name} is {is_now.get(name)!r}"


def _exposed(repo: Sandbox, run: Clean, place: Path) -> Iterator[str]:
    """Does each reader show what HEAD and its markers let it show, and all of that?"""
    looked_at = _copy(repo, place)
    is_done = state(repo).branches == run.after.branches
    may = run.shown_after if is_done else run.shown_before
    for reader, sentences in shown(looked_at).items():
        must = set(run.shown_before[reader]) & set(run.shown_after[reader])
        if not must <= set(sentences) <= set(may[reader]):
            yield f"{reader} shows {sentences}"
    shutil.rmtree(place)


def _unlocked(repo: Sandbox) -> Iterator[str]:
    """Do what `doctor --fix` says about locks of git; those it does not name are faults."""
    check = next(check for check in mend(repo).checks if check.id == "git-locks")
    _, _, names = check.hint.partition(" type: mv ")
    if names:
        lock, index = names.split()
        repo.path(lock).rename(repo.path(index))
    for lock in locks(repo):
        if lock not in check.message:
            yield f"nobody names {lock}"
        repo.path(lock).unlink()
    if not check.ok:
        mend(repo)


def _unmended(killpoint: Path, repo: Sandbox, run: Clean) -> Iterator[str]:
    """What `doctor --fix` and the same command again leave otherwise than a clean run."""
    yield from _unlocked(repo)
    run_killed(killpoint, repo, 0, run.command.argv)
    health = mend(repo)
    for check in health.checks:
        if not check.ok:
            yield f"doctor: {check.id} {check.message}"
    yield from (f"left: {name}" for name in leftovers(repo))
    now = state(repo)
    for is_now, will_be in zip(now, run.after, strict=True):
        for name in {*is_now, *will_be}:
            if is_now.get(name) != will_be.get(name):
                yield f"after all {name} is {is_now.get(name)!r}"
    after = shown(repo)
    if after != run.shown_after:
        yield f"after all {after} is shown"


@pytest.mark.parametrize("name", longer(*OWED, *ALSO))
def test_a_command_typed_twice_changes_nothing_the_second_time(
    name, killpoint, clean, tmp_path, tried
):
    run = clean(name)
    tried("R13", 1)
    repo = _copy(run.template, tmp_path / "repo")
    for _ in range(2):
        run_killed(killpoint, repo, 0, run.command.argv)
        mend(repo)
        assert state(repo) == run.after
