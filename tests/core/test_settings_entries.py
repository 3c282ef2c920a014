"""Whatever a settings file holds: our entries go in once, and come out without a trace."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.json_edit import Fault
from memtools.core.marked_block import BEGIN
from memtools.core.settings_entries import (
    Edited,
    Entry,
    entered,
    entered_as_toml,
    holds,
    taken_out,
    unified,
)

NOW, OLD = "/py -I -S /now/memtools/start.py turn", "/py -I -S /old/memtools/start.py turn"


def hook(command):
    return {"hooks": [{"type": "command", "command": command}]}


def entries(command):
    return (
        Entry(("version",), 1, any_value=True),
        Entry(("hooks", "Start"), hook(command), is_item=True),
        Entry(("hooks", "Prompt"), hook(command), is_item=True),
        Entry(("env", "MEMTOOLS_AGENT"), "x", any_value=True),
        Entry(("servers", "memtools"), {"command": "/py", "args": [command]}),
    )


HOOKS = st.dictionaries(
    st.sampled_from(["Start", "Prompt", "Stop"]),
    st.lists(st.sampled_from([hook("mine"), {"command": "other"}, {}, 1, hook("")]), max_size=3),
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "hooks": HOOKS | st.just({}) | st.just([]) | st.just(1),
        "env": st.dictionaries(st.sampled_from(["A", "MEMTOOLS_AGENT"]), st.text(max_size=3)),
        "servers": st.dictionaries(st.sampled_from(["b", "c"]), st.just({"command": "x"})),
        "version": st.integers(),
        "other": st.none() | st.lists(st.booleans()),
    },
)


@given(SETTINGS, st.sampled_from([None, 0, 2, 3, "\t"]), st.sampled_from(["", "\n"]))
def test_in_once_and_out_without_a_trace(settings, indent, tail):
    text = json.dumps(settings, indent=indent) + tail
    made = entered(text, entries(NOW))
    if isinstance(made, Fault):
        assert not isinstance(settings["hooks"], dict)
        return
    assert entered(made.text, entries(NOW)) == Edited(made.text)
    assert json.loads(made.text)["hooks"]["Prompt"][-1] == hook(NOW)
    assert holds(made.text, made.written)
    assert taken_out(made.text, made.written) == text
    assert not holds(text, made.written)


@given(SETTINGS.filter(lambda found: isinstance(found.get("hooks", {}), dict)))
def test_ours_of_an_earlier_time_are_replaced(settings):
    old = entered(json.dumps(settings, indent=1), entries(OLD))
    assert isinstance(old, Edited)
    new = entered(old.text, entries(NOW))
    assert isinstance(new, Edited) and "/old/" not in new.text
    direct = entered(json.dumps(settings), entries(NOW))
    assert isinstance(direct, Edited)
    assert json.loads(new.text) == json.loads(direct.text)


@pytest.mark.parametrize(
    "value", [{"command": 1}, {"command": "x", "args": 5}, [], "x", {"hooks": [{"hooks": []}]}]
)
def test_a_server_of_that_name_is_replaced_only_when_it_is_ours(value):
    text = json.dumps({"servers": {"memtools": value}})
    assert isinstance(entered(text, entries(NOW)), Fault)


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"servers": None}, "servers"),
        ({"servers": {"memtools": None}}, "servers.memtools"),
        ({"a": 1, "env": None}, "env"),
        ({"env": {"MEMTOOLS_AGENT": None}}, "env.MEMTOOLS_AGENT"),
        ({"hooks": {"SessionStart": None}}, "hooks.SessionStart"),
    ],
)
def test_beside_a_null_no_second_key_of_that_name_is_put(values, name):
    wanted = [
        Entry(("servers", "memtools"), {"command": "x"}),
        Entry(("env", "MEMTOOLS_AGENT"), "claude", any_value=True),
        Entry(("hooks", "SessionStart"), {"command": "x"}, is_item=True),
    ]
    found = entered(json.dumps(values), wanted)
    assert isinstance(found, Fault) and found.message == f"{name} is of another kind"


def test_in_toml_a_first_line_of_ours_without_the_last_takes_nothing_with_it():
    text = f"{BEGIN}mine = 1\n"
    made = entered_as_toml(text, entries(NOW)[1:3])
    assert isinstance(made, Edited) and made.text.startswith(text)
    assert entered_as_toml(made.text, entries(NOW)[1:3]) == Edited(made.text)
    assert taken_out(made.text, made.written) == text


def test_in_toml_our_block_is_replaced_as_a_whole():
    old = entered_as_toml("a = 1\n", entries(OLD)[1:3])
    assert isinstance(old, Edited)
    new = entered_as_toml(f"{old.text}\n[b]\n", entries(NOW)[1:3])
    assert isinstance(new, Edited) and "/old/" not in new.text
    assert new.text.startswith("a = 1\n") and new.text.endswith("\n[b]\n")


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (None, "a\n", ["--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a"]),
        (
            "a",
            "a\nb\n",
            [
                "--- a/f",
                "+++ b/f",
                "@@ -1 +1,2 @@",
                "-a",
                "\\ No newline at end of file",
                "+a",
                "+b",
            ],
        ),
        ("a\n", "a\n", []),
    ],
)
def test_a_diff_is_one_that_patch_takes(before, after, lines):
    assert list(unified("f", before, after)) == lines
