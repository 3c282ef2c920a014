"""Row R9: a full disk, a read-only one, folders and files nobody may touch.

Each trouble is real: a mount of its own (`unshare -m`; a person without root gets one in a user
namespace) or permissions, which root is made to obey by taking its powers away (`setpriv`).
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest

from tests.helpers import CHECKOUT, Sandbox, copied, part_of, run
from tests.reliability import shelf as shelves
from tests.reliability.shelf import INDEX, STATE, tree_and_index_agree

IS_ROOT = os.geteuid() == 0
OWN_MOUNTS = ["unshare", "-m"] if IS_ROOT else ["unshare", "-r", "-m"]
NO_POWERS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if IS_ROOT else []
# $0 is the folder: all of it on a small disk without a byte left; on a disk nobody may write to.
FULL = """set -e; was=$(mktemp -d); cp -a "$0/." "$was"
mount -t tmpfs -o size=2m,mode=700 none "$0"; cp -a "$was/." "$0"; rm -rf "$was"
cat /dev/zero > "$0/filler" 2>/dev/null || :; exec "$@" """
READ_ONLY = """set -e; mount --bind "$0" "$0"; mount -o remount,ro,bind "$0"
cd "$PWD"; exec "$@" """
QUESTION = "同期"


class Trouble(NamedTuple):
    """What is wrong with a folder or file below the top: by a mount, or by its mode."""

    name: str
    place: str
    mount: str = ""
    mode: int = 0

    def __str__(self):
        return f"{self.place} {self.name}"


def troubles():
    for place in (STATE, INDEX):
        yield Trouble("full", place, mount=FULL)
        yield Trouble("on a read-only disk", place, mount=READ_ONLY)
    for place in (STATE, f"{INDEX}/1-*"):
        yield Trouble("without write permission", place, mode=0o500)
        yield Trouble("without any permission", place, mode=0o000)
    for place in ("manifest", "lock", "g*", "g*/*.idx"):
        yield Trouble("without any permission", f"{INDEX}/1-*/{place}", mode=0o000)


class Scene(NamedTuple):
    """A repository in trouble; only what `run` starts meets with it."""

    repo: Sandbox
    trouble: Trouble

    def run(self, *argv, input=None):
        """Run a program in trouble; whatever it ends with, it is not by a traceback."""
        top, trouble = self.repo.top, self.trouble
        places = sorted(top.glob(trouble.place)) if trouble.place else [top]
        modes = [(place, place.stat().st_mode) for place in places if not trouble.mount]
        prefix = NO_POWERS
        if trouble.mount:
            prefix = [*OWN_MOUNTS, "sh", "-c", trouble.mount, str(places[0])]
        for place, _ in modes:
            place.chmod(trouble.mode)
        try:
            done = run([*prefix, *argv], top, {"PYTHONPATH": str(CHECKOUT)}, input)
        finally:
            for place, mode in modes:
                with contextlib.suppress(FileNotFoundError):
                    place.chmod(mode)
        assert "Traceback" not in done.err and "panicked" not in done.err, done.err
        return done

    def memtools(self, *argv, input=None):
        return self.run(sys.executable, "-m", "memtools", *argv, input=input)

    def commit(self, path, text):
        """Write a file and let git commit all."""
        self.repo.write(path, text)
        self.repo.stage()
        return self.run("git", "commit", "-q", "-m", path)

    def look(self):
        """What a person has: commits, staging, the bytes of every file."""
        files = {path: self.repo.read(path) for path in self.repo.files()}
        return self.repo.head(), self.repo.status(), files


@pytest.fixture(scope="module")
def _shelf(_installed_template, tmp_path_factory):
    return shelves.filled(_installed_template, tmp_path_factory.mktemp("shelf") / "repo")


def scene_of(shelf, tmp_path, monkeypatch, trouble):
    if trouble.mount and subprocess.run([*OWN_MOUNTS, "true"], check=False).returncode:
        pytest.skip("this system gives nobody mounts of their own")
    if not trouble.mount and NO_POWERS and shutil.which(NO_POWERS[0]) is None:
        pytest.skip("root may read and write everywhere")
    made = copied(shelf, tmp_path / "repo")
    monkeypatch.chdir(made.top)
    return Scene(made, trouble)


@pytest.fixture
def scene(_shelf, tmp_path, request, monkeypatch):
    return scene_of(_shelf, tmp_path, monkeypatch, request.param)


def reads_well(scene):
    """Each reader answers as a scan does, ends with 0, and has one line to say at most."""
    right = shelves.scanned(scene.repo, QUESTION)
    for argv in (("search", "-n", "50"), ("recall", "--query")):
        done = scene.memtools(*argv, QUESTION, "--json")
        assert done.code == 0, done
        assert shelves.paths(done.out) == right
        assert done.err.count("\n") <= 1
        if done.err:
            assert "HEAD was scanned" in done.err or "it was made anew" in done.err
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(scene.repo.top)}
    done = scene.memtools("turn", input=json.dumps(event))
    assert (done.code, done.err) == (0, "")
    assert "DNS" not in done.out  # the one memory of high priority is retracted


def heals(scene):
    """Once the trouble is over nothing of it is left."""
    assert scene.repo.memtools("search", QUESTION).err == ""
    tree_and_index_agree(scene.repo)
    assert scene.repo.git("fsck", "--full", "--strict").code == 0
    assert scene.repo.memtools("doctor", code=None).code == 0


@pytest.mark.parametrize("scene", part_of(list(troubles())), indirect=True, ids=str)
def test_readers_answer_and_commits_land_whatever_the_disk_refuses(scene, tried):
    tried("R9")
    reads_well(scene)
    made = scene.memtools("index", "--rebuild")
    assert made.code == 0 or made.err.startswith("memtools: the search index cannot be written: /")
    assert made.code in (0, 3)
    done = scene.commit("plain.md", "Nothing to see here.\n")
    assert done.code == 0, done
    assert scene.repo.status() == ""
    reads_well(scene)
    heals(scene)


@pytest.mark.parametrize("scene", part_of(list(troubles())), indirect=True, ids=str)
def test_a_marker_acts_or_is_refused_whole_whatever_the_disk_refuses(scene):
    """It acts without the index; without its journal a half-done commit could not be finished."""
    is_index = scene.trouble.place != STATE
    for victim, argv in (("notes/ja1.md", ()), ("notes/ja2.md", ("--apply",))):
        before = scene.look()
        if argv:
            done = scene.memtools("retract", victim, *argv)
        else:
            done = scene.commit("fix2.md", f"# Fix\n\nRETRACTS: {victim}\n")
        assert (done.code == 0) is is_index, done
        if is_index:
            assert b"status: retracted" in scene.repo.show("HEAD", victim)
            continue
        assert done.err.startswith("memtools: the system refused: ")
        assert f"{scene.repo.top}/{STATE}" in done.err.splitlines()[0]
        scene.repo.git("rm", "-q", "-f", "--ignore-unmatch", "fix2.md")
        assert scene.look() == before
    assert scene.repo.status() == ""
    heals(scene)


@pytest.mark.long
def test_a_repository_on_a_read_only_disk_is_read_and_left_alone(
    _shelf, tmp_path, monkeypatch, tried
):
    tried("R9")
    scene = scene_of(_shelf, tmp_path, monkeypatch, Trouble("read-only", "", mount=READ_ONLY))
    before = scene.look()
    reads_well(scene)
    for argv in (("retract", "notes/ja1.md", "--apply"), ("new", "A title"), ("sweep", "--apply")):
        done = scene.memtools(*argv)
        assert done.code in (0, 3), done
        assert done.err.count("\n") <= 2, done.err
    assert scene.run("git", "commit", "--allow-empty", "-q", "-m", "x").code != 0
    assert scene.look() == before
    heals(scene)


@pytest.mark.long
def test_a_limit_on_the_size_of_files_stops_no_commit(_shelf, tmp_path, monkeypatch, tried):
    """4 kB: git writes its small objects, the index cannot write its segments."""
    tried("R9")
    scene = scene_of(_shelf, tmp_path, monkeypatch, Trouble("", STATE, mode=0o700))
    limited = ("sh", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$0" "$@"')
    scene.repo.save({"notes/large.md": " ".join(f"word{at}" for at in range(2000))})
    shutil.rmtree(scene.repo.path(INDEX))
    done = scene.run(*limited, sys.executable, "-m", "memtools", "search", QUESTION, "--json")
    assert done.code == 0 and shelves.paths(done.out) == shelves.scanned(scene.repo, QUESTION)
    assert "cannot be written" in done.err and "HEAD was scanned" in done.err
    scene.repo.write("plain.md", "Nothing to see here.\n")
    scene.repo.stage()
    assert scene.run(*limited, "git", "commit", "-q", "-m", "plain").code == 0
    heals(scene)
