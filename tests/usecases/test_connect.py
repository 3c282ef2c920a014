"""connect: each agent gets its entry in its own format, and everything else stays as it was."""

import json
import os
import tomllib
from pathlib import Path

import pytest

from memtools.errors import GitError, RefusedError, UsageError
from memtools.git.shims import Program
from memtools.usecases.diagnosing.doctor import doctor
from memtools.usecases.installing.agents import AGENTS, Call
from memtools.usecases.installing.connect import connect
from memtools.usecases.installing.connections import PROJECT, USER
from memtools.usecases.installing.init import Machine
from memtools.usecases.installing.scene import Wanted
from memtools.usecases.installing.uninstall import apply_uninstall
from memtools.usecases.repository import open_repository
from tests.helpers import new_repository

# Paths with a space and a quote, as they are met
PROGRAM = Program("/opt/my python/bin/python3", "/opt/it's/memtools/start.py")
COMMAND = "'/opt/my python/bin/python3' -I -S '/opt/it'\\''s/memtools/start.py' turn"
FILES = {
    "claude": (".claude/settings.json", ".mcp.json"),
    "codex": (".codex/config.toml",),
    "gemini": (".gemini/settings.json",),
    "copilot": (".github/hooks/memtools.json", ".vscode/mcp.json"),
    "cursor": (".cursor/hooks.json", ".cursor/mcp.json"),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    made = tmp_path / "home"
    made.mkdir()
    monkeypatch.setenv("HOME", str(made))
    return made


def machine(program=PROGRAM, **more):
    return Machine(program, {**os.environ, **more})


def join(repo, agent, *, apply=True, has_mcp=True, program=PROGRAM, env=None, **wanted):
    asked = Wanted(agent, str(repo.top), **wanted)
    return connect(asked, machine(program, **(env or {})), apply=apply, has_mcp=has_mcp)


def values(repo, path):
    text = repo.read(path).decode()
    return tomllib.loads(text) if path.endswith(".toml") else json.loads(text)


def where(repo):
    return ["-C", str(repo.top)]


def everything(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(Path(folder).rglob("*"))
        if ".git" not in path.relative_to(folder).parts
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dry_run_shows_a_diff_and_writes_nothing(repo, home, agent):
    before = everything(repo.top), everything(repo.path(".git")), everything(home)
    found = join(repo, agent, apply=False)
    assert [Path(one.path).relative_to(repo.top).as_posix() for one in found.changes] == list(
        FILES[agent]
    )
    assert all(one.diff("x")[:2] == ("--- /dev/null", "+++ b/x") for one in found.changes)
    assert (everything(repo.top), everything(repo.path(".git")), everything(home)) == before
    assert not found.applied and found.is_due and found.code == 0


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("place", [PROJECT, USER])
def test_a_second_run_finds_nothing_to_do_and_uninstall_leaves_no_trace(repo, home, agent, place):
    before = everything(repo.top), everything(home)
    assert join(repo, agent, place=place).applied
    after = everything(repo.top), everything(home)
    assert after != before
    again = join(repo, agent, place=place)
    assert not again.is_due and not again.applied
    assert (everything(repo.top), everything(home)) == after
    apply_uninstall(str(repo.top), os.environ)
    assert (everything(repo.top), everything(home)) == before


def test_claude_gets_the_hook_at_each_start_and_at_each_prompt_in_seconds(repo):
    join(repo, "claude")
    group = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}
    assert values(repo, ".claude/settings.json") == {
        "hooks": {
            "SessionStart": [group],
            "UserPromptSubmit": [group],
            "SubagentStart": [group],
        },
        "env": {"MEMTOOLS_AGENT": "claude"},
    }
    assert values(repo, ".mcp.json") == {
        "mcpServers": {
            "memtools": {
                "command": PROGRAM.python,
                "args": ["-I", PROGRAM.start, *where(repo), "mcp", "--project", str(repo.top)],
                "env": {"MEMTOOLS_AGENT": "claude"},
            }
        }
    }


def test_codex_gets_tables_in_seconds(repo):
    join(repo, "codex")
    group = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}
    found = values(repo, ".codex/config.toml")
    events = ("SessionStart", "UserPromptSubmit", "PreCompact")
    assert found["hooks"] == {event: [group] for event in events}
    assert found["shell_environment_policy"] == {"set": {"MEMTOOLS_AGENT": "codex"}}
    assert found["mcp_servers"]["memtools"]["env"] == {"MEMTOOLS_AGENT": "codex"}


def test_gemini_gets_its_own_events_in_milliseconds(repo):
    join(repo, "gemini")
    found = values(repo, ".gemini/settings.json")
    assert list(found["hooks"]) == ["SessionStart", "BeforeAgent", "PreCompress"]
    (hook,) = found["hooks"]["BeforeAgent"][0]["hooks"]
    assert hook == {"name": "memtools", "type": "command", "command": COMMAND, "timeout": 10000}


def test_gemini_gets_its_name_in_the_file_of_variables_it_reads_already(repo):
    """A new one would hide the .env with the person's key."""
    found = join(repo, "gemini", apply=False)
    assert any("start it with MEMTOOLS_AGENT=gemini" in line for line in found.notices)
    repo.write(".gemini/.env", "GEMINI_API_KEY=x")
    found = join(repo, "gemini")
    assert repo.read(".gemini/.env").startswith(b"GEMINI_API_KEY=x\n")
    assert b"\nMEMTOOLS_AGENT=gemini\n" in repo.read(".gemini/.env")
    assert not any("start it with" in line for line in found.notices)
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".gemini/.env") == b"GEMINI_API_KEY=x"


def test_copilot_gets_a_file_of_its_own_with_both_shells(repo):
    join(repo, "copilot")
    hooks = values(repo, ".github/hooks/memtools.json")["hooks"]
    assert list(hooks) == ["SessionStart", "UserPromptSubmit", "PreCompact"]
    (hook,) = hooks["UserPromptSubmit"]
    assert hook["bash"] == COMMAND
    assert hook["powershell"].startswith("& '/opt/my python/bin/python3' '-I' '-S' '/opt/it''s/")
    assert (hook["timeoutSec"], hook["env"]) == (10, {"MEMTOOLS_AGENT": "copilot"})
    assert values(repo, ".vscode/mcp.json")["servers"]["memtools"]["type"] == "stdio"


@pytest.mark.parametrize("agent", ["gemini", "copilot"])
def test_an_agent_that_runs_hooks_in_trusted_folders_only_is_named_with_the_way_out(
    repo, home, agent
):
    told = "only in a folder it trusts"
    assert any(told in line for line in join(repo, agent, apply=False).notices)
    assert not any(told in line for line in join(repo, agent, apply=False, place=USER).notices)


def test_the_persons_copilot_has_another_format_for_servers(repo, home):
    join(repo, "copilot", place=USER)
    found = json.loads((home / ".copilot/mcp-config.json").read_text())
    assert found["mcpServers"]["memtools"]["type"] == "local"


def test_cursor_gets_flat_entries(repo):
    join(repo, "cursor")
    assert values(repo, ".cursor/hooks.json") == {
        "version": 1,
        "hooks": {"sessionStart": [{"command": COMMAND, "timeout": 10}]},
    }


def test_cmd_quotes_what_has_a_space():
    call = Call("x", (r"C:\Program Files\py.exe", "-I", r"C:\m\start.py"))
    assert call.cmd == r'"C:\Program Files\py.exe" -I C:\m\start.py'


SETTINGS = (
    '{\n\t"permissions": {"allow": ["Bash(ls:*)"]},\n\t"hooks": {\n\t\t"SessionStart": [\n'
    '\t\t\t{"hooks": [{"type": "command", "command": "mine"}]}\n\t\t]\n\t},\n'
    '\t"env": { "MEMTOOLS_AGENT": "my-claude", "é": "\\u00e9" }\n}'
)


def test_what_a_person_has_stays_byte_for_byte_and_comes_back_exactly(repo):
    repo.write(".claude/settings.json", SETTINGS)
    repo.path(".claude/settings.json").chmod(0o600)
    found = join(repo, "claude")
    text = repo.read(".claude/settings.json").decode()
    assert text.startswith(SETTINGS[: SETTINGS.index("\n\t\t]")])
    assert '"env": { "MEMTOOLS_AGENT": "my-claude", "é": "\\u00e9" }\n}' in text
    assert "\n\t\t\t{\n\t\t\t\t" in text
    assert found.changes[0].diff("s")[0] == "--- a/s"
    assert repo.path(".claude/settings.json").stat().st_mode & 0o777 == 0o600
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".claude/settings.json").decode() == SETTINGS


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("blank", ["", " \r\n", "\n\n", "\ufeff\n"])
def test_a_file_with_nothing_but_blanks_comes_back_exactly(repo, agent, blank):
    for path in FILES[agent]:
        repo.write(path, blank)
    before = everything(repo.top)
    join(repo, agent)
    join(repo, agent)
    assert everything(repo.top) != before
    apply_uninstall(where(repo)[1], os.environ)
    assert everything(repo.top) == before


def test_what_a_person_adds_later_stays(repo):
    join(repo, "claude")
    text = repo.read(".claude/settings.json").decode()
    repo.write(".claude/settings.json", text.replace('  "env": {', '  "model": "x",\n  "env": {'))
    report = apply_uninstall(str(repo.top), os.environ)
    assert values(repo, ".claude/settings.json") == {"model": "x"}
    assert report.edited == (".claude/settings.json",)
    assert ".mcp.json" in report.removed


def test_an_entry_a_person_changed_is_theirs(repo):
    join(repo, "codex")
    text = repo.read(".codex/config.toml").decode().replace("timeout = 10", "timeout = 5")
    repo.write(".codex/config.toml", text)
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".codex/config.toml").decode() == text


def test_uninstall_says_what_it_cannot_take_out(repo):
    join(repo, "claude")
    text = "// mine\n" + repo.read(".claude/settings.json").decode()
    repo.write(".claude/settings.json", text)
    report = apply_uninstall(str(repo.top), os.environ)
    assert any("take the entries of memtools out yourself" in line for line in report.notices)
    assert repo.read(".claude/settings.json").decode() == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  // comment\n  "a": 1\n}\n', 2),
        ("[]\n", 1),
        ('{\n  "hooks": []\n}\n', 2),
        ('{\n "x": 1,\n "hooks": {"SessionStart": {}}\n}\n', 3),
        (b'{"a": "\xff"}', 1),
        ('{"a":' * 100_000, 1),
    ],
)
def test_a_file_that_cannot_be_edited_is_refused_with_the_lines_to_paste(repo, text, line):
    repo.write(".claude/settings.json", text)
    before = repo.read(".claude/settings.json")
    found = join(repo, "claude")
    (problem,) = found.problems
    assert (problem.path, problem.line, problem.rule) == (
        ".claude/settings.json",
        line,
        "agent-settings",
    )
    assert '"UserPromptSubmit": [' in problem.hint and found.code == 1
    assert repo.read(".claude/settings.json") == before
    assert repo.path(".mcp.json").is_file()


def test_toml_that_is_broken_is_refused_with_the_lines_to_paste(repo):
    repo.write(".codex/config.toml", "a = 1\na = 2\n")
    (problem,) = join(repo, "codex").problems
    assert (problem.path, problem.line) == (".codex/config.toml", 2)
    assert "[[hooks.SessionStart]]" in problem.hint
    assert repo.read(".codex/config.toml") == b"a = 1\na = 2\n"


def test_codex_keeps_the_variables_a_person_set_and_says_what_to_add(repo):
    text = "[shell_environment_policy.set]\nX = '1'\n"
    repo.write(".codex/config.toml", text)
    found = join(repo, "codex")
    assert any("MEMTOOLS_AGENT=codex does not fit" in line for line in found.notices)
    assert values(repo, ".codex/config.toml")["shell_environment_policy"]["set"] == {"X": "1"}
    assert "SessionStart" in values(repo, ".codex/config.toml")["hooks"]
    apply_uninstall(str(repo.top), os.environ)
    assert repo.read(".codex/config.toml").decode() == text


def test_a_server_of_that_name_that_is_not_ours_is_left_alone(repo):
    text = '{"mcpServers": {"memtools": {"command": "other"}}}'
    repo.write(".mcp.json", text)
    (problem,) = join(repo, "claude").problems
    assert problem.path == ".mcp.json" and "not ours" in problem.message
    assert repo.read(".mcp.json").decode() == text


@pytest.mark.parametrize("name", [".claude", ".claude/settings.json"])
def test_nothing_is_written_through_a_symlink_that_leads_out(repo, tmp_path, name):
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside if name == ".claude" else outside / "settings.json"
    if name != ".claude":
        repo.path(".claude").mkdir()
    repo.path(name).symlink_to(target)
    (problem,) = join(repo, "claude").problems
    assert "leads out of" in problem.message
    assert list(outside.iterdir()) == []


def test_a_symlink_within_the_place_stays_one(repo, home):
    dots = home / "dotfiles.json"
    dots.write_text('{"a": 1}\n')
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(dots)
    join(repo, "claude", place=USER)
    assert (home / ".claude/settings.json").is_symlink()
    assert "UserPromptSubmit" in dots.read_text()
    apply_uninstall(str(repo.top), os.environ)
    assert dots.read_text() == '{"a": 1}\n'


def test_a_folder_where_a_file_should_be_is_named(repo):
    repo.path(".mcp.json").mkdir()
    (problem,) = join(repo, "claude").problems
    assert problem.path == ".mcp.json"


def test_another_repository_of_memories_is_named_in_the_commands(repo, tmp_path):
    memory = new_repository(tmp_path / "my memory")
    join(repo, "claude", memory=str(memory.top), scope="work")
    (group,) = values(repo, ".claude/settings.json")["hooks"]["UserPromptSubmit"]
    assert group["hooks"][0]["command"].endswith(f"/start.py' -C '{memory.top}' turn")
    assert values(repo, ".mcp.json")["mcpServers"]["memtools"]["args"][2:] == [
        *where(memory),
        "mcp",
        "--project",
        str(repo.top),
    ]
    assert repo.git("config", "memtools.scope").out == "work\n"
    assert not repo.path(".git/memtools").exists()
    apply_uninstall(str(memory.top), os.environ)
    assert everything(repo.top) == {}
    assert repo.git("config", "memtools.scope", check=False).code == 1


def test_a_project_need_not_be_a_repository(repo, tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    connect(
        Wanted("claude", str(folder), memory=str(repo.top)), machine(), apply=True, has_mcp=False
    )
    assert (folder / ".claude/settings.json").is_file() and not (folder / ".mcp.json").exists()
    with pytest.raises(GitError) as refused:
        connect(Wanted("claude", str(folder)), machine())
    assert "--memory DIR" in refused.value.hint


def test_a_setting_of_the_git_config_gets_its_old_value_back(repo):
    repo.git("config", "memtools.scope", "old")
    join(repo, "claude", scope="new")
    assert not join(repo, "claude", scope="new").is_due
    join(repo, "claude", scope="newer")
    assert repo.git("config", "memtools.scope").out == "newer\n"
    apply_uninstall(str(repo.top), os.environ)
    assert repo.git("config", "memtools.scope").out == "old\n"


def test_read_ref_is_bound_in_the_repository_of_memories_when_it_is_there(repo):
    with pytest.raises(UsageError):
        join(repo, "claude", read_ref="origin/main")
    assert everything(repo.top) == {}
    repo.save({"a.md": "x\n"})
    join(repo, "claude", read_ref="main")
    assert repo.git("config", "memtools.readRef").out == "main\n"


def test_without_the_extra_no_server_is_written_and_it_says_how(repo):
    found = join(repo, "gemini", has_mcp=False)
    assert "mcpServers" not in values(repo, ".gemini/settings.json")
    assert any("pip install 'memtools[mcp]'" in line for line in found.notices)


def test_a_repository_that_may_hold_no_memories_is_named(repo):
    assert any(".memtools.toml" in line for line in join(repo, "claude").notices)
    repo.write(".memtools.toml", "")
    assert not any(".memtools.toml" in line for line in join(repo, "cursor").notices)


def test_the_home_of_an_agent_may_be_elsewhere(repo, tmp_path, home):
    other = tmp_path / "codex-home"
    join(repo, "codex", place=USER, env={"CODEX_HOME": str(other)})
    assert (other / "config.toml").is_file() and everything(home) == {}


def test_an_unknown_agent_and_a_path_no_json_can_say_are_refused(repo):
    with pytest.raises(UsageError):
        join(repo, "eliza")
    with pytest.raises(RefusedError):
        join(repo, "claude", program=Program("/opt/\udcff/python", "/opt/start.py"))


def test_doctor_sees_a_program_that_is_gone_and_mends_the_settings(sandbox):
    sandbox.save({"a.md": "x\n"})
    python = sandbox.write(".git/venv/python", "")
    start = sandbox.write(".git/venv/memtools/start.py", "")
    python.chmod(0o755)
    old = Program(str(python), str(start))
    sandbox.write(".claude/settings.json", SETTINGS)
    join(sandbox, "claude", program=old)

    def answer(fix=False):
        health = doctor(open_repository(str(sandbox.top)), fix=fix)
        return next(check for check in health.checks if check.id == "agents-connected")

    assert answer().ok and "claude" in answer().message
    start.unlink()
    assert not answer().ok and answer().fixable
    assert answer(fix=True).ok
    assert str(start) not in sandbox.read(".claude/settings.json").decode()
    apply_uninstall(str(sandbox.top), os.environ)
    assert sandbox.read(".claude/settings.json").decode() == SETTINGS


def test_what_a_person_took_out_is_no_illness(sandbox):
    sandbox.save({"a.md": "x\n"})
    join(sandbox, "claude")
    for path in FILES["claude"]:
        sandbox.path(path).unlink()
    health = doctor(open_repository(str(sandbox.top)))
    (check,) = [check for check in health.checks if check.id == "agents-connected"]
    assert check.ok and "no agent" in check.message
