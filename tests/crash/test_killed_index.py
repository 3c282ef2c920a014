"""Writers of the search index killed at any call (R2): it opens or is made anew, never mixed.

What the index says it reflects is what its answers are; a reader shows what HEAD has, or says that
it scanned.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from memtools.errors import SearchError
from memtools.usecases.reading.index import READY, index_state
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository
from memtools.usecases.searchindex import open_index, read_stamp
from tests.crash.killing import KILLED, run_killed
from tests.crash.scene import MEMTOOLS, UNSEEN
from tests.helpers import Sandbox, copied, longer

_PARTS = 20  # of each writer: the first is the ordinary run's
_POINTS = 2  # of each part
_MEMORIES = [f"notes/{number}.md" for number in range(60)]
OLD = {path: f"# {path}\n\nThe alder and the zebra.\n" for path in _MEMORIES}
# Then some are changed, some are gone, some are new.
MANY = {path: f"# {path}\n\nThe birch and the zebra.\n" for path in [*_MEMORIES[:40], "new.md"]}
FEW = {path: f"# {path}\n\nThe birch and the zebra.\n" for path in [*_MEMORIES[:4], "new.md"]}
GONE = _MEMORIES[-3:]
WRITERS = {
    "rebuild": (MANY, UNSEEN, ("index", "--rebuild")),
    "update": (MANY, UNSEEN, ("search", "zebra")),
    "notes taken in": (FEW, {}, ("search", "zebra")),
}


@pytest.fixture(scope="module")
def scene(killpoint, _installed_template, tmp_path_factory):
    """Name of a writer -> the repository it starts from, and its calls that change the index."""
    made = {}

    def find(name: str) -> tuple[Sandbox, list[int]]:
        if name not in made:
            folder = tmp_path_factory.mktemp("index")
            template = copied(_installed_template, folder / "template")
            template.save(OLD, "Old")
            new, env, argv = WRITERS[name]
            for path, text in new.items():
                template.write(path, text)
            for path in GONE:
                template.path(path).unlink()
            template.stage()
            template.commit("New", env=env)
            repo = copied(template, folder / "repo")
            done = run_killed(killpoint, repo, 0, (*MEMTOOLS, *argv))
            assert done.code == 0, done.said
            writes = [n for n, call in enumerate(done.calls, 1) if "/memtools/search/" in call]
            made[name] = template, writes
        return made[name]

    return find


@pytest.mark.parametrize("part", [0, *longer(*range(1, _PARTS))])
@pytest.mark.parametrize("name", WRITERS)
def test_a_killed_writer_leaves_an_index_that_is_whole_or_says_that_it_is_not(
    name, part, killpoint, scene, tmp_path, tried
):
    template, writes = scene(name)
    tried("R2", _POINTS)
    faults = []
    for point in range(part, _PARTS * _POINTS, _PARTS):
        number = writes[point * len(writes) // (_PARTS * _POINTS)]
        repo = Sandbox(tmp_path / "repo")
        shutil.copytree(template.top, repo.top)
        done = run_killed(killpoint, repo, number, (*MEMTOOLS, *WRITERS[name][2]))
        assert done.code == KILLED, done.said
        found = [*_mixed(repo), *_behind(repo, WRITERS[name][0])]
        faults += [f"before call {number}, {done.calls[-1]}: {fault}" for fault in found]
        shutil.rmtree(repo.top)
    assert not faults, "\n".join(faults)


def _mixed(repo: Sandbox) -> Iterator[str]:
    """Does the index, as it was left, answer as the tree it names would?"""
    index = open_index(open_repository(str(repo.top)))
    try:
        stamp = read_stamp(index)
        if stamp is None:
            return
        found = {word: sorted(_paths(index.search(word, 100))) for word in ("alder", "birch")}
    except SearchError:
        return
    texts = {path: repo.show(stamp.tree, path) for path in repo.files(stamp.tree)}
    for word, paths in found.items():
        held = sorted(path for path, text in texts.items() if word.encode() in text)
        if paths != held:
            yield f"{word} is found in {paths}, {stamp.tree} has it in {held}"


def _behind(repo: Sandbox, new: dict[str, str]) -> Iterator[str]:
    """Does a reader show what HEAD has, and is the index at HEAD from then on?"""
    here = open_repository(str(repo.top))
    alders = sorted(set(OLD) - set(new) - set(GONE))
    for word, held in (("birch", sorted(new)), ("alder", alders)):
        found = search(here, word, limit=100)
        if sorted(_paths(found)) != held:
            yield f"{word} is shown in {_paths(found)}, stale: {found.stale}"
        if found.stale:
            yield f"{word}: a reader could not mend the index"
    state = index_state(here)
    if state.state != READY or state.is_behind:
        yield f"the index is {state}"
    here.git.close()


def _paths(found) -> list[str]:
    return [hit.path for hit in found.hits]
