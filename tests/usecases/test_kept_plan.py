"""Rule 18: what the dry run named is what `--apply` changes."""

import pytest

from memtools.usecases.changing.kept_plan import HOUR, forget_plan, is_as_kept, keep_plan
from memtools.usecases.changing.restore import restore
from memtools.usecases.changing.retract import retract
from memtools.usecases.repository import open_repository

COMMAND = ("retract", "a phrase", "")
ROWS = (("a.md", "1" * 40),)
OTHER = (("a.md", "2" * 40),)


@pytest.fixture
def here(repo):
    return open_repository(str(repo.top))


def test_without_a_kept_plan_any_plan_may_be_carried_out(here):
    assert is_as_kept(here, COMMAND, ROWS, 0.0)


def test_a_plan_is_held_against_the_one_that_was_shown(here):
    keep_plan(here, COMMAND, ROWS, 0.0)
    assert is_as_kept(here, COMMAND, ROWS, 1.0)
    assert not is_as_kept(here, COMMAND, OTHER, 1.0)
    assert not is_as_kept(here, COMMAND, (), 1.0)


def test_other_arguments_are_another_plan(here):
    keep_plan(here, COMMAND, ROWS, 0.0)
    assert is_as_kept(here, ("retract", "a phrase", "why"), OTHER, 1.0)


def test_it_is_kept_for_an_hour(here):
    keep_plan(here, COMMAND, ROWS, 100.0)
    assert not is_as_kept(here, COMMAND, OTHER, 100.0 + HOUR - 1)
    assert is_as_kept(here, COMMAND, OTHER, 100.0 + HOUR)


def test_a_clock_that_went_back_forgets_it(here):
    keep_plan(here, COMMAND, ROWS, 100.0)
    assert is_as_kept(here, COMMAND, OTHER, 99.0)


def test_what_was_carried_out_is_forgotten(here):
    keep_plan(here, COMMAND, ROWS, 0.0)
    keep_plan(here, ("sweep",), ROWS, 0.0)
    forget_plan(here, COMMAND, 1.0)
    assert is_as_kept(here, COMMAND, OTHER, 1.0)
    assert not is_as_kept(here, ("sweep",), OTHER, 1.0)


def test_a_damaged_file_counts_as_none(here, repo):
    keep_plan(here, COMMAND, ROWS, 0.0)
    repo.write(".git/memtools/plans", b"12\nnoise")
    assert is_as_kept(here, COMMAND, OTHER, 1.0)


def test_retract_stops_once_when_the_victim_changed_since_the_dry_run(repo):
    repo.save({"a.md": "# A\n\nThe root cause is DNS.\n"})
    phrase = "The root cause is DNS"
    retract(open_repository(str(repo.top)), phrase, now=0.0)
    repo.save({"a.md": "# A\n\nThe root cause is DNS. No: it is not.\n"})
    head = repo.head()
    stopped = retract(open_repository(str(repo.top)), phrase, apply=True, now=1.0)
    assert (stopped.is_new_plan, stopped.applied, stopped.code) == (True, False, 1)
    assert stopped.targets[0].text == "The root cause is DNS. No: it is not."
    assert repo.head() == head
    done = retract(open_repository(str(repo.top)), phrase, apply=True, now=2.0)
    assert (done.applied, done.code) == (True, 0)


def test_a_new_day_between_dry_run_and_apply_is_no_other_plan(repo, monkeypatch):
    repo.save({"a.md": "# A\n\nThe root cause is DNS.\n"})
    phrase = "The root cause is DNS"
    retract(open_repository(str(repo.top)), phrase, now=0.0)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-11-30T00:00:01+09:00")
    done = retract(open_repository(str(repo.top)), phrase, apply=True, now=1.0)
    assert done.declared_in == "2026-11-30-retracts-a.md"


def test_restore_stops_once_too(repo):
    repo.save({"a.md": "---\nstatus: active\n---\nText.\n"})
    retract(open_repository(str(repo.top)), "a.md", apply=True)

    def call(**options):
        here = open_repository(str(repo.top))
        return restore(here, "a.md", why="right", drop_marker=True, **options)

    call(now=0.0)
    repo.save({"a.md": repo.read("a.md") + b"More.\n"})
    stopped = call(apply=True, now=1.0)
    assert (stopped.is_new_plan, stopped.code) == (True, 1)
    assert b"retracted" in repo.show("HEAD", "a.md")
    assert call(apply=True, now=2.0).applied
