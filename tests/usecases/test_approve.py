"""`approve` and `reject`: a person decides about one candidate, and git keeps what they decided."""

import json

import pytest

from memtools.core.memory import read_memory
from memtools.errors import GitError, PolicyError, RefusedError, UsageError
from memtools.usecases.proposing.approve import ChangedError, approve
from memtools.usecases.proposing.importing import import_memories
from memtools.usecases.proposing.propose import propose
from memtools.usecases.proposing.reject import reject
from memtools.usecases.reading.history import history
from memtools.usecases.reading.search import search
from memtools.usecases.repository import open_repository
from memtools.usecases.state import JournalRow, change_journal, read_journal

FACT = b"The zeppelin of the team is moored behind the hangar.\n"
VICTIM = "# Ovens\n\nThe small oven of the bakery burns everything.\n"
MARKER = "RETRACTS: The small oven of the bakery burns everything\n"
SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"


def opened(sandbox):
    return open_repository(str(sandbox.top))


def proposed(sandbox, raw=FACT, **options):
    given = {"source": "external", "title": "Zeppelin", "confidence": 0.9, **options}
    return propose(opened(sandbox), raw, apply=True, **given)


def letting_in(sandbox, path, **options):
    return approve(opened(sandbox), path, **{"apply": True, **options})


def turning_away(sandbox, path, **options):
    return reject(opened(sandbox), path, **{"why": "not true", "apply": True, **options})


def status(sandbox, path):
    return str(read_memory(path, sandbox.show("HEAD", path)).status)


def everything(sandbox):
    return sandbox.head(), sandbox.git("ls-files", "-s").out, sandbox.status()


def message(sandbox):
    return sandbox.git("log", "-1", "--format=%B").out


def test_an_approval_changes_the_status_and_nothing_else(sandbox):
    path = proposed(sandbox, FACT.replace(b"\n", b"\r\n")).path
    before = sandbox.show("HEAD", path)
    found = letting_in(sandbox, path)
    assert found.applied
    assert sandbox.show("HEAD", path) == before.replace(b"status: candidate", b"status: active")
    assert sandbox.read(path) == sandbox.show("HEAD", path)
    assert sandbox.status() == ""
    assert [hit.path for hit in search(opened(sandbox), "zeppelin").hits] == [path]


def test_the_commit_says_which_bytes_were_approved_and_what_the_gate_said(sandbox):
    made = proposed(sandbox)
    letting_in(sandbox, made.path)
    assert message(sandbox) == (
        f"Approve {made.path}\n\nMemtools-Approved: {made.blob} {made.path}\n"
        "Memtools-Gate: review gate-external\n\n"
    )


def test_without_apply_nothing_changes_and_the_blob_is_named(sandbox):
    made = proposed(sandbox)
    before = everything(sandbox)
    found = letting_in(sandbox, made.path, apply=False)
    assert (found.applied, found.blob, found.rule) == (False, made.blob, "gate-external")
    assert everything(sandbox) == before


def test_what_the_person_has_staged_stays_out_of_it(sandbox):
    path = proposed(sandbox).path
    sandbox.write("mine.md", "staged by the person\n")
    sandbox.stage("mine.md")
    letting_in(sandbox, path)
    assert sandbox.status() == "A  mine.md\n"
    assert "mine.md" not in sandbox.files()


def test_pending_markers_act_in_the_same_commit(sandbox):
    sandbox.save({"ovens.md": VICTIM})
    path = proposed(sandbox, MARKER.encode(), title="Ovens are fine").path
    assert status(sandbox, "ovens.md") == "active"
    shown = letting_in(sandbox, path, apply=False)
    assert [victim.path for victim in shown.retracts] == ["ovens.md"]
    before = sandbox.head()
    letting_in(sandbox, path)
    assert (status(sandbox, path), status(sandbox, "ovens.md")) == ("active", "retracted")
    assert sandbox.git("rev-list", "--count", f"{before}..HEAD").out == "1\n"
    assert sandbox.status() == ""


def test_other_bytes_than_those_shown_are_refused(sandbox):
    made = proposed(sandbox)
    sandbox.save({made.path: sandbox.read(made.path) + b"One line more.\n"})
    before = everything(sandbox)
    with pytest.raises(ChangedError) as caught:
        letting_in(sandbox, made.path, blob=made.blob)
    assert made.path in caught.value.message
    assert everything(sandbox) == before
    with pytest.raises(ChangedError):
        turning_away(sandbox, made.path, blob=made.blob)


def test_a_changed_candidate_is_no_plan_a_dry_run_showed(sandbox):
    made = proposed(sandbox)
    letting_in(sandbox, made.path, apply=False, now=1000.0)
    sandbox.save({made.path: sandbox.read(made.path) + b"One line more.\n"})
    found = letting_in(sandbox, made.path, now=1001.0)
    assert (found.applied, found.is_new_plan, found.code) == (False, True, 1)
    assert letting_in(sandbox, made.path, now=1002.0).applied


def test_a_changed_target_is_no_plan_a_dry_run_showed(sandbox):
    sandbox.save({"ovens.md": VICTIM})
    path = proposed(sandbox, MARKER.encode(), title="Ovens are fine").path
    shown = letting_in(sandbox, path, apply=False, now=1000.0)
    sandbox.save({"ovens.md": VICTIM + "Ask Bo.\n"})
    assert letting_in(sandbox, path, now=1001.0).is_new_plan
    assert shown.path == path
    assert status(sandbox, "ovens.md") == "active"


def test_what_a_key_of_the_queue_showed_is_what_it_approves(sandbox):
    sandbox.save({"ovens.md": VICTIM})
    made = proposed(sandbox, MARKER.encode(), title="Ovens are fine")
    rows = (
        (made.path, made.blob),
        ("ovens.md", sandbox.git("rev-parse", "HEAD:ovens.md").out.strip()),
    )
    sandbox.save({"ovens.md": VICTIM + "Ask Bo.\n"})
    with pytest.raises(ChangedError) as caught:
        letting_in(sandbox, made.path, shown=rows)
    assert "ovens.md" in caught.value.message
    assert status(sandbox, made.path) == "candidate"


@pytest.mark.parametrize("where", ["file", "file and staging", "staging"])
def test_changes_that_are_not_committed_are_neither_approved_nor_lost(sandbox, where):
    path = proposed(sandbox).path
    committed = sandbox.read(path)
    sandbox.write(path, committed + b"Not committed.\n")
    if where != "file":
        sandbox.stage(path)
    if where == "staging":
        sandbox.write(path, committed)
    before = everything(sandbox)
    for decide in (letting_in, turning_away):
        with pytest.raises(RefusedError, match="not committed"):
            decide(sandbox, path)
    assert everything(sandbox) == before


def test_an_agent_decides_nothing(sandbox, monkeypatch):
    path = proposed(sandbox).path
    before = everything(sandbox)
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    for decide in (letting_in, turning_away):
        with pytest.raises(PolicyError):
            decide(sandbox, path)
    assert everything(sandbox) == before


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (f"---\nstatus: candidate\nsource: stated\n---\nUse {SECRET} .\n", "gate-secret"),
        ("---\nstatus: candidate\nsource: inferred\n---\nAnn is shy.\n", "gate-inferred"),
        (
            "---\nstatus: candidate\nsource: extracted\nconfidence: 0.1\n---\nA rumour.\n",
            "gate-unsure",
        ),
    ],
)
def test_what_the_gate_rejects_nobody_lets_in(sandbox, text, rule):
    sandbox.write("bad.md", text)
    sandbox.stage("bad.md")
    sandbox.git("commit", "-q", "-n", "-m", "Past the hook")
    before = everything(sandbox)
    with pytest.raises(PolicyError) as caught:
        letting_in(sandbox, "bad.md")
    assert rule in caught.value.message
    assert SECRET not in caught.value.message
    assert everything(sandbox) == before
    assert turning_away(sandbox, "bad.md").rule == rule


def test_what_was_retracted_meanwhile_is_not_let_in(sandbox):
    path = proposed(sandbox, source="extracted").path
    sandbox.save({"old.md": b"---\nstatus: retracted\n---\n" + FACT})
    with pytest.raises(PolicyError, match="gate-reintroduction"):
        letting_in(sandbox, path)


def test_a_marker_that_would_not_act_is_named_before_it_is_let_in(sandbox):
    sandbox.save({"a.md": VICTIM, "b.md": VICTIM})
    path = proposed(sandbox, MARKER.encode(), title="Ovens are fine").path
    with pytest.raises(RefusedError, match="would not act"):
        letting_in(sandbox, path)
    assert status(sandbox, path) == "candidate"


@pytest.mark.parametrize(
    "text",
    [
        "---\nstatus: candidate\na: *b\nx: [1,\n---\nHello there.\n",
        "---\nstatus: [candidate]\n---\nHello there.\n",
        "---\nstatus: &s candidate\nother: *s\nsource: stated\n---\nHello there.\n",
        "---\nstatus: candidate\nstatus: candidate\nsource: stated\n---\nHello there.\n",
        "---\nstatus: candidate\n---\n<<<<<<< a\nHello\n=======\nthere\n>>>>>>> b\n",
        b"---\nstatus: candidate\nsource: stated\n---\n\xff\xfe\n",
    ],
)
def test_a_hostile_candidate_is_approved_right_or_refused_whole(sandbox, text):
    sandbox.write("odd.md", text)
    sandbox.stage("odd.md")
    sandbox.git("commit", "-q", "-n", "-m", "Past the hook")
    before = everything(sandbox)
    try:
        letting_in(sandbox, "odd.md")
    except RefusedError as error:
        assert error.message
        assert everything(sandbox) == before
    else:
        assert status(sandbox, "odd.md") == "active"


def test_only_a_candidate_can_be_decided_about(sandbox):
    sandbox.save({"a.md": "Fine.\n"})
    for decide in (letting_in, turning_away):
        with pytest.raises(RefusedError, match="no candidate"):
            decide(sandbox, "a.md")
        with pytest.raises(RefusedError):
            decide(sandbox, "missing.md")
        with pytest.raises(RefusedError):
            decide(sandbox, "../outside.md")


def test_a_branch_is_merged_not_approved(sandbox):
    made = proposed(sandbox, branch=True)
    with pytest.raises(RefusedError, match="to merge it is to approve it"):
        letting_in(sandbox, made.branch)


def test_inside_a_merge_nothing_is_decided(sandbox):
    path = proposed(sandbox).path
    sandbox.save({"a.md": "one\n"})
    sandbox.git("checkout", "-q", "-b", "other", "HEAD^")
    sandbox.save({"a.md": "two\n"})
    sandbox.git("merge", "main", check=False)
    for decide in (letting_in, turning_away):
        with pytest.raises(GitError, match="merge"):
            decide(sandbox, path)


def test_a_rejection_takes_the_file_out_and_keeps_who_and_why(sandbox):
    made = proposed(sandbox)
    sandbox.write("mine.md", "staged by the person\n")
    sandbox.stage("mine.md")
    found = turning_away(sandbox, made.path, why="the hangar\nwas sold")
    assert found.applied
    assert made.path not in sandbox.files()
    assert not sandbox.path(made.path).exists()
    assert sandbox.status() == "A  mine.md\n"
    assert message(sandbox) == (
        f"Reject {made.path}\n\nthe hangar was sold\n\n"
        f"Memtools-Rejected: {made.path} gate-external\n\n"
    )
    assert read_journal(opened(sandbox).state_dir) == ()


def test_history_tells_who_turned_a_candidate_away_and_why(sandbox):
    path = proposed(sandbox).path
    turning_away(sandbox, path, why="nobody saw it there")
    proposed_, rejected = history(opened(sandbox), path).events
    assert (proposed_.what, rejected.what) == ("proposed", "rejected")
    assert (rejected.reason, rejected.rule) == ("nobody saw it there", "gate-external")
    assert rejected.author == "Ann Author <ann@example.com>"


def test_a_candidate_that_is_only_deleted_is_no_rejection(sandbox):
    path = proposed(sandbox).path
    sandbox.git("rm", "-q", path)
    sandbox.commit(f"Clean up\n\nMemtools-Rejected: other/{path} gate-external")
    assert history(opened(sandbox), path).events[-1].what == "deleted"


@pytest.mark.parametrize("act", [letting_in, turning_away])
def test_a_candidate_that_cannot_be_read_is_named_with_the_reason(sandbox, act):
    header = "---\nstatus: candidate\nsource: stated\n---\n"
    sandbox.write("inbox/big.md", header + "word " * 60_000)
    sandbox.stage()
    sandbox.git("commit", "-q", "-n", "-m", "big")
    before = everything(sandbox)
    with pytest.raises(RefusedError) as caught:
        act(sandbox, "inbox/big.md")
    assert "larger than" in caught.value.message and "git rm" in caught.value.hint
    assert everything(sandbox) == before


def test_a_rejection_says_why(sandbox):
    path = proposed(sandbox).path
    with pytest.raises(UsageError):
        turning_away(sandbox, path, why=" \n")


def test_a_dry_run_rejects_nothing(sandbox):
    path = proposed(sandbox).path
    before = everything(sandbox)
    assert not turning_away(sandbox, path, apply=False).applied
    assert everything(sandbox) == before


def test_a_rejection_that_was_killed_is_finished_by_the_next_hook(sandbox):
    made = proposed(sandbox)
    raw = sandbox.read(made.path)
    turning_away(sandbox, made.path)
    sandbox.write(made.path, raw)  # as if index and file had not followed
    sandbox.stage(made.path)
    change_journal(opened(sandbox).state_dir, add=[JournalRow(made.path, made.blob, "-")])
    sandbox.save({"next.md": "Next.\n"})
    sandbox.save({"later.md": "Later.\n"})
    assert made.path not in sandbox.files()
    assert sandbox.status() == ""


def test_a_file_changed_while_it_is_rejected_stays(sandbox):
    made = proposed(sandbox)
    turning_away(sandbox, made.path)
    sandbox.write(made.path, "Mine now.\n")
    change_journal(opened(sandbox).state_dir, add=[JournalRow(made.path, made.blob, "-")])
    sandbox.save({"next.md": "Next.\n"})
    assert sandbox.read(made.path) == b"Mine now.\n"


def test_a_rejected_import_does_not_come_back(sandbox, tmp_path):
    rows = tmp_path / "rows.ndjson"
    rows.write_text(json.dumps({"title": "Zeppelin", "text": FACT.decode()}), "utf-8")

    def imported():
        return import_memories(opened(sandbox), "ndjson", str(rows), apply=True)

    path = imported().entries[0].path
    turning_away(sandbox, path)
    assert b"zeppelin" not in message(sandbox).lower().replace(path, "").encode()
    again = imported()
    assert (again.entries, again.known) == ((), 1)


def test_a_name_cannot_forge_a_record(sandbox):
    name = "odd\n\nMemtools-Approved: 0000000 x.md"
    sandbox.write(name + ".md", "---\nstatus: candidate\nsource: stated\n---\nHello there.\n")
    sandbox.stage()
    sandbox.git("commit", "-q", "-n", "-m", "Past the hook")
    letting_in(sandbox, name + ".md")
    form = "%(trailers:key=Memtools-Approved,valueonly)"
    assert "0000000 x.md" not in sandbox.git("log", "-1", f"--format={form}").out.splitlines()
    assert len(message(sandbox).splitlines()) == 5


def test_a_file_that_agents_read_follows_in_the_same_commit(sandbox):
    sandbox.save({"ovens.md": f"---\npriority: high\n---\n{VICTIM}"})
    sandbox.memtools("render", "--to", "AGENTS.md")
    sandbox.stage()
    sandbox.commit("Render")
    raw = f"---\npriority: high\n---\nOvens are mended.\n\n{MARKER}".encode()
    path = proposed(sandbox, raw, title="Ovens are fine").path
    assert b"burns everything" in sandbox.show("HEAD", "AGENTS.md")
    letting_in(sandbox, path)
    assert b"burns everything" not in sandbox.show("HEAD", "AGENTS.md")
    assert b"Ovens are mended." in sandbox.show("HEAD", "AGENTS.md")
    assert sandbox.status() == ""


def test_the_reason_of_a_rejection_cannot_write_on_a_terminal(sandbox):
    turning_away(sandbox, proposed(sandbox).path, why="no\x1b[31m\u202e")
    assert "no\\x1b[31m\\u202e" in sandbox.git("log", "-1", "--format=%B").out
