"""The doctor's look at the write gate: the history real commands leave, and thresholds."""

from datetime import UTC, datetime, timedelta

import pytest

from memtools.core.symptoms import Decisions, Fate, Queue, Symptoms, Way
from memtools.usecases.diagnosing import symptoms
from memtools.usecases.diagnosing.doctor import doctor
from memtools.usecases.diagnosing.patient import read_patient
from memtools.usecases.diagnosing.signs import Signs
from memtools.usecases.proposing.approve import approve
from memtools.usecases.proposing.propose import propose
from memtools.usecases.proposing.reject import reject
from memtools.usecases.repository import open_repository
from memtools.usecases.tending.survey import survey, survey_line

START = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def opened(sandbox):
    return open_repository(str(sandbox.top))


def at(monkeypatch, seconds):
    """All commits from here on are made so long after START."""
    when = f"@{int(START.timestamp()) + seconds} +0000"
    monkeypatch.setenv("GIT_AUTHOR_DATE", when)
    monkeypatch.setenv("GIT_COMMITTER_DATE", when)


def proposed(sandbox, word, **options):
    given = {"source": "external", "confidence": 0.9, "title": word, **options}
    raw = f"The {word} of the team is moored behind the hangar.\n".encode()
    return propose(opened(sandbox), raw, apply=True, **given).path


def checks(sandbox, now=START + timedelta(days=1)):
    return {check.id: check for check in doctor(opened(sandbox), now=now).checks}


def test_the_figures_come_from_what_the_commands_wrote(sandbox, monkeypatch):
    at(monkeypatch, 0)
    words = ("zeppelin", "submarine", "velocipede", "trebuchet")
    paths = [proposed(sandbox, word) for word in words]
    for number, path in enumerate(paths[:2]):
        at(monkeypatch, 86400 + 3 * number)
        approve(opened(sandbox), path, apply=True)
    at(monkeypatch, 86400 + 60)
    reject(opened(sandbox), paths[2], why="no", apply=True)
    sandbox.save({"fix.md": f"RETRACTS: {paths[0]}\n"})
    found = read_patient(opened(sandbox), now=START + timedelta(days=40)).signs
    assert found.symptoms == Symptoms(
        queue=Queue(1, 40, 40),
        verdicts=(("auto", 0), ("delayed", 0), ("review", 4), ("reject", 0)),
        decisions=Decisions(2, 1, 1, 3, 30, 1),
        days_to_approval=1.0,
        fates=(Fate(Way.REVIEWED, 2, 1),),
    )
    assert found.queue == ((paths[3], 40),)


def test_branches_wait_and_what_was_merged_was_reviewed(sandbox, monkeypatch):
    at(monkeypatch, 0)
    proposed(sandbox, "zeppelin", branch=True)
    proposed(sandbox, "submarine", branch=True)
    at(monkeypatch, 2 * 86400)
    sandbox.git("merge", "-q", "--no-ff", "--no-edit", "memory/zeppelin")
    now = START + timedelta(days=3)
    assert str(survey_line(survey(opened(sandbox), now=now))).endswith("candidates that wait: 1")
    found = read_patient(opened(sandbox), now=now).signs
    assert found.symptoms.days_to_approval == 2.0
    assert found.symptoms.decisions == Decisions(1, 0, 1, 1, None, 0)
    assert found.queue == (("memory/submarine", 3),)
    assert found.symptoms.fates == (Fate(Way.REVIEWED, 1, 0),)


def test_statuses_changed_by_hand_in_one_commit_are_approvals_in_one_go(sandbox, monkeypatch):
    at(monkeypatch, 0)
    paths = [proposed(sandbox, word) for word in ("zeppelin", "submarine", "velocipede")]
    at(monkeypatch, 86400)
    by_hand = {p: sandbox.read(p).replace(b"status: candidate", b"status: active") for p in paths}
    sandbox.save(by_hand)
    at(monkeypatch, 2 * 86400)
    sandbox.save({paths[0]: sandbox.read(paths[0]) + b"Ask Bo.\n"})
    found = read_patient(opened(sandbox), now=START + timedelta(days=3)).signs.symptoms
    assert found.decisions == Decisions(3, 0, 1, 3, None, 0)
    assert found.days_to_approval == 1.0
    assert found.fates == (Fate(Way.REVIEWED, 3, 0),)


def test_what_is_proposed_again_while_it_waits_is_told(sandbox):
    first = proposed(sandbox, "zeppelin")
    raw = b"The zeppelin of the team is moored behind the hangar.\n"
    again = propose(opened(sandbox), raw, apply=True, source="external", title="Other").path
    told = checks(sandbox)["queue-repeats"]
    assert told.ok
    assert first in told.message and again in told.message


def test_what_is_proposed_again_in_the_same_words_is_counted_and_not_stored(sandbox, monkeypatch):
    at(monkeypatch, 0)
    path = proposed(sandbox, "zeppelin")
    head = sandbox.head()
    for hour in (1, 2):
        at(monkeypatch, 3600 * hour)
        assert proposed(sandbox, "zeppelin") == path
    assert sandbox.head() == head
    told = checks(sandbox)["queue-repeats"]
    assert told.ok
    assert told.message == f"proposed again while it waits, 2 times: {path} (+2)"
    proposed(sandbox, "zeppelin")
    assert not checks(sandbox)["queue-repeats"].ok
    reject(opened(sandbox), path, why="no", apply=True)
    assert checks(sandbox)["queue-repeats"].message == "no candidate says what another one says"


def test_what_the_gate_rejects_is_counted_by_its_rule_and_nothing_of_it_is_kept(sandbox):
    proposed(sandbox, "zeppelin", source="inferred")
    assert "reject 1 (100 %)" in checks(sandbox)["gate-classes"].message
    (kept,) = sandbox.path(".git/memtools/log/gate").read_text().splitlines()
    assert kept.split("\t")[1:] == ["rejected", "gate-inferred"]
    sandbox.write(".git/memtools/log/gate", b"\xff\tagain\t\nsoon\trejected\tx\nx\n\n" + b"\0" * 9)
    assert "reject 0" in checks(sandbox)["gate-classes"].message


def test_a_memory_that_says_again_what_was_retracted_is_ill_when_it_is_loud(sandbox):
    lesson = "The small oven of the bakery burns everything, whatever the dial says.\n"
    sandbox.save({"old.md": lesson})
    sandbox.save({"fix.md": "RETRACTS: old.md\n"})
    sandbox.save({"quiet.md": lesson.upper()})
    told = checks(sandbox)["reintroduced"]
    assert (told.ok, "quiet.md = old.md" in told.message) == (True, True)
    sandbox.save({"loud.md": f"---\npriority: high\n---\n{lesson}"})
    told = checks(sandbox)["reintroduced"]
    assert (told.ok, "loud.md = old.md" in told.message) == (False, True)
    assert "quiet.md" not in told.message


def test_a_secret_in_what_was_let_in_is_found_and_not_printed(sandbox):
    secret = "ghp_" + "P7v664kVJu3A7FAKE4uVNYgULXmNp4RrFcJr"
    path = proposed(sandbox, "zeppelin")
    approve(opened(sandbox), path, apply=True)
    sandbox.write(path, sandbox.read(path) + f"Use {secret} .\n".encode())
    sandbox.commit("Past the hook", "-a", "-n")
    told = checks(sandbox)["approved-findings"]
    assert not told.ok
    assert f"{path}:" in told.message and secret not in told.message


@pytest.mark.parametrize(
    ("check", "fine", "ill"),
    [
        (symptoms.queue, {"queue": Queue(49, 30, 9)}, {"queue": Queue(50, 1, 1)}),
        (symptoms.queue, {}, {"queue": Queue(1, 31, 31)}),
        (
            symptoms.unread,
            {"decisions": Decisions(9, 0, 1, 9, 1, 9)},
            {"decisions": Decisions(10, 0, 1, 10, 1, 6)},
        ),
        (
            symptoms.bulk,
            {"decisions": Decisions(200, 0, 20, 29, 60, 0)},
            {"decisions": Decisions(20, 10, 1, 30, 60, 0)},
        ),
        (
            symptoms.waits,
            {"decisions": Decisions(10), "days_to_approval": 14.0},
            {"decisions": Decisions(10), "days_to_approval": 14.1},
        ),
        (
            symptoms.retracted_later,
            {"fates": (Fate(Way.AUTO, 10, 1), Fate(Way.REVIEWED, 10, 9))},
            {"fates": (Fate(Way.DELAYED, 10, 2),)},
        ),
    ],
)
def test_each_threshold(repo, check, fine, ill):
    patient = read_patient(opened(repo), now=START)
    for figures, is_ok in ((fine, True), (ill, False)):
        seen = patient._replace(signs=Signs(Symptoms(**figures)))
        (told,) = check(seen)
        assert told.ok is is_ok
        assert told.ok or told.hint


def test_the_seconds_a_candidate_was_looked_at_are_told(repo):
    patient = read_patient(opened(repo), now=START)
    figures = Symptoms(decisions=Decisions(7, 1, 2, 7, 7.0, 3))
    (told,) = symptoms.unread(patient._replace(signs=Signs(figures)))
    assert "3 of 7 (seconds for a candidate, the median: 7.0)" in told.message


def test_hostile_trailers_and_fields_are_figures_at_most(sandbox):
    """Anybody can write a trailer, and a date that is none."""
    sandbox.save(
        {"odd.md": "---\nstatus: candidate\nproposed_at: [9]\ncreated: 99999-1-1\n---\nHm.\n"}
    )
    message = (
        "x\n\nMemtools-Proposed: \nMemtools-Approved: onlyblob\nMemtools-Rejected: \n"
        "Memtools-Gate: auto\nMemtools-Gate: \x1b[31m x"
    )
    sandbox.git("commit", "-q", "-n", "--allow-empty", "-m", message)
    raw = sandbox.git("cat-file", "commit", "HEAD").out
    broken = raw.replace("author Ann Author <ann@example.com>", "author ", 1)
    made = sandbox.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", input=broken)
    sandbox.git("reset", "-q", "--hard", made.out.strip())
    found = checks(sandbox)
    assert found["queue"].message.startswith("candidates that wait: 1")
