"""A bare repository that judges what is pushed to it: real pushes, and the hook `init` installs."""

import os
import subprocess

import pytest

from memtools.errors import GitError
from memtools.usecases.checking.receiving import pre_receive
from memtools.usecases.installing.init import apply_init, plan_init, this_machine
from memtools.usecases.installing.uninstall import apply_uninstall
from memtools.usecases.repository import open_repository
from tests.helpers import Sandbox, copied, longer
from tests.usecases.test_check import CACHE, FIX, KEY

NOTE = "Tea is served at four in the garden.\n"
SHIM = "hooks/pre-receive"
CANDIDATE = "---\nstatus: candidate\n---\n"


@pytest.fixture(scope="session")
def _server_template(tmp_path_factory):
    made = Sandbox(tmp_path_factory.mktemp("server") / "server.git")
    made.top.mkdir()
    made.git("init", "-q", "--bare", "-b", "main")
    installed(made)
    return made


def installed(bare):
    return apply_init(str(bare.top), this_machine(os.environ))


@pytest.fixture
def server(_server_template, tmp_path):
    """A bare repository in which `memtools init` was typed; nothing was pushed to it yet."""
    top = tmp_path / "server.git"
    subprocess.run(["cp", "-a", str(_server_template.top), str(top)], check=True)
    return Sandbox(top)


@pytest.fixture
def clone(server, repo):
    """Who pushes there; CACHE is on `main` of both."""
    repo.git("remote", "add", "origin", str(server.top))
    repo.save({"a.md": CACHE})
    assert push(repo, "main").code == 0
    return repo


def push(repo, *refs, **env):
    return repo.git("push", "-q", "origin", *refs, check=False, env=env)


def tip(server, branch="main"):
    return server.git("rev-parse", "--verify", "-q", branch, check=False).out.strip()


def objects(server):
    return server.git("count-objects", "-v").out, sorted(os.listdir(server.path("objects")))


def test_what_is_right_gets_onto_a_protected_branch(server, clone):
    clone.save({"n.md": NOTE})
    done = push(clone, "main")
    assert (done.code, done.err) == (0, "")
    assert tip(server) == clone.head()


def test_what_is_wrong_is_refused_whole_and_says_where_and_what_to_type(server, clone):
    before, kept = tip(server), objects(server)
    clone.save({"fix.md": FIX})
    clone.git("branch", "other")
    done = push(clone, "main", "other")
    assert done.code == 1
    assert "remote: fix.md:4: retract-unapplied: " in done.err
    assert "remote:   hint: type: memtools sweep --apply" in done.err
    assert (tip(server), tip(server, "other"), objects(server)) == (before, "", kept)
    assert push(clone, "other").code == 0


def test_a_server_whose_branch_nobody_protects_says_so_and_what_to_type(server, repo):
    """git's own default branch is `master`, memtools protects `main`."""
    server.git("symbolic-ref", "HEAD", "refs/heads/master")
    told = "pushes to master, the branch of HEAD, are not judged: approval.protected is main"
    way_out = (
        "type here: git symbolic-ref HEAD refs/heads/main; or push this line of .memtools.toml"
    )
    message, hint = installed(server).notices
    assert message == told and hint.startswith(way_out)
    said = server.memtools("doctor", code=1).out
    assert told in said and way_out in said and "ok  hook-pre-receive" in said
    repo.git("remote", "add", "origin", str(server.top))
    repo.save({"a.md": CACHE})
    assert push(repo, "main:master").code == 0
    line = 'push this line of .memtools.toml, below [approval]: protected = ["master"]'
    assert installed(server).notices[1] == line
    repo.save({".memtools.toml": '[approval]\nprotected = ["master"]\n'})
    assert push(repo, "main:master").code == 0
    assert server.memtools("doctor").out.endswith("healthy\n")
    assert installed(server).notices == ()
    repo.save({"fix.md": FIX})
    assert push(repo, "main:master").code == 1


def test_the_settings_that_count_are_those_before_the_push(server, clone):
    clone.save({".memtools.toml": "roots = []\n[approval]\nprotected = []\n", "fix.md": FIX})
    assert "retract-unapplied" in push(clone, "main").err


def test_a_protected_branch_is_neither_deleted_nor_rewritten_others_are(server, clone):
    before = tip(server)
    clone.git("commit", "-q", "--amend", "-m", "Written anew")
    for refs in (["+main"], [":main"]):
        done = push(clone, *refs)
        assert done.code == 1 and "remote: refs/heads/main: protected-branch: " in done.err
    assert tip(server) == before
    assert push(clone, "main:topic").code == 0
    clone.git("commit", "-q", "--amend", "-m", "And anew")
    assert push(clone, "+main:topic").code == 0
    assert push(clone, ":topic").code == 0


def test_a_branch_that_stands_for_a_protected_one_is_protected(server, clone):
    """As `master` does where `main` was once called so (git-symbolic-ref(1))."""
    server.git("symbolic-ref", "refs/heads/master", "refs/heads/main")
    before = tip(server)
    assert "protected-branch" in push(clone, ":master").err
    clone.save({"fix.md": FIX})
    assert "retract-unapplied" in push(clone, "main:master").err
    shim = server.path(SHIM)
    shim.write_text(shim.read_text().replace("python=/", "python=/gone/"))
    server.git("config", "--unset-all", "memtools.python")
    assert push(clone, "main:master", PATH="/usr/bin:/bin").code == 1
    assert tip(server) == before


def test_a_new_protected_branch_answers_for_what_it_adds_to_head(server, clone):
    clone.save({".memtools.toml": '[approval]\nprotected = ["main", "release/*", "*-stable"]\n'})
    assert push(clone, "main").code == 0
    assert push(clone, "main:release/1").code == 0
    clone.save({"fix.md": FIX})
    assert push(clone, "main:release/2").code == 1
    assert push(clone, "main:refs/heads/two\u2028lines-stable").code == 1
    assert push(clone, "main:feature/2").code == 0


@pytest.mark.parametrize("ref", ["topic", "refs/tags/v1"])
def test_a_secret_is_stored_nowhere(server, clone, ref):
    kept = objects(server)
    clone.save({"inbox/n.md": f"{CANDIDATE}key {KEY}\n"})
    clone.save({"inbox/n.md": f"{CANDIDATE}no key\n"})
    done = push(clone, f"HEAD:{ref if '/' in ref else 'refs/heads/' + ref}")
    assert done.code == 1 and "remote: inbox/n.md:4: secret-found: " in done.err
    assert KEY not in done.err
    assert objects(server) == kept


@pytest.mark.parametrize("ref", ["main", "topic"])
def test_what_only_reads_like_a_secret_is_let_pass_by_who_runs_the_server(server, clone, ref):
    clone.save({"n.md": f"key {KEY}\n"}, "-n")
    refused = push(clone, f"HEAD:refs/heads/{ref}")
    assert refused.code == 1
    assert "git commit -n" not in refused.err
    named = f"git config --add memtools.noSecretsIn {clone.head()}"
    assert named in refused.err
    server.git(*named.split()[1:])
    clone.save({"o.md": NOTE})
    assert push(clone, f"HEAD:refs/heads/{ref}").code == 1  # another commit than was looked at
    assert push(clone, f"HEAD^:refs/heads/{ref}").code == 0
    assert push(clone, f"HEAD:refs/heads/{ref}").code == 0


def test_a_secret_hides_neither_beside_a_ref_of_a_blob_nor_in_a_merge(server, clone):
    blob = clone.git("rev-parse", "HEAD:a.md").out.strip()
    clone.git("switch", "-qc", "side")
    clone.save({"n.md": NOTE})
    clone.git("switch", "-qc", "topic", "main")
    clone.save({"o.md": NOTE})
    clone.git("merge", "-q", "--no-ff", "--no-commit", "side")
    clone.write("n.md", f"{NOTE}key {KEY}\n")
    clone.stage()
    clone.commit("Merge")
    clone.save({"n.md": NOTE})
    done = push(clone, f"{blob}:refs/tags/blob", "topic")
    assert done.code == 1 and "remote: n.md:2: secret-found: " in done.err
    assert push(clone, "side").code == 0


def test_a_secret_the_server_has_does_not_stop_who_merges_it(server, clone):
    clone.save({"k.md": f"key {KEY}\n"})
    server.git("fetch", "-q", str(clone.top), "+main:main")
    clone.git("switch", "-qc", "topic", "HEAD^")
    clone.save({"n.md": NOTE})
    clone.git("merge", "-q", "--no-ff", "--no-edit", "main")
    clone.save({"k.md": f"First.\nkey {KEY}\n"})
    assert push(clone, "topic").code == 0


def test_the_first_push_of_all_is_judged_by_what_it_brings(server, repo):
    repo.git("remote", "add", "origin", str(server.top))
    repo.save({"n.md": NOTE, "fix.md": "RETRACTS: tea is\n"})
    done = push(repo, "main")
    assert done.code == 1 and "phrase-too-short" in done.err
    assert tip(server) == ""
    repo.save({"fix.md": NOTE})
    assert push(repo, "main").code == 0


def test_a_first_push_may_bring_refs_that_name_no_commit(server, repo):
    repo.git("remote", "add", "origin", str(server.top))
    repo.save({"n.md": NOTE})
    repo.git("tag", "blob", "HEAD:n.md")
    assert push(repo, "main", "blob").code == 0


def test_a_ref_of_a_blob_and_a_tag_pass(server, clone):
    blob = clone.git("rev-parse", "HEAD:a.md").out.strip()
    clone.git("tag", "-a", "-m", "One", "v1")
    assert push(clone, f"{blob}:refs/tags/blob", "v1").code == 0


def test_without_a_signature_nothing_gets_in_where_one_is_asked_for(server, team):
    team.repo.git("remote", "add", "origin", str(server.top))
    assert push(team.repo, "main").code == 0
    team.save({"n.md": NOTE})
    done = push(team.repo, "main")
    assert done.code == 1 and "remote: n.md:1: approval-unsigned: " in done.err
    team.sign_with("ann")
    team.repo.git("commit", "-q", "--amend", "--no-edit", "-S")
    assert push(team.repo, "main").code == 0
    team.save({"inbox/n.md": CANDIDATE + NOTE})
    assert push(team.repo, "main").code == 0


def test_who_pushes_cannot_say_that_it_need_not_be_judged(server, clone):
    clone.save({"fix.md": FIX})
    assert push(clone, "main", MEMTOOLS_IN_HOOK="1").code == 1


def test_a_replacement_of_an_object_hides_nothing(server, clone):
    good = clone.git("rev-parse", "HEAD").out.strip()
    clone.save({"fix.md": FIX})
    bad = clone.head()
    assert push(clone, f"{good}:refs/replace/{bad}").code == 0
    assert push(clone, "main").code == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("python=/", "python=/gone/"),
        ("start=", "start=/gone"),
        ('"$start" hook', '"$start" -C /gone hook'),
    ],
)
def test_a_broken_memtools_stops_only_what_goes_to_protected_branches(server, clone, before, after):
    shim = server.path(SHIM)
    assert before in shim.read_text()
    shim.write_text(shim.read_text().replace(before, after))
    server.git("config", "--unset-all", "memtools.python")
    clone.save({"n.md": NOTE})
    nowhere = {"PATH": "/usr/bin:/bin"}
    done = push(clone, "main", **nowhere)
    assert done.code == 1
    assert done.err.count("nothing is pushed to a protected branch") == 1
    assert push(clone, "main:topic", **nowhere).code == 0


@pytest.mark.parametrize(
    ("settings", "branch", "code"),
    [
        ('[approval]\nprotected = ["trunk","rel/*"]\n', "main", 0),
        ('[approval]\nprotected = ["trunk","rel/*"]\n', "trunk", 1),
        ('[approval]\nprotected = [\n  "x", # y\n  "rel/*",\n]\n', "rel/1", 1),
        ('approval.protected = ["trunk"]\n', "trunk", 1),
        ("", "main", 1),
    ],
)
def test_without_memtools_sh_reads_which_branches_are_protected(
    server, clone, settings, branch, code
):
    server.git("update-ref", "refs/heads/main", clone.head())
    clone.save({".memtools.toml": settings, "n.md": NOTE})
    server.git("fetch", "-q", str(clone.top), "+main:main")
    shim = server.path(SHIM)
    shim.write_text(shim.read_text().replace("python=/", "python=/gone/"))
    server.git("config", "--unset-all", "memtools.python")
    clone.save({"n.md": NOTE + "!\n"})
    assert push(clone, f"main:{branch}", PATH="/usr/bin:/bin").code == code


def test_the_hook_that_was_there_runs_after_ours_with_the_same_lines(server, clone):
    apply_uninstall(str(server.top), os.environ)
    assert not server.path(SHIM).exists()
    seen = server.path("seen")
    hook = server.path(SHIM)
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ncat >>'{seen}'\n")
    hook.chmod(0o755)
    report = installed(server)
    assert SHIM in report.wrote and any("pre-receive.memtools-prev" in n for n in report.notices)
    clone.save({"n.md": NOTE})
    old = tip(server)
    assert push(clone, "main").code == 0
    assert seen.read_text() == f"{old} {clone.head()} refs/heads/main\n"
    clone.save({"fix.md": FIX})
    assert push(clone, "main").code == 1
    assert len(seen.read_text().splitlines()) == 1
    apply_uninstall(str(server.top), os.environ)
    assert hook.read_text() == f"#!/bin/sh\ncat >>'{seen}'\n"


def test_init_and_uninstall_leave_a_bare_repository_as_it_was(tmp_path):
    bare = Sandbox(tmp_path / "bare.git")
    bare.top.mkdir()
    bare.git("init", "-q", "--bare")
    before = {p: p.read_bytes() for p in bare.top.rglob("*") if p.is_file()}
    assert SHIM in plan_init(str(bare.top), this_machine(os.environ)).wrote
    assert {p: p.read_bytes() for p in bare.top.rglob("*") if p.is_file()} == before
    first, second = installed(bare), installed(bare)
    assert SHIM in first.wrote and not second.wrote and SHIM in second.kept
    assert not bare.path(".memtools.toml").exists()
    apply_uninstall(str(bare.top), os.environ)
    assert {p: p.read_bytes() for p in bare.top.rglob("*") if p.is_file()} == before


def judged(server, old, new):
    outcome = pre_receive(open_repository(str(server.top)), [f"{old} {new} refs/heads/main"])
    return [(p.path, p.rule, p.message, p.message.template) for p in outcome.problems]


def test_the_same_trees_are_not_read_again_and_a_damaged_memo_is_none(server, clone):
    """The blobs are taken away between the two: who reads them fails."""
    old = tip(server)
    clone.save({"fix.md": FIX})
    first = clone.head()
    clone.git("commit", "-q", "--amend", "--no-edit", "--date=2001-01-01T00:00:00")
    second = clone.head()
    server.git("fetch", "-q", str(clone.top), f"{first}:refs/heads/1", f"{second}:refs/heads/2")
    told = judged(server, old, first)
    assert [one[:2] for one in told] == [("fix.md", "retract-unapplied")]
    blob = clone.git("rev-parse", "HEAD:fix.md").out.strip()
    server.path(f"objects/{blob[:2]}/{blob[2:]}").unlink()
    assert judged(server, old, first) == judged(server, old, second) == told
    for name in ("checked-1", "received-1"):
        memo = server.path(f"memtools/{name}")
        memo.write_bytes(memo.read_bytes()[:-3] + b"abc")
    with pytest.raises(GitError, match="not in this clone"):
        judged(server, old, first)


def test_two_pushes_at_once_are_each_judged(server, clone, tmp_path):
    other = copied(clone, tmp_path / "other")
    clone.save({"n.md": NOTE})
    other.save({"fix.md": FIX})
    running = [
        subprocess.Popen(["git", "push", "-q", "origin", refs], cwd=where.top, stderr=-3)
        for where, refs in ((clone, "main"), (other, "main"), (clone, "main:topic"))
    ]
    codes = [one.wait() for one in running]
    assert codes == [0, 1, 0]
    assert tip(server) == tip(server, "topic") == clone.head()


@pytest.mark.parametrize("count", [45, *longer(2000)])
def test_a_push_of_many_memories_is_judged_in_one_go(server, repo, count):
    repo.git("remote", "add", "origin", str(server.top))
    text = "The oven number {} of the bakery bakes bread for the quarter {}.\n"
    repo.save({f"notes/n{n}.md": text.format(n, n * 7) for n in range(count)})
    assert push(repo, "main").code == 0
    repo.save({f"notes/m{n}.md": "RETRACTS: of the bakery\n" for n in range(40)})
    done = push(repo, "main")
    assert done.code == 1
    assert done.err.count("retract-ambiguous") == 30 and "and 10 more" in done.err
