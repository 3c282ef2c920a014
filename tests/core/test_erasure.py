"""The forms a text is found in, and files without what they told of a memory."""

import pytest

from memtools.core.erasure import MARK, Finder, telling_lines, without_told
from memtools.core.rendering import Told, block_lines, file_lines

TEXT = "Café “4711”"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        "Cafe\u0301 “4711”".encode(),
        b'{"a": "Caf\\u00e9 \\u201c4711\\u201d"}',
    ],
)
def test_a_text_is_found_and_erased_in_each_of_its_forms(data):
    finder = Finder([TEXT])
    assert finder.finds(b"x" + data + b"y")
    assert not finder.finds(finder.erased(data))


def test_the_mark_is_in_the_encoding_of_the_file():
    data = f"\ufeffa {TEXT} b".encode("utf-16")
    assert Finder([TEXT]).erased(data).decode("utf-16") == f"\ufeffa {MARK} b"


def test_the_longer_text_goes_first():
    assert Finder(["Taro", "Taro Yamada"]).erased(b"Taro Yamada, Taro") == b"[erased], [erased]"


def test_bytes_without_a_text_stay_as_they_are():
    data = bytes(range(256))
    assert Finder([TEXT]).erased(data) == data == Finder([]).erased(data)
    assert not Finder([]).finds(data)


def test_lines_that_say_little_are_not_looked_for():
    assert telling_lines(b"# Taro\n\n- ok\n- He lives in the old harbour.\n----------------\n") == {
        "He lives in the old harbour."
    }


def told(path, text):
    return Told(path, "A title", "stated", "", "", "", text)


def block(*memories, left_out=0):
    lines = ["<!-- memtools:begin -->", *block_lines(memories, left_out), "<!-- memtools:end -->"]
    return "\n".join(["# Ours", "", *lines, "", "Below.", ""]).encode()


ONE, TWO = told("a.md", "One.\n\nMore of it."), told("b & c.md", "Two.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (block(ONE, TWO), block(TWO)),
        (block(TWO, ONE), block(TWO)),
        (block(ONE), block()),
        (block(ONE, TWO, left_out=2), block(TWO, left_out=2)),
        (block(TWO), block(TWO)),
        ("\n".join(file_lines(ONE)).encode(), b""),
        (b'Memory path="a.md"\n\n> not ours\n', b'Memory path="a.md"\n\n> not ours\n'),
    ],
)
def test_a_rendered_file_tells_nothing_of_it_any_more(before, after):
    assert without_told(before, ["a.md"]) == after
    crlf = [data.replace(b"\n", b"\r\n") for data in (before, after)]
    assert without_told(crlf[0], ["a.md"]) == crlf[1]


def test_a_path_with_signs_is_known_again():
    assert without_told(block(ONE, TWO), ["b & c.md"]) == block(ONE)


def test_half_a_character_is_found_as_a_header_escapes_it():
    """A title `"\\ud83d"` of YAML or JSON names half a character, which no file holds itself."""
    finder = Finder(["half \ud83d title"])
    assert finder.erased(b'title: "half \\ud83d title"\n') == b'title: "%s"\n' % MARK.encode()
    assert not Finder(["half \ud83d title"], plain=True).finds(b"half title")
