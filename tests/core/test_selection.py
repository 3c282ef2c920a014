"""Which paths are memories."""

import time
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.selection import Selection, find_store, glob_fault

WHOLE = Selection()


@pytest.mark.parametrize(
    "path",
    [
        "a.md",
        "notes/a.md",
        "notes/A.MD",
        "notes/a.Md",
        "日本語/根本原因.md",
        "notes/README.md",
        "notes/deep/CLAUDE.md",
        "odd\udcff/a.md",
        "with\nnewline/a\n.md",
        "readme-of-the-cache.md",
        "agents.pricing.md",
        "licenses.md",
        "a..md",
        "a/b.c/..d.md".replace("..d", "d"),
    ],
)
def test_a_markdown_file_anywhere_is_a_memory(path):
    assert WHOLE.holds(path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "md",
        ".md",
        "a.txt",
        "a.md.txt",
        "a.mdx",
        "notes/md",
        ".obsidian/a.md",
        "notes/.trash/a.md",
        "notes/._a.md",
        ".hidden.md",
        "README.md",
        "readme.md",
        "Readme.MD",
        "README.ja.md",
        "README_zh-Hans.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE.md",
        "AGENTS.md",
        "CLAUDE.md",
        "CLAUDE.local.md",
        "GEMINI.md",
    ],
)
def test_dot_folders_other_files_and_papers_at_the_top_are_none(path):
    assert not WHOLE.holds(path)


def test_roots_are_whole_folder_names():
    chosen = Selection(["notes", "team/wisdom"])
    assert chosen.holds("notes/a.md")
    assert chosen.holds("team/wisdom/x/a.md")
    assert not chosen.holds("a.md")
    assert not chosen.holds("notes2/a.md")
    assert not chosen.holds("team/a.md")
    assert not chosen.holds("old/notes/a.md")


def test_a_root_may_name_a_dot_folder_or_one_file():
    chosen = Selection([".memory", "README.md"])
    assert chosen.holds(".memory/a.md")
    assert not chosen.holds(".memory/.trash/a.md")
    assert chosen.holds("README.md")
    assert not chosen.holds("CHANGELOG.md")
    assert Selection([".", ".memory"]).holds(".memory/a.md")


def test_no_root_holds_nothing():
    assert not Selection([]).holds("a.md")


@pytest.mark.parametrize(
    ("glob", "path", "out"),
    [
        ("drafts", "drafts/a.md", True),
        ("drafts/", "drafts/x/a.md", True),
        ("drafts", "drafts2/a.md", False),
        ("drafts", "x/drafts/a.md", False),
        ("*.tmp.md", "a.tmp.md", True),
        ("*.tmp.md", "x/a.tmp.md", False),
        ("**/*.tmp.md", "a.tmp.md", True),
        ("**/*.tmp.md", "x/y/a.tmp.md", True),
        ("notes/*", "notes/a.md", True),
        ("notes/*.md", "notes/x/a.md", False),
        ("notes/**", "notes/x/a.md", True),
        ("notes/**/old", "notes/old/a.md", True),
        ("notes/**/old", "notes/x/y/old/a.md", True),
        ("notes/**/old", "notes/x/older/a.md", False),
        ("**/a/b/**/c.md", "x/a/a/b/y/c.md", True),
        ("**/a/b/**/c.md", "x/a/y/b/c.md", False),
        ("**", "a.md", True),
        ("a?c.md", "abc.md", True),
        ("a?c/**", "a/c/d.md", False),
        ("[ab].md", "a.md", False),
        ("[ab].md", "[ab].md", True),
        ("./drafts/*", "drafts/a.md", True),
        ("日記/*", "日記/今日.md", True),
        ("a*b*c.md", "aXbYbZc.md", True),
        ("*a*.md", "xxay.md", True),
    ],
)
def test_a_glob_takes_out_what_it_names(glob, path, out):
    assert Selection(["."], [glob]).holds(path) is not out


@given(
    st.text("ab*?", min_size=1, max_size=8).filter(lambda glob: "**" not in glob),
    st.text("ab", min_size=1, max_size=8),
)
def test_in_one_folder_globs_mean_what_the_shell_means(glob, name):
    path = f"{name}.md"
    assert Selection(["."], [f"{glob}.md"]).holds(path) is not fnmatchcase(path, f"{glob}.md")


def _naive(steps, names):
    """The meaning of a glob, written down without thinking of time."""
    if not steps:
        return True  # all below a named folder is out
    if steps[0] == "**":
        rest = steps[1:]
        if not rest:
            return bool(names)
        return any(_naive(rest, names[skip:]) for skip in range(len(names)))
    return bool(names) and fnmatchcase(names[0], steps[0]) and _naive(steps[1:], names[1:])


@given(
    st.lists(st.sampled_from(["**", "a", "b", "a*", "*", "*b"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["a", "b", "ab", "aab"]), max_size=5),
)
def test_across_folders_globs_mean_what_the_plain_definition_says(steps, folders):
    names = [*folders, "a.md"]
    wanted = _naive(steps, names)
    assert Selection(["."], ["/".join(steps)]).holds("/".join(names)) is not wanted


def test_a_hostile_glob_takes_no_long_time():
    globs = ["/".join(["**", "a*a*a*a*a*b"] * 20), "*" + "a*" * 60 + "b.md"]
    assert not any(map(glob_fault, globs))
    chosen = Selection(["."], globs)
    start = time.process_time()
    assert chosen.holds("a/" * 1000 + "a" * 200 + ".md")
    assert chosen.holds("a" * 200 + ".md")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("glob", "fault"),
    [
        ("!keep.md", "negated"),
        ("", "empty"),
        ("./", "empty"),
        ("**.md", "stars"),
        ("a/b**", "stars"),
        ("../x", "outside"),
        ("a/**/b*.md", ""),
    ],
)
def test_a_glob_that_cannot_be_used_says_why(glob, fault):
    assert glob_fault(glob) == fault


def test_the_deepest_folder_names_the_store_and_the_rest_is_one_more():
    stores = (("notes", ("notes",)), ("wisdom", ("wisdom", "notes/wisdom")))
    assert find_store("notes/a.md", stores) == "notes"
    assert find_store("notes/wisdom/a.md", stores) == "wisdom"
    assert find_store("wisdom/x/a.md", stores) == "wisdom"
    assert find_store("wisdomx/a.md", stores) == ""
    assert find_store("a.md", (("all", (".",)), *stores)) == "all"


def test_two_selections_of_the_same_settings_are_equal():
    assert Selection(["a"], ["b"]) == Selection(("a",), ("b",))
    assert hash(Selection(["a"])) == hash(Selection(["a"]))
    assert Selection(["a"]) != Selection(["b"])
    assert Selection(["a"]) != "a"
    assert repr(Selection(["a"])) == "Selection(('a',), ())"


@given(st.lists(st.sampled_from(["a", "README", ".b", "b.c", "", "x.md", ".md", "\n"]), max_size=5))
def test_the_quick_yes_for_paths_in_folders_is_what_the_pattern_says(steps):
    path = "/".join(steps) + ".md"
    assert WHOLE.holds(path) == Selection(exclude=["no/such/thing"]).holds(path)
