"""`propose --push` and `--pull-request`: real pushes; the forge's program is one that takes notes.

No forge can be reached here. `gh` itself is asked only whether it knows the options.
"""

import json
import os
import shutil
import stat

import pytest

from memtools.git.forge import GH, GLAB, Request, arguments, program_for
from tests.helpers import Sandbox, run

NOTES = """#!/bin/sh
printf '%s\\0' "$0" "$@" > "$NOTES"
cat > "$NOTES.body"
[ -z "$FAILS" ] || { echo "$FAILS" >&2; exit 1; }
echo "Creating pull request"
echo "https://forge.example/pull/7"
"""


@pytest.fixture
def scene(sandbox, tmp_path):
    """A clone's remote, and a folder with a stand-in for the forge's program."""
    remote = tmp_path / "remote.git"
    run(["git", "init", "-q", "--bare", "-b", "main", str(remote)], tmp_path)
    sandbox.git("remote", "add", "origin", str(remote))
    sandbox.git("push", "-q", "origin", "main")
    sandbox.git("remote", "set-head", "origin", "main")
    return Scene(sandbox, Sandbox(remote), tmp_path / "bin")


class Scene:
    def __init__(self, here, remote, programs):
        self.here, self.remote, self.programs = here, remote, programs
        programs.mkdir()
        self.notes = programs / "notes"

    def install(self, name):
        program = self.programs / name
        program.write_text(NOTES)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def propose(self, *options, code=0, **env):
        path = f"{self.programs}{os.pathsep}{os.environ['PATH']}"
        given = {"PATH": path, "NOTES": str(self.notes), **env}
        args = ("propose", "-", "--source", "external", "--title", "Zeppelin", *options)
        return self.here.memtools(*args, code=code, env=given, input="It is by the hangar.\n")

    def asked(self):
        return self.notes.read_bytes().decode().split("\0")[1:-1]

    def branches(self):
        return self.remote.git("for-each-ref", "--format=%(refname:short)").out.split()


def test_the_branch_is_pushed_and_the_request_says_what_it_brings(scene):
    scene.install("gh")
    found = json.loads(scene.propose("--pull-request", "--apply", "--json").out)
    assert (found["branch"], found["remote"], found["pushed"]) == (
        "memory/zeppelin",
        "origin",
        True,
    )
    assert found["pull_request"] == "https://forge.example/pull/7"
    assert scene.branches() == ["main", "memory/zeppelin"]
    title = f"Propose {found['path']}"
    assert scene.asked() == [
        *("pr", "create", "--head", "memory/zeppelin", "--base", "main"),
        *("--title", title, "--body-file", "-"),
    ]
    body = (scene.programs / "notes.body").read_text()
    assert body.startswith("## memtools check") and "review (gate-external)" in body
    assert scene.here.status() == ""


def test_push_alone_asks_no_forge(scene):
    scene.install("gh")
    told = scene.propose("--push", "--apply").out
    assert "pushed memory/zeppelin to origin: 1 commits" in told
    assert scene.branches() == ["main", "memory/zeppelin"] and not scene.notes.exists()


def test_a_name_the_remote_has_is_not_taken_again(scene):
    scene.propose("--push", "--apply")
    scene.here.git("branch", "-q", "-D", "memory/zeppelin")
    assert "pushed memory/zeppelin-2" in scene.propose("--push", "--apply").out


def test_commits_of_the_person_that_go_along_are_counted(scene):
    scene.here.save({"mine.md": "Not pushed yet.\n"})
    assert "to origin: 2 commits it did not have" in scene.propose("--push", "--apply").out


def test_a_dry_run_names_the_remote_and_does_nothing(scene):
    told = scene.propose("--pull-request").out
    assert "--apply pushes it to origin" in told
    assert scene.branches() == ["main"]
    assert scene.here.git("branch", "--list", "memory/*").out == ""


def test_without_the_program_the_branch_is_pushed_and_the_command_is_named(scene):
    bare = {"PATH": os.path.dirname(shutil.which("git"))}
    if shutil.which("gh", path=bare["PATH"]):
        pytest.skip("gh stands beside git")
    result = scene.propose("--pull-request", "--apply", code=3, **bare)
    assert "gh is not installed" in result.err
    assert "gh pr create --head memory/zeppelin --base main" in result.err
    assert "memory/zeppelin" in scene.branches()


def test_without_a_remote_the_branch_stays(scene):
    scene.here.git("remote", "remove", "origin")
    result = scene.propose("--push", "--apply", code=3)
    assert "there is no remote to push to" in result.err
    assert "memory/zeppelin" in scene.here.git("branch", "--list", "memory/*").out


def test_a_refused_push_keeps_the_branch_and_names_the_command(scene):
    hook = scene.remote.write("hooks/pre-receive", "#!/bin/sh\necho no >&2\nexit 1\n")
    hook.chmod(0o755)
    scene.install("gh")
    result = scene.propose("--pull-request", "--apply", code=3)
    assert "memory/zeppelin was not pushed to origin" in result.err
    assert "git push origin memory/zeppelin" in result.err
    assert "memory/zeppelin" in scene.here.git("branch", "--list", "memory/*").out
    assert not scene.notes.exists()


def test_a_forge_that_refuses_is_quoted(scene):
    scene.install("gh")
    result = scene.propose("--pull-request", "--apply", code=3, FAILS="no such\x1b[31m repository")
    assert "gh did not open a pull request: no such" in result.err and "\x1b" not in result.err
    assert "gh pr create --head memory/zeppelin" in result.err


def test_what_the_gate_rejects_goes_nowhere(scene):
    scene.install("gh")
    scene.propose("--pull-request", "--apply", "--confidence", "0.1", code=4)
    assert scene.branches() == ["main"] and not scene.notes.exists()


def test_gitlab_is_asked_by_glab(scene):
    scene.here.git("remote", "set-url", "origin", "https://gitlab.example/team/notes.git")
    scene.here.git("remote", "set-url", "--push", "origin", str(scene.remote.top))
    scene.install("glab")
    scene.propose("--pull-request", "--apply")
    asked = scene.asked()
    assert asked[:7] == [
        *("mr", "create", "--source-branch", "memory/zeppelin"),
        *("--target-branch", "main", "--yes"),
    ]
    assert asked[7] == "--title" and asked[9] == "--description"


@pytest.mark.parametrize(
    ("url", "there", "program"),
    [
        ("git@github.com:team/notes.git", ["glab"], GH),
        ("https://gitlab.example/team/notes", ["gh"], GLAB),
        ("ssh://git@code.example/notes", ["glab"], GLAB),
        ("ssh://git@code.example/notes", ["gh", "glab"], GH),
        ("ssh://git@code.example/notes", [], GH),
        ("/srv/gitlab/notes.git", ["gh"], GH),
    ],
)
def test_the_host_chooses_the_program_else_the_one_that_is_there(tmp_path, url, there, program):
    for name in there:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert program_for(url, str(tmp_path)) == program


def test_a_program_in_the_folder_of_the_notes_is_never_started(scene):
    scene.here.write("gh", NOTES).chmod(0o755)
    bare = {"PATH": f".{os.pathsep}{os.pathsep}{os.path.dirname(shutil.which('git'))}"}
    if not shutil.which("gh", path=bare["PATH"].split(os.pathsep)[-1]):
        scene.propose("--pull-request", "--apply", code=3, **bare)
    assert not scene.notes.exists()


@pytest.mark.skipif(not shutil.which("gh"), reason="needs gh")
def test_the_real_gh_knows_every_option():
    """It is asked for its help alone: an option it does not know is an error before that."""
    asked = arguments(GH, Request("memory/x", "main", "Propose x", ""))
    result = run(["gh", *asked, "--help"], os.getcwd())
    assert "pull request" in result.out and "unknown flag" not in result.err
