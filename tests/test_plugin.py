"""The plugin for Claude Code is whole: its JSON parses, and the commands it names exist."""

import json
import re
import shlex

import pytest
import yaml

from memtools.core.version import VERSION
from memtools.entrypoints.cli import EARLY, VERBS, load
from memtools.entrypoints.verb import Option, Verb
from tests.helpers import CHECKOUT, run

PLUGIN = CHECKOUT / "integrations" / "claude-plugin"
SKILL = PLUGIN / "skills" / "memtools" / "SKILL.md"


def lines():
    """The command lines of the skill and the README."""
    for path in (SKILL, PLUGIN / "README.md"):
        for block in re.findall(r"^```sh\n(.*?)^```", path.read_text("utf-8"), re.M | re.S):
            yield from block.splitlines()


def calls():
    """The words of each call of memtools, without its name."""
    hooks = json.loads((PLUGIN / "hooks/hooks.json").read_text("utf-8"))["hooks"]
    typed = [hook["command"] for groups in hooks.values() for g in groups for hook in g["hooks"]]
    for line in [*lines(), *typed]:
        words = shlex.split(line)
        for number, word in enumerate(words):
            if word == "memtools" and (number == 0 or words[number - 1] == "|"):
                yield words[number + 1 :]


def test_each_json_file_is_json():
    for path in sorted((CHECKOUT / "integrations").rglob("*.json")):
        assert json.loads(path.read_text("utf-8")), path


def test_the_version_is_that_of_memtools():
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text("utf-8"))
    assert manifest["version"] == VERSION
    assert re.fullmatch(r"[a-z][a-z0-9-]*", manifest["name"])


def test_the_marketplace_names_the_plugin_where_it_is():
    market = json.loads((CHECKOUT / "integrations/.claude-plugin/marketplace.json").read_text())
    (plugin,) = market["plugins"]
    assert (CHECKOUT / "integrations" / plugin["source"]).resolve() == PLUGIN
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text("utf-8"))
    assert plugin["name"] == manifest["name"]
    assert plugin["description"] == manifest["description"]


def test_the_hooks_call_turn_at_the_start_and_at_each_prompt_with_seconds():
    hooks = json.loads((PLUGIN / "hooks/hooks.json").read_text("utf-8"))["hooks"]
    assert set(hooks) == {"SessionStart", "UserPromptSubmit", "SubagentStart"}
    for groups in hooks.values():
        (group,) = groups
        assert "matcher" not in group  # after a compaction too
        assert group["hooks"][-1]["command"] == "memtools turn"
        assert all(hook["type"] == "command" and hook["timeout"] == 10 for hook in group["hooks"])


def test_the_first_hook_marks_the_session_as_an_agents(tmp_path):
    hooks = json.loads((PLUGIN / "hooks/hooks.json").read_text("utf-8"))["hooks"]
    command = hooks["SessionStart"][0]["hooks"][0]["command"]
    file = tmp_path / "a file"
    assert run(["sh", "-c", command], tmp_path, {"CLAUDE_ENV_FILE": str(file)}).code == 0
    assert file.read_text() == "export MEMTOOLS_AGENT=claude\n"
    assert run(["sh", "-c", command], tmp_path, {"CLAUDE_ENV_FILE": ""}).code == 0


def test_the_skill_has_the_header_it_needs():
    header = yaml.safe_load(SKILL.read_text("utf-8").split("---\n")[1])
    assert header["name"] == SKILL.parent.name
    assert 40 < len(header["description"]) <= 1024


@pytest.mark.parametrize("words", list(calls()), ids=" ".join)
def test_each_command_it_names_exists_with_these_options(words):
    verb = words[0]
    if verb in VERBS:
        found = load(VERBS[verb])
        assert isinstance(found, Verb)
        known = {flag for p in found.parameters if isinstance(p, Option) for flag in p.flags}
        assert {word for word in words if word.startswith("--")} <= known
    else:
        assert verb in EARLY


def test_it_names_commands_for_each_task_and_none_that_approves():
    verbs = {words[0] for words in calls()}
    assert {"propose", "retract", "review", "turn"} <= verbs
    assert not verbs & {"approve", "reject", "restore"}
