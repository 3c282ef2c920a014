"""A JSON file keeps every character that is not ours, and ours come out without a trace."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtools.core.json_edit import (
    Fault,
    line_at,
    read_json,
    value_at,
    with_child,
    without_child,
)

NICE = '{\n    "b": [1,2],\n    "a": {"x": 1}\n}\n'


def test_a_member_goes_to_the_end_in_the_indentation_of_the_file():
    made, _ = with_child(NICE, [], "env", {"A": "1"})
    assert made == (
        '{\n    "b": [1,2],\n    "a": {"x": 1},\n    "env": {\n        "A": "1"\n    }\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "where", "key", "made"),
    [
        ("{}", [], "k", '{\n  "k": "v"\n}'),
        ("{ }\n", [], "k", '{\n  "k": "v"\n}\n'),
        ('{"a":1}', [], "k", '{"a":1, "k": "v"}'),
        ('{"a":{}}', ["a"], "k", '{"a":{"k": "v"}}'),
        ('{"a":[1]}', ["a"], "", '{"a":[1, "v"]}'),
        ('{\n\t"a": {}\n}', ["a"], "k", '{\n\t"a": {\n\t\t"k": "v"\n\t}\n}'),
        ('{\r\n "a": 1\r\n}\r\n', [], "k", '{\r\n "a": 1,\r\n "k": "v"\r\n}\r\n'),
        ('{\n"a": 1\n}', [], "k", '{\n"a": 1,\n"k": "v"\n}'),
        ('{\n  "a": 1, "a": {"b": 1}\n}', ["a"], "k", '{\n  "a": 1, "a": {"b": 1, "k": "v"}\n}'),
    ],
)
def test_each_style_is_kept(text, where, key, made):
    assert with_child(text, where, key, "v")[0] == made


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  // mine\n  "a": 1\n}', 2),
        ('{"a": 1,}', 1),
        ("[]", 1),
        ("", 1),
        ('{"a":' * 100_000, 1),
        ('{"a": ' + "9" * 5000 + "}", 1),
    ],
)
def test_what_is_no_plain_json_object_is_not_edited(text, line):
    found = read_json(text)
    assert isinstance(found, Fault) and found.line == line


def test_a_value_that_is_ours_is_taken_out_of_the_middle():
    text = '{\n  "a": 1,\n  "ours": {"x": []},\n  "b": 2\n}\n'
    assert without_child(text, [], "ours", {"x": []}) == '{\n  "a": 1,\n  "b": 2\n}\n'


def test_a_value_somebody_changed_is_not_ours_any_more():
    assert without_child('{"ours": 2}', [], "ours", 1) is None
    assert without_child('{"ours": 2}', ["ours"], "x", 1) is None
    assert without_child("{}", ["gone"], "x", 1) is None


def test_a_place_is_told_by_its_line():
    text = '{\n  "a": 1,\n  "hooks":\n    {"x": []}\n}'
    assert line_at(text, ["hooks", "x", "y"]) == 4
    assert line_at(text, ["none"]) == 1
    assert value_at(text, ["hooks"]) == {"x": []}
    assert value_at(text, ["hooks", "none"]) is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=3), VALUES, max_size=4),
    st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", " ", "\n\n"]),
    VALUES,
)
def test_put_in_and_taken_out_nothing_is_left(values, indent, line_end, tail, value):
    text = json.dumps(values, indent=indent, ensure_ascii=False).replace("\n", line_end) + tail
    for where in ([], *([key] for key, held in values.items() if isinstance(held, (dict, list)))):
        key = "" if where and isinstance(values[where[0]], list) else "memtools"
        made, blank = with_child(text, where, key, value)
        held = json.loads(text)
        target = held[where[0]] if where else held
        if key:
            target[key] = value
        else:
            target.append(value)
        assert json.loads(made) == held
        assert without_child(made, where, key, value, blank) == text
