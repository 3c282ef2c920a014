"""`sweep`: all markers of HEAD, seed 1's batch; what is missing is written in one commit."""

import pytest

import memtools
from memtools.core.memory import read_memory
from memtools.errors import GitError
from memtools.usecases.changing.sweep import sweep
from memtools.usecases.repository import open_repository


def call(sandbox, *, apply=False, **options):
    return sweep(open_repository(str(sandbox.top)), apply=apply, **options)


def note(number):
    return f"# Lesson {number}\n\nThe wrong lesson number {number} stands here.\n"


def save_unseen(sandbox, files):
    """Commit past the hooks, as a web editor or `--no-verify` does."""
    for path, content in files.items():
        sandbox.write(path, content)
    sandbox.stage(*files)
    sandbox.commit("Unseen", "--no-verify", env={"MEMTOOLS_IN_HOOK": "1"})


def status(sandbox, path):
    return read_memory(path, sandbox.show("HEAD", path)).status


@pytest.fixture
def notes(sandbox):
    """Seven open markers, more than one commit of the person heals."""
    files = {f"notes/{n}.md": note(n) for n in range(7)}
    for n in range(7):
        files[f"fix/{n}.md"] = f"# Fix\n\nRETRACTS: The wrong lesson number {n} stands\n"
    save_unseen(sandbox, files)
    return sandbox


def test_without_a_marker_there_is_nothing_to_say(sandbox):
    sandbox.save({"a.md": "# A\n\nIn prose RETRACTS: is no marker.\n"})
    found = call(sandbox)
    assert (found.markers, found.targets, found.problems, found.code) == ((0, 0, 0, 0), (), (), 0)


def test_a_dry_run_lists_and_changes_nothing(notes):
    head = notes.head()
    found = call(notes)
    assert (found.applied, found.markers, found.code) == (False, (7, 0, 7, 0), 0)
    first = found.targets[0]
    assert (first.path, first.line, first.title) == ("notes/0.md", 3, "Lesson 0")
    assert (first.declared_in, first.declared_line) == ("fix/0.md", 3)
    assert {victim.state for victim in found.targets} == {"would-retract"}
    assert (notes.head(), notes.status()) == (head, "")


def test_the_dates_of_all_markers_are_asked_for_at_once(notes, tmp_path):
    trace = tmp_path / "trace"
    notes.memtools("sweep", env={"GIT_TRACE": str(trace)})
    assert trace.read_text().count("git log ") == 1


def test_apply_writes_all_of_them_in_one_commit(notes):
    head = notes.head()
    found = call(notes, apply=True)
    assert notes.git("rev-parse", "HEAD^").out.strip() == head
    assert [status(notes, f"notes/{n}.md") for n in range(7)] == ["retracted"] * 7
    assert (found.applied, found.markers) == (True, (7, 7, 0, 0))
    assert {victim.state for victim in found.targets} == {"retracted"}
    assert found.outcome.retracted == tuple(f"notes/{n}.md" for n in range(7))
    assert notes.status() == ""
    message = notes.git("log", "-1", "--format=%B").out
    assert "notes/6.md (by fix/6.md:3)" in message


def test_a_second_run_changes_no_byte(notes):
    call(notes, apply=True)
    head = notes.head()
    found = call(notes, apply=True)
    assert (notes.head(), notes.status()) == (head, "")
    assert (found.targets, found.outcome.notices, found.code) == ((), (), 0)


def test_two_clones_that_heal_write_the_same_bytes(notes, tmp_path):
    notes.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = type(notes)(tmp_path / "clone")
    call(notes, apply=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_AUTHOR_DATE", "2027-01-01T00:00:00+00:00")
        call(clone, apply=True)
    assert clone.git("rev-parse", "HEAD^{tree}").out == notes.git("rev-parse", "HEAD^{tree}").out


def test_the_work_of_the_person_stays_as_it_is(notes):
    notes.write("notes/1.md", note(1) + "\nMine.\n")
    notes.write("new.md", "new\n")
    notes.stage("new.md")
    call(notes, apply=True)
    assert notes.read("notes/1.md") == notes.show("HEAD", "notes/1.md") + b"\nMine.\n"
    assert notes.status() == "A  new.md\n M notes/1.md\n"


def test_markers_that_do_not_act_are_reported_and_the_others_act(sandbox):
    save_unseen(
        sandbox,
        {
            "a.md": "# A\n\nThe same sentence twice, here.\n",
            "b.md": "# B\n\nThe same sentence twice, there.\n",
            "c.md": "# C\n\nThis one is plainly wrong.\n",
            "d.md": "# D\n\nWaiting for somebody.\n",
            "fix.md": (
                "# Fix\n\nRETRACTS: short\n\nRETRACTS: The same sentence twice\n\n"
                "RETRACTS: nobody ever said this\n\nRETRACTS: This one is plainly wrong\n"
            ),
            "inbox/p.md": "---\nstatus: candidate\n---\nRETRACTS: Waiting for somebody\n",
        },
    )
    found = call(sandbox, apply=True)
    assert found.markers == (5, 1, 0, 1)
    assert [(m.line, str(m.state)) for m in found.idle] == [
        (3, "ignored"),
        (5, "ambiguous"),
        (7, "unmatched"),
        (4, "pending"),
    ]
    assert [(v.path, v.state) for v in found.targets] == [
        ("c.md", "retracted"),
        ("d.md", "pending"),
    ]
    rules = ["phrase-too-short", "retract-ambiguous", "retract-no-match"]
    assert [p.rule for p in found.problems] == rules
    assert found.code == 1
    assert (status(sandbox, "c.md"), status(sandbox, "d.md")) == ("retracted", "active")


def test_an_unmatched_marker_alone_is_no_failure(sandbox):
    save_unseen(sandbox, {"fix.md": "RETRACTS: a lesson that was deleted at once\n"})
    assert call(sandbox).code == 0


def test_a_memory_that_cannot_be_edited_does_not_stop_the_others(notes):
    save_unseen(notes, {"notes/3.md": "+++\ntitle = 'x'\n+++\n" + note(3)})
    found = call(notes, apply=True)
    assert [p.rule for p in found.problems] == ["retract-not-editable"]
    assert status(notes, "notes/4.md") == "retracted"
    assert found.markers == (7, 6, 1, 0)


def test_followers_of_a_victim_go_along(notes):
    save_unseen(notes, {"wise.md": '---\nderived_from: "[[notes/0]]"\n---\n# Wise\n'})
    call(notes, apply=True)
    assert status(notes, "wise.md") == "retracted"


def test_nothing_before_the_first_commit(repo):
    assert call(repo, apply=True).markers == (0, 0, 0, 0)


def test_not_while_a_rebase_is_under_way(notes):
    notes.path(".git/rebase-merge").mkdir()
    with pytest.raises(GitError):
        call(notes, apply=True)
    assert call(notes).targets


def test_a_merge_may_be_followed_by_its_own_commit(notes):
    """What `merge_mode = "follow-up"` asks for after a merge."""
    settings = '[retraction]\nmerge_mode = "follow-up"\n'
    save_unseen(notes, {".memtools.toml": settings})
    notes.git("checkout", "-q", "-b", "side", "HEAD~2")
    save_unseen(notes, {"notes/new.md": "# New\n\nSomething else entirely.\n"})
    notes.git("checkout", "-q", "main")
    notes.git("merge", "-q", "--no-edit", "side")
    assert status(notes, "notes/5.md") == "retracted"
    assert notes.status() == ""
    assert len(notes.git("rev-parse", "HEAD^@", "HEAD^^@").out.split()) == 3
    assert not notes.path(".git/MERGE_HEAD").exists()


def test_apply_does_what_the_dry_run_showed_or_shows_the_new_plan(notes):
    call(notes, now=1000.0)
    save_unseen(notes, {"notes/0.md": note(0) + "\nChanged since.\n"})
    head = notes.head()
    found = call(notes, apply=True, now=1010.0)
    assert (found.applied, found.is_new_plan, found.code) == (False, True, 1)
    assert {victim.state for victim in found.targets} == {"would-retract"}
    assert notes.head() == head
    assert call(notes, apply=True, now=1020.0).applied


def test_a_plan_is_forgotten_after_an_hour_and_by_whom_nobody_watches(notes):
    call(notes, now=1000.0)
    save_unseen(notes, {"notes/0.md": note(0) + "\nChanged since.\n"})
    assert call(notes, apply=True, now=1000.0 + 3600).applied
    save_unseen(notes, {"notes/8.md": note(8), "fix/8.md": "RETRACTS: wrong lesson number 8\n"})
    call(notes, now=9000.0)
    save_unseen(notes, {"notes/8.md": note(8) + "\nChanged since.\n"})
    assert call(notes, apply=True).applied


def test_the_package_offers_it_as_a_function():
    assert memtools.sweep is sweep
