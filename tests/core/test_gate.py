"""The write gate as a table: seed 2's classes, the first row that fits, who proposes."""

import re
import tomllib

import pytest

from memtools.core.gate import Candidate, Circumstances, Proposer, Repeat, Verdict
from memtools.core.gate_policy import POLICY, decide
from memtools.core.settings import Gate
from tests.helpers import CHECKOUT

TRUSTING = Gate(input_trust="high")


def candidate(source="stated", confidence=0.9, cost="low", priority="normal"):
    return Candidate("A title", "Some text.", source, confidence, cost, "", priority)


def decided(given=None, policy=None, **around):
    kinds = frozenset(around.pop("findings", ()))
    found = decide(given or candidate(), policy or Gate(), Circumstances(findings=kinds, **around))
    return str(found.decision), found.rule


def test_what_a_person_states_at_low_cost_goes_straight_in():
    assert decided() == ("auto", "gate-stated")


def test_what_a_person_states_needs_no_confidence():
    assert decided(candidate(confidence=None)) == ("auto", "gate-stated")


def test_a_fact_over_the_threshold_waits():
    assert decided(candidate("extracted", 0.8)) == ("delayed", "gate-extracted")


@pytest.mark.parametrize("confidence", [0.79, 0.3, None])
def test_a_fact_that_is_not_sure_enough_needs_a_person(confidence):
    assert decided(candidate("extracted", confidence)) == ("review", "gate-not-sure-enough")


@pytest.mark.parametrize("confidence", [0.0, 0.29])
def test_very_low_confidence_is_rejected(confidence):
    assert decided(candidate(confidence=confidence)) == ("reject", "gate-unsure")


def test_inferred_attributes_are_not_stored_unless_the_settings_say_so():
    guess = candidate("inferred", 1.0)
    assert decided(guess) == ("reject", "gate-inferred")
    assert decided(guess, Gate(store_inferred=True)) == ("review", "gate-inferred-review")


def test_outside_content_needs_a_person_however_trusted_the_proposer_is():
    assert decided(candidate("external", 1.0), TRUSTING) == ("review", "gate-external")


def test_high_cost_needs_a_person():
    assert decided(candidate(cost="high")) == ("review", "gate-high-cost")


def test_a_memory_for_every_turn_needs_a_person():
    assert decided(candidate(priority="high")) == ("review", "gate-high-priority")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("secret", ("reject", "gate-secret")),
        ("personal", ("reject", "gate-personal")),
        ("doubtful", ("review", "gate-doubtful")),
        ("hidden", ("review", "gate-hidden")),
        ("mixed-script", ("review", "gate-hidden")),
        ("comment", ("review", "gate-hidden")),
        ("instruction", ("review", "gate-instruction")),
    ],
)
def test_what_is_found_in_the_text_decides_first(kind, expected):
    assert decided(findings=[kind]) == expected


def test_a_copy_of_a_retracted_memory_is_rejected_and_says_who_retracted_it():
    repeat = Repeat("a.md", "[[b]]", "2026-11-20T09:00:00+09:00", "it was the disk", True)
    found = decide(candidate(), Gate(), Circumstances(repeat=repeat))
    assert found.rule == "gate-reintroduction"
    assert found.reasons == (
        "it says again what a.md said, retracted by [[b]] on 2026-11-20 because: it was the disk",
    )
    assert decided(repeat=repeat._replace(is_copy=False)) == ("review", "gate-paraphrase")


def test_a_marker_against_a_loud_memory_is_never_approved_at_once():
    assert decided(targets=1) == ("auto", "gate-stated")
    assert decided(targets=1, loud=("a.md",)) == ("review", "gate-retracts-loud")


def test_a_marker_against_more_than_five_memories_is_never_approved_at_once():
    assert decided(targets=5) == ("auto", "gate-stated")
    assert decided(targets=6) == ("review", "gate-retracts-many")


def test_with_low_trust_an_agents_candidate_moves_one_step_towards_a_person():
    agent = {"proposer": Proposer.AGENT}
    assert decided(**agent) == ("delayed", "gate-stated")
    assert decided(candidate("extracted"), **agent) == ("review", "gate-extracted")
    assert decided(policy=TRUSTING, **agent) == ("auto", "gate-stated")
    assert decided(findings=["secret"], **agent) == ("reject", "gate-secret")


def test_what_comes_over_mcp_waits_for_a_person_whatever_it_claims():
    remote = {"proposer": Proposer.REMOTE}
    assert decided(policy=TRUSTING, **remote) == ("review", "gate-stated")
    assert decided(candidate("extracted"), TRUSTING, **remote) == ("review", "gate-extracted")


@pytest.mark.parametrize("source", ["stated", "extracted", "inferred", "external"])
@pytest.mark.parametrize("confidence", [None, 0.0, 0.3, 0.8, 1.0])
@pytest.mark.parametrize("cost", ["low", "high"])
def test_every_candidate_meets_a_row_and_only_cheap_statements_go_straight_in(
    source, confidence, cost
):
    given = candidate(source, confidence, cost)
    decision, _ = decided(given, TRUSTING)
    assert decided(given, TRUSTING)[0] == decision
    if decision == "auto":
        assert (source, cost) == ("stated", "low")


def test_the_page_shows_the_policy_as_it_is():
    page = (CHECKOUT / "docs" / "gate.md").read_text("utf-8")
    shown = re.findall(r"^\| `(gate-[a-z-]+)` \|[^|]*\| (\w+) \|$", page, re.MULTILINE)
    assert shown == [(row.rule, str(row.decision)) for row in POLICY]


def test_the_page_shows_the_defaults_of_the_table():
    page = (CHECKOUT / "docs" / "gate.md").read_text("utf-8")
    shown = page[page.index("```toml\n") :].removeprefix("```toml\n").partition("```")[0]
    assert tomllib.loads(shown) == {"gate": Gate()._asdict()}


def test_the_classes_are_those_of_the_interface():
    assert [str(word) for word in Verdict] == ["auto", "delayed", "review", "reject"]
