"""The ready-made files for CI and timers: they call what exists, nothing of a pull request."""

import re
import shlex
import shutil
import subprocess

import click
import pytest
import yaml

from memtools.entrypoints.clicks import group
from tests.helpers import CHECKOUT

CI = CHECKOUT / "integrations" / "ci"
TIMERS = CHECKOUT / "integrations" / "timers"
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
        assert_exists(shlex.split(call))


def assert_exists(words):
    """Is there such a verb, with such options?"""
    command = GROUP.get_command(click.Context(GROUP), words[0])
    assert command, words
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
    assert {"*.md", "*.MD", "*.Md", "*.mD"} <= owned
    assert {"/.memtools.toml", "/hooks/", "/.github/", "/.gitlab-ci.yml"} <= owned


def units():
    """Each systemd unit, as key -> values."""
    for path in sorted(TIMERS.glob("memtools-*")):
        found = {}
        for line in path.read_text("utf-8").splitlines():
            if "=" in line and not line.startswith("#"):
                key, _, value = line.partition("=")
                found.setdefault(key, []).append(value)
        yield path.name, found


def test_each_timer_starts_a_service_that_calls_what_exists():
    found = dict(units())
    timers = [name for name in found if name.endswith(".timer")]
    assert timers == ["memtools-daily@.timer", "memtools-doctor@.timer"]
    for name in timers:
        assert found[name]["WantedBy"] == ["timers.target"]
        (start,) = found[name.replace(".timer", ".service")]["ExecStart"]
        program, *words = shlex.split(start)
        assert (program, words[:3]) == ("/usr/bin/env", ["memtools", "-C", "%f"])
        assert_exists(words[3:])


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
def test_systemd_takes_the_units(tmp_path):
    for path in TIMERS.glob("memtools-*"):
        shutil.copy(path, tmp_path / path.name.replace("@.", "@home-ann-notes."))
    names = [str(path) for path in sorted(tmp_path.iterdir())]
    done = subprocess.run(
        ["systemd-analyze", "--man=no", "verify", *names], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_each_line_of_the_crontab_calls_what_exists():
    lines = (TIMERS / "crontab").read_text("utf-8").splitlines()
    jobs = [line for line in lines if line[:1].isdigit()]
    assert len(jobs) == 2
    for job in jobs:
        *when, command = job.split(" ", 5)
        assert all(re.fullmatch(r"[0-9*]+", word) for word in when)
        assert "%" not in command  # cron takes it for a line end
        assert_exists(shlex.split(command)[4:])
