"""A commit notes what changes in the search index; who reads next takes that in."""

from memtools.usecases.reading.index import index_state
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository
from tests.e2e.story import hook

FAN = "The fan was broken all along.\n"


def found(repo, query):
    return [hit.path for hit in search(open_repository(str(repo.top)), query).hits]


def state(repo):
    return index_state(open_repository(str(repo.top)))


def test_a_commit_is_noted_and_the_next_search_takes_it_in(sandbox):
    sandbox.save({"old.md": "The pump was new.\n"})
    assert found(sandbox, "pump") == ["old.md"]
    sandbox.save({"fan.md": FAN})
    assert (state(sandbox).noted, state(sandbox).is_behind) == (1, False)
    assert found(sandbox, "fan") == ["fan.md"]
    assert (state(sandbox).noted, state(sandbox).memories) == (0, 2)


def test_notes_of_several_commits_add_up(sandbox):
    sandbox.save({"a.md": FAN, "b.md": "The pump was new.\n"})
    assert found(sandbox, "fan") == ["a.md"]
    sandbox.save({"a.md": "Nothing.\n"})
    sandbox.save({"code.txt": "x\n"})
    sandbox.git("rm", "-q", "b.md")
    sandbox.save({"c.md": FAN})
    assert state(sandbox).noted == 3
    assert (found(sandbox, "fan"), found(sandbox, "pump")) == (["c.md"], [])


def test_many_changes_are_taken_in_by_the_commit_itself(sandbox):
    sandbox.save({"old.md": "The pump was new.\n"})
    assert found(sandbox, "pump") == ["old.md"]
    sandbox.save({f"many{number}.md": FAN for number in range(40)})
    assert (state(sandbox).noted, state(sandbox).memories) == (0, 41)


def test_a_memory_that_is_only_noted_can_be_retracted(sandbox):
    sandbox.save({"old.md": "The pump was new.\n"})
    assert found(sandbox, "pump") == ["old.md"]
    sandbox.save({"fan.md": FAN})
    sandbox.save({"fix.md": "RETRACTS: fan was broken all along\n"})
    assert "status: retracted" in sandbox.show("HEAD", "fan.md").decode()
    assert found(sandbox, "fan") == []


def test_the_note_of_a_commit_that_was_given_up_misleads_nobody(sandbox):
    sandbox.save({"old.md": "The pump was new.\n"})
    assert found(sandbox, "pump") == ["old.md"]
    refuse = hook(sandbox, "commit-msg", "exit 1")
    sandbox.write("fan.md", FAN)
    sandbox.stage()
    sandbox.commit("Fan", code=1)
    refuse.unlink()
    assert found(sandbox, "fan") == []
    sandbox.git("rm", "-q", "-f", "fan.md")
    sandbox.save({"new.md": "The fan is fine.\n"})
    assert found(sandbox, "fan") == ["new.md"]


def test_a_damaged_note_is_a_diff_of_trees(sandbox):
    sandbox.save({"old.md": "The pump was new.\n"})
    assert found(sandbox, "pump") == ["old.md"]
    sandbox.save({"fan.md": FAN})
    sandbox.write(".git/memtools/search-noted-1", b"garbage")
    assert state(sandbox).is_behind
    assert found(sandbox, "fan") == ["fan.md"]
