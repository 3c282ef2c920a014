"""A handbook in blocks, an index in titles."""

import pytest

from memtools.core.handbook import index_titles, says_more, split_handbook

GROUPS = b"""Intro.

# Task Group: build of the app
scope: how it is built

## Task 1: fix the build
- run make

# Task Group: docs
scope: docs

```
# Task Group: not one, it is code
```
"""


def test_each_task_group_is_a_block_and_nothing_is_lost():
    blocks = split_handbook(GROUPS)
    assert [block.title for block in blocks] == ["", "build of the app", "docs"]
    assert [block.line for block in blocks] == [1, 3, 9]
    assert b"".join(block.data for block in blocks) == GROUPS


def test_a_handbook_without_groups_is_split_at_its_sections():
    raw = b"# Rules\r\n\r\n## Build\r\nmake\r\n\r\n### Deep\r\nx\r\n## Test\r\npytest\r\n"
    blocks = split_handbook(raw)
    assert [block.title for block in blocks] == ["", "Build", "Test"]
    assert b"".join(block.data for block in blocks) == raw


@pytest.mark.parametrize("raw", [b"", b"\n \n", b"One line without an end", b"\xff\xfe"])
def test_any_bytes_are_taken(raw):
    assert b"".join(block.data for block in split_handbook(raw)) in (raw, b"")


def test_an_index_names_files_and_titles():
    text = "# Memory\n\n- [Answer style](style.md) - short\n* [Other](other.md)\nprose\n"
    assert index_titles(text) == {"style.md": "Answer style", "other.md": "Other"}


def test_an_index_of_files_that_are_there_says_no_more():
    text = "# Memory\n\n- [Answer style](style.md) - short\n"
    assert not says_more(text, {"style.md"})
    assert says_more(text, set())
    assert says_more(text + "Use tabs.\n", {"style.md"})
