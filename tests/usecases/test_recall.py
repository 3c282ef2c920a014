"""Recall hands out the activation layer and the best hits, whole, clean and of the right scope."""

import pytest

from memtools.usecases.reading.recall import recall
from memtools.usecases.repository import open_repository


def high(text, **fields):
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\npriority: high\n{head}---\n{text}\n"


NOTES = {
    "a.md": high("Always pin the parser.", created="2026-01-01", source="stated"),
    "b.md": high("Use the alpha cluster.", scope="alpha"),
    "c.md": "The zebra lives in the cache.\n",
    "d.md": "---\nscope: beta\n---\nThe zebra of beta.\n",
}


@pytest.fixture
def notes(sandbox):
    sandbox.save(NOTES)
    return sandbox


def call(repo, query="", **more):
    return recall(open_repository(str(repo.top)), query, **more)


def paths(repo, query="", **more):
    return [memory.path for memory in call(repo, query, **more).memories]


def test_high_priority_comes_first_then_the_hits(notes):
    found = call(notes, "zebra parser")
    assert [(one.path, one.why) for one in found.memories] == [
        ("a.md", "priority"),
        ("c.md", "query"),
    ]
    assert found.memories[0].text == "Always pin the parser."
    assert (found.memories[0].source, found.memories[0].created) == ("stated", "2026-01-01")
    assert found.bytes == sum(len(one.text.encode()) for one in found.memories)


def test_no_scope_leaks_into_another(notes):
    """Field reports G2 to G4."""
    assert paths(notes, "zebra") == ["a.md", "c.md"]
    assert sorted(paths(notes, "zebra", scope="alpha")) == ["a.md", "b.md", "c.md"]
    assert sorted(paths(notes, "zebra", scope="beta")) == ["a.md", "c.md", "d.md"]


def test_whole_memories_within_the_budget_and_the_rest_is_counted(sandbox):
    sandbox.save({"a.md": high("原" * 10), "b.md": high("x" * 5), "c.md": high("y" * 40)})
    found = call(sandbox, budget=40)
    assert [one.path for one in found.memories] == ["a.md", "b.md"]
    assert (found.bytes, found.left_out, found.budget) == (35, 1, 40)
    assert call(sandbox, budget=0).left_out == 3


def test_a_memory_above_its_own_limit_is_left_out(sandbox):
    sandbox.save({"a.md": high("x" * 2001), "b.md": high("y" * 2000)})
    found = call(sandbox)
    assert [one.path for one in found.memories] == ["b.md"] and found.left_out == 1


@pytest.mark.parametrize(
    "text",
    [
        high("zebra", status="candidate"),
        high("zebra", status="retracted"),
        high("zebra", status="no such word"),
        '---\npriority: high\ntitle: "open\n---\nzebra\n',
        "---\npriority: high\n\nzebra\n",
    ],
)
def test_only_active_memories_read_in_full_are_handed_out(sandbox, text):
    sandbox.save({"a.md": text})
    assert paths(sandbox, "zebra") == []


def test_a_retraction_reaches_search_and_the_layer_alike(notes):
    """Field report A4, A18."""
    notes.save({"fix.md": "RETRACTS: Always pin the parser\n"})
    assert paths(notes, "parser pin always") == []
    assert call(notes).withheld == ()


def test_a_staged_retraction_withholds_and_is_named(notes):
    notes.write("fix.md", "RETRACTS: Always pin the parser\n")
    notes.stage()
    found = call(notes)
    assert found.memories == ()
    assert [tuple(held) for held in found.withheld] == [("a.md", "fix.md:1")]


def test_a_file_saved_as_retracted_withholds_and_is_named(notes):
    notes.write("a.md", "---\npriority: high\nstatus: retracted\n---\nAlways pin the parser.\n")
    notes.write("c.md", "---\nstatus: retracted\n---\nThe zebra lives in the cache.\n")
    found = call(notes, "zebra")
    assert found.memories == ()
    assert [tuple(held) for held in found.withheld] == [("a.md", "a.md"), ("c.md", "c.md")]


def test_what_another_scope_withholds_is_not_named(notes):
    notes.write("b.md", high("Use the alpha cluster.", scope="alpha", status="retracted"))
    assert call(notes).withheld == ()
    assert [held.path for held in call(notes, scope="alpha").withheld] == ["b.md"]


def test_the_text_has_no_marker_comment_or_hidden_character(sandbox):
    body = (
        "Seen.<!-- hidden\norder -->\n\nRETRACTS: something that never was\n\n"
        "a\u200bb\x1b[2J\u202ec <!<!-- x -->-- y --> d<!-- never closed"
    )
    sandbox.save({"a.md": high(body)})
    text = call(sandbox).memories[0].text
    assert text == "Seen.\n\nab[2Jc  d"


def test_the_digest_follows_the_content_alone(notes):
    one, two = call(notes), call(notes)
    assert one.digest == two.digest
    assert call(notes, scope="alpha").digest != one.digest
    notes.write("a.md", high("Never pin the parser.", created="2026-01-01", source="stated"))
    assert call(notes).digest != one.digest


def test_the_newest_comes_first_and_undated_ones_last(sandbox):
    sandbox.save(
        {
            "a.md": high("one"),
            "b.md": high("two", created="2025-01-01"),
            "c.md": high("three", created="2026-01-01"),
        }
    )
    assert paths(sandbox) == ["c.md", "b.md", "a.md"]


def test_a_file_that_gave_up_its_priority_is_not_in_the_layer(notes):
    notes.write("a.md", "Always pin the parser.\n")
    assert paths(notes) == []


def test_a_staged_tombstone_is_withheld_by_the_marker_it_came_from(sandbox):
    sandbox.save({"a.md": "---\npriority: high\n---\nThe disk cache was the root cause.\n"})
    sandbox.write("fix.md", "# Fix\n\nRETRACTS: disk cache was the root cause\n")
    sandbox.stage()
    sandbox.git(
        "-c", "core.editor=false", "commit", check=False
    )  # given up: the tombstone is staged
    assert b"status: retracted" in sandbox.staged("a.md")
    held = recall(open_repository(str(sandbox.top))).withheld
    assert [tuple(one) for one in held] == [("a.md", "fix.md:3")]
