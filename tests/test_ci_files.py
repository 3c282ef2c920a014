"""The ready-made CI files: they call what exists, and run nothing of a pull request."""

import re
import shlex
import subprocess

import click
import pytest
import yaml

from memtools.entrypoints.clicks import group
from tests.helpers import CHECKOUT

CI = CHECKOUT / "integrations" / "ci"
FILES = sorted(CI.glob("*.yml"))
GROUP = group()
CALL = re.compile(r"(?m)(?:^[ ]*|[ ][A-Z_]+=\S+[ ])memtools ([^|>\n;]+)")


def scripts(node):
    """Every piece of shell in a CI file."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "run":
                yield value
            elif key == "script":
                yield from value
            else:
                yield from scripts(value)
    elif isinstance(node, list):
        for one in node:
            yield from scripts(one)


def shell(path):
    return list(scripts(yaml.safe_load(path.read_text("utf-8"))))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_ci_file_calls_only_what_exists(path):
    calls = CALL.findall("\n".join(shell(path)))
    assert calls
    for call in calls:
        verb, *words = shlex.split(call)
        command = GROUP.get_command(click.Context(GROUP), verb)
        assert command, verb
        known = {opt: param for param in command.params for opt in param.opts}
        assert {word for word in words if word.startswith("--")} <= known.keys()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_its_shell_can_be_parsed_and_holds_no_expression_of_the_forge(path):
    """A title or branch name put into shell by ${{ }} would run."""
    for script in shell(path):
        assert "${{" not in script
        done = subprocess.run(
            ["bash", "-n"], input=script.encode(), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["github.yml", "forgejo.yml"])
def test_a_workflow_runs_on_the_base_and_checks_out_nothing_of_the_pull_request(name):
    text = (CI / name).read_text("utf-8")
    found = yaml.safe_load(text)
    assert set(found[True]) == {"pull_request_target", "push"}  # YAML 1.1 takes `on` for true
    assert "head.ref" not in text and "head_ref" not in text
    refs = re.findall(r"ref: (.*)", text)
    assert set(refs) <= {"${{ github.event.pull_request.base.sha }}"}
    assert not re.search(r"git (checkout|switch|reset|pull|worktree)", text)


def test_owners_cover_memories_settings_hooks_and_workflows():
    lines = (CI / "CODEOWNERS").read_text("utf-8").splitlines()
    owned = {line.split()[0] for line in lines if line and not line.startswith("#")}
    assert {"*.md", "/.memtools.toml", "/hooks/", "/.github/", "/.gitlab-ci.yml"} <= owned
