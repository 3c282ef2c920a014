"""`memtools check` at the command line: what is printed, and the exit code."""

import json

import pytest

from tests.usecases.test_check import CACHE, FIX


@pytest.fixture
def open_marker(repo):
    repo.save({"a.md": CACHE})
    repo.save({"fix.md": FIX})
    return repo


def test_a_problem_is_printed_with_place_rule_and_what_to_type(open_marker):
    result = open_marker.memtools("check", code=1)
    assert "fix.md:4: retract-unapplied: " in result.err
    assert "  hint: type: memtools sweep --apply" in result.err
    assert result.out.splitlines()[-1] == "errors: 1, warnings: 0"


def test_a_range_is_told_in_lines(open_marker):
    lines = open_marker.memtools("check", "--range", "HEAD~1..HEAD", code=1).out.splitlines()
    assert lines[0] == "leaves the activation layer: a.md (34 bytes)"
    assert lines[1].startswith("memory a.md: retracted, active → retracted; source –, ")
    assert lines[2].startswith("memory fix.md: new, – → active; ")
    assert lines[2].endswith("; write gate review (gate-retracts-loud)")
    assert lines[3] == 'would be retracted: a.md:5 "disk cache was the root" (by fix.md:4)'


@pytest.mark.parametrize("how", [["--json"], ["--format", "json"], ["--format=json"]])
def test_json_has_the_keys_of_the_contract(open_marker, how):
    found = json.loads(open_marker.memtools("check", "HEAD", *how, code=1).out)
    assert found["schema_version"] == 1
    assert {"problems", "enters", "leaves", "retractions", "approval"} <= found.keys()
    assert set(found["problems"][0]) == {"path", "line", "rule", "severity", "message", "hint"}
    assert found["approval"] == {"needed": False, "why": "", "who": "", "signers": ""}
    assert found["retractions"][0]["path"] == "a.md"


@pytest.mark.parametrize("name", ["xml", "SARIF", "junit"])
def test_a_format_that_does_not_exist_is_wrong_usage(open_marker, name):
    result = open_marker.memtools("check", "--format", name, code=2)
    assert f"there is no format {name}" in result.err
    assert "text, json, github, gitlab, sarif" in result.err


def test_targets_that_do_not_go_together_or_do_not_exist_are_wrong_usage(open_marker):
    open_marker.memtools("check", "nowhere", code=2)
    open_marker.memtools("check", "--all", "--staged", code=2)
    open_marker.memtools("check", "--range", "HEAD", code=2)


def test_strict_fails_for_a_warning(repo):
    repo.save({"fix.md": FIX})
    assert "retract-no-match" in repo.memtools("check").err
    repo.memtools("check", "--strict", code=1)


def test_outside_of_a_repository_it_is_the_environment(tmp_path, repo):
    (tmp_path / "none").mkdir()
    repo.memtools("-C", str(tmp_path / "none"), "check", code=3)


def test_what_the_framework_pushes_is_judged_instead_of_the_index(open_marker):
    tip, base = open_marker.head(), open_marker.git("rev-parse", "HEAD~1").out.strip()
    open_marker.git("reset", "-q", "--hard", "HEAD~1")
    open_marker.memtools("check", "--staged")
    env = {"PRE_COMMIT_FROM_REF": base, "PRE_COMMIT_TO_REF": tip}
    open_marker.memtools("check", "--staged", code=1, env=env)
    env = {"PRE_COMMIT_REMOTE_BRANCH": "refs/heads/new", "PRE_COMMIT_LOCAL_BRANCH": tip}
    open_marker.memtools("check", "--staged", code=1, env=env)


def test_the_functions_of_the_command_are_those_of_the_package(open_marker):
    import memtools

    checked = memtools.check(memtools.open_repository(str(open_marker.top)))
    assert checked.code == 1
    assert not memtools.doctor(memtools.open_repository(str(open_marker.top))).healthy
