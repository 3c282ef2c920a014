"""The forms of the memory tool: paths, numbered lines, edits."""

import pytest

from memtools.core.memoryfile import insert_after, numbered, replace_once, repo_path, size_of


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/memories", ""),
        ("/memories/", ""),
        ("/memories/a.md", "a.md"),
        ("/memories/日本/a b.md", "日本/a b.md"),
        ("/memories/a/", "a"),
    ],
)
def test_a_path_below_the_root(path, found):
    assert repo_path(path) == found


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "memories/a.md",
        "/memoriesx/a.md",
        "/memories/../a.md",
        "/memories/a/../../b.md",
        "/memories/./a.md",
        "/memories//etc/passwd",
        "/memories/.git/config",
        "/memories/a/.hidden.md",
        "/memories/%2e%2e/a.md",
        "/memories/%2E%2e%2Fa.md",
        "/memories/a%5cb.md",
        "/memories/a\\..\\b.md",
        "/memories/a\0.md",
        "/memories/a\nb.md",
        "/memories/a\x1b[0m.md",
        "/memories/\udcff.md",
        "/memories/" + "x" * 1000,
        "/etc/passwd",
        "C:\\memories",
        None,
        5,
        ["/memories"],
    ],
)
def test_no_other_path_is_one(path):
    assert repo_path(path) is None


def test_lines_are_numbered_as_the_tool_shows_them():
    assert numbered("one\ntwo") == "     1\tone\n     2\ttwo"
    assert numbered("a\nb\nc\nd", 2, 3) == "     2\tb\n     3\tc"
    assert numbered("a\nb\nc", 2) == "     2\tb\n     3\tc"
    assert numbered("a", 5, 9) == ""


def test_a_long_text_is_shown_in_parts():
    shown = numbered("line\n" * 10_000)
    assert len(shown) < 20_000
    assert "more lines: view them with view_range" in shown.split("\n")[-1]


def test_one_place_is_replaced():
    assert replace_once("a\nb\nc", "/memories/x.md", "b", "B\nB") == ("a\nB\nB\nc", 2, "")


def test_no_place_or_several_are_told():
    told = replace_once("a\nb\na", "/memories/x.md", "a", "c").fault
    assert told == (
        "No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 3. "
        "Please ensure it is unique"
    )
    told = replace_once("a", "/memories/x.md", "b", "c").fault
    assert told == (
        "No replacement was performed, old_str `b` did not appear verbatim in /memories/x.md."
    )
    assert replace_once("a", "/memories/x.md", "", "c").fault


def test_lines_are_inserted():
    assert insert_after("a\nb", 0, "x\n").text == "x\na\nb"
    assert insert_after("a\nb", 1, "x").text == "a\nx\nb"
    assert insert_after("a\nb", 2, "x\ny\n").text == "a\nb\nx\ny"
    for line in (-1, 3):
        assert "[0, 2]" in insert_after("a\nb", line, "x").fault


def test_sizes_are_readable():
    assert [size_of(n) for n in (0, 1023, 5632, 1258291)] == ["0", "1023", "5.5K", "1.2M"]
