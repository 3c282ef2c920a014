"""A hook starts fast: what it loads is looked at by name (never by the clock)."""

import shutil
import sys

import pytest

from tests.helpers import CHECKOUT, run

START = CHECKOUT / "memtools" / "start.py"
# Packages and modules no hook needs; each costs as much as several git calls, or more.
NEVER = {
    "argparse",
    "asyncio",
    "click",
    "contextlib",
    "dataclasses",
    "detect_secrets",
    "email",
    "frontmatter",
    "git",
    "http",
    "inspect",
    "json",
    "logging",
    "pathlib",
    "phonenumbers",
    "requests",
    "rich",
    "stdnum",
    "subprocess",
    "tempfile",
    "typing",
    "urllib",
}
# Needed only when a header, a marker or a phrase asks for it.
ON_DEMAND = {"markdown_it", "tantivy", "yaml"}
# Parts of memtools for what is rare in a hook: help, settings files, odd headers, messages.
RARE = {
    "memtools.core.header_yaml",
    "memtools.core.near",
    "memtools.core.screen",
    "memtools.core.screen_passwords",
    "memtools.core.screen_plugins",
    "memtools.entrypoints.cli",
    "memtools.entrypoints.crash",
    "memtools.entrypoints.japanese",
    "memtools.entrypoints.jsontext",
    "memtools.entrypoints.progress",
    "memtools.entrypoints.verb",
    "memtools.search.words",
    "memtools.usecases.settings",
    "memtools.usecases.changing.sweep",
    "memtools.usecases.reading.view",
}
STAGES = {
    "pre-commit": (),
    "pre-merge-commit": (),
    "post-commit": (),
    "post-merge": ("0",),
    "post-rewrite": ("amend",),
    "post-applypatch": (),
    "pre-push": ("origin", "https://example.com/notes.git"),
}


def loaded(sandbox, *args, stdin="", index=".git/index"):
    """Run start.py as the shim does; what it loaded: our own modules, the packages of others."""
    argv = [sys.executable, "-X", "importtime", "-I", "-S", str(START), *args]
    done = run(argv, sandbox.top, {"GIT_INDEX_FILE": index} if index else {}, stdin)
    assert done.code == 0, done
    lines = [line for line in done.err.splitlines() if line.startswith("import time:")]
    modules = {line.rpartition("|")[2].strip() for line in lines}
    return modules | {module.split(".")[0] for module in modules}


@pytest.mark.parametrize("stage", STAGES)
def test_a_commit_without_memories_loads_nothing_heavy(sandbox, stage):
    sandbox.save({"code.txt": "one\n"})
    sandbox.write("code.txt", "two\n")
    sandbox.stage()
    found = loaded(sandbox, "hook", stage, *STAGES[stage])
    assert "memtools" in found
    assert sorted(found & (NEVER | ON_DEMAND | RARE)) == []


def test_a_commit_without_memories_reads_no_settings(sandbox):
    sandbox.save({"code.txt": "one\n"})
    sandbox.write("code.txt", "two\n")
    sandbox.stage()
    assert sorted(loaded(sandbox, "hook", "pre-commit") & {"tomllib", "re", "typing", "enum"}) == []


def test_a_commit_of_an_ordinary_memory_loads_nothing_heavy(sandbox):
    sandbox.save({"a.md": "---\ntitle: One\nstatus: active\n---\nThe cache was cold.\n"})
    sandbox.write("b.md", "---\ntitle: Two\ntags: [x, y]\n---\nThe pool was too small.\n")
    sandbox.stage()
    assert sorted(loaded(sandbox, "hook", "pre-commit") & (NEVER | ON_DEMAND | RARE)) == []


def test_a_memory_without_digits_and_one_with_dates_load_no_screen(sandbox):
    sandbox.write("a.md", "---\ntitle: One\n---\nThe cache was cold.\n設定は一つだけ置く。\n")
    sandbox.write("b.md", "---\ncreated: 2026-11-29T10:00:00+09:00\n---\nBuild 42 of 2026-11-29.\n")
    sandbox.stage()
    found = loaded(sandbox, "hook", "pre-commit")
    screens = {name for name in found if name.startswith("memtools.core.screen")}
    assert screens == {"memtools.core.screen_secrets"}
    assert sorted(found & NEVER) == []


def test_a_commit_of_a_marker_loads_the_search_index_and_no_parser(sandbox):
    sandbox.save({"a.md": "---\ntitle: One\n---\nThe disk cache was the root cause.\n"})
    sandbox.write("fix.md", "---\ntitle: Fix\n---\nRETRACTS: disk cache was the root cause\n")
    sandbox.stage()
    found = loaded(sandbox, "hook", "pre-commit")
    assert sorted(found & (NEVER | ON_DEMAND | RARE) - {"tantivy"}) == []
    assert b"status: retracted" in sandbox.staged("a.md")


def test_a_damaged_installation_says_so_in_one_line_and_refuses_nothing(sandbox, tmp_path):
    sandbox.write("a.md", "The cache was cold.\n")
    sandbox.stage()
    broken = tmp_path / "broken"
    shutil.copytree(START.parent, broken / "memtools")
    (broken / "memtools" / "entrypoints" / "text.py").write_text("import there_is_no_such_module\n")
    argv = [sys.executable, "-I", "-S", str(broken / "memtools" / "start.py"), "hook", "pre-commit"]
    done = run(argv, sandbox.top, {"GIT_INDEX_FILE": ".git/index"})
    assert done.code == 70  # a shim takes 1 for a refusal
    assert done.err.count("\n") == 1
    assert "no_such_module" in done.err


# All that a turn loads when nothing changed since the last one.
OF_A_TURN = {
    "memtools",
    "memtools.core",
    "memtools.core.version",
    "memtools.entrypoints",
    "memtools.entrypoints.turn",
    "memtools.errors",
    "memtools.files",
    "memtools.git",
    "memtools.git.glance",
    "memtools.starting",
    "memtools.usecases",
    "memtools.usecases.activating",
    "memtools.usecases.activating.cache",
    "memtools.usecases.activating.hashing",
    "memtools.usecases.activating.record",
    "memtools.usecases.activating.turn",
    "memtools.usecases.activating.witness",
    "memtools.usecases.keeping",
    "memtools.values",
}


@pytest.mark.parametrize("name", ["UserPromptSubmit", "SessionStart"])
def test_a_turn_without_a_change_loads_a_handful_of_small_modules(sandbox, name):
    sandbox.save({"a.md": "---\npriority: high\n---\nThe cache was cold.\n"})
    event = f'{{"hook_event_name": "{name}", "session_id": "s", "cwd": "{sandbox.top}"}}'
    loaded(sandbox, "turn", stdin=event, index="")
    found = loaded(sandbox, "turn", stdin=event, index="")
    ours = {module for module in found if module.split(".")[0] == "memtools"}
    assert sorted(ours - OF_A_TURN) == []
    assert sorted(found & (NEVER | ON_DEMAND | RARE | {"enum", "hashlib", "re"})) == []
