"""`memtools connect` typed: the diff is exact, and the exit codes are those promised."""

import json
import tomllib

import pytest

from memtools.usecases.installing.agents import AGENTS
from tests.entrypoints.mcp_client import started
from tests.helpers import new_repository, run

OLD = '{\n  "model": "x"\n}'


def test_the_diff_that_is_shown_is_the_one_that_is_made(repo):
    repo.write(".claude/settings.json", OLD)
    shown = repo.memtools("connect", "claude").out
    copy = repo.write("copy/.claude/settings.json", OLD)
    diff = shown.removesuffix("(no changes; --apply writes this)\n")
    done = run(["git", "apply", "--unsafe-paths", "-"], copy.parent.parent, stdin=diff)
    assert done.code == 0, done.err
    assert repo.read(".claude/settings.json").decode() == OLD
    assert not repo.path(".mcp.json").exists()
    applied = repo.memtools("connect", "claude", "--apply").out
    assert applied.startswith("wrote .claude/settings.json\n")
    assert copy.read_bytes() == repo.read(".claude/settings.json")
    assert repo.read("copy/.mcp.json") == repo.read(".mcp.json")
    assert "nothing to do: claude is connected" in repo.memtools("connect", "claude").out


def test_json_tells_the_same(repo):
    repo.write(".cursor/mcp.json", "// mine\n{}")
    found = json.loads(repo.memtools("connect", "cursor", "--json", code=1).out)
    assert (found["schema_version"], found["agent"], found["place"]) == (1, "cursor", "project")
    (file,) = found["files"]
    assert (file["path"], file["state"], found["applied"]) == (
        ".cursor/hooks.json",
        "create",
        False,
    )
    assert file["diff"].startswith("--- /dev/null\n+++ b/.cursor/hooks.json\n")
    (problem,) = found["problems"]
    assert (problem["path"], problem["line"]) == (".cursor/mcp.json", 1)


@pytest.mark.parametrize(
    "args",
    [
        ("connect",),
        ("connect", "eliza"),
        ("connect", "claude", "--user", "--project"),
        ("connect", "claude", "--read-ref", "nowhere"),
    ],
)
def test_wrong_usage_ends_with_2(repo, args):
    repo.memtools(*args, code=2)


def test_without_a_repository_it_names_the_option(tmp_path, repo):
    done = repo.memtools("-C", str(tmp_path), "connect", "claude", code=3)
    assert "--memory DIR" in done.err


def test_apply_and_dry_run_together_change_nothing(repo):
    repo.memtools("connect", "gemini", "--apply", "--dry-run")
    assert not repo.path(".gemini").exists()


def test_in_japanese_the_diff_is_the_same(repo):
    plain = repo.memtools("connect", "codex").out.splitlines()
    japanese = repo.memtools("connect", "codex", env={"MEMTOOLS_LANG": "ja"}).out.splitlines()
    assert plain[:-1] == japanese[:-1] and plain[-1] != japanese[-1]


def commands(repo, agent):
    """The command lines of the hooks as they were written, by event."""
    if agent == "codex":
        hooks = tomllib.loads(repo.read(".codex/config.toml").decode())["hooks"]
    else:
        file = {
            "claude": ".claude/settings.json",
            "gemini": ".gemini/settings.json",
            "copilot": ".github/hooks/memtools.json",
            "cursor": ".cursor/hooks.json",
        }[agent]
        hooks = json.loads(repo.read(file))["hooks"]
    found = {}
    for event, (entry,) in hooks.items():
        hook = entry["hooks"][0] if "hooks" in entry else entry
        found[event] = (hook.get("bash") or hook["command"], hook.get("env", {}))
    return found


@pytest.mark.parametrize("agent", AGENTS)
def test_the_hook_as_it_is_written_hands_out_the_memories(sandbox, tmp_path, agent):
    sandbox.save({"a.md": "---\npriority: high\n---\nWater is wet.\n"})
    other = new_repository(tmp_path / "other project")
    other.memtools("connect", agent, "--memory", str(sandbox.top), "--apply")
    start, *later = commands(other, agent).items()

    def told(event, command, env):
        values = {"hook_event_name": event, "session_id": "1", "cwd": str(other.top)}
        done = run(["sh", "-c", command], other.top, env, json.dumps(values))
        assert (done.code, done.err) == (0, "")
        return done.out

    assert "Water is wet." in told(start[0], *start[1])
    sandbox.save({"fix.md": "RETRACTS: Water is wet.\n"})
    if later:
        event, (command, env) = later[0]
        said = told(event, command, env)
        assert "withdrawn: a.md (retracted " in said and "Water is wet." not in said


def test_the_server_entry_starts_a_server_of_these_memories_for_this_project(repo, tmp_path):
    repo.save({"a.md": "# Water\n\nIt is wet.\n", "b.md": "---\nscope: work\n---\nWater is ice.\n"})
    other = new_repository(tmp_path / "other project")
    memory = ("--memory", str(repo.top), "--scope", "work")
    other.memtools("connect", "claude", *memory, "--apply")
    server = json.loads(other.read(".mcp.json"))["mcpServers"]["memtools"]
    with started(server, tmp_path / "log", cwd=tmp_path) as agent:
        found = agent.call("search", query="water")
    assert found["scope"] == "work"
    assert {hit["path"] for hit in found["hits"]} == {"a.md", "b.md"}
