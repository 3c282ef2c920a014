"""Our block joins a TOML file only when everything else keeps its meaning, and leaves no trace."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.json_edit import Fault
from memtools.core.marked_block import block_in, without_block
from memtools.core.toml_edit import toml_lines, with_toml

HOOK = {"hooks": [{"type": "command", "command": "'a b' \"c\" \\", "timeout": 10}]}
LINES = (
    toml_lines(["hooks", "SessionStart"], HOOK, is_item=True)
    + "\n"
    + toml_lines(["shell", "set", "A.B"], "x\x7fé", is_item=False)
    + "\n"
    + toml_lines(["mcp", "m"], {"args": ["a"], "env": {"A": "b"}}, is_item=False)
)


def test_the_lines_say_the_values():
    assert tomllib.loads(LINES) == {
        "hooks": {"SessionStart": [HOOK]},
        "shell": {"set": {"A.B": "x\x7fé"}},
        "mcp": {"m": {"args": ["a"], "env": {"A": "b"}}},
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = 1\n",
        "a = 1",
        "# comment\n\n[b]\nc = 'x' # y\r\n",
        "[[hooks.SessionStart]]\nmatcher = 'x'\n",
        "[hooks]\nother = true\n\n",
    ],
)
def test_a_block_goes_to_the_end_and_comes_out_without_a_trace(text):
    made, joint = with_toml(text, LINES)
    assert made.startswith(text) and block_in(made)
    again, _ = with_toml(made, LINES)
    assert again == made
    assert without_block(made, joint) == text
    assert without_block(f"{made}[later]\nx = 1\n", joint) == f"{text}[later]\nx = 1\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = \n", 1),
        ("a = 1\na = 2\n", 2),
        ("shell = 1\n", None),
        ("hooks = { SessionStart = [] }\n", None),
        ("[shell.set]\nx = 1\n", None),
    ],
)
def test_what_cannot_stand_together_is_not_edited(text, line):
    found = with_toml(text, LINES)
    assert isinstance(found, Fault)
    assert line is None or found.line == line


@given(st.text(alphabet="ab=[]\n\r#'\" .1", max_size=40))
def test_any_text_is_kept_or_refused(text):
    found = with_toml(text, LINES)
    if not isinstance(found, Fault):
        made, joint = found
        assert made.startswith(text)
        assert without_block(made, joint) == text
