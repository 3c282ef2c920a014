"""Names nobody would choose: blanks, line breaks, pathspec magic, twins, bytes that are no text."""

import os

import pytest

from tests.e2e.story import mark, settled
from tests.helpers import Sandbox, new_repository

NAMES = [
    "with space.md",
    "line\nbreak.md",
    "quo\"te's.md",
    "glob*[a-z]?.md",
    "--dash.md",
    ":(top)magic.md",
    ":!not.md",
    "back\\slash.md",
    "tab\there.md",
    "\u304c.md",  # composed, and the same name decomposed:
    "\u304b\u3099.md",
    os.fsdecode(b"latin-\xe9.md"),
    "$(touch canary).md",
    "Capital.MD",
    "\u202egnp.md",
]
HEADER = "---\nstatus: active\n---\n"


def lesson(number):
    return f"{HEADER}Lesson number {number} was plainly wrong.\n"


def test_each_odd_name_is_retracted_exactly_once(sandbox):
    """C41."""
    sandbox.save({name: lesson(number) for number, name in enumerate(NAMES)})
    assert len(sandbox.files()) == len(NAMES) + 1
    markers = "".join(
        f"RETRACTS: Lesson number {number} was plainly wrong.\n\n" for number in range(len(NAMES))
    )
    mark(sandbox, text=markers)
    done = sandbox.commit("Fix")
    for number, name in enumerate(NAMES):
        head = sandbox.show("HEAD", name)
        assert head == sandbox.staged(name) == sandbox.read(name)
        assert head.count(b"status: retracted\n") == head.count(b"retracted_by:") == 1
        assert head.endswith(f"---\nLesson number {number} was plainly wrong.\n".encode())
    assert sandbox.status() == ""
    assert not list(sandbox.top.rglob("canary"))
    assert "\u202e" not in done.err and "\x1b" not in done.err
    settled(sandbox)


@pytest.mark.parametrize("name", NAMES[::3])
def test_an_odd_name_is_retracted_in_a_partial_commit(sandbox, name):
    """C41, with everything git throws away."""
    sandbox.save({name: lesson(1), "other.md": "Other.\n"})
    sandbox.write("other.md", "Other, edited.\n")
    sandbox.stage("other.md")
    mark(sandbox, text="RETRACTS: Lesson number 1 was plainly wrong.\n")
    sandbox.write(name, lesson(1) + "Edited.\n")
    sandbox.commit("Fix", "--", "fix.md")
    head = sandbox.show("HEAD", name)
    assert b"status: retracted\n" in head
    assert head == sandbox.staged(name)
    assert sandbox.read(name) == head + b"Edited.\n"
    settled(sandbox)


@pytest.mark.parametrize("ignores_case", ["false", "true"])
@pytest.mark.parametrize("named", ["target.md", "Target.md"])
def test_of_two_names_that_differ_in_case_only_the_named_one_changes(sandbox, ignores_case, named):
    """C42."""
    texts = {"target.md": lesson("small"), "Target.md": lesson("large")}
    sandbox.save(texts)
    sandbox.git("config", "core.ignorecase", ignores_case)
    mark(sandbox, text=f"RETRACTS: {named}\n")
    sandbox.commit("Fix")
    for name, text in texts.items():
        head = sandbox.show("HEAD", name)
        assert head == sandbox.staged(name) == sandbox.read(name)
        assert (head == text.encode()) is (name != named)
        assert (b"status: retracted" in head) is (name == named)
    assert sandbox.status() == ""
    settled(sandbox)


def test_twins_of_one_normal_form_are_both_hit_by_that_name(sandbox):
    """C41: an address names both spellings, so it is refused and the longer choice is offered."""
    one, two = "\u304c.md", "\u304b\u3099.md"
    sandbox.save({one: lesson(1), two: lesson(2)})
    mark(sandbox, text=f"RETRACTS: {one}\n")
    done = sandbox.commit("Fix", code=1)
    assert "retract-ambiguous" in done.err
    assert sandbox.show("HEAD", one) == lesson(1).encode()


def test_the_declaring_memory_may_have_an_odd_name_too(sandbox):
    """C41: the link in the tombstone reads back."""
    sandbox.save({"target.md": lesson(1)})
    name = 'fix: "it\'s" [1]#.md'
    mark(sandbox, path=name, text="RETRACTS: Lesson number 1 was plainly wrong.\n")
    sandbox.commit("Fix")
    head = sandbox.show("HEAD", "target.md").decode()
    assert 'retracted_by: "[[fix: \\"it\'s\\" [1]#]]"\n' in head
    sandbox.write("other.md", "Other.\n")
    sandbox.stage("other.md")
    assert sandbox.commit("Again").err == ""
    settled(sandbox)


def test_a_folder_of_the_repository_itself_may_have_an_odd_name(tmp_path):
    """C41: where the repository stands."""
    top = tmp_path / 'a "b\'s" $(touch canary) %s\u00e9.md'
    made: Sandbox = new_repository(top)
    made.init()
    made.save({"target.md": lesson(1)})
    mark(made, text="RETRACTS: Lesson number 1 was plainly wrong.\n")
    made.commit("Fix")
    assert b"status: retracted" in made.show("HEAD", "target.md")
    assert made.status() == "?? .memtools.toml\n"
    assert not list(tmp_path.rglob("canary"))
    settled(made)


def test_a_repository_below_a_line_break_is_refused_before_anything_is_written(tmp_path):
    """C41: git prints its folders a line each, so half a name would be taken for the whole."""
    made = new_repository(tmp_path / "half\nname")
    for verb in ("init", "search"):
        done = made.memtools(verb, *["x"][: verb == "search"], code=3)
        assert "line break" in done.err
    assert sorted(os.listdir(tmp_path)) == ["half\nname"]
    assert os.listdir(made.top) == [".git"]
