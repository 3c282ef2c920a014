"""check: every victim has its tombstone, every header can be read; shown on real trees."""

import os

import pytest

from memtools.errors import GitError, UsageError
from memtools.usecases.checking.check import check
from memtools.usecases.repository import open_repository
from tests.helpers import new_repository

CACHE = "---\ntitle: Cache\npriority: high\n---\nThe disk cache was the root cause.\n"
FIX = "---\ntitle: Fix\n---\nRETRACTS: disk cache was the root\n"
TOMB = "---\nstatus: retracted\nretracted_by: '[[fix]]'\n---\nThe disk cache was the root cause.\n"
KEY = "AKIA" + "QWERTYUIOPASDFGH"


def judge(repo, *args, **more):
    return check(open_repository(str(repo.top)), *args, **more)


def rules(checked):
    return [(p.path, p.rule) for p in checked.problems]


def test_a_tree_without_problems_is_green(repo):
    repo.save({"a.md": CACHE})
    checked = judge(repo)
    assert (checked.code, checked.problems, checked.retractions) == (0, (), ())


def test_an_empty_repository_is_green(repo):
    assert judge(repo).code == 0


def test_a_marker_without_tombstone_fails_and_says_what_to_type(repo):
    repo.save({"a.md": CACHE, "fix.md": FIX})
    checked = judge(repo)
    found = checked.problems[0]
    assert (found.path, found.line, found.rule, found.severity) == (
        "fix.md", 4, "retract-unapplied", "error",
    )  # fmt: skip
    assert found.hint == "type: memtools sweep --apply"
    assert checked.code == 1
    assert [(r.path, r.line, r.state) for r in checked.retractions] == [
        ("a.md", 5, "would-retract")
    ]


def test_after_the_command_it_names_the_tree_is_green(sandbox):
    sandbox.write("a.md", CACHE)
    sandbox.write("fix.md", FIX)
    sandbox.stage()
    sandbox.commit("Unguarded", "-n")
    assert judge(sandbox).code == 1
    sandbox.memtools("sweep", "--apply")
    assert judge(sandbox).code == 0


def test_what_goes_along_with_a_victim_has_to_be_a_tombstone_too(repo):
    derived = "---\nderived_from: a.md\n---\nWisdom.\n"
    repo.save({"a.md": CACHE, "fix.md": FIX, "w.md": derived})
    assert {p.message.values["path"] for p in judge(repo).problems} == {"a.md", "w.md"}


def test_a_victim_no_edit_can_be_proved_on_is_named_with_the_reason(repo):
    repo.save(
        {"a.md": "+++\ntitle = 'x'\n+++\nThe disk cache was the root cause.\n", "fix.md": FIX}
    )
    assert ("fix.md", "retract-not-editable") in rules(judge(repo))


@pytest.mark.parametrize(
    ("files", "path", "rule", "severity"),
    [
        ({"fix.md": FIX, "a.md": CACHE, "b.md": CACHE}, "fix.md", "retract-ambiguous", "error"),
        ({"fix.md": "RETRACTS: cache\n", "a.md": CACHE}, "fix.md", "phrase-too-short", "error"),
        ({"fix.md": "RETRACTS:\n"}, "fix.md", "phrase-empty", "error"),
        ({"fix.md": FIX}, "fix.md", "retract-no-match", "warning"),
        ({"fix.md": "Retracts: disk cache was\n"}, "fix.md", "marker-near-miss", "warning"),
        ({"fix.md": "RETRACTS： disk cache was\n"}, "fix.md", "marker-lookalike", "error"),
        (
            {"a.md": "RETRACTS: b.md\n", "b.md": "RETRACTS: a.md\n"},
            "a.md", "retract-mutual", "warning",
        ),
        ({"a.md": TOMB}, "a.md", "tombstone-orphan", "warning"),
        ({"a.md": TOMB, "fix.md": "No marker.\n"}, "a.md", "tombstone-orphan", "warning"),
        ({"a.md": "---\nstatus: whatever\n---\n"}, "a.md", "status-unknown", "error"),
        ({"a.md": "---\ntitle: x\n"}, "a.md", "header-unclosed", "error"),
        ({"a.md": "---\nt: a: b\n---\n"}, "a.md", "header-yaml-unreadable", "warning"),
        ({"a.md": "---\nt: 1\nt: 2\n---\n"}, "a.md", "header-duplicate-key", "error"),
        ({"a.md": b"Caf\xe9.\n"}, "a.md", "body-not-utf8", "error"),
        ({"a.md": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"}, "a.md", "conflict-marks", "error"),
        (
            {"a.md": "---\nid: x\n---\n", "b.md": "---\nid: x\n---\n"},
            "b.md", "id-duplicate", "warning",
        ),
        ({".memtools.toml": "rots = []\n"}, ".memtools.toml", "config-unknown-key", "error"),
        ({"a.md": TOMB, "fix.md": FIX, "b.md": CACHE}, "b.md", "reintroduction", "warning"),
        (
            {"a.md": TOMB, "fix.md": FIX, "w.md": "---\nderived_from: '[[a]]'\n---\nWisdom.\n"},
            "w.md", "derived-from-retracted", "warning",
        ),
    ],
)  # fmt: skip
def test_each_kind_of_trouble_is_named_with_its_place(repo, files, path, rule, severity):
    repo.save(files)
    checked = judge(repo)
    assert (path, rule) in rules(checked)
    found = next(p for p in checked.problems if (p.path, p.rule) == (path, rule))
    assert found.severity == severity
    assert checked.code == (1 if severity == "error" else 0)
    assert judge(repo, strict=True).code == 1


def test_a_symbolic_link_where_a_memory_could_be_is_an_error(repo):
    os.symlink("/etc/hostname", repo.path("a.md"))
    repo.stage()
    repo.commit()
    assert rules(judge(repo)) == [("a.md", "symlink-memory")]
    assert judge(repo).code == 1


def test_a_tombstone_with_its_marker_is_no_orphan(repo):
    repo.save({"a.md": TOMB, "fix.md": FIX})
    assert judge(repo).problems == ()


def test_a_restored_memory_is_no_reintroduction(repo):
    back = CACHE.replace("---\nThe", "restored_reason: it was right\n---\nThe")
    repo.save({"a.md": TOMB, "fix.md": FIX, "b.md": back})
    assert judge(repo).problems == ()


def test_what_is_excluded_is_not_judged(repo):
    repo.save({".memtools.toml": 'exclude = ["old"]\n', "old/a.md": "---\nstatus: odd\n---\n"})
    assert judge(repo).code == 0


def test_an_old_secret_is_found_with_all_and_never_shown(repo):
    repo.save({"a.md": f"key {KEY}\n"})
    assert judge(repo).problems == ()
    checked = judge(repo, everything=True)
    assert rules(checked) == [("a.md", "secret-found")]
    assert KEY not in repr(checked)


def test_a_candidate_marker_is_pending_and_fails_nothing(repo):
    repo.save({"a.md": CACHE, "fix.md": "---\nstatus: candidate\n---\nRETRACTS: a.md\n"})
    checked = judge(repo)
    assert (checked.code, [r.state for r in checked.retractions]) == (0, ["pending"])


def test_any_tree_can_be_judged(repo):
    repo.save({"a.md": CACHE, "fix.md": FIX})
    repo.save({"fix.md": "No more.\n"})
    assert judge(repo).code == 0
    assert judge(repo, "HEAD~1").code == 1
    assert judge(repo, "HEAD~1^{tree}").code == 1


@pytest.mark.parametrize("name", ["nowhere", "--all", "-x", "a b"])
def test_a_name_without_a_tree_is_wrong_usage(repo, name):
    repo.save({"a.md": CACHE})
    with pytest.raises(UsageError):
        judge(repo, name)


def test_two_targets_at_once_are_wrong_usage(repo):
    with pytest.raises(UsageError):
        judge(repo, "HEAD", staged=True)


def test_a_bare_and_a_shallow_clone_are_judged_as_well(repo, tmp_path):
    repo.save({"a.md": CACHE, "fix.md": FIX})
    repo.save({"b.md": "More.\n"})
    repo.git("clone", "-q", "--bare", "--depth=1", f"file://{repo.top}", str(tmp_path / "bare"))
    bare = check(open_repository(str(tmp_path / "bare")))
    assert [p.rule for p in bare.problems] == ["retract-unapplied"]
    with pytest.raises(GitError):
        check(open_repository(str(tmp_path / "bare")), staged=True)


def test_nothing_is_proved_of_a_memory_whose_bytes_are_not_here(repo):
    repo.save({"a.md": CACHE, "empty.md": ""})
    blob = repo.git("rev-parse", "HEAD:a.md").out.strip()
    repo.path(f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    with pytest.raises(GitError, match=blob):
        judge(repo)


def test_the_ledger_and_the_search_index_are_neither_read_nor_written(sandbox):
    sandbox.save({"a.md": CACHE})
    state = sandbox.path(".git/memtools")
    before = {p: p.stat().st_mtime_ns for p in state.rglob("*")}
    (state / "ledger").write_bytes(b"lies\n")
    assert judge(sandbox).code == 0
    assert set(state.rglob("*")) == set(before)
    assert (state / "ledger").read_bytes() == b"lies\n"


def test_words_of_the_settings_are_those_of_the_tree(repo):
    repo.save({"a.md": "---\nstatus: blessed\n---\n"})
    assert judge(repo).code == 1
    repo.save({".memtools.toml": '[vocabulary.status]\nblessed = "active"\n'})
    assert judge(repo).code == 0


def test_the_layer_of_a_new_repository_starts_empty(tmp_path):
    made = new_repository(tmp_path / "new")
    made.write("a.md", CACHE)
    made.stage()
    checked = judge(made, staged=True)
    assert [s.path for s in checked.enters] == ["a.md"]


def test_offered_phrases_are_as_long_as_the_settings_ask_for(repo):
    one, other = "The disk cache was the root of it\n", "The disk cache was the root of all\n"
    repo.save(
        {
            ".memtools.toml": "[retraction]\nmin_columns = 26\n",
            "a.md": f"{one}and went away after a restart.\n",
            "b.md": f"{other}and stayed as it had been.\n",
            "fix.md": "RETRACTS: disk cache was the root of\n",
        }
    )
    offered = judge(repo).problems[0].hint.split("RETRACTS: ")[1:]
    assert [phrase.split("\n")[0] for phrase in offered] == [
        "disk cache was the root of it", "disk cache was the root of all",
    ]  # fmt: skip
