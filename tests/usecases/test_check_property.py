"""Random histories on real git: the folded ledger equals the full pass, and check agrees."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtools.core.ledger import full
from memtools.usecases.checking.check import check
from memtools.usecases.committing.precommit import pre_commit
from memtools.usecases.repository import make_state_dir, open_repository
from memtools.usecases.standing import ledger_of, standing_at
from memtools.usecases.state import CHECKED, read_standing, remove_file
from memtools.usecases.tree import Reader, memories_of, settings_at
from tests.helpers import examples, new_repository

NAMES = ("a.md", "b.md", "sub/c.md", "sub/a.md", "日本.md")
# Phrases some notes share, some hold alone, and addresses of notes that may not exist.
LINES = (
    "The disk cache was the root cause.",
    "The pool was far too small for it.",
    "The disk cache was **the root** cause.",
    "キャッシュが本当の原因だった。",
)
TARGETS = (
    "disk cache was the root",
    "pool was far too small",
    "キャッシュが本当の原因",
    "a.md",
    "[[c]]",
    "id:one",
    "short",
)
note = st.fixed_dictionaries(
    {
        "status": st.sampled_from(["", "", "active", "candidate", "retracted", "archived"]),
        "id": st.sampled_from(["", "", "one"]),
        "derived": st.sampled_from(["", "", "a.md", "[[c]]", "id:one"]),
        "lines": st.lists(st.sampled_from(LINES), max_size=2),
        "markers": st.lists(st.sampled_from(TARGETS), max_size=1),
    }
)
step = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), note),
    st.tuples(st.just("delete"), st.sampled_from(NAMES)),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
)
history = st.lists(st.lists(step, min_size=1, max_size=3), min_size=1, max_size=4)


def text_of(parts):
    fields = {"status": parts["status"], "id": parts["id"], "derived_from": parts["derived"]}
    header = [f'{key}: "{value}"' for key, value in fields.items() if value]
    body = [*parts["lines"], "", *(f"RETRACTS: {target}" for target in parts["markers"])]
    return "\n".join(["---", *header, "---", *body, ""])


def play(repo, change):
    """Do the steps of one commit in the work tree, and stage them."""
    for kind, name, *rest in change:
        if kind == "write":
            repo.write(name, text_of(rest[0]))
        elif repo.path(name).exists() and kind == "delete":
            repo.path(name).unlink()
        elif repo.path(name).exists():
            repo.path(rest[0]).parent.mkdir(exist_ok=True)
            repo.path(name).rename(repo.path(rest[0]))
    repo.stage()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("histories")


def fresh(folder, number=[0]):  # noqa: B006  # counts the repositories of this module
    number[0] += 1
    return new_repository(folder / str(number[0]))


def full_ledger(repository, read_under):
    tree = repository.head_tree
    pairs = memories_of(repository.git, tree, read_under.config)
    return full(pairs, Reader(repository.git, read_under.config))


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(changes=history)
def test_the_folded_ledger_equals_the_full_pass(folder, changes):
    repo = fresh(folder)
    for change in changes:
        play(repo, change)
        repo.commit("Change", "--allow-empty")
        repository = open_repository(str(repo.top))
        under = settings_at(repository.git, repository.head_tree)
        folded = standing_at(repository, repository.head_tree, under).ledger
        assert folded == full_ledger(repository, under)


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])
@given(changes=history)
def test_after_an_ordinary_commit_no_victim_lacks_its_tombstone(folder, changes):
    """The hook runs as in `git commit`; a commit it refuses is given up, as a person may."""
    repo = fresh(folder)
    for change in changes:
        play(repo, change)
        repository = open_repository(str(repo.top))
        outcome = pre_commit(repository)
        if outcome.code:
            repo.git("reset", "-q", "--hard", check=False)
            if not repository.head_tree:
                return
            continue
        repo.commit("Change", "--allow-empty")
        checked = check(open_repository(str(repo.top)))
        errors = {p.rule for p in checked.problems if p.is_error}
        # a standing marker may become ambiguous; that is told, and stops no commit (rule 10)
        assert errors <= {"retract-ambiguous"}, checked.problems
        kept = read_standing(repository.state_dir)
        after = open_repository(str(repo.top))
        under = settings_at(after.git, after.head_tree)
        assert ledger_of(after, kept, after.head_tree, under) == full_ledger(after, under)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(changes=history)
def test_a_range_is_judged_alike_from_the_kept_tree_and_from_all_memories(folder, changes):
    repo = fresh(folder)
    repo.commit("Start", "--allow-empty")
    start = repo.head()
    for change in changes:
        play(repo, change)
        repo.commit("Change", "--allow-empty")
        repository = open_repository(str(repo.top))
        make_state_dir(repository)  # from here on the tree of the last range is kept
        kept = check(repository, range=f"{start}..HEAD")
        assert kept == check(open_repository(str(repo.top)), range=f"{start}..HEAD")
        remove_file(repository.state_dir, CHECKED)
        assert kept == check(open_repository(str(repo.top)), range=f"{start}..HEAD")
