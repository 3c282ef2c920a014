"""`daily`: backup, sweep, due approvals, index and report, each safe by itself."""

import os
from datetime import UTC, datetime

import pytest

from memtools.errors import GitError
from memtools.usecases.bundles import own_folder
from memtools.usecases.proposing.propose import propose
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.daily import daily
from tests.helpers import Sandbox, copied

NOW = datetime(2026, 12, 3, 12, 0, tzinfo=UTC)  # three days after what `FIXED` dates
LATER = datetime(2026, 12, 4, 12, 0, tzinfo=UTC)
FACT = b"The zeppelin of the team is moored behind the hangar.\n"
WRONG = "The small oven of the bakery burns everything.\n"
MARKER = "RETRACTS: The small oven of the bakery burns everything\n"
TRUST = b'\n[gate]\ninput_trust = "high"\n'
STEPS = ["backup", "sweep", "approvals", "index", "report"]


def opened(sandbox):
    return open_repository(str(sandbox.top))


def batch(sandbox, **options):
    return daily(opened(sandbox), **{"now": NOW, "apply": True, **options})


def states(done):
    return {step.name: str(step.state) for step in done.steps}


def everything(sandbox):
    return sandbox.git("for-each-ref").out, sandbox.git("ls-files", "-s").out, sandbox.status()


def bundles(sandbox):
    folder = own_folder(opened(sandbox))
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def delayed(sandbox, raw=FACT, title="Zeppelin", **options):
    """A candidate that may be approved when its day comes."""
    settings = sandbox.read(".memtools.toml")
    if TRUST not in settings:
        sandbox.save({".memtools.toml": settings + TRUST})
    given = {"source": "extracted", "confidence": 0.9, "title": title, **options}
    made = propose(opened(sandbox), raw, apply=True, **given)
    assert made.approve_after, made
    return made.path


def open_marker(sandbox):
    """An open marker, as a merge or the phone leaves it."""
    sandbox.write("ovens.md", WRONG)
    sandbox.write("fix.md", MARKER)
    sandbox.stage()
    sandbox.git("commit", "-q", "-n", "-m", "Past the hooks")
    return sandbox


@pytest.fixture(scope="module")
def _notes(_installed_template, tmp_path_factory):
    return open_marker(copied(_installed_template, tmp_path_factory.mktemp("notes") / "repo"))


@pytest.fixture(scope="module")
def _both(_installed_template, tmp_path_factory):
    made = copied(_installed_template, tmp_path_factory.mktemp("both") / "repo")
    return delayed(made), open_marker(made)


@pytest.fixture
def notes(_notes, tmp_path):
    return copied(_notes, tmp_path / "repo")


@pytest.fixture
def both(_both, tmp_path):
    """A candidate that falls due, and an open marker."""
    made = copied(_both[1], tmp_path / "repo")
    made.candidate = _both[0]
    return made


def test_a_dry_run_says_what_it_would_do_and_changes_nothing(both):
    notes, path = both, both.candidate
    before = everything(notes)
    done = batch(notes, apply=False)
    assert [step.name for step in done.steps] == STEPS
    assert states(done)["backup"] == states(done)["sweep"] == states(done)["approvals"] == "would"
    assert "ovens.md" in done.steps[1].message
    assert path in done.steps[2].message
    assert (done.code, everything(notes), bundles(notes)) == (0, before, [])
    assert not notes.path(".git/memtools/log/daily").exists()


def test_it_backs_up_sweeps_and_approves_and_a_second_run_changes_nothing(both):
    notes, path = both, both.candidate
    done = batch(notes)
    assert done.code == 0
    assert b"status: retracted" in notes.show("HEAD", "ovens.md")
    assert b"status: active" in notes.show("HEAD", path)
    assert notes.status() == ""
    assert [step.name for step in done.steps] == [*STEPS[:3], "backup-after", *STEPS[3:]]
    before, kept = everything(notes), bundles(notes)
    again = batch(notes, now=LATER)
    assert (again.code, everything(notes), bundles(notes)) == (0, before, kept)
    assert set(states(again).values()) == {"nothing", "done"}
    assert states(again)["report"] == "done"
    log = notes.read(".git/memtools/log/daily").decode().splitlines()
    assert [line.split("\t")[0] for line in log] == [NOW.isoformat(), LATER.isoformat()]
    assert log[1].endswith("exit=0")


def test_its_commits_say_that_no_person_made_them(both):
    notes, path = both, both.candidate
    batch(notes)
    told = notes.git("log", "-2", "--format=%B").out
    assert told.count("Memtools-By: daily") == 2
    assert f"Approve {path}\n\nNobody objected by 2026-12-02.\n" in told
    assert "Memtools-Gate: delayed gate-extracted" in told


def test_the_state_before_can_be_restored_from_the_bundle(notes, tmp_path):
    before = notes.head()
    batch(notes)
    first = min(bundles(notes), key=len)  # the one after it has a number
    notes.git("clone", "-q", f"{own_folder(opened(notes))}/{first}", str(tmp_path / "clone"))
    clone = Sandbox(tmp_path / "clone")
    assert clone.head() == before
    assert clone.read("ovens.md") == WRONG.encode()


def test_without_a_good_backup_no_memory_is_changed_and_the_safe_steps_go_on(notes):
    blob = notes.git("rev-parse", "HEAD:ovens.md").out.strip()
    notes.write("ovens.md", WRONG + "More.\n")
    notes.commit("More", "-a", "-n")
    notes.path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()  # history is damaged
    before = everything(notes)
    done = batch(notes)
    assert states(done) == {
        "backup": "failed",
        "sweep": "skipped",
        "approvals": "skipped",
        "index": states(done)["index"],
        "report": "done",
    }
    assert done.code == 3
    assert everything(notes) == before
    assert notes.read(".git/memtools/log/daily").endswith(b"exit=3\n")


def test_the_given_clock_decides_what_is_due(both):
    for day, is_due in (("2026-12-01T23:59:59", False), ("2026-12-02T00:00:00", True)):
        done = batch(both, now=datetime.fromisoformat(f"{day}+00:00"), apply=False)
        assert (states(done)["approvals"] == "would") is is_due


def test_what_was_objected_to_or_changed_is_not_approved(sandbox):
    objected, changed = (
        delayed(sandbox, f"The {word} of the team is behind the hangar.\n".encode(), title=word)
        for word in ("zeppelin", "submarine")
    )
    raw = sandbox.read(objected)
    sandbox.save(
        {
            objected: raw.replace(b"status:", b"objection: it was sold\nstatus:", 1),
            changed: sandbox.read(changed) + b"Ask the mayor.\n",
        }
    )
    done = batch(sandbox)
    assert not [path for path in (objected, changed) if b"status: active" in sandbox.read(path)]
    (step,) = [step for step in done.steps if step.name == "approvals"]
    why = {str(line).split(" ")[0]: str(line) for line in step.more}
    assert why.keys() == {objected, changed}
    assert "somebody objects" in why[objected]


def test_inside_a_merge_nothing_is_committed_and_the_rest_is_done(notes):
    notes.git("checkout", "-q", "-b", "other", "HEAD^")
    notes.save({"ovens.md": "Something else.\n"})
    notes.git("merge", "main", check=False)
    before = notes.head()
    done = batch(notes)
    assert (states(done)["backup"], states(done)["index"]) == ("done", states(done)["index"])
    assert states(done)["sweep"] == states(done)["approvals"] == "failed"
    assert "merge" in done.steps[1].message
    assert (done.code, notes.head()) == (3, before)


def test_a_held_lock_is_named_and_nothing_is_broken(notes):
    notes.write(".git/index.lock", "")
    done = batch(notes)
    assert "index.lock" in done.steps[1].message
    assert done.code == 3
    assert notes.path(".git/index.lock").exists()
    assert b"retracted" not in notes.show("HEAD", "ovens.md")


def test_an_agent_sweeps_but_approves_nothing(both, monkeypatch):
    notes, path = both, both.candidate
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    done = batch(notes)
    assert states(done)["approvals"] == "failed"
    assert done.code == 4
    assert b"status: candidate" in notes.show("HEAD", path)


def test_bound_to_a_remote_ref_it_fetches_first(notes, tmp_path):
    notes.git("clone", "-q", "--bare", str(notes.top), str(tmp_path / "origin.git"))
    notes.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    assert "fetch" not in states(batch(notes, apply=False))
    notes.git("config", "memtools.readRef", "origin/main")
    assert states(batch(notes, apply=False))["fetch"] == "would"
    done = batch(notes)
    assert (states(done)["fetch"], done.code) == ("done", 0)
    assert notes.git("rev-parse", "origin/main").code == 0


def test_a_remote_that_cannot_be_reached_is_one_line_and_the_rest_goes_on(notes, tmp_path):
    notes.git("remote", "add", "origin", str(tmp_path / "gone.git"))
    notes.git("update-ref", "refs/remotes/origin/main", "HEAD")
    notes.git("config", "memtools.readRef", "origin/main")
    done = batch(notes)
    assert (states(done)["fetch"], states(done)["sweep"], done.code) == ("failed", "done", 3)


def test_two_runs_at_once_are_one_too_many(notes):
    from memtools.files import take_lock

    held = take_lock(str(notes.path(".git/memtools/daily-lock")), 0.0)
    try:
        with pytest.raises(GitError, match="daily-lock"):
            batch(notes)
    finally:
        os.close(held)


def test_an_ambiguous_marker_is_a_finding_and_stops_nothing(notes):
    notes.write("twin.md", WRONG)
    notes.stage()
    notes.git("commit", "-q", "-n", "-m", "A second one")
    done = batch(notes)
    assert (done.code, states(done)["report"]) == (1, "done")
    assert any("ovens.md" in line or "fix.md" in line for line in done.steps[1].more)


def test_before_the_first_commit_there_is_nothing_to_do(repo):
    done = batch(repo)
    assert (done.code, states(done)["backup"]) == (0, "nothing")
