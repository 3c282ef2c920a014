"""The scope of a session follows from its folder and remotes alone."""

import pytest

from memtools.core.project import SEPARATE, Project, plain_remote, scope_of

REMOTE = "git@github.com:acme/alpha.git"


@pytest.mark.parametrize(
    "url",
    [
        REMOTE,
        "https://github.com/acme/alpha",
        "https://ann:secret@GitHub.com/acme/alpha.git/",
        "ssh://git@github.com:22/acme/alpha.git",
        "github.com/acme/alpha",
        "github.com:acme/alpha",
    ],
)
def test_a_remote_is_the_same_in_every_spelling(url):
    assert plain_remote(url) == "github.com/acme/alpha"


def test_a_path_is_a_remote_too():
    assert plain_remote("/srv/git/alpha.git") == plain_remote("file:///srv/git/alpha")
    assert plain_remote("C:\\git\\alpha.git") == "c:/git/alpha"


@pytest.mark.parametrize(
    ("project", "scope"),
    [
        (Project("/code/one", "/code/one", "/code/one", (REMOTE,)), "alpha"),
        (Project("/code/one/src", "/code/one", "/code/one"), "one"),
        (Project("/notes/x"), "x"),
        (Project("/"), ""),
    ],
)
def test_without_a_table_the_remote_names_the_scope_else_the_top_folder(project, scope):
    assert scope_of(project, ()) == scope


def test_the_deepest_folder_wins_and_a_folder_wins_over_a_remote():
    table = [
        ("outer", ("/code",)),
        ("inner", ("/code/one/",)),
        ("remote", (REMOTE,)),
        ("other", ("/code/on",)),
    ]
    here = Project("/code/one/src", "/code/one", "/code/one", (REMOTE,))
    assert scope_of(here, table) == "inner"
    assert scope_of(here._replace(folder="/x", top="/x", main_top="/x"), table) == "remote"


def test_the_remote_it_came_from_decides_among_several():
    table = [("fork", ("example.com/ann/alpha",)), ("acme", ("github.com/acme/alpha",))]
    here = Project("/c", "/c", "/c", (REMOTE, "https://example.com/ann/alpha"))
    assert scope_of(here, table) == "acme"


def test_a_folder_of_the_repository_of_memories_is_named_from_its_top():
    table = [("web", ("apps/web",)), ("rest", (".",))]
    here = Project("/mono/apps/web/src", "/mono", "/mono", (), base="/mono")
    assert scope_of(here, table) == "web"
    assert scope_of(here._replace(folder="/mono/docs"), table) == "rest"
    assert scope_of(here._replace(base=""), table) == "mono"


def test_work_trees_share_the_scope_or_have_their_own():
    table = [("alpha", ("/code/alpha",))]
    linked = Project("/trees/fix", "/trees/fix", "/code/alpha")
    assert scope_of(linked, table) == scope_of(linked, ()) == "alpha"
    assert scope_of(linked, (), SEPARATE) == "alpha/fix"
    assert scope_of(linked, [("mine", ("/trees/fix",))], SEPARATE) == "mine"
    assert scope_of(linked._replace(top="/code/alpha"), (), SEPARATE) == "alpha"
