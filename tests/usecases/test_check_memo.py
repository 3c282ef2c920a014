"""The tree of the last checked range is kept: what did not change since is not read again."""

import pytest

from memtools.errors import GitError
from memtools.usecases.checking.check import check
from memtools.usecases.keeping import read_checked, write_checked
from memtools.usecases.repository import make_state_dir, open_repository
from memtools.usecases.state import CHECKED, read_file, write_file
from tests.usecases.test_check import CACHE, FIX

LATER = "The pool was far too small for the nightly batch.\n"


@pytest.fixture
def kept(repo):
    """A repository whose range base..HEAD was checked once."""
    repo.save({"a.md": CACHE, "b.md": "# B\n\nThe proxy closes idle connections.\n"})
    repo.git("branch", "base")
    repo.save({"c.md": LATER})
    make_state_dir(open_repository(str(repo.top)))
    ranged(repo)
    return repo


def ranged(repo):
    return check(open_repository(str(repo.top)), range="base..HEAD")


def folder(repo):
    return open_repository(str(repo.top)).state_dir


def lose(repo, path):
    """Take the object of a committed memory away."""
    blob = repo.git("rev-parse", f"HEAD:{path}").out.strip()
    (repo.top / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def test_a_memory_that_did_not_change_is_not_read_for_the_next_range(kept):
    kept.save({"c.md": LATER + "\nIt was raised to 40.\n"})
    expected = ranged(kept)
    lose(kept, "b.md")
    assert ranged(kept) == expected


def test_a_changed_memory_whose_bytes_are_missing_proves_nothing(kept):
    kept.save({"c.md": "The pool was small.\n"})
    lose(kept, "c.md")
    with pytest.raises(GitError, match="not in this clone"):
        ranged(kept)


@pytest.mark.parametrize("damage", [b"", b"noise", None])
def test_a_damaged_memo_costs_a_full_pass_and_changes_no_answer(kept, damage):
    expected = ranged(kept)
    whole = read_file(folder(kept), CHECKED)
    write_file(folder(kept), CHECKED, whole[:-3] if damage is None else damage)
    assert ranged(kept) == expected
    assert read_file(folder(kept), CHECKED) == whole


@pytest.mark.parametrize(
    "place, odd",
    [
        *((2, "no id"), (3, [("a.md", 1)]), (4, [3]), (6, ([["a.md"]], []))),
        *((7, [("a.md", ())]), (8, [(1, 2)]), (11, {"a": [1]}), (12, ({}, [None]))),
    ],
)
def test_a_memo_of_other_shapes_costs_a_full_pass_and_changes_no_answer(kept, place, odd):
    expected = ranged(kept)
    values = list(read_checked(folder(kept), CHECKED, object))
    values[place] = odd
    write_checked(folder(kept), CHECKED, values)
    assert ranged(kept) == expected
    assert read_checked(folder(kept), CHECKED, object)[place] != odd


def test_other_settings_are_not_answered_from_the_memo(kept):
    kept.save({".memtools.toml": '[vocabulary.status]\nliving-word = "candidate"\n'})
    kept.git("branch", "-f", "base")
    kept.save({"d.md": "---\nstatus: living-word\n---\nNew.\n"})
    assert [one.after for one in ranged(kept).memories] == ["candidate"]


def test_a_tree_checked_by_itself_is_read_in_full(kept):
    lose(kept, "b.md")
    with pytest.raises(GitError, match="not in this clone"):
        check(open_repository(str(kept.top)))


def test_a_range_with_a_new_marker_finds_its_victim_among_unchanged_memories(kept):
    kept.save({"fix.md": FIX})
    assert [one.path for one in ranged(kept).retractions] == ["a.md"]


@pytest.mark.parametrize("name", ["n.md", "[[n]]", "[[Pool]]", "[[The pool]]", "id:p-1"])
def test_a_new_marker_that_names_its_victim_reads_no_other_memory(kept, name):
    kept.save({"n.md": f"---\nid: p-1\ntitle: Pool\naliases: [The pool]\n---\n{LATER}"})
    ranged(kept)
    kept.save({"fix.md": f"# Fix\n\nRETRACTS: {name}\n"})
    lose(kept, "b.md")
    assert [one.path for one in ranged(kept).retractions] == ["n.md"]


def test_look_alikes_are_the_same_however_the_branch_grew(kept):
    texts = {f"old/{n}.md": f"{LATER} Its number was {n}.\n" for n in range(4)}
    kept.save(texts)
    kept.git("branch", "-f", "base")
    kept.save({"new/one.md": f"{LATER} Its number was 9.\n"})
    first = ranged(kept).alike
    kept.save({"new/two.md": f"{LATER} Its number was 8.\n", "old/3.md": "Another thing.\n"})
    grown = ranged(kept).alike
    write_file(folder(kept), CHECKED, b"")
    assert grown == ranged(kept).alike
    assert {(one.path, one.other) for one in first} > {
        ("new/one.md", f"old/{n}.md") for n in range(4)
    }
    assert {one.path for one in grown} == {"new/one.md", "new/two.md"}


def test_a_clone_in_which_memtools_was_never_set_up_remembers_too(repo):
    repo.save({"a.md": CACHE})
    repo.git("branch", "base")
    repo.save({"c.md": LATER})
    expected = ranged(repo)
    lose(repo, "a.md")
    assert ranged(repo) == expected


def test_a_kept_tree_that_is_not_in_this_clone_any_more_costs_a_full_pass(kept):
    kept.git("checkout", "-q", "-b", "other", "base")
    kept.save({"d.md": LATER})
    expected = ranged(kept)
    kept.git("checkout", "-q", "--detach", "base")
    kept.save({"e.md": "Gone soon.\n"})
    ranged(kept)
    tree = kept.git("rev-parse", "HEAD^{tree}").out.strip()
    (kept.top / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    kept.git("update-ref", "HEAD", "other")
    assert ranged(kept) == expected


def test_a_secret_that_a_later_commit_takes_out_is_found_after_the_range_grew(kept):
    kept.save({"s.md": "The key is AKIAIOSFODNN7" + "RETRACT.\n"})
    first = {one.rule for one in ranged(kept).problems}
    kept.save({"s.md": "The key is gone.\n"})
    second = ranged(kept)
    kept.save({"t.md": "Something else.\n"})
    third = ranged(kept)
    assert "secret-found" in first
    assert [one.path for one in second.problems if one.rule == "secret-found"] == ["s.md"]
    assert third.problems == second.problems


def test_a_commit_passed_once_is_not_read_again(kept):
    kept.save({"s.md": "Harmless for now.\n"})
    passing = kept.git("rev-parse", "HEAD:s.md").out.strip()
    kept.save({"s.md": "Harmless as well.\n"})
    expected = ranged(kept)
    (kept.top / ".git" / "objects" / passing[:2] / passing[2:]).unlink()
    assert ranged(kept) == expected


def test_what_was_found_in_a_memory_is_found_each_time(kept):
    kept.save({"c.md": LATER + "\nCall 090-1234-5678 at night.\n"})
    first = ranged(kept)
    assert "personal-data" in {one.rule for one in first.problems}
    kept.save({"d.md": "The batch runs at night.\n"})
    again = ranged(kept)
    assert set(first.problems) <= set(again.problems)


def test_a_text_of_two_memories_of_which_one_is_retracted_is_said_again(kept):
    """What was compared with the living one says nothing of the tombstone."""
    kept.save({"a.md": LATER, "b.md": LATER})
    kept.git("branch", "-f", "base")
    more = "\n".join(f"Besides, shard {n} of the ledger moved to rack {n * 7}." for n in range(9))
    kept.save({"new.md": LATER + more + "\n"})
    assert not ranged(kept).alike
    kept.save({"fix.md": "# Fix\n\nRETRACTS: a.md\n"})
    grown = ranged(kept).alike
    write_file(folder(kept), CHECKED, b"")
    assert grown == ranged(kept).alike
    assert [(one.path, one.other, one.is_repeat) for one in grown] == [("new.md", "a.md", True)]
