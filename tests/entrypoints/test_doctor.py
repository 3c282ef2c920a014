"""`memtools doctor` at the command line: what is printed, and the exit code."""

import json

from tests.usecases.test_check import CACHE


def test_a_healthy_repository_ends_with_0(sandbox):
    sandbox.save({"a.md": CACHE})
    result = sandbox.memtools("doctor")
    assert result.out.splitlines()[-1] == "healthy"
    assert result.err == ""


def test_an_ill_one_ends_with_1_and_says_what_to_type(repo):
    repo.save({"a.md": CACHE})
    result = repo.memtools("doctor", code=1)
    assert "hook-pre-commit" in result.out
    assert "memtools init" in result.out
    assert "doctor --fix" in result.err


def test_fix_says_what_it_did_and_reaches_green(repo):
    repo.save({"a.md": CACHE})
    result = repo.memtools("doctor", "--fix")
    assert "fixed: installed again: " in result.out
    assert "fixed: the search index was brought to HEAD" in result.out
    assert result.out.splitlines()[-1] == "healthy"
    assert "fixed" not in repo.memtools("doctor", "--fix").out


def test_json_has_the_keys_of_the_contract(repo):
    repo.save({"a.md": CACHE})
    found = json.loads(repo.memtools("doctor", "--json", code=1).out)
    assert found["schema_version"] == 1
    assert found["healthy"] is False
    assert all(set(c) == {"id", "ok", "message", "hint", "fixable"} for c in found["checks"])


def test_a_bare_repository_is_asked_only_whether_it_judges_pushes(repo, tmp_path):
    repo.git("clone", "-q", "--bare", str(repo.top), str(tmp_path / "bare"))
    said = repo.memtools("-C", str(tmp_path / "bare"), "doctor", "--fix", "--json", code=1).out
    checks = {check["id"]: check["ok"] for check in json.loads(said)["checks"]}
    assert checks == {"hook-pre-receive": False, "server-branch": True}
