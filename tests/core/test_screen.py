"""All screens over the labelled set: what is planted is found, what is innocent is not."""

import pytest

from memtools.core.screen import screen
from tests.gate_cases import gate_cases

CASES = gate_cases()
KIND = {"pii": "personal"}
# The one innocent line a person may look at: twelve digits whose check digit fits by chance.
DOUBTFUL = {"D108"}


def screened(case):
    return screen(f"{case['title'] or ''}\n{case['body']}")


def named(cases):
    return [pytest.param(case, id=case["id"]) for case in cases]


@pytest.mark.parametrize("case", named(c for c in CASES if c["finding"]))
def test_what_is_planted_is_found(case):
    kind = KIND.get(case["finding"], case["finding"])
    found = [one for one in screened(case) if one.kind == kind]
    assert found
    assert kind == "hidden" or any(one.is_certain for one in found)


@pytest.mark.parametrize("case", named(c for c in CASES if c["kind"] == "injected"))
def test_orders_to_an_assistant_are_found(case):
    assert {one.kind for one in screened(case)} & {"instruction", "comment"}


@pytest.mark.parametrize("case", named(c for c in CASES if c["innocent"]))
def test_innocent_text_has_no_finding(case):
    found = screened(case)
    assert found == () if case["id"] not in DOUBTFUL else not any(one.is_certain for one in found)


@pytest.mark.parametrize("case", named(c for c in CASES if c["must_not_appear"]))
def test_a_finding_does_not_hold_what_was_found(case):
    shown = repr(screened(case))
    assert not [text for text in case["must_not_appear"] if text in shown]
