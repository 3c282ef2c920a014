"""`new`: an empty memory with a title."""

import pytest

from memtools.core.memory import read_memory
from memtools.errors import RefusedError, UsageError
from memtools.usecases.changing.new import create_memory, slug
from memtools.usecases.repository import open_repository


def call(sandbox, title, **options):
    return create_memory(open_repository(str(sandbox.top)), title, **options).path


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("場面設計", "場面設計"),
        ("Why the Sync failed!", "why-the-sync-failed"),
        ("  Über  Größe / 2 ", "über-größe-2"),
        ("DNSの原因：再考", "dnsの原因-再考"),
        ("cafe\u0301", "café"),
        ("हिन्दी", "हिन्दी"),
        ("../../etc/passwd", "etc-passwd"),
        ("***", "memory"),
        ("con", "con-memory"),
        ("長" * 200, "長" * 33),
    ],
)
def test_the_name_keeps_the_letters_of_the_title(title, name):
    assert slug(title) == name


def test_without_options_the_title_is_a_heading_and_there_is_no_front_matter(sandbox):
    assert call(sandbox, "Why it failed") == "why-it-failed.md"
    assert sandbox.read("why-it-failed.md") == b"# Why it failed\n"
    assert sandbox.status() == "?? why-it-failed.md\n"


def test_fields_that_are_asked_for_make_front_matter(sandbox):
    path = call(sandbox, "原因: DNS?", priority="high", scope="web", tags=("同期", "dns"))
    assert sandbox.read(path).decode() == (
        "---\ntitle: '原因: DNS?'\npriority: high\nscope: web\ntags:\n- 同期\n- dns\n---\n"
    )
    memory = read_memory(path, sandbox.read(path))
    assert (memory.title, memory.priority, memory.tags) == ("原因: DNS?", "high", ("同期", "dns"))
    assert memory.problems == ()


@pytest.mark.parametrize("title", ["C #", "# odd", "a\nb", "---", "x" * 300, "`code` *x*"])
def test_the_title_is_read_back_as_it_was_given(sandbox, title):
    path = call(sandbox, title)
    assert read_memory(path, sandbox.read(path)).title == " ".join(title.split())


def test_a_name_that_is_taken_gets_a_number(sandbox):
    assert [call(sandbox, "Note"), call(sandbox, "note!"), call(sandbox, "Note")] == [
        "note.md",
        "note-2.md",
        "note-3.md",
    ]


def test_a_name_only_git_knows_is_taken_too(sandbox):
    sandbox.save({"note.md": "x\n"})
    sandbox.path("note.md").unlink()
    assert call(sandbox, "Note") == "note-2.md"


def test_a_name_of_the_repositorys_own_papers_is_passed_over(sandbox):
    assert call(sandbox, "Readme") == "readme-2.md"


def test_it_goes_below_the_first_root_that_can_take_it(sandbox):
    sandbox.write(".memtools.toml", 'roots = ["one.md", "notes/deep", "b"]\nexclude = ["b"]\n')
    sandbox.write("one.md", "x\n")
    assert call(sandbox, "A") == "notes/deep/a.md"
    sandbox.write(".memtools.toml", 'roots = ["one.md"]\n')
    with pytest.raises(RefusedError):
        call(sandbox, "A")


@pytest.mark.parametrize(("title", "options"), [(" ", {}), ("A", {"priority": "loud"})])
def test_wrong_use_is_said(sandbox, title, options):
    with pytest.raises(UsageError):
        call(sandbox, title, **options)
    assert sandbox.status() == ""
