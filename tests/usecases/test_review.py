"""The queue of candidates, and the approvals that fall due."""

import pytest

from memtools.core.memory import read_memory
from memtools.core.waiting import Waiting, due, worst_first
from memtools.errors import PolicyError
from memtools.usecases.proposing.falling_due import approve_due
from memtools.usecases.proposing.propose import propose
from memtools.usecases.proposing.reject import reject
from memtools.usecases.proposing.review import review
from memtools.usecases.repository import open_repository

NOW = "2026-12-02T09:00:00+09:00"
FACT = b"The zeppelin of the team is moored behind the hangar.\n"
SECRET = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"


def opened(sandbox):
    return open_repository(str(sandbox.top))


def proposed(sandbox, raw=FACT, **options):
    given = {"source": "extracted", "title": "Zeppelin", "confidence": 0.9, **options}
    return propose(opened(sandbox), raw, apply=True, **given)


def queue(sandbox, now=NOW):
    return review(opened(sandbox), now)


def past_the_hook(sandbox, path, content):
    sandbox.write(path, content)
    sandbox.stage(path)
    sandbox.git("commit", "-q", "-n", "-m", "Past the hook")


def status(sandbox, path):
    return str(read_memory(path, sandbox.show("HEAD", path)).status)


def one(path="a.md", **fields):
    given = {"title": "", "source": "extracted", "confidence": 0.9, "failure_cost": "low"}
    found = Waiting(path, "0" * 40, **given, rule="gate-extracted", approve_after="2026-12-02")
    return found._replace(**fields)


@pytest.mark.parametrize(
    ("now", "fields", "is_due"),
    [
        ("2026-12-02T00:00:00+09:00", {}, True),
        ("2026-12-09", {}, True),
        ("2026-12-01T23:59:59+09:00", {}, False),
        ("2026-12-02T00:00:00+09:00", {"proposed_at": "2026-11-29T10:00:00+09:00"}, True),
        ("2026-12-01T23:00:00+00:00", {"proposed_at": "2026-11-29T10:00:00+09:00"}, False),
        ("2026-12-02T05:00:00+00:00", {"proposed_at": "2026-11-29T10:00:00-08:00"}, False),
        ("2026-12-02T08:00:00+00:00", {"proposed_at": "2026-11-29T10:00:00-08:00"}, True),
        ("2026-12-02", {"proposed_at": "2026-11-29"}, True),
        ("2026-12-02T00:00:00Z", {"proposed_at": "yesterday"}, True),
        ("2026-12-09", {"source": "stated"}, True),
        ("2026-12-09", {"source": "external"}, False),
        ("2026-12-09", {"source": "inferred"}, False),
        ("2026-12-09", {"source": ""}, False),
        ("2026-12-09", {"objection": "not true"}, True),
        ("2026-12-09", {"approve_after": ""}, False),
        ("2026-12-09", {"approve_after": "soon"}, False),
        ("never", {}, False),
    ],
)
def test_a_day_comes_for_all_but_outside_text(now, fields, is_due):
    assert bool(due([one(**fields)], now)) is is_due


def test_the_worst_comes_first():
    order = [
        one("a.md", rule="conflict-marks"),
        one("b.md", rule="gate-secret"),
        one("c.md", rule="gate-external", failure_cost="high"),
        one("d.md", rule="gate-external", confidence=0.2),
        one("e.md", rule="gate-external", proposed_at="2026-11-01"),
        one("f.md", rule="gate-external", proposed_at="2026-11-02"),
        one("g.md"),
    ]
    assert worst_first(reversed(order)) == order


def test_an_empty_repository_has_an_empty_queue(repo):
    assert queue(repo) == ()


def test_the_queue_holds_candidates_and_no_drafts(sandbox):
    made = proposed(sandbox)
    sandbox.save({"draft.md": "---\nstatus: draft\n---\nA draft.\n", "a.md": "Fine.\n"})
    (found,) = queue(sandbox)
    assert (found.candidate.path, found.candidate.blob) == (made.path, made.blob)
    assert (found.candidate.title, found.age_days) == ("Zeppelin", 3)
    assert (found.candidate.rule, found.state) == ("gate-extracted", "waiting")
    assert found.text.encode() == sandbox.read(made.path)


def test_a_candidate_names_its_victims(sandbox):
    sandbox.save({"ovens.md": "The small oven of the bakery burns everything.\n"})
    proposed(sandbox, b"RETRACTS: The small oven of the bakery burns everything\n", title="Ovens")
    (found,) = queue(sandbox)
    assert [victim.path for victim in found.retracts] == ["ovens.md"]
    assert [path for path, _ in found.rows] == [found.candidate.path, "ovens.md"]


def test_a_secret_is_found_and_handed_on_nowhere(sandbox):
    text = f"---\nstatus: candidate\nobjection: {SECRET}\n---\n# Use {SECRET}\n\n{SECRET}\n"
    past_the_hook(sandbox, "bad.md", text)
    (found,) = queue(sandbox)
    assert (found.candidate.rule, found.state) == ("gate-secret", "blocked")
    assert found.findings
    assert SECRET not in repr(found)


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("---\nstatus: candidate\n---\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n", "conflict-marks"),
        (b"---\nstatus: candidate\n---\n\xff\n", "body-not-utf8"),
        ("---\nstatus: candidate\n---\na\0b\n", "body-not-utf8"),
        ("---\nstatus: &a candidate\nx: *a\n---\nAnchored.\n", "header-unprovable"),
    ],
)
def test_what_cannot_be_judged_comes_first_and_blocks_nothing(sandbox, content, rule):
    path = proposed(sandbox).path
    past_the_hook(sandbox, "odd.md", content)
    found = queue(sandbox)
    assert [queued.candidate.path for queued in found] == ["odd.md", path]
    assert (found[0].candidate.rule, found[0].state, found[0].text) == (rule, "blocked", "")


def test_a_status_that_stands_there_twice_is_the_stricter_one_in_the_queue_too(sandbox):
    past_the_hook(sandbox, "twice.md", "---\nstatus: candidate\nstatus: active\n---\nHm.\n")
    assert [queued.candidate.path for queued in queue(sandbox)] == ["twice.md"]


def test_what_cannot_be_judged_can_be_turned_away(sandbox):
    past_the_hook(sandbox, "odd.md", "---\nstatus: &a candidate\nx: *a\n---\nAnchored.\n")
    done = reject(open_repository(str(sandbox.top)), "odd.md", why="no", apply=True)
    assert done.rule == "header-unprovable"
    assert "odd.md" not in sandbox.files()


def test_a_candidate_with_changes_has_a_state_of_its_own(sandbox):
    path = proposed(sandbox).path
    sandbox.write(path, sandbox.read(path) + b"More.\n")
    assert [found.state for found in queue(sandbox)] == ["changed"]


def test_what_falls_due_is_approved_with_its_record(sandbox):
    made = proposed(sandbox)
    found = approve_due(opened(sandbox), NOW, apply=True)
    assert (found.approved, found.left) == ((made.path,), ())
    assert status(sandbox, made.path) == "active"
    message = sandbox.git("log", "-1", "--format=%B").out
    assert f"Memtools-Approved: {made.blob} {made.path}\n" in message
    assert "Memtools-Gate: delayed gate-extracted\n" in message


def test_without_apply_it_only_says_what_falls_due(sandbox):
    path = proposed(sandbox).path
    head = sandbox.head()
    assert approve_due(opened(sandbox), NOW, apply=False).approved == (path,)
    assert sandbox.head() == head


def test_before_its_day_nothing_happens(sandbox):
    path = proposed(sandbox).path
    assert approve_due(opened(sandbox), "2026-12-01", apply=True).approved == ()
    assert status(sandbox, path) == "candidate"


def test_two_fall_due_on_one_day_each_in_a_commit_of_its_own(sandbox):
    paths = [proposed(sandbox, title=title).path for title in ("One", "Two")]
    before = sandbox.head()
    assert sorted(approve_due(opened(sandbox), NOW, apply=True).approved) == sorted(paths)
    assert sandbox.git("rev-list", "--count", f"{before}..HEAD").out == "2\n"


def test_an_objection_in_the_file_stops_it(sandbox):
    path = proposed(sandbox).path
    assert queue(sandbox)[0].daily_from == "2026-12-02"
    text = sandbox.read(path).replace(b"status:", b"objection: it was sold\nstatus:")
    sandbox.save({path: text})
    assert "somebody objects" in left_waiting(sandbox, path)
    assert queue(sandbox)[0].daily_from == ""
    assert queue(sandbox)[0].candidate.objection == "it was sold"


def left_waiting(sandbox, path):
    found = approve_due(opened(sandbox), NOW, apply=True)
    assert found.approved == ()
    assert status(sandbox, path) == "candidate"
    return str(found.left[0].why)


@pytest.mark.parametrize("agent", ["", "claude"])
def test_what_no_person_proposed_and_was_put_off_comes_in_on_its_day(sandbox, monkeypatch, agent):
    monkeypatch.setenv("MEMTOOLS_AGENT", agent)
    made = proposed(sandbox, source="stated", confidence=None, by_agent=True)
    monkeypatch.delenv("MEMTOOLS_AGENT")
    assert (made.decision, made.approve_after) == ("delayed", "2026-12-02")
    assert f"proposed_by: {agent or 'program'}\n".encode() in sandbox.read(made.path)
    assert approve_due(opened(sandbox), NOW, apply=True).approved == (made.path,)


def test_who_proposed_it_counts_by_the_trust_of_the_day_it_falls_due(sandbox):
    trust = '[gate]\ninput_trust = "high"\n'
    sandbox.save({".memtools.toml": trust})
    mine, theirs = proposed(sandbox), proposed(sandbox, b"It is red.\n", title="X", by_agent=True)
    assert (mine.decision, theirs.decision) == ("delayed", "delayed")
    sandbox.save({".memtools.toml": trust.replace("high", "low")})
    found = approve_due(opened(sandbox), NOW, apply=True)
    assert (found.approved, [one.path for one in found.left]) == ((mine.path,), [theirs.path])
    assert "input_trust is low" in str(found.left[0].why)


def test_with_signers_no_day_is_promised(sandbox):
    sandbox.save({".memtools.toml": '[approval]\nallowed_signers = "signers"\n'})
    made = proposed(sandbox)
    assert (made.decision, made.approve_after) == ("delayed", "")
    assert b"approve_after" not in sandbox.read(made.path)


def test_bytes_nobody_proposed_do_not_fall_due(sandbox):
    path = proposed(sandbox).path
    sandbox.save({path: sandbox.read(path) + b"And it is red.\n"})
    assert "not the bytes" in left_waiting(sandbox, path)


def test_a_day_written_by_hand_lets_nothing_in(sandbox):
    text = "---\nstatus: candidate\nsource: extracted\nconfidence: 0.9\napprove_after: 2026-01-01\n"
    sandbox.save({"hand.md": f"{text}---\nLet me in.\n"})
    assert "not the bytes" in left_waiting(sandbox, "hand.md")


def test_it_is_screened_again_when_its_day_comes(sandbox):
    path = proposed(sandbox).path
    sandbox.save({"old.md": b"---\nstatus: retracted\n---\n" + FACT})
    assert "says again" in left_waiting(sandbox, path)


def test_a_victim_that_became_a_persons_word_waits_for_a_person(sandbox):
    body = "The small oven of the bakery burns everything.\n"
    sandbox.save({"ovens.md": body})
    raw = b"RETRACTS: The small oven of the bakery burns everything\n"
    path = proposed(sandbox, raw, title="Ovens").path
    sandbox.save({"ovens.md": f"---\nsource: stated\n---\n{body}"})
    assert "only a person may retract" in left_waiting(sandbox, path)
    assert status(sandbox, "ovens.md") == "active"


def test_with_signers_the_calendar_approves_nothing(sandbox):
    path = proposed(sandbox).path
    sandbox.save({".memtools.toml": '[approval]\nallowed_signers = "signers"\n'})
    assert "allowed_signers" in left_waiting(sandbox, path)


def test_an_agent_cannot_let_the_day_come(sandbox, monkeypatch):
    proposed(sandbox)
    monkeypatch.setenv("MEMTOOLS_AGENT", "claude")
    with pytest.raises(PolicyError):
        approve_due(opened(sandbox), NOW, apply=True)
