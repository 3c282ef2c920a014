"""Row R8: whoever writes the search index at the same time, dies at it or loses the lock.

Each case stops a real process in the middle of its work on the index, between two memories. What a
reader is told meanwhile is right, and afterwards the index holds every memory of HEAD.
"""

import contextlib
import os
import subprocess
import sys
import threading

import pytest

from memtools.usecases.repository import open_repository
from memtools.usecases.searchindex import open_index
from tests.entrypoints.mcp_client import connected
from tests.helpers import CHECKOUT, copied, longer
from tests.reliability import shelf as shelves
from tests.reliability.shelf import QUESTIONS, tree_and_index_agree
from tests.reliability.test_committers_at_once import (
    all_at_once,
    propose,
    until_it_lands,
    write_by_hand,
)

# memtools ARGV that says `in` and waits for a line before the memory number STOP is indexed.
HALTING = """
import sys
from memtools.entrypoints.main import main
from memtools.usecases import searchindex
real = searchindex._documents
def halting(*given):
    for at, document in enumerate(real(*given)):
        if at == {stop}:
            print("in", flush=True)
            sys.stdin.readline()
        yield document
searchindex._documents = halting
sys.exit(main({argv!r}))
"""
REBUILD = ("index", "--rebuild")
FOLLOW = ("search", "turnips")  # takes in what the index does not have yet


@pytest.fixture(scope="module")
def _shelf(_installed_template, tmp_path_factory):
    made = shelves.filled(_installed_template, tmp_path_factory.mktemp("shelf") / "repo")
    made.save({f"notes/late{at}.md": f"# Late {at}\n\nA cache, 同期 {at}.\n" for at in range(4)})
    return made


@pytest.fixture
def shelf(_shelf, tmp_path, monkeypatch):
    made = copied(_shelf, tmp_path / "repo")
    monkeypatch.chdir(made.top)
    return made


@contextlib.contextmanager
def halted(shelf, argv, stop):
    """A process that stands still in the middle of indexing; it may be let go or killed."""
    code = HALTING.format(stop=stop, argv=list(argv))
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=shelf.top,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"in\n"
        yield process
        if process.poll() is None:
            process.communicate(b"\n", timeout=60)


def lock_of(shelf):
    store = open_index(open_repository(str(shelf.top)))
    return os.path.join(store.folder, "lock")


def all_is_right(shelf):
    for question in QUESTIONS:
        assert shelves.asked(question) == shelves.scanned(shelf, question), question
    tree_and_index_agree(shelf)


@pytest.mark.parametrize("stop", [2, *longer(0, 1, 3)])
@pytest.mark.parametrize("argv", [REBUILD, FOLLOW], ids="-".join)
def test_a_writer_killed_at_its_work_loses_no_memory(shelf, tried, argv, stop):
    tried("R8")
    with halted(shelf, argv, stop) as process:
        process.kill()
    all_is_right(shelf)


@pytest.mark.parametrize("intruder", [REBUILD, *longer(FOLLOW)], ids="-".join)
@pytest.mark.parametrize("holder", [FOLLOW, *longer(REBUILD)], ids="-".join)
def test_a_deleted_lock_lets_two_in_and_loses_no_memory(shelf, tried, holder, intruder):
    tried("R8")
    with halted(shelf, holder, 2) as process:
        os.unlink(lock_of(shelf))
        shelf.memtools(*intruder)
        out, err = process.communicate(b"\n", timeout=60)
    assert b"Traceback" not in err and b"panicked" not in err
    assert process.returncode in (0, 3), (out, err)
    all_is_right(shelf)


@pytest.mark.long
def test_who_asks_while_a_writer_hangs_gets_the_answer_of_a_scan(shelf, tried):
    tried("R8")
    with halted(shelf, FOLLOW, 2):
        asked = shelf.memtools("search", "turnips")
        assert "notes/old.md" in asked.out
        assert asked.err == (
            "the search index could not be used (another process is writing the search index);"
            " HEAD was scanned\n"
        )
    all_is_right(shelf)


@pytest.mark.parametrize("pair", [(REBUILD, FOLLOW), *longer((REBUILD, REBUILD), (FOLLOW, FOLLOW))])
def test_two_writers_at_once_lose_no_memory(shelf, tried, pair):
    tried("R8")
    all_at_once([[lambda argv=argv: shelf.memtools(*argv)] for argv in pair])
    all_is_right(shelf)


@contextlib.contextmanager
def rebuilding(shelf, times):
    """The index is made anew again and again; yields what tells whether that has ended."""
    ended = threading.Event()

    def work():
        try:
            for _ in range(times):
                shelf.memtools(*REBUILD)
        finally:
            ended.set()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield ended
    finally:
        worker.join()


@pytest.mark.parametrize("times", [2, *longer(10)])
def test_a_reader_during_rebuilds_is_never_told_wrong(shelf, tried, times):
    tried("R8")
    right = {question: shelves.scanned(shelf, question) for question in QUESTIONS}
    handed = {question: shelves.recalled(question) for question in QUESTIONS}
    with rebuilding(shelf, times) as ended:
        while not ended.is_set():
            for question in QUESTIONS:
                assert shelves.asked(question) == right[question], question
                assert shelves.recalled(question) == handed[question], question
    all_is_right(shelf)


@pytest.mark.parametrize("times", longer(5, 10))
def test_an_agent_over_mcp_during_rebuilds_is_never_told_wrong(shelf, tmp_path, tried, times):
    tried("R8")
    right = {question: shelves.scanned(shelf, question) for question in QUESTIONS}

    def recalled(question):
        return [one["path"] for one in agent.call("recall", query=question)["memories"]]

    with connected(shelf, tmp_path / "log") as agent:
        handed = {question: recalled(question) for question in QUESTIONS}
        with rebuilding(shelf, times) as ended:
            while not ended.is_set():
                for question in QUESTIONS:
                    found = agent.call("search", query=question, limit=50)
                    assert {hit["path"] for hit in found["hits"]} == right[question]
                    assert recalled(question) == handed[question]
        assert "Traceback" not in agent.log and "panicked" not in agent.log
    all_is_right(shelf)


@pytest.mark.parametrize("each", longer(3))
def test_agents_propose_while_a_person_commits_and_everything_lands(shelf, tmp_path, tried, each):
    tried("R8")
    shelf.write("notes/new.md", "# New\n\nStaged by a person.\n")
    shelf.stage("notes/new.md")
    before = int(shelf.git("rev-list", "--count", "HEAD").out)

    def over_mcp(agent, at):
        text = f"# Found {at:02}\n\nParser number {at:02} starts after {at} seconds.\n"
        for _ in range(20):
            found = agent.result("propose", text=text, source="extracted")
            if not found.is_error:
                return
            assert "another git process" in found.content[0].text, found.content
        raise AssertionError("not in 20 tries")

    with connected(shelf, tmp_path / "a") as one, connected(shelf, tmp_path / "b") as two:
        all_at_once(
            [
                [lambda at=at: over_mcp(one, at) for at in range(each)],
                [lambda at=at: over_mcp(two, at) for at in range(10, 10 + each)],
                [lambda at=at: until_it_lands(propose, shelf, at) for at in range(20, 20 + each)],
                [lambda at=at: until_it_lands(write_by_hand, shelf, at) for at in range(each)],
            ]
        )
    assert int(shelf.git("rev-list", "--count", "HEAD").out) == before + 4 * each
    assert shelf.status() == "M  notes/new.md\n"
    assert shelf.git("fsck", "--full", "--strict").code == 0
    waiting = [path for path in shelf.files() if path.startswith("inbox/")]
    assert len(waiting) == 3 * each
    all_is_right(shelf)
