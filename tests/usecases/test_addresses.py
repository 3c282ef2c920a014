"""An address names one memory, or the answer says why not; several are all listed."""

import pytest

from memtools.errors import RefusedError
from memtools.usecases.addresses import resolve_address
from memtools.usecases.repository import open_repository

NOTES = {
    "notes/cache.md": "---\nid: c-1\naliases: [the cold one]\n---\n# Cache\n\n"
    "The cache was cold.\n",
    "notes/pool.md": "# Pool\n\nThe pool was\ntoo small.\n",
    "wisdom/pool.md": "# Pools\n\nThe pool was big.\n",
    "old.md": "---\nstatus: retracted\nretracted_by: '[[fix]]'\n---\nThe disk was at fault.\n",
}


@pytest.fixture
def notes(repo):
    repo.save(NOTES)
    return repo


def find(repo, text, **more):
    return resolve_address(open_repository(str(repo.top)), text, **more)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("notes/cache.md", "notes/cache.md"),
        ("./notes/cache.md", "notes/cache.md"),
        ("notes/../old.md", "old.md"),
        ("notes/cache", "notes/cache.md"),
        ("id:c-1", "notes/cache.md"),
        ("id:notes/pool", "notes/pool.md"),
        ("[[cache]]", "notes/cache.md"),
        ("[[Cache|see]]", "notes/cache.md"),
        ("[[the cold one]]", "notes/cache.md"),
        ("[[wisdom/pool]]", "wisdom/pool.md"),
        ("cache was cold", "notes/cache.md"),
        ("pool was too small", "notes/pool.md"),
        ("disk was at fault", "old.md"),
    ],
)
def test_each_kind_of_address_finds_its_memory(notes, text, path):
    found = find(notes, text)
    assert (found.path, found.memory.path) == (path, path)
    assert found.blob == notes.git("rev-parse", f"HEAD:{path}").out.strip()


def test_a_path_counts_from_the_folder_the_person_stands_in(notes, monkeypatch):
    monkeypatch.chdir(notes.path("wisdom"))
    assert find(notes, "pool.md").path == "wisdom/pool.md"
    assert find(notes, "../old.md").path == "old.md"
    assert find(notes, "notes/pool.md").path == "notes/pool.md"
    assert find(notes, str(notes.path("notes/pool.md"))).path == "notes/pool.md"


def test_the_line_of_a_phrase_is_where_it_starts(notes):
    assert find(notes, "pool was too small").line == 3
    assert find(notes, "notes/pool.md").line == 1


def test_several_memories_are_all_listed_and_none_is_chosen(notes):
    with pytest.raises(RefusedError) as error:
        find(notes, "The pool was")
    assert '"The pool was" names 2 memories' in error.value.message
    assert "notes/pool.md:3" in error.value.hint and "wisdom/pool.md:3" in error.value.hint
    assert error.value.exit_code == 1
    with pytest.raises(RefusedError, match="names 2"):
        find(notes, "[[pool]]")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no such words", "no memory of HEAD"),
        ("id:zzz", "no memory of HEAD"),
        ("[[zzz]]", "no memory of HEAD"),
        ("", "no memory of HEAD"),
        ("zzz.md", "no memory zzz.md in HEAD"),
        ("../zzz.md", "no memory"),
        ("README.md", "outside the roots"),
        ("new.md", "not committed yet"),
        ("a\0b.md", "no memory"),
    ],
)
def test_an_address_of_nothing_is_refused_with_the_reason(notes, text, said):
    notes.write("README.md", "# Read me\n")
    notes.write("new.md", "New words.\n")
    with pytest.raises(RefusedError, match=said):
        find(notes, text)


def test_a_tombstone_can_be_left_out(notes):
    assert find(notes, "old.md").path == "old.md"
    with pytest.raises(RefusedError, match=r"old\.md is retracted already, by \[\[fix\]\]"):
        find(notes, "old.md", include_retracted=False)
    assert find(notes, "was cold", include_retracted=False).path == "notes/cache.md"


def test_names_in_nfc_and_nfd_are_one(repo):
    repo.save({"\u304b\u3099.md": "本文です。\n"})
    assert find(repo, "\u304c.md").path == "\u304b\u3099.md"


def test_before_the_first_commit_nothing_is_found(repo):
    with pytest.raises(RefusedError):
        find(repo, "[[a]]")


def test_with_the_search_index_the_answers_are_the_same(notes):
    from memtools.usecases.searchindex import follow_tree
    from memtools.usecases.tree import settings_at

    repository = open_repository(str(notes.top))
    settings = settings_at(repository.git, repository.head_tree)
    follow_tree(repository, repository.head_tree, settings)
    for text in ("id:c-1", "[[cache]]", "pool was too small", "notes/pool.md", "cache was cold"):
        assert find(notes, text).path.startswith("notes/")
