"""The index on disk: what it reflects, who may write, and that damage never answers wrongly."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

from memtools.errors import GitError, SearchError
from memtools.search import guard, manifest
from memtools.search.store import BUSY, DAMAGED, FAILED, MISSING, MOVED, SearchStore, StoreError
from tests.search.helpers import make, paths


@pytest.fixture
def store(tmp_path):
    return SearchStore(str(tmp_path / "search"), writer_wait=0.2, reader_wait=0.2)


def again(store):
    return SearchStore(os.path.dirname(store.folder), writer_wait=0.2, reader_wait=0.2)


def files(store):
    found = manifest.read(store.folder)
    place = os.path.join(store.folder, found.generation)
    return [os.path.join(place, name) for name in sorted(os.listdir(place))]


def test_no_index_has_no_stamp_and_answers_nothing(store):
    assert store.stamp() is None
    with pytest.raises(SearchError) as caught:
        store.search("x", 1)
    assert caught.value.reason == MISSING
    with pytest.raises(SearchError) as caught:
        store.update([], [], "t")
    assert caught.value.reason == MISSING


def test_an_index_says_what_it_reflects(store):
    store.rebuild([make("a.md", "one")], "tree-1\n\udce9")
    assert again(store).stamp() == "tree-1\n\udce9"
    store.update([make("b.md", "two")], [], "tree-2")
    assert again(store).stamp() == "tree-2"
    assert again(store).count() == 2


def test_reading_the_stamp_does_not_load_the_engine(store):
    store.rebuild([make("a.md", "one")], "t")
    code = (
        "import sys\nfrom memtools.search.store import SearchStore\n"
        f"assert SearchStore({os.path.dirname(store.folder)!r}).stamp() == 't'\n"
        "heavy = {'tantivy', 'json', 'subprocess', 'pathlib', 'dataclasses', 'logging'}\n"
        "assert not heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-S", "-c", code], check=True, cwd=os.getcwd())


def test_an_index_of_no_memories_is_an_index(store):
    store.rebuild([], "t")
    assert store.stamp() == "t"
    assert store.search("x", 5).total == 0
    assert store.candidates("some phrase here") == set()


def test_the_last_memory_can_be_taken_out(store):
    """https://github.com/tobi/qmd/pull/312"""
    store.rebuild([make("a.md", "one")], "t")
    store.update([], ["a.md"], "u")
    assert store.count() == 0
    assert store.search("one", 5).hits == ()


def test_a_shortened_note_is_not_found_by_a_word_it_lost(store):
    """https://github.com/spiceai/spiceai/issues/13717"""
    store.rebuild([make("a.md", "one two three four"), make("b.md", "else")], "t")
    store.update([make("a.md", "one")], [], "u")
    assert paths(store.search("four", 5)) == []
    assert paths(store.search("one", 5)) == ["a.md"]


def test_a_status_that_turned_hides_the_memory_at_the_next_search(store):
    """https://github.com/yantrikos/yantrikdb/issues/8"""
    store.rebuild([make("a.md", "one")], "t")
    assert paths(store.search("one", 5)) == ["a.md"]
    again(store).update([make("a.md", "one", status="retracted")], [], "u")
    assert paths(store.search("one", 5)) == []


def test_a_long_running_reader_sees_a_rebuild(store):
    """https://github.com/basicmachines-co/basic-memory/issues/765"""
    store.rebuild([make("a.md", "one")], "t")
    assert paths(store.search("one", 5)) == ["a.md"]
    again(store).rebuild([make("b.md", "one")], "u")
    assert paths(store.search("one", 5)) == ["b.md"]
    assert len([name for name in os.listdir(store.folder) if name.startswith("g")]) == 1


def test_many_small_commits_keep_few_segments(store):
    store.rebuild((make(f"{at}.md", f"note {at}") for at in range(50)), "t")
    for at in range(60):
        store.update([make(f"{at % 50}.md", f"note {at} again")], [], f"t{at}")
    segments = {os.path.basename(path).split(".")[0] for path in files(store)}
    assert len([name for name in segments if len(name) == 32]) <= 12
    assert store.count() == 50


def damages(raw):
    yield "emptied", b""
    yield "cut", raw[: len(raw) // 2]
    yield "noise", bytes(byte ^ 0x5A for byte in raw)
    for place in (0, len(raw) // 3, len(raw) - 1):
        changed = bytearray(raw)
        changed[place] ^= 1 << (place % 8)
        yield f"bit at {place}", bytes(changed)
    yield "missing", None


def test_no_damage_of_any_file_gives_a_wrong_answer_or_a_print(store, capfd):
    store.rebuild((make(f"{at}.md", f"原因 note {at}") for at in range(30)), "t")
    store.update([make("new.md", "原因 new")], ["3.md"], "u")
    right = paths(store.search("原因", 50))
    for path in [*files(store), os.path.join(store.folder, "manifest")]:
        with open(path, "rb") as file:
            raw = file.read()
        if not raw:
            continue
        kept = path + "-kept"
        for name, bad in damages(raw):
            shutil.copy2(path, kept)
            if bad is None:
                os.unlink(path)
            else:
                with open(path, "wb") as file:
                    file.write(bad)
            try:
                assert paths(again(store).search("原因", 50)) == right, (path, name)
                assert path.endswith(".managed.json"), f"{path} {name}: not noticed"
                continue
            except SearchError as error:
                assert error.reason in (DAMAGED, MISSING), (path, name)
                assert again(store).stamp() is None or path.endswith(".managed.json")
            finally:
                os.replace(kept, path)
    assert paths(again(store).search("原因", 50)) == right
    assert capfd.readouterr().err == ""


def test_a_missing_meta_file_is_not_an_empty_index(store):
    store.rebuild([make("a.md", "one")], "t")
    os.unlink(next(path for path in files(store) if path.endswith("meta.json")))
    with pytest.raises(SearchError):
        again(store).search("one", 5)


def test_a_damaged_index_can_be_rebuilt(store):
    store.rebuild([make("a.md", "one")], "t")
    shutil.rmtree(os.path.dirname(files(store)[0]))
    store.rebuild([make("a.md", "one")], "u")
    assert paths(store.search("one", 5)) == ["a.md"]


def test_a_panic_of_the_engine_is_an_error_of_ours_and_prints_nothing(store, capfd):
    import tantivy

    store.rebuild([make("a.md", "one")], "t")
    schema = tantivy.SchemaBuilder().add_text_field("text").build()
    with pytest.raises(StoreError), guard.Guard(store.folder):
        tantivy.Query.phrase_query(schema, "text", ["one"])
    assert capfd.readouterr().err == ""
    with open(os.path.join(store.folder, "engine.log")) as log:
        assert "panicked" in log.read()


def test_an_error_of_the_stream_passes_and_leaves_index_and_locks_free(store):
    def broken():
        yield make("b.md", "two")
        raise GitError("gone")

    store.rebuild([make("a.md", "one")], "t")
    for write in (lambda: store.rebuild(broken(), "u"), lambda: store.update(broken(), [], "u")):
        try:
            write()
        except GitError:
            assert again(store).stamp() == "t"
            store.update([make("a.md", "one more")], [], "t")
    assert paths(store.search("one", 5)) == ["a.md"]
    assert store.count() == 1


def test_a_second_writer_waits_and_then_says_busy(store):
    store.rebuild([make("a.md", "one")], "t")
    with store._generations.lock():
        with pytest.raises(StoreError) as caught:
            again(store).update([], ["a.md"], "u")
        assert caught.value.reason == BUSY
        assert paths(again(store).search("one", 5)) == ["a.md"]
    again(store).update([], ["a.md"], "u")


def test_two_writers_at_once_lose_nothing(store):
    """https://github.com/agent-lore/lithos/issues/244"""
    store.rebuild([], "t")

    def write(name):
        other = SearchStore(os.path.dirname(store.folder))
        for at in range(5):
            other._seen = None
            other.update([make(f"{name}{at}.md", "one")], [], f"{name}{at}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.search("one", 50).total == 10


def test_a_writer_that_worked_from_an_old_stamp_is_refused(store):
    store.rebuild([make("a.md", "one")], "t")
    slow, quick = again(store), again(store)
    assert slow.stamp() == quick.stamp() == "t"
    quick.update([make("b.md", "one")], [], "u")
    with pytest.raises(StoreError) as caught:
        slow.update([make("c.md", "one")], [], "v")
    assert caught.value.reason == MOVED
    assert store.stamp() == "u"


def test_a_lock_of_a_killed_writer_is_gone_with_it(store):
    store.rebuild([make("a.md", "one")], "t")
    code = (
        "import sys, time\nfrom tests.search.helpers import make\n"
        "from memtools.search.store import SearchStore\n"
        "def slow():\n    yield make('b.md', 'two')\n"
        "    print('in', flush=True)\n    time.sleep(60)\n"
        f"SearchStore({os.path.dirname(store.folder)!r}).rebuild(slow(), 'u')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=os.getcwd()
    ) as process:
        assert process.stdout.readline() == b"in\n"
        with pytest.raises(StoreError):
            store.update([make("c.md", "two")], [], "v")
        process.send_signal(signal.SIGKILL)
    store.update([make("c.md", "two")], [], "v")
    assert paths(store.search("two", 5)) == ["c.md"]
    store.rebuild([], "w")
    assert len([name for name in os.listdir(store.folder) if name.startswith("g")]) == 1


def test_a_deleted_lock_file_is_noticed(store):
    store.rebuild([make("a.md", "one")], "t")
    with store._generations.lock() as lock:
        os.unlink(os.path.join(store.folder, "lock"))
        assert not lock.is_ours()
        again(store).update([make("b.md", "one")], [], "u")
    assert store.search("one", 5).total == 2


def test_a_crash_between_commit_and_manifest_is_behind_never_mixed(store, monkeypatch):
    store.rebuild([make("a.md", "one")], "t")

    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(manifest, "write", crash)
    with pytest.raises(KeyboardInterrupt):
        store.update([make("b.md", "one")], [], "u")
    monkeypatch.undo()
    with open(os.path.join(store.folder, "pending"), "rb") as file:
        word = file.read()
    os.unlink(os.path.join(store.folder, "pending"))
    assert again(store).stamp() is None
    with pytest.raises(StoreError):
        again(store).search("one", 5)
    with open(os.path.join(store.folder, "pending"), "wb") as file:
        file.write(word)
    assert again(store).stamp() == "u"
    assert again(store).search("one", 5).total == 2


def test_files_of_a_killed_commit_do_not_stop_the_next_one(store):
    store.rebuild([make("a.md", "one"), make("b.md", "one")], "t")
    place = os.path.dirname(files(store)[0])
    kept = {name: os.path.join(place, name) for name in os.listdir(place)}
    saved = {}
    for name, path in kept.items():
        with open(path, "rb") as file:
            saved[name] = file.read()
    with open(os.path.join(store.folder, "manifest"), "rb") as file:
        before = file.read()
    store.update([make("b.md", "two")], [], "u")
    for name, raw in saved.items():  # as if killed before tantivy renamed meta.json
        with open(os.path.join(place, name), "wb") as file:
            file.write(raw)
    with open(os.path.join(store.folder, "manifest"), "wb") as file:
        file.write(before)
    assert again(store).stamp() == "t"
    again(store).update([make("b.md", "three")], [], "v")
    assert paths(store.search("three", 5)) == ["b.md"]
    assert store.search("one", 5).total == 1


def test_a_reader_waits_for_a_writer_between_commit_and_manifest(store, monkeypatch):
    store.rebuild([make("a.md", "one")], "t")
    real, half = manifest.write, threading.Event()

    def slow(*arguments):
        half.set()
        time.sleep(0.3)
        real(*arguments)

    monkeypatch.setattr(manifest, "write", slow)
    writer = threading.Thread(target=again(store).update, args=([make("b.md", "one")], [], "u"))
    writer.start()
    half.wait(10)
    reader = SearchStore(os.path.dirname(store.folder), reader_wait=10)
    assert reader.stamp() == "u"
    writer.join()


def test_a_linked_work_tree_starts_from_a_copy(store, tmp_path):
    store.rebuild((make(f"{at}.md", f"原因 {at}") for at in range(20)), "t")
    store.update([], ["3.md"], "u")
    copy = SearchStore(str(tmp_path / "other"))
    copy.copy_from(os.path.dirname(store.folder))
    assert copy.stamp() == "u"
    assert set(paths(copy.search("原因", 50))) == set(paths(store.search("原因", 50)))
    copy.update([make("n.md", "原因")], [], "v")
    assert store.stamp() == "u"
    assert store.count() == 19


def test_a_damaged_sibling_is_not_copied(store, tmp_path):
    store.rebuild([make("a.md", "one")], "t")
    path = next(path for path in files(store) if path.endswith(".idx"))
    with open(path, "r+b") as file:
        file.seek(10)
        file.write(b"\xff")
    copy = SearchStore(str(tmp_path / "other"))
    with pytest.raises(SearchError):
        copy.copy_from(os.path.dirname(store.folder))
    assert copy.stamp() is None
    assert [name for name in os.listdir(copy.folder) if name.startswith("g")] == []


def test_copying_from_nothing_says_so(tmp_path):
    with pytest.raises(StoreError) as caught:
        SearchStore(str(tmp_path / "a")).copy_from(str(tmp_path / "b"))
    assert caught.value.reason == MISSING


def test_a_folder_that_cannot_be_made_is_an_error_of_ours(tmp_path):
    with pytest.raises(StoreError) as caught:
        SearchStore(str(tmp_path / ("too long " * 99))).rebuild([], "t")
    assert caught.value.reason == FAILED


def test_text_is_not_stored(store):
    store.rebuild([make("a.md", "unmistakable", id="x")], "t")
    for path in files(store):
        if path.endswith(".store"):
            with open(path, "rb") as file:
                assert b"unmistakable" not in file.read()
