"""Row R13: each verb that changes something, run twice. The second run changes no byte."""

import pytest

from tests.helpers import run

VICTIM = "The disk cache was the root cause of all."
NOTES = {
    "target.md": f"---\npriority: high\n---\n# Cause\n\n{VICTIM}\n",
    "other.md": "# Other\n\nNothing to see here.\n",
    "wait.md": "---\nstatus: candidate\nsource: stated\n---\n# Wait\n\nA fact that waits.\n",
    "AGENTS.md": "# Agents\n\n<!-- memtools:begin -->\n<!-- memtools:end -->\n",
}
UNSEEN = {"MEMTOOLS_IN_HOOK": "1"}
CANDIDATE = "# Pool\n\nThe pool of the parser needs four workers.\n"
# Our own notes of what was looked at, and a flag from one hook to the next: derived, not canonical.
CACHES = ("search", "activation", "sessions", "log", "plans", "quiet", "staged-view")


def nothing(repo):
    pass


def open_marker(repo):
    repo.write("fix.md", f"# Fix\n\nRETRACTS: {VICTIM}\n")
    repo.stage()
    repo.commit("Fix", env=UNSEEN)


def retracted(repo):
    repo.memtools("retract", VICTIM, "--apply")


def no_hooks(repo):
    for hook in repo.path(".git/hooks").iterdir():
        hook.unlink()


def folder_of_notes(repo):
    repo.write(".git/import/a.md", CANDIDATE)


RESTORE = ("restore", "target.md", "--why", "right", "--drop-marker", "--apply")
# What was there before, the verb, and what it reads.
VERBS = {
    "init": (nothing, ("init",), ""),
    "uninstall": (nothing, ("uninstall",), ""),
    "retract": (nothing, ("retract", VICTIM, "--why", "wrong", "--apply"), ""),
    "sweep": (open_marker, ("sweep", "--apply"), ""),
    "restore": (retracted, RESTORE, ""),
    "render": (nothing, ("render",), ""),
    "render to a file": (nothing, ("render", "--to", "CLAUDE.md"), ""),
    "render a folder": (nothing, ("render", "--to", ".memories/"), ""),
    "connect": (nothing, ("connect", "claude", "--apply"), ""),
    "doctor": (no_hooks, ("doctor", "--fix"), ""),
    "daily": (open_marker, ("daily", "--apply", "--now", "2026-11-30T12:00:00Z"), ""),
    "propose": (nothing, ("propose", "-", "--source", "stated", "--apply"), CANDIDATE),
    "reject": (nothing, ("reject", "wait.md", "--why", "no", "--apply"), ""),
    "import": (folder_of_notes, ("import", "obsidian", ".git/import", "--apply"), ""),
    "rebuild": (nothing, ("index", "--rebuild"), ""),
}


def everything(repo):
    """Bytes, modes and links of all files, git's own too; objects by what refs reach."""
    found = {}
    for path in sorted(repo.top.rglob("*")):
        name = path.relative_to(repo.top).as_posix()
        if name.startswith((".git/objects", ".git/index")) or path.is_dir():
            continue
        if name.startswith(tuple(f".git/memtools/{cache}" for cache in CACHES)):
            continue
        found[name] = (path.lstat().st_mode, path.read_bytes())
    found["staging"] = repo.git("ls-files", "-s", "--debug").out.count("\n")
    found["staged"] = repo.git("ls-files", "-s").out
    found["objects"] = repo.git("rev-list", "--objects", "--all", "--reflog").out
    return found


@pytest.mark.parametrize("name", VERBS)
def test_a_second_run_changes_no_byte(begun, tried, name):
    tried("R13")
    before, argv, given = VERBS[name]
    repo = begun(NOTES)
    before(repo)
    repo.memtools(*argv, input=given)
    once = everything(repo)
    again = repo.memtools(*argv, code=None, input=given)
    assert "Traceback" not in again.err and again.code in (0, 1, 2, 3, 4)
    now = everything(repo)
    assert {key for key in once.keys() | now.keys() if once.get(key) != now.get(key)} == set()


@pytest.mark.parametrize("stage", ["pre-commit", "post-commit", "post-merge", "post-rewrite"])
def test_a_hook_run_again_by_hand_changes_no_byte(begun, tried, stage):
    tried("R13")
    repo = begun(NOTES)
    repo.write("fix.md", f"# Fix\n\nRETRACTS: {VICTIM}\n")
    repo.stage()
    repo.commit("Fix")
    once = everything(repo)
    done = run([str(repo.path(f".git/hooks/{stage}")), "amend"], repo.top, stdin="")
    assert done.code == 0, done
    assert everything(repo) == once
