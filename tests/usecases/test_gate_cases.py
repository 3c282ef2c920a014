"""The labelled candidates through `propose --apply`: decisions, findings, and what must not appear.

Both as a person at a terminal and as an agent hand them in.
"""

import json
import zlib

import pytest

from memtools.usecases.proposing.propose import propose
from memtools.usecases.repository import open_repository
from tests.gate_cases import gate_cases
from tests.helpers import part_of

STEPS = {"auto": "delayed", "delayed": "review"}


def handed_in(repo, case, **options):
    """Commit what a case needs, propose its candidate, return the answer."""
    settings = {**case["config"], "input_trust": case["input_trust"]}
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
    files = {memory["path"]: memory["text"] for memory in case["existing"]}
    repo.save({".memtools.toml": "[gate]\n" + "".join(lines), **files})
    return propose(
        open_repository(str(repo.top)),
        case["body"].encode(),
        source=case["source"],
        title=case["title"] or "",
        confidence=case["confidence"],
        failure_cost=case["failure_cost"] or "",
        scope=case["scope"] or "",
        apply=True,
        **options,
    )


def kept(repo):
    """All bytes below the repository, git's objects unpacked."""
    found = [path.read_bytes() for path in repo.top.rglob("*") if path.is_file()]
    objects = repo.path(".git/objects").glob("??/*")
    return b"\n".join([*found, *(zlib.decompress(path.read_bytes()) for path in objects)])


@pytest.mark.parametrize("case", part_of(gate_cases(), 2), ids=lambda case: case["id"])
def test_a_labelled_candidate_is_decided_as_a_careful_owner_would(repo, tried, case):
    tried("R11")
    found = handed_in(repo, case)
    assert found.decision in (case["expected"], *case["acceptable"]), found.reasons
    assert (case["rule"] or "") in found.rule
    assert found.findings or not case["finding"]
    assert case["lookalike"] in (None, *(one.path for one in found.lookalikes))
    said = repr(found) + "".join(found.reasons)
    assert not [text for text in case["must_not_appear"] if text in said]
    if found.decision == "reject":
        assert (found.path, found.applied) == ("", False)
        stored = kept(repo)
        assert not [text for text in case["must_not_appear"] if text.encode() in stored]
    else:
        assert found.applied
        if case["must_not_appear"]:
            assert not [text for text in case["must_not_appear"] if text in found.path]


@pytest.mark.parametrize(
    "case",
    part_of([case for case in gate_cases() if case["expected"] in STEPS and not case["existing"]]),
    ids=lambda case: case["id"],
)
def test_an_agents_candidate_is_one_step_nearer_to_a_person(repo, case):
    found = handed_in(repo, case, by_agent=True)
    low = case["input_trust"] == "low"
    wanted = STEPS[case["expected"]] if low else case["expected"]
    assert found.decision in (wanted, *(() if low else case["acceptable"]), "review")
    assert found.decision != "auto" or not low
