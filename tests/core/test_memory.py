"""What one memory file says, how far it may be exposed, and what is reported about it."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtools.core.edit import Set, change
from memtools.core.memory import MAX_FILE, Exposure, read_memory, stem
from memtools.core.vocabulary import DEFAULT, Priority, Status
from tests.helpers import examples


def memory(header, body="# Heading\n\ntext\n", path="notes/a.md", vocabulary=DEFAULT):
    raw = f"---\n{header}---\n{body}".encode()
    return read_memory(path, raw, vocabulary)


def rules(found):
    return [(problem.rule, problem.line) for problem in found.problems]


def is_exposed(found):
    return found.exposure is not Exposure.NONE and found.status is Status.ACTIVE


def test_every_field_of_a_full_memory_is_read():
    found = memory(
        "id: 007\ntitle: Sync\naliases: [sync note, 同期]\npriority: p0\nstatus: Accepted\n"
        "scope: app\ntags: '#a, b'\nsource: Stated\nconfidence: 0.80\nfailure_cost: high\n"
        "derived_from: [[raw]]\ncreated: 2026-01-02\nreason: guessed\nretracted_at: x\n"
        "retracted_by: '[[y]]'\nretracted_reason: z\nrestored_at: v\nrestored_reason: w\n"
    )
    assert found == found._replace(
        path="notes/a.md", status=Status.ACTIVE, exposure=Exposure.FULL, title="Sync",
        body="# Heading\n\ntext\n", body_line=21, id="007", aliases=("sync note", "同期"),
        priority=Priority.HIGH, scope="app", tags=("a", "b"), source="stated", confidence=0.8,
        failure_cost="high", derived_from=("[[raw]]",), created="2026-01-02", reason="guessed",
        retracted_at="x", retracted_by="[[y]]", retracted_reason="z", restored_at="v",
        restored_reason="w", problems=(), has_header=True,
    )  # fmt: skip


def test_a_file_without_header_is_an_active_memory_with_default_fields():
    found = read_memory("notes/sub/Sync.MD", b"\xef\xbb\xbfwords\r\nmore\rend")
    assert (found.status, found.exposure) == (Status.ACTIVE, Exposure.FULL)
    assert (found.title, found.id, found.priority) == ("Sync", "notes/sub/Sync", Priority.NORMAL)
    assert (found.body, found.body_line, found.has_header) == ("words\nmore\nend", 1, False)
    assert (found.problems, found.confidence, found.scope) == ((), None, "")


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("text\n\n## Second level ##\n# Later\n", "Second level"),
        ("```\n# in code\n```\n   # C# notes\n", "C# notes"),
        ("~~~\n# in code\n```\n# still\n~~~\n#no heading\n#\n# x\n", "x"),
        ("no heading\n", "a"),
        ("    # code\n", "a"),
        ("#\n", "a"),
    ],
)
def test_the_title_is_the_field_else_the_first_heading_else_the_file_name(body, title):
    assert memory("", body).title == title
    assert memory("title: >\n  from the\n  field\n", body).title == "from the field"
    assert memory("title: ~\n", body).title == title


def test_a_byte_order_mark_is_not_text_and_hides_no_field():
    """python-frontmatter reads no field here: https://github.com/agentscope-ai/agentscope/issues/2732."""
    raw = b"\xef\xbb\xbf---\r\nstatus: retracted\r\n---\r\n# Title\r\n"
    found = read_memory("a.md", raw)
    assert (found.status, found.title, found.body_line) == (Status.RETRACTED, "Title", 4)


@pytest.mark.parametrize("header", ["", "status:\n", "status: ''\n", "status: # later\n"])
def test_a_status_without_value_counts_as_absent(header):
    assert is_exposed(memory(header))
    assert memory(header).problems == ()


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("maybe", "status-unknown"),
        ("no", "status-unknown"),
        ("[retracted]", "status-not-text"),
        ("{a: b}", "status-not-text"),
        ("\n  phase: beta", "status-not-text"),
        ("\n- active", "status-not-text"),
    ],
)
def test_a_status_that_is_not_surely_active_is_not_exposed_and_reported_with_its_line(value, rule):
    found = memory(f"title: x\nstatus: {value}\n")
    assert (found.status, found.exposure) == (Status.UNKNOWN, Exposure.NONE)
    assert rules(found) == [(rule, 3)]


def test_of_a_status_that_stands_twice_the_most_restrictive_counts():
    for first, second, status in [
        ("active", "retracted", Status.RETRACTED),
        ("retracted", "active", Status.RETRACTED),
        ("draft", "active", Status.CANDIDATE),
        ("active", "maybe", Status.UNKNOWN),
        ("active", "active", Status.ACTIVE),
        ("active", "", Status.ACTIVE),
    ]:
        for extra in ("", "x: {y: z}\n"):
            found = memory(f"status: {first}\n{extra}status: {second}\n")
            assert found.status is status
            assert ("header-duplicate-key", 3 + bool(extra)) in rules(found)


def test_of_a_field_that_stands_twice_the_most_restrictive_value_counts():
    """Whichever comes last."""
    for key, restricts, other, read in [
        ("source", "external", "stated", lambda m: m.source == "external"),
        ("source", "inferred", "extracted", lambda m: m.source == "inferred"),
        ("source", "extracted", "of mine", lambda m: m.source == "extracted"),
        ("confidence", "0.2", "0.9", lambda m: m.confidence == 0.2),
        ("failure_cost", "high", "low", lambda m: m.failure_cost == "high"),
        ("priority", "low", "high", lambda m: m.priority is Priority.LOW),
        ("scope", "a", "b", lambda m: not m.is_scope_sure),
    ]:
        for first, second in ((restricts, other), (other, restricts)):
            found = memory(f"{key}: {first}\n{key}: {second}\n")
            assert read(found), (key, first, second)
            assert ("header-duplicate-key", 3) in rules(found)


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ("Status: Withdrawn\n", Status.RETRACTED),
        ("STATUS: draft\n", Status.CANDIDATE),
        ("Status: Accepted\n", Status.ACTIVE),
        ("Status: maybe\n", Status.UNKNOWN),
    ],
)
def test_status_in_other_capitals_restricts_like_status(header, status):
    found = memory(header)
    assert found.status is status
    assert ("header-key-case", 2) in rules(found)


def test_status_in_other_capitals_counts_for_nothing_beside_the_lower_case_one():
    found = memory("Status: Withdrawn\nstatus: active\n")
    assert (found.status, found.problems) == (Status.ACTIVE, ())


@pytest.mark.parametrize(
    "line", ["note: a: b", "author: @x", "d: 2024-13-45", "a: !t b", "t: 'open"]
)
def test_a_header_no_parser_accepts_is_for_search_alone(line):
    found = memory(f"{line}\npriority: high\n")
    assert (found.status, found.exposure) == (Status.ACTIVE, Exposure.SEARCH_ONLY)
    assert [problem.rule for problem in found.problems] == ["header-yaml-unreadable"]
    assert memory(f"{line}\nstatus: retracted\n").status is Status.RETRACTED
    assert memory(f"{line}\nstatus: maybe\n").exposure is Exposure.NONE
    assert memory(f"{line}\nstatus: active\nstatus: active\n").exposure is Exposure.NONE
    assert memory(f"{line}\nstatus:\n  phase: beta\n").exposure is Exposure.NONE


@pytest.mark.parametrize(
    ("raw", "rule"),
    [
        (b"---\nstatus: active\n", "header-unclosed"),
        (b"---\rstatus: active\r---\r", "header-cr-only"),
        (b"\xff\xfe-\0-\0-\0\n\0", "header-utf16"),
        (b"---\ntitle: \x95\xb6\n---\n", "header-not-utf8"),
        (b'{"status": "active"}\n', "header-json"),
        (b"---\n- a\n---\n", "header-not-mapping"),
        (b"---\n" + b"k: v\n" * 100_000 + b"---\n", "file-too-large"),
        (b"---\n" + b"k: v\n" * 4_000 + b"---\n", "header-too-large"),
        (b"x" * (MAX_FILE + 1), "file-too-large"),
        (b"+++\nstatus = \n+++\n", "header-toml"),
    ],
)
def test_what_cannot_be_read_for_sure_fails_closed(raw, rule):
    found = read_memory("a.md", raw)
    assert found.exposure is Exposure.NONE
    assert [problem.rule for problem in found.problems] == [rule]
    assert found.problems[0].is_error


def test_a_toml_header_is_read():
    found = read_memory("a.md", b'+++\ntitle = "x"\nstatus = "Deprecated"\n+++\nbody\n')
    assert (found.title, found.status) == ("x", Status.RETRACTED)
    assert rules(found) == [("header-toml", 1)]


def test_a_body_that_is_not_utf8_is_for_search_alone():
    found = read_memory("a.md", b"---\na: b\n---\none\n\x95\xb6\n")
    assert (found.exposure, rules(found)) == (Exposure.SEARCH_ONLY, [("body-not-utf8", 5)])
    assert found.body == "one\n\ufffd\ufffd\n"


def test_two_scopes_keep_a_memory_out_of_the_activation_layer():
    assert memory("scope: a\nscope: b\n").exposure is Exposure.SEARCH_ONLY
    assert memory("scope: a\nscope: a\n").exposure is Exposure.FULL
    assert memory("scope: [a, b]\n").exposure is Exposure.SEARCH_ONLY


@pytest.mark.parametrize("value", ["2", "-1", "nan", "high", "[1]", "1e-1", "１"])
def test_a_confidence_out_of_range_is_reported(value):
    found = memory(f"confidence: {value}\n")
    assert (found.confidence, rules(found)) == (None, [("field-invalid", 2)])


def test_of_repeated_fields_the_careful_value_counts():
    found = memory("priority: high\npriority: low\nconfidence: 0.9\nconfidence: .2\n"
                   "failure_cost: low\nfailure_cost: high\nfailure_cost: low\n")  # fmt: skip
    assert (found.priority, found.confidence, found.failure_cost) == (Priority.LOW, 0.2, "high")


def test_a_word_outside_the_priorities_is_normal_and_reported():
    found = memory("priority: gigantic\n")
    assert (found.priority, rules(found)) == (Priority.NORMAL, [("priority-unknown", 2)])
    assert memory("priority: ~\n").problems == ()


def test_null_and_missing_fields_are_no_problem():
    """A null field broke a whole sync: https://github.com/basicmachines-co/basic-memory/pull/368."""
    keys = [
        "id",
        "title",
        "aliases",
        "tags",
        "source",
        "scope",
        "created",
        "derived_from",
        "confidence",
        "failure_cost",
    ]
    for value in ("", "null", "~"):
        found = memory("".join(f"{key}: {value}\n" for key in keys))
        assert found.problems == ()
        assert found.id == "notes/a"


def test_a_vocabulary_decides_what_a_word_means():
    mine = DEFAULT.extended({"gone": "retracted"}, {})
    assert memory("status: Gone\n", vocabulary=mine).status is Status.RETRACTED


@pytest.mark.parametrize(
    ("path", "name"),
    [("a/b.md", "b"), ("b.MD", "b"), ("a.b.md", "a.b"), ("場面設計.md", "場面設計"), ("x/y", "y")],
)
def test_the_stem_is_the_file_name_without_suffix(path, name):
    assert stem(path) == name


@given(
    st.binary(max_size=100) | st.binary(max_size=80).map(lambda tail: b"---\n" + tail + b"\n---\nx")
)
@settings(max_examples=examples(300), deadline=None)
def test_any_bytes_make_a_memory(raw):
    found = read_memory("a.md", raw)
    assert isinstance(found.body, str)
    assert found.problems or found.exposure is Exposure.FULL


def test_an_ordinary_memory_is_read_and_edited_without_heavy_imports():
    code = """
import sys
from memtools.core.edit import Set, change
from memtools.core.memory import read_memory
raw = b"---\\ntitle: x\\nstatus: active\\ntags: [a]\\n---\\n# y\\n"
read_memory("a.md", raw)
change("a.md", raw, [Set("status", "retracted"), Set("retracted_by", "[[x]]")])
print(*sorted({"yaml", "dataclasses", "subprocess", "json", "pathlib", "tomllib"} & {*sys.modules}))
"""
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "\n"


@pytest.mark.parametrize(
    ("header", "scope", "is_sure"),
    [
        ("title: x\n", "", True),
        ("scope:\n", "", True),
        ("scope: a\nscope: a\n", "a", True),
        ("scope: a\nscope: b\n", "", False),
        ("scope: [a]\n", "", False),
        ("scope: {a: b}\n", "", False),
        ('scope: "\\u200b"\n', "\u200b", False),
        ("Scope: a\n", "a", True),
        ("SCOPE: [a]\n", "", False),
        ("scope: a\nScope: b\n", "a", True),
    ],
)
def test_a_scope_that_may_be_another_projects_is_not_taken_for_none(header, scope, is_sure):
    found = memory(header)
    assert (found.scope, found.is_scope_sure) == (scope, is_sure)
    assert (found.exposure is Exposure.FULL) is is_sure


def test_a_scope_in_other_capitals_is_reported():
    assert rules(memory("Scope: a\n")) == [("header-key-case", 2)]


def test_a_tombstone_that_makes_a_file_too_large_still_counts():
    raw = b"word " * (MAX_FILE // 5)
    edited = change("n.md", raw, [Set("status", "retracted")])
    assert len(raw) <= MAX_FILE < len(edited.data)
    assert read_memory("n.md", edited.data).status is Status.RETRACTED
    still_active = edited.data.replace(b"retracted", b"active")
    assert read_memory("n.md", still_active).exposure is Exposure.NONE
