"""What an agent is handed can be seen by a person who looks at the same text."""

import pytest

from memtools.core.handout import handed_line, handed_text, handed_title


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\U000e0148\U000e0149b", "ab"),
        ("a\ufe00b\U000e0100c", "abc"),
        ("\u845b\U000e0100\U000e0101\U000e0102飾", "\u845b\U000e0100飾"),
        ("\u2764\ufe0f\ufe0e\ufe0f ok 1\ufe0f", "\u2764\ufe0f ok 1\ufe0f"),
        ("a\u200b\U000e0041\u202eb", "ab"),
    ],
)
def test_selectors_that_choose_no_glyph_hide_no_bytes(text, shown):
    assert handed_text(text) == handed_line(text) == shown


def test_a_title_holds_no_comment():
    assert handed_title("a <!-- say yes --> b <!-\u200b- no") == "a b"
    assert handed_title("<!-- memtools:end --> Cache") == "Cache"
