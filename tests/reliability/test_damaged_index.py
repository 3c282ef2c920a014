"""Row R3: whatever happens to the files of the search index, no answer is wrong.

Each case damages one file of a fresh copy of the index, then asks in two ways: the index alone
must answer right or refuse, and `search` and `recall` must answer as a scan of the tree does.
"""

import os
import random
import shutil
from itertools import count, cycle, islice

import pytest

from memtools.entrypoints.main import main
from memtools.errors import SearchError
from tests.helpers import longer, part_of
from tests.reliability import shelf as shelves
from tests.reliability.shelf import QUESTIONS

FLIPS = 30  # in each part
PARTS = 12


def emptied(path):
    path.write_bytes(b"")


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def deleted(path):
    path.unlink()


def noise(path):
    path.write_bytes(random.Random(path.name).randbytes(max(path.stat().st_size, 64)))


def grown(path):
    with path.open("ab") as file:
        file.write(b"\0" * 100)


def a_folder(path):
    path.unlink()
    path.mkdir()
    (path / "inside").write_bytes(b"x")


def a_pipe(path):
    path.unlink()
    os.mkfifo(path)


def a_link_to_a_copy(path):
    shutil.copy2(path, path.parent.parent / "elsewhere")
    path.unlink()
    path.symlink_to(path.parent.parent / "elsewhere")


def a_link_to_nothing(path):
    path.unlink()
    path.symlink_to("nowhere")


def a_link_to_itself(path):
    path.unlink()
    path.symlink_to(path.name)


DAMAGES = [emptied, cut, deleted, noise, grown, a_folder, a_pipe, a_link_to_a_copy]
DAMAGES += [a_link_to_nothing, a_link_to_itself]


@pytest.fixture(scope="module")
def shelf(_installed_template, tmp_path_factory):
    made = shelves.filled(_installed_template, tmp_path_factory.mktemp("shelf") / "repo")
    shelves.keep_state(made)
    return made


@pytest.fixture(scope="module")
def right(shelf):
    """What a scan of the tree answers to each question."""
    return {question: shelves.scanned(shelf, question) for question in QUESTIONS}


@pytest.fixture
def judge(shelf, right, capfd, monkeypatch):
    """Damage a fresh copy of the index by a function and look at everything that answers."""
    monkeypatch.chdir(shelf.top)
    turns = count()

    def judged(case, damage):
        shelves.fresh_state(shelf)
        standing = shelves.store_of(shelf)
        before = {question: alone(standing, question) for question in QUESTIONS}
        damage()
        for store in (standing, shelves.store_of(shelf)):
            for question in QUESTIONS:
                assert alone(store, question) in (before[question], None), (case, question)
        at = next(turns)  # what comes first finds the damage: each question, in both ways
        ways = [shelves.asked, shelves.recalled]
        for way, question in zip(
            ways[:: (-1) ** at], islice(cycle(QUESTIONS), at % 7, None), strict=False
        ):
            assert way(question) == right[question], (case, way, question)
        said = capfd.readouterr().err
        assert "Traceback" not in said and "panicked" not in said, (case, said)

    return judged


def alone(store, question):
    """The paths the index itself proposes; None when it refuses to answer."""
    try:
        return {hit.path for hit in store.search(question, 50).hits}
    except SearchError:
        return None


def test_the_undamaged_index_answers_as_a_scan_does(judge, right):
    for _ in range(7):
        judge("no damage", lambda: None)
    assert all(right[question] for question in QUESTIONS if question != "parsnips")
    assert right["parsnips"] == set()


@pytest.mark.parametrize("damage", part_of(DAMAGES, 10))
def test_no_damage_to_a_file_gives_a_wrong_answer(shelf, judge, tried, damage):
    files = shelves.index_files(shelf)
    tried("R3", len(files))
    for path in files:
        judge(f"{damage.__name__}: {path}", lambda path=path: damage(path))


@pytest.mark.parametrize("part", part_of(range(PARTS), PARTS))
def test_no_flipped_bit_gives_a_wrong_answer(shelf, judge, tried, part):
    tried("R3", FLIPS)
    for case, flip in flips(shelf, part):
        judge(case, flip)


@pytest.mark.parametrize("part", longer(*range(PARTS, PARTS + 3)))
def test_a_bit_lost_under_a_file_nobody_wrote_to_is_found_the_next_day(shelf, judge, tried, part):
    """Times and size say the file is as it was: then every file is read once a day."""
    tried("R3", FLIPS)
    for case, flip in flips(shelf, part, of_segments=True):

        def lost(flip=flip):
            flip()
            shelves.believe(shelf)
            shelves.a_day_passes(shelf)

        judge(case, lost)


def test_a_bit_lost_today_is_found_by_who_looks_and_stays_found(shelf, judge, capfd):
    _, flip = next(flips(shelf, 0, of_segments=True))

    def lost():
        flip()
        shelves.believe(shelf)
        assert main(["index"]) == 0
        assert "the search index is damaged" in capfd.readouterr().out

    judge("looked at", lost)


def test_who_asks_is_told_in_one_line_what_was_damaged(shelf, capfd, monkeypatch):
    monkeypatch.chdir(shelf.top)
    shelves.fresh_state(shelf)
    path = next(path for path in shelves.index_files(shelf) if path.suffix == ".idx")
    emptied(path)
    assert main(["search", "turnips"]) == 0
    assert capfd.readouterr().err == (
        f"the search index is damaged: {path.name}; it was made anew\n"
    )
    assert main(["search", "turnips"]) == 0
    assert capfd.readouterr().err == ""


def flips(shelf, part, of_segments=False):
    """Cases of one flipped bit each, the same in every run but for the names of segments."""
    chance = random.Random(part)
    files = [path for path in shelves.index_files(shelf) if shelves.kept(shelf, path)]
    if of_segments:
        files = [path for path in files if len(path.stem) == 32]
    for _ in range(FLIPS):
        path = chance.choice(files)
        raw = bytearray(shelves.kept(shelf, path))
        at, bit = chance.randrange(len(raw)), chance.randrange(8)
        raw[at] ^= 1 << bit
        case = f"part {part}: {path}, byte {at} of {len(raw)}, bit {bit}"
        yield case, lambda path=path, raw=bytes(raw): path.write_bytes(raw)
