"""What a text points at: wikilinks, Markdown links, sources; in the words memories go by."""

import pytest

from memtools.core.links import names_of, pointed_at
from memtools.core.memory import read_memory


def points(text, path="notes/here.md"):
    return pointed_at(read_memory(path, text.encode()))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("See [[cache]].\n", "cache"),
        ("See [[cache|the cold one]] and more.\n", "cache"),
        ("| [[cache\\|cold]] |\n", "cache"),
        ("See [[notes/cache#why]].\n", "notes/cache"),
        ("See [it](cache.md).\n", "notes/cache.md"),
        ("See [it](../wisdom/a%20b.md#x).\n", "wisdom/a b.md"),
        ('See [it](<cache.md> "title").\n', "notes/cache.md"),
        ("See [it](/notes/cache.md#why).\n", "notes/cache.md"),
        ("See [it](<cache (1).md>).\n", "notes/cache (1).md"),
        ("See [it][1].\n\n[1]: ../wisdom/a.md 'A'\n", "wisdom/a.md"),
        ("See [it].\n\n[it]: </notes/b c.md>\n", "notes/b c.md"),
        ("---\nderived_from: notes/cache.md\n---\nText\n", "notes/cache.md"),
        ("---\nderived_from: ['id:c-1']\n---\nText\n", "id:c-1"),
        ("[[キャッシュ]]が原因\n", "キャッシュ"),
    ],
)
def test_a_link_is_read_in_the_words_memories_are_called_by(text, name):
    assert name in points(text)


@pytest.mark.parametrize(
    "text",
    [
        "RETRACTS: [[cache]]\n",
        "[x](https://example.com/cache.md)\n",
        "[x](../../out.md)\n",
        "[x](//example.com/cache.md)\n",
        "[x]: https://example.com/cache.md\n",
        "    [x]: cache.md\n",
        "[[]]\n",
    ],
)
def test_a_marker_a_web_address_and_a_way_out_point_at_no_memory(text):
    assert points(text) == frozenset()


def test_composed_and_decomposed_names_are_the_same_name():
    memory = read_memory("が.md", b"Text\n")
    assert names_of(memory) & points("[[が]]\n")


def test_a_memory_is_called_by_path_stem_title_alias_and_id():
    memory = read_memory("n/a.md", b"---\nid: x\ntitle: T\naliases: [B]\n---\n")
    assert names_of(memory) == {"a", "n/a.md", "n/a", "T", "B", "id:x"}
