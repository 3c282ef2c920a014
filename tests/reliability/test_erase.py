"""`erase`: row R14. One repository that holds a token everywhere; afterwards it is nowhere."""

import os
import re

import pytest

from memtools.errors import GitError, PolicyError, RefusedError, UsageError
from memtools.usecases.diagnosing.doctor import doctor
from memtools.usecases.erasing import erase as erasing
from memtools.usecases.erasing.erase import erase, unfinished
from memtools.usecases.erasing.plan import plan_erasure
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository
from tests.helpers import Sandbox, longer, run

TOKEN = "Kastanienallee-4711"
MEMORY = f"---\npriority: high\n---\n# Where Taro lives\n\nTaro lives at {TOKEN} with his cat.\n"
OTHER = "# Weather\n\nIt rains in November, most of the time.\n"


def opened(sandbox):
    return open_repository(str(sandbox.top))


def erased(sandbox, address="private.md", texts=(TOKEN,), **options):
    repository = opened(sandbox)
    return erase(repository, plan_erasure(repository, address, texts), **options)


def everywhere(sandbox):
    """Every place that still holds the token: objects, decompressed, and files as they are."""
    ids = sandbox.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").out.split()
    raw = sandbox.git("cat-file", "--batch", input="".join(f"{one}\n" for one in ids)).out
    found = ["an object"] if TOKEN in raw else []
    for folder, _, names in os.walk(sandbox.top):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                if TOKEN.encode() in file.read():
                    found.append(os.path.join(folder, name))
    return found


@pytest.fixture
def planted(sandbox):
    """The token under two names, on two branches, in a tag, stashes, notes, AGENTS.md."""
    sandbox.save({"weather.md": OTHER, "old.md": MEMORY})
    sandbox.memtools("render", "--to", "AGENTS.md")
    sandbox.stage()
    sandbox.commit("Render")
    sandbox.git("tag", "-a", "-m", f"about {TOKEN}", "v1")
    sandbox.git("switch", "-q", "-c", "side")
    sandbox.save({"old.md": MEMORY + "He has moved.\n"}, f"Taro and {TOKEN}")
    sandbox.git("branch", "-m", "side\u2028way")
    sandbox.git("switch", "-q", "main")
    sandbox.git("mv", "old.md", "private.md")
    sandbox.commit("Rename")
    sandbox.save({"quote.md": f"# Cats\n\nThe cat of {TOKEN} is grey.\n"})
    for number in (1, 2):
        sandbox.write("private.md", f"{MEMORY}Stashed {number}.\n")
        sandbox.write("weather.md", f"{OTHER}Stashed {number}.\n")
        sandbox.git("stash", "push", "-q", "-m", f"stash\u2028{number}")
    sandbox.git("notes", "add", "-m", f"seen at {TOKEN}", "HEAD~1")
    sandbox.save({"gone.md": f"{TOKEN} once more\n"})
    sandbox.git("reset", "-q", "--hard", "HEAD~1")  # only a reflog has it now
    sandbox.memtools("backup", "--apply")
    sandbox.memtools("search", "Taro")
    sandbox.memtools("turn", input='{"session_id": "s", "hook_event_name": "SessionStart"}')
    assert everywhere(sandbox)
    return sandbox


def test_no_byte_of_a_planted_token_is_left_and_all_else_is_as_it_was(planted, tried):
    tried("R14")
    before = planted.git("log", "--format=%s %an %ad").out
    planted.write("export.ndjson", planted.memtools("export", "--to", "ndjson").out)
    planted.write("private.md", f"{MEMORY}Staged.\n")
    planted.stage("private.md")
    planted.write("weather.md", f"{OTHER}Not staged: {TOKEN}.\n")
    assert TOKEN in planted.read("export.ndjson").decode()
    proof = erased(planted, discard=True)
    assert (proof.left, proof.objects > 10, proof.files > 10) == ((), True, True)
    assert everywhere(planted) == []
    assert search(opened(planted), "Kastanienallee").hits == ()
    assert planted.status() == ""
    planted.git("fsck", "--full")
    assert planted.files() == [".memtools.toml", "AGENTS.md", "quote.md", "weather.md"]
    assert planted.show("HEAD", "weather.md") == OTHER.encode()
    assert planted.show("HEAD", "quote.md") == b"# Cats\n\nThe cat of [erased] is grey.\n"
    assert planted.git("log", "--format=%s %an %ad").out == before
    planted.memtools("check")
    assert not os.path.exists(planted.path(".git/memtools/erase"))
    assert planted.git("for-each-ref", "--format=%(refname)").out.split("\n") == [
        *(
            "refs/heads/main",
            "refs/heads/side\u2028way",
            "refs/notes/commits",
            "refs/stash",
            "refs/tags/v1",
            "",
        ),
    ]
    assert planted.git("notes", "show", "HEAD~1").out == "seen at [erased]\n"
    assert planted.git("cat-file", "tag", "v1").out.endswith("about [erased]\n")
    assert planted.git("stash", "list", "--format=%gs").out == (
        "On main: stash\u20282\nOn main: stash\u20281\n"
    )
    planted.git("stash", "pop", "-q", "stash@{1}")
    assert planted.read("weather.md") == f"{OTHER}Stashed 1.\n".encode()


@pytest.fixture
def small(sandbox):
    """A memory on main and one stash, nothing more."""
    sandbox.save({"private.md": MEMORY, "weather.md": OTHER})
    sandbox.write("weather.md", OTHER + "Stashed.\n")
    sandbox.git("stash", "push", "-q", "-m", "mine")
    return sandbox


# Each is what a run does next when it is killed.
POINTS = ["move_refs", "prune"]
MORE = [
    *("write_pending", "pin_stashes", "clone_all", "filter_history", "bring_back", "follow_tree"),
    *("clear_remains", "put_stashes_back", "head_moved", "forget_pending", "prove", "half"),
]


def killed_before(sandbox, name):
    """Run an erasure in a process of its own, which ends at once when it comes to `name`."""
    pid = os.fork()
    if not pid:
        try:
            if name == "half":
                _move_half()
            else:
                setattr(erasing, name, lambda *_, **__: os._exit(9))
            erased(sandbox)
        finally:
            os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9


def _move_half():
    """Of the refs only some are moved, as when git is killed while it commits a transaction."""
    move = erasing.move_refs

    def half(git, before, after):
        move(git, dict(list(before.items())[: len(before) // 2]), after)
        os._exit(9)

    erasing.move_refs = half


@pytest.mark.parametrize("name", [*POINTS, *longer(*MORE)])
def test_a_killed_run_leaves_one_history_whole_and_the_next_ends_it(small, name, tried):
    tried("R14")
    before = small.git("rev-parse", "main").out
    killed_before(small, name)
    ill = {check.id for check in doctor(opened(small)).checks if not check.ok}
    assert ("erasure" in ill) == os.path.exists(small.path(".git/memtools/erase/pending"))
    small.git("fsck", "--full")
    held = small.git("cat-file", "-e", "main:private.md", check=False).code == 0
    assert held == (small.git("rev-parse", "main").out == before)
    assert small.show("main", "weather.md") == OTHER.encode()
    repository = opened(small)
    plan = unfinished(repository) or plan_erasure(repository, "", [TOKEN])
    if not plan.is_empty or unfinished(repository):
        erase(repository, plan)
    assert everywhere(small) == []
    assert unfinished(opened(small)) is None
    assert small.status() == ""
    assert small.git("stash", "list", "--format=%gs").out == "On main: mine\n"
    small.git("stash", "pop", "-q")
    assert small.read("weather.md") == f"{OTHER}Stashed.\n".encode()
    left = small.git("for-each-ref", "--format=%(refname)", "refs/memtools/").out
    assert left == ""


def test_nothing_that_is_not_committed_is_lost_unasked(small):
    small.write("weather.md", "Not committed.\n")
    small.write("copy.txt", MEMORY)
    small.write("mine.txt", "Something else.\n")
    before = small.head(), small.status()
    with pytest.raises(RefusedError) as caught:
        erased(small)
    assert "--discard" in caught.value.hint
    assert (small.head(), small.status()) == before
    plan = plan_erasure(opened(small), "private.md", ())
    assert (plan.losses.uncommitted, plan.losses.untracked) == (("weather.md",), ("copy.txt",))
    assert erased(small, discard=True).left == ()
    assert small.status() == "?? mine.txt\n" and everywhere(small) == []


def test_a_failure_on_the_way_changes_nothing(small, monkeypatch):
    before = small.head(), small.git("for-each-ref").out, small.status()

    def fail(*_):
        raise GitError("no space")

    monkeypatch.setattr(erasing, "bring_back", fail)
    with pytest.raises(GitError):
        erased(small)
    assert (small.head(), small.git("for-each-ref").out, small.status()) == before
    assert unfinished(opened(small)) is None


def test_a_failure_on_the_way_of_the_second_run_keeps_the_stashes(small, monkeypatch):
    killed_before(small, "put_stashes_back")

    def fail(*_):
        raise GitError("no space")

    monkeypatch.setattr(erasing, "bring_back", fail)
    plan = unfinished(opened(small))
    with pytest.raises(GitError):
        erase(opened(small), plan)
    monkeypatch.undo()
    assert erase(opened(small), unfinished(opened(small))).left == ()
    assert small.git("stash", "list", "--format=%gs").out == "On main: mine\n"


COMMIT = ("commit", "-q", "--allow-empty", "-m", "Meanwhile")
BRANCH, UNTAG = ("branch", "meanwhile"), ("tag", "-d", "mark")
LATER = (("bring_back", COMMIT), ("clone_all", BRANCH), ("bring_back", UNTAG))


@pytest.mark.parametrize(
    ("step", "deed"),
    [
        ("clone_all", COMMIT),
        ("bring_back", BRANCH),
        *(pytest.param(*row, marks=pytest.mark.long) for row in LATER),
    ],
)
def test_what_somebody_does_meanwhile_stays_and_nothing_is_changed(small, monkeypatch, step, deed):
    """A commit that changes no file was lost when it came while the history was written."""
    small.git("tag", "mark")
    if step == "bring_back":
        small.git("switch", "-q", "--detach")
    begin = getattr(erasing, step)
    after = {}

    def meanwhile(*args):
        done = begin(*args)
        small.git(*deed)
        after["refs"] = small.head(), small.git("for-each-ref", "refs/heads", "refs/tags").out
        return done

    monkeypatch.setattr(erasing, step, meanwhile)
    with pytest.raises(GitError) as caught:
        erased(small)
    assert "type the command again" in caught.value.hint
    assert (small.head(), small.git("for-each-ref", "refs/heads", "refs/tags").out) == after["refs"]
    assert unfinished(opened(small)) is None and not small.status()


def test_another_memory_that_stood_at_the_same_path_stays(sandbox):
    sandbox.save({"a.md": MEMORY})
    sandbox.git("mv", "a.md", "b.md")
    sandbox.commit("Rename")
    sandbox.save({"a.md": OTHER})
    plan = plan_erasure(opened(sandbox), "b.md", ())
    assert (plan.targets.paths, len(plan.targets.blobs)) == (("a.md", "b.md"), 1)
    erase(opened(sandbox), plan)
    assert sandbox.show("HEAD", "a.md") == OTHER.encode() and "b.md" not in sandbox.files()


def test_what_was_deleted_long_ago_is_found_by_its_path(sandbox):
    sandbox.save({"private.md": MEMORY})
    sandbox.git("rm", "-q", "private.md")
    sandbox.commit("Away with it")
    assert erased(sandbox, texts=()).left == ()
    assert everywhere(sandbox) == []


def test_lines_that_others_keep_are_announced(sandbox):
    line = f"Taro lives at {TOKEN} with his cat."
    sandbox.save({"private.md": MEMORY, "quote.md": f"# Quote\n\nAs said: {line} So.\n"})
    plan = plan_erasure(opened(sandbox), "private.md", ())
    assert plan.quoted == ("quote.md",)
    proof = erase(opened(sandbox), plan)
    assert (proof.left, proof.quoted) == ((), ("quote.md",))


@pytest.fixture
def told(sandbox):
    """A memory that was rendered into files git does not know, one of them ignored."""
    sandbox.save({"private.md": MEMORY, "weather.md": f"---\npriority: high\n---\n{OTHER}"})
    sandbox.write(".git/info/exclude", "CLAUDE.md\n")
    for place in ("AGENTS.md", "CLAUDE.md", ".agents/memories/"):
        sandbox.memtools("render", "--to", place)
    sandbox.write("AGENTS.md", b"Mine above.\n" + sandbox.read("AGENTS.md") + b"Mine below.\n")
    assert len(everywhere(sandbox)) >= 4
    return sandbox


def test_what_was_rendered_into_files_git_does_not_know_is_rendered_anew(told):
    plan = plan_erasure(opened(told), "private.md", ())
    rendered = (".agents/memories/private.md", "AGENTS.md", "CLAUDE.md")
    assert (plan.losses.rendered, plan.losses.untracked) == (rendered, ())
    shown = told.memtools("erase", "private.md").out
    assert all(f"written anew, a file git does not know: {path}" in shown for path in rendered)
    assert erase(opened(told), plan)[2:] == ((), ())
    assert everywhere(told) == []
    assert told.read("AGENTS.md").startswith(b"Mine above.\n")
    assert told.read("AGENTS.md").endswith(b"Mine below.\n")
    assert not told.path(".agents/memories/private.md").exists()
    kept = told.read("AGENTS.md"), told.read("CLAUDE.md")
    for place in ("AGENTS.md", "CLAUDE.md", ".agents/memories/"):
        told.memtools("render", "--to", place)
    assert (told.read("AGENTS.md"), told.read("CLAUDE.md")) == kept


def test_a_file_git_does_not_know_that_tells_all_of_it_is_refused_and_lines_are_counted(small):
    small.write("export.ndjson", small.memtools("export", "--to", "ndjson").out)
    small.write("some.txt", f'["Taro lives at {TOKEN} with his cat."]\n')
    plan, before = plan_erasure(opened(small), "private.md", ()), small.head()
    assert (plan.losses.untracked, plan.losses.quoting) == (("export.ndjson",), ("some.txt",))
    with pytest.raises(RefusedError):
        erase(opened(small), plan)
    assert small.head() == before
    small.path("export.ndjson").unlink()
    shown = small.memtools("erase", "private.md", "--apply").out
    assert "keeps lines of it, a file git does not know: some.txt" in shown
    assert "still stands: 0; files that keep lines of it: 1" in shown


def test_a_page_of_report_that_names_the_memory_is_listed(sandbox):
    sandbox.save({"private.md": '---\npriority: high\n---\n# Where "Taro" lives\n\nIn town.\n'})
    sandbox.memtools("report", "--html", "report.html")
    losses = plan_erasure(opened(sandbox), "private.md", ()).losses
    assert "report.html" in (*losses.quoting, *losses.untracked)


def test_a_file_with_lines_that_nobody_announced_still_stands(small, monkeypatch):
    plan = plan_erasure(opened(small), "private.md", ())
    small.write("late.txt", MEMORY)
    assert erase(opened(small), plan).left == ("late.txt",)


def test_head_on_no_branch_follows(small):
    small.save({"later.md": OTHER})
    small.git("checkout", "-q", "--detach", "HEAD~1")
    small.git("commit", "-q", "--allow-empty", "-m", "On no branch")
    assert erased(small).left == ()
    assert small.git("log", "-1", "--format=%s").out == "On no branch\n"
    assert small.files() == [".memtools.toml", "weather.md"] and small.status() == ""


def test_a_clone_follows_with_its_remote_branches_and_names_the_remote(small, tmp_path):
    run(["git", "clone", "-q", str(small.top), str(tmp_path / "c")], tmp_path)
    clone = Sandbox(tmp_path / "c")
    plan = plan_erasure(opened(clone), "private.md", [TOKEN])
    assert plan.losses.remotes == ("origin",)
    assert erase(opened(clone), plan).left == () == tuple(everywhere(clone))
    assert clone.git("rev-parse", "origin/HEAD", "origin/main").out == clone.head() + "\n" + (
        clone.head() + "\n"
    )
    assert small.git("cat-file", "-e", "main:private.md").code == 0


@pytest.mark.parametrize(
    ("address", "texts"), [("", ()), ("", ("abc",)), ("", ("   a ",)), ("", ("erased",))]
)
def test_what_names_too_little_is_wrong_usage(sandbox, address, texts):
    with pytest.raises(UsageError):
        plan_erasure(opened(sandbox), address, texts)


@pytest.mark.parametrize(
    "said",
    [
        ["commit", "-q", "--allow-empty", "-m", f"About {TOKEN}"],
        ["tag", "-a", "v1", "-m", f"About {TOKEN}"],
        ["update-ref", "-m", f"about {TOKEN}", "--create-reflog", "refs/heads/x", "HEAD"],
    ],
)
def test_words_that_only_a_message_holds_are_found_and_go(sandbox, said):
    sandbox.git(*said)
    plan = plan_erasure(opened(sandbox), "", [TOKEN])
    assert not plan.is_empty
    assert erase(opened(sandbox), plan).left == ()
    assert everywhere(sandbox) == []
    assert plan_erasure(opened(sandbox), "", [TOKEN]).is_empty


def test_names_that_hold_a_text_are_not_changed_unasked(sandbox):
    sandbox.save({f"about-{TOKEN}.md": OTHER})
    with pytest.raises(RefusedError) as caught:
        plan_erasure(opened(sandbox), "", [TOKEN])
    assert "memtools erase about-" in caught.value.hint
    sandbox.git("mv", f"about-{TOKEN}.md", "about.md")
    sandbox.git("commit", "-q", "--amend", "-m", "x")
    sandbox.git("reflog", "expire", "--expire=all", "--all")
    sandbox.git("branch", f"memory/{TOKEN}")
    with pytest.raises(RefusedError) as caught:
        plan_erasure(opened(sandbox), "", [TOKEN])
    assert "git branch -m" in caught.value.hint


def shallow(sandbox, tmp_path):
    run(["git", "clone", "-q", "--depth=1", f"file://{sandbox.top}", str(tmp_path / "c")], tmp_path)
    return tmp_path / "c"


def bare(sandbox, tmp_path):
    run(["git", "clone", "-q", "--bare", str(sandbox.top), str(tmp_path / "c")], tmp_path)
    return tmp_path / "c"


def borrowing(sandbox, tmp_path):
    run(["git", "clone", "-q", "--shared", str(sandbox.top), str(tmp_path / "c")], tmp_path)
    return tmp_path / "c"


def partial(sandbox, tmp_path):
    sandbox.git("config", "uploadpack.allowFilter", "true")
    url = f"file://{sandbox.top}"
    run(["git", "clone", "-q", "--filter=blob:none", url, str(tmp_path / "c")], tmp_path)
    return tmp_path / "c"


def linked(sandbox, tmp_path):
    sandbox.git("worktree", "add", "-q", str(tmp_path / "c"))
    return sandbox.top


def merging(sandbox, _):
    sandbox.write(".git/MERGE_HEAD", sandbox.head() + "\n")
    return sandbox.top


@pytest.mark.parametrize("make", [shallow, bare, borrowing, partial, linked, merging])
def test_where_half_a_history_would_stay_nothing_is_done(small, tmp_path, make):
    where = make(small, tmp_path)
    with pytest.raises(GitError) as caught:
        plan_erasure(open_repository(str(where)), "private.md", ())
    assert "nothing was changed" in caught.value.message and caught.value.hint


def test_what_else_is_kept_beside_the_history_goes_only_when_it_holds_the_bytes(small):
    for name in ("one", "two"):
        small.write(f".git/memtools/log/crash-{name}", "Nothing of it.\n")
    small.write(".git/memtools/log/crash-two", f"It failed at {TOKEN}.\n")
    small.write(".git/memtools/sessions/s", "private.md 0123456\n")
    assert erased(small).left == ()
    assert os.listdir(small.path(".git/memtools/log")) == ["crash-one"]
    assert os.listdir(small.path(".git/memtools/sessions")) == ["s"]


def test_an_older_memtools_erases_nothing(small):
    small.save({".memtools.toml": 'requires = ">=99"\n'})
    plan, before = plan_erasure(opened(small), "private.md", ()), small.head()
    with pytest.raises(PolicyError):
        erase(opened(small), plan)
    assert small.head() == before


def test_an_agent_erases_nothing(small, monkeypatch):
    plan = plan_erasure(opened(small), "private.md", ())
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    before = small.head()
    with pytest.raises(PolicyError):
        erase(opened(small), plan)
    assert small.head() == before


def commits_anew(sandbox, *bodies):
    """Commits on top of HEAD as other programs wrote them: all bytes after the parent."""
    for body in bodies:
        head = sandbox.git("rev-parse", "HEAD", "HEAD^{tree}", "--").out.split()
        raw = f"tree {head[1]}\nparent {head[0]}\n".encode() + body
        made = sandbox.git("hash-object", "-t", "commit", "--literally", "-w", "--stdin", input=raw)
        sandbox.git("update-ref", "HEAD", made.out.strip())


def raw_parts(sandbox, *names):
    """What commits and tags say, but for the ids in them."""
    raw = [os.fsencode(sandbox.git("cat-file", "-p", name, "--").out) for name in names]
    return [re.sub(rb"^(tree|parent|object) \w+\n", b"", one, flags=re.M) for one in raw]


def test_messages_tags_and_people_stay_as_odd_as_they_were(sandbox):
    who = b"author A <a@b> 1700000000 +0900\ncommitter A <a@b> 1700000000 %s\n"
    sandbox.save({"private.md": MEMORY, "weather.md": OTHER})
    commits_anew(
        sandbox,
        who % b"+0000" + b"encoding ISO-8859-1\n\ncaf\xe9\n",
        who % b"+051800" + b"\n\xff no encoding is told\r\n\n\n",
    )
    sandbox.git("tag", "-a", "-m", "One", "one")
    sandbox.git("tag", "-a", "-m", f"A tag of a tag at {TOKEN}", "two", "one")
    head = sandbox.head()
    plain = f"object {head}\ntype commit\ntag another\n\nNobody tagged it\n"
    made = sandbox.git("hash-object", "-t", "tag", "--literally", "-w", "--stdin", input=plain)
    sandbox.git("update-ref", "refs/tags/three", made.out.strip())
    sandbox.git("update-ref", "refs/archive/one", sandbox.git("rev-parse", "one").out.strip())
    names = ("HEAD", "HEAD~1", "one", "two", "three", "refs/archive/one")
    before = [part.replace(TOKEN.encode(), b"[erased]") for part in raw_parts(sandbox, *names)]
    assert erased(sandbox).left == ()
    assert raw_parts(sandbox, *names) == before
    assert sandbox.git("cat-file", "-t", "two^{}").out == "commit\n"


def test_a_path_goes_from_messages_only_where_it_stands_alone(sandbox):
    sandbox.save({"go.md": MEMORY, "notes/go.md": OTHER, "logo.md": "# Logo\n\nIt is blue.\n"})
    message = "Mend {0} (./{0}, /x/{0}); not logo.md, notes/go.md, my-go.md, go.md.bak"
    sandbox.save({"go.md": f"{MEMORY}More.\n"}, message.format("go.md"))
    erased(sandbox, "go.md", ())
    assert sandbox.git("log", "-1", "--format=%s").out == message.format("[erased]") + "\n"


def test_names_of_files_that_look_like_something_else_are_names(sandbox):
    names = ("a\x01b.md", "x\x01" + "0" * 40 + ".md", "a\nb.md", "HEAD", "refs/stash", "é\udcff.md")
    sandbox.save({name: f"# {number}\n\nAt {TOKEN}.\n" for number, name in enumerate(names)})
    sandbox.save({"a\x01b.md": MEMORY})
    assert erased(sandbox, "a\x01b.md").left == ()
    assert sorted(sandbox.files()) == sorted({*names, ".memtools.toml"} - {"a\x01b.md"})
    assert sandbox.read("HEAD") == b"# 3\n\nAt [erased].\n"


@pytest.mark.parametrize("what", ["HEAD:private.md", "HEAD:weather.md"])
def test_a_tag_of_no_commit_is_refused_when_it_holds_the_bytes(small, what):
    small.git("tag", "-a", "-m", f"at {TOKEN}", "odd", what)
    with pytest.raises(RefusedError) as caught:
        plan_erasure(opened(small), "private.md", [TOKEN])
    assert "git update-ref -d refs/tags/odd" in caught.value.hint


def test_a_conflict_long_resolved_keeps_no_bytes(sandbox):
    sandbox.save({"weather.md": OTHER})
    for branch in ("side", "main"):
        sandbox.git("switch", "-q", *(("-c",) if branch == "side" else ()), branch)
        words = TOKEN if branch == "side" else "the hill"
        sandbox.save({"weather.md": f"# Weather\n\nIt rains at {words}.\n"})
    sandbox.git("merge", "-q", "side", check=False)
    sandbox.save({"weather.md": OTHER})
    assert erased(sandbox, "").left == () and not everywhere(sandbox)


def test_what_git_left_and_what_is_no_file_of_ours_goes(small):
    for name in (
        "lost-found/other/1",
        "ADD_EDIT.patch",
        "GITGUI_MSG",
        "MERGE_RR",
        "memtools/log/x",
    ):
        small.write(f".git/{name}", MEMORY)
    small.path(".git/memtools/log/away").symlink_to(small.write("kept.txt", OTHER))
    os.mkfifo(small.path(".git/memtools/log/pipe"))
    assert erased(small).left == () and not everywhere(small)
    assert small.read("kept.txt") == OTHER.encode()


def test_names_of_folders_and_what_links_lead_to_are_looked_at(small):
    small.path(f"empty/{TOKEN}").mkdir(parents=True)
    small.path(".git/away").symlink_to(f"/somewhere/{TOKEN}")
    assert set(erased(small).left) == {f"empty/{TOKEN}", ".git/away"}


def test_of_two_plans_for_one_history_only_the_first_is_carried_out(small):
    """The second knew the tree from before the first, and ended half way."""
    repository, plan = opened(small), plan_erasure(opened(small), "weather.md", ())
    assert erased(small).left == ()
    before = small.head()
    with pytest.raises(GitError) as caught:
        erase(repository, plan)
    assert "type the command again" in caught.value.hint
    assert (small.head(), small.status(), unfinished(opened(small))) == (before, "", None)


@pytest.mark.parametrize("mark", ["skip-worktree", "assume-unchanged"])
def test_a_change_that_git_does_not_look_at_is_not_lost(small, mark):
    small.git("update-index", f"--{mark}", "private.md")
    small.write("private.md", "Nobody has seen this.\n")
    with pytest.raises(GitError) as caught:
        erased(small)
    assert f"--no-{mark}" in caught.value.hint
    assert small.read("private.md") == b"Nobody has seen this.\n"
