"""Rule 20: an agent in haste retracts nothing that a person stated or ranked high."""

import pytest

from tests.e2e.scene import (
    given,
    is_retracted,
    lesson,
    memory,
    put,
    retracts,
    state,
)

AGENT = {"MEMTOOLS_AGENT": "claude"}
HIGH = memory(lesson("one"), "title: Target\npriority: high\n")
STATED = memory(lesson("one"), "title: Target\nsource: stated\n")
PLAIN = memory(lesson("one"))


@pytest.mark.parametrize(
    ("target", "why"), [(HIGH, "high priority"), (STATED, "stated by a person")]
)
def test_an_agents_marker_against_an_important_memory_is_refused_with_the_line_to_type(
    sandbox, target, why
):
    given(sandbox, {"t.md": target})
    put(sandbox, {"fix.md": retracts(lesson("one"))})
    before = state(sandbox)
    refused = sandbox.commit("Fix", code=1, env=AGENT)
    first, *rest = refused.err.split("\n")
    assert first.startswith(f"memtools: fix.md:4: an agent cannot retract t.md ({why}); ")
    assert "memtools propose fix.md --source extracted --apply" in first
    assert len(first) <= 160
    assert "retract-by-agent" in rest[0] and "only a candidate" in refused.err
    assert state(sandbox) == before
    sandbox.commit("Fix by a person")
    assert is_retracted(sandbox, "t.md")


def test_an_ordinary_memory_is_retracted_by_an_agent_as_by_anyone(sandbox):
    given(sandbox, {"t.md": PLAIN})
    put(sandbox, {"fix.md": retracts(lesson("one"))})
    sandbox.commit("Fix", env=AGENT)
    assert is_retracted(sandbox, "t.md")


def test_lowering_its_priority_in_the_same_commit_opens_nothing(sandbox):
    given(sandbox, {"t.md": HIGH})
    put(sandbox, {"t.md": PLAIN, "fix.md": retracts(lesson("one"))})
    assert "retract-by-agent" in sandbox.commit("Fix", code=1, env=AGENT).err


def test_renaming_it_in_the_same_commit_opens_nothing(sandbox):
    given(sandbox, {"t.md": HIGH})
    sandbox.git("mv", "t.md", "u.md")
    put(sandbox, {"u.md": PLAIN, "fix.md": retracts(lesson("one"))})
    assert "retract-by-agent" in sandbox.commit("Fix", code=1, env=AGENT).err


def test_a_memory_that_goes_along_with_its_source_is_guarded_too(sandbox):
    derived = "---\ntitle: Wisdom\npriority: high\nderived_from: t.md\n---\nDrawn from it.\n"
    given(sandbox, {"t.md": PLAIN, "w.md": derived})
    put(sandbox, {"fix.md": retracts(lesson("one"))})
    refused = sandbox.commit("Fix", code=1, env=AGENT)
    assert "an agent cannot retract w.md (high priority)" in refused.err


def test_in_a_candidate_the_marker_is_pending_and_passes(sandbox):
    given(sandbox, {"t.md": HIGH})
    put(sandbox, {"fix.md": retracts(lesson("one"), header="title: Fix\nstatus: candidate\n")})
    sandbox.commit("Propose", env=AGENT)
    assert sandbox.show("HEAD", "t.md").decode() == HIGH


def test_letting_its_own_candidate_in_is_refused_like_a_new_marker(sandbox):
    given(sandbox, {"t.md": HIGH})
    put(sandbox, {"fix.md": retracts(lesson("one"), header="title: Fix\nstatus: candidate\n")})
    sandbox.commit("Propose", env=AGENT)
    put(sandbox, {"fix.md": retracts(lesson("one"), header="title: Fix\nstatus: active\n")})
    assert "retract-by-agent" in sandbox.commit("Let it in", code=1, env=AGENT).err
    sandbox.commit("A person lets it in")
    assert is_retracted(sandbox, "t.md")


def test_a_marker_of_an_earlier_commit_does_not_stop_an_agents_next_one(sandbox):
    given(sandbox, {"t.md": HIGH, "fix.md": retracts(lesson("one"))})
    put(sandbox, {"x.txt": "x"})
    sandbox.commit("Other work", env=AGENT)


def test_an_agents_merge_of_a_branch_that_retracts_is_not_stopped(sandbox):
    """What a parent holds is not this commit's."""
    given(sandbox, {"t.md": HIGH})
    sandbox.git("checkout", "-q", "-b", "side")
    put(sandbox, {"fix.md": retracts(lesson("one"))})
    sandbox.commit("Fix by a person")
    sandbox.git("checkout", "-q", "main")
    put(sandbox, {"x.txt": "x"})
    sandbox.commit("Other work")
    sandbox.git("merge", "-q", "--no-edit", "side", env=AGENT)
    assert is_retracted(sandbox, "t.md")


def test_unattended_it_is_never_stopped_and_stays_open_and_is_told(sandbox):
    """Rule 14b."""
    given(sandbox, {"t.md": HIGH})
    put(sandbox, {"fix.md": retracts(lesson("one"))})
    sandbox.commit("vault backup", env={**AGENT, "MEMTOOLS_UNATTENDED": "1"})
    assert sandbox.show("HEAD", "t.md").decode() == HIGH
    put(sandbox, {"x.txt": "x"})
    assert "fix.md:4: retract-by-agent: " in sandbox.commit("A person's own").err


FIX = {"fix.md": retracts(lesson("one"))}
VITAL = '[vocabulary.priority]\nvital = "%s"\n'
SETTINGS = {
    "another meaning of its word": (
        {"t.md": HIGH.replace("high", "vital"), ".memtools.toml": VITAL % "high"},
        {**FIX, ".memtools.toml": VITAL % "low"},
    ),
    "a file that becomes a memory": (
        {"t.md": HIGH, **FIX, ".memtools.toml": 'exclude = ["fix.md"]\n'},
        {".memtools.toml": ""},
    ),
}


@pytest.mark.parametrize("way", SETTINGS)
def test_settings_of_the_same_commit_open_nothing(sandbox, way):
    before, after = SETTINGS[way]
    given(sandbox, before)
    put(sandbox, after)
    assert "retract-by-agent" in sandbox.commit("Fix", code=1, env=AGENT).err
    sandbox.commit("Fix by a person")
    assert is_retracted(sandbox, "t.md")


def test_a_candidate_that_is_moved_when_it_is_let_in_is_refused_too(sandbox):
    candidate = retracts(lesson("one")).replace("---\n", "---\nstatus: candidate\n", 1)
    given(sandbox, {"t.md": HIGH, "inbox/fix.md": candidate})
    sandbox.git("rm", "-q", "inbox/fix.md")
    put(sandbox, {"fix.md": candidate.replace("candidate", "active")})
    assert "retract-by-agent" in sandbox.commit("Approve", code=1, env=AGENT).err


def test_a_vault_that_commits_unattended_does_not_free_its_agents(sandbox):
    """Their stderr is no terminal either, and an open marker hides its target as well."""
    given(sandbox, {"t.md": HIGH})
    sandbox.git("config", "memtools.unattended", "true")
    put(sandbox, {"fix.md": retracts(lesson("one"))})
    assert "retract-by-agent" in sandbox.commit("Fix", code=1, env=AGENT).err


@pytest.mark.parametrize("target", [HIGH, STATED])
def test_retract_apply_is_refused_by_policy_and_changes_nothing(sandbox, target):
    given(sandbox, {"t.md": target})
    before = state(sandbox)
    shown = sandbox.memtools("retract", lesson("one"), env=AGENT)
    assert "would retract" in shown.out
    refused = sandbox.memtools("retract", lesson("one"), "--apply", code=4, env=AGENT)
    assert "memtools propose - --source extracted --apply" in refused.err
    assert state(sandbox) == before
    sandbox.memtools("retract", lesson("one"), "--apply")
    assert is_retracted(sandbox, "t.md")
