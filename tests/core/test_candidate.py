"""The bytes of a candidate: provenance is the tool's, all else stays as it came."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.candidate import PROVENANCE, Provenance, candidate_bytes, unfit
from memtools.core.header import split
from memtools.core.memory import read_memory
from memtools.core.problem import Problem

TOOL = Provenance("external", 0.5, "low", "2026-11-29T12:00:00+09:00", gate="gate-external")
KEYS = st.sampled_from(
    ["status", "Status", "source", "confidence", "failure_cost", "title", "x", "gate", "scope"]
)
VALUES = st.sampled_from(
    ["active", "stated", "1.0", "high", "[a, b]", "&a b", "*a", "!x y", "|", "'q", '"w"', "", "~"]
)
LINES = st.tuples(KEYS, VALUES).map(lambda pair: f"{pair[0]}: {pair[1]}")
HEADERS = st.lists(LINES, max_size=6).map(lambda lines: "".join(f"{line}\n" for line in lines))
BODIES = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


def made(raw, **options):
    options = {"title": "", "scope": "", "is_active": False, **options}
    return candidate_bytes("inbox/a.md", raw, TOOL, **options)


@given(HEADERS, BODIES)
def test_a_candidate_never_says_another_provenance_and_its_body_stays(header, body):
    raw = f"---\n{header}---\n{body}".encode()
    data = made(raw)
    if isinstance(data, Problem):
        return
    assert split(data).body == split(raw).body
    memory = read_memory("inbox/a.md", data)
    assert (memory.status, memory.source, memory.confidence) == ("candidate", "external", 0.5)
    assert memory.failure_cost == "low"


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_kept(raw):
    if unfit(raw) is not None:
        return
    data = made(raw)
    assert isinstance(data, Problem) or split(data).body == split(raw).body


@given(BODIES)
def test_a_text_without_front_matter_gets_one_and_stays(body):
    raw = f"x{body}".encode()
    if unfit(raw) is None:
        assert made(raw).endswith(raw)


def test_unknown_keys_comments_and_order_stay():
    raw = b"---\nb:   [1,  2]  # two\na: |\n  text\n# a comment\nsource: stated\n---\nBody.\n"
    data = made(raw)
    assert b"b:   [1,  2]  # two\na: |\n  text\n# a comment\n" in data
    assert b"original_" not in data


def test_a_foreign_value_of_our_keys_is_kept_beside_ours():
    raw = b"---\nsource:\n  - https://a.example\nstatus: evergreen\nconfidence: sure\n---\nBody.\n"
    data = made(raw)
    assert b"original_source:\n  - https://a.example\n" in data
    assert b"original_status: evergreen\n" in data
    assert b"original_confidence: sure\n" in data


@pytest.mark.parametrize("key", PROVENANCE)
def test_what_the_tool_leaves_empty_is_taken_out(key):
    raw = f"---\n{key}: 2020-01-01\n---\nBody.\n".encode()
    data = made(raw)
    said = getattr(TOOL, key, "")
    assert (f"\n{key}: ".encode() in data) == bool(said)


@pytest.mark.parametrize("confidence", [0.0, 0.00001, 0.3, 1.0, 1 / 3])
def test_any_confidence_reads_back(confidence):
    provenance = TOOL._replace(confidence=confidence)
    data = candidate_bytes("a.md", b"x\n", provenance, title="", scope="", is_active=False)
    assert abs(read_memory("a.md", data).confidence - confidence) < 0.0001
