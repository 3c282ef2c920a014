"""Every sentence for a person exists in Japanese too, with the same fields."""

import ast
import re
from functools import cache
from string import Formatter

from memtools import errors
from memtools.entrypoints import japanese
from memtools.entrypoints.japanese import JA
from tests.helpers import CHECKOUT

# Who tells a person something, and which arguments are the text.
TOLD = {
    **{name: slice(2) for name in vars(errors) if name.endswith("Error")},
    "StoreError": slice(1, 3),
    "problem": slice(3, 5),
    **dict.fromkeys(("result", "note", "ask_yes_no", "progress", "progress_later"), slice(1)),
}
WORDS = re.compile(r"[A-Za-z]{2,}")


def calls(*names):
    """(place, call) of each call of these names in the package."""
    for path in sorted((CHECKOUT / "memtools").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute))
            if named and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
                yield f"{path.relative_to(CHECKOUT)}:{node.lineno}", node


def unsaid(node):
    """Does English stand in this text outside of what fills it?"""
    pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [piece.value for piece in pieces if isinstance(piece, ast.Constant)]
    return any(isinstance(text, str) and WORDS.search(text) for text in texts)


def literal(node):
    first = node.args[0] if node.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return None


def fields(template):
    return sorted(
        {name.split(".")[0] for _, name, _, _ in Formatter().parse(template) if name is not None}
    )


@cache
def templates():
    return {literal(node): place for place, node in calls("say") if literal(node) is not None}


def test_every_sentence_is_a_literal_template():
    assert not [place for place, node in calls("say") if literal(node) is None]


def test_what_a_person_is_told_is_said():
    """A text given to an error, a problem or the printer as it is would stay English."""
    found = []
    for place, node in calls(*TOLD):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        found += [f"{place}: {ast.unparse(text)}" for text in node.args[TOLD[name]] if unsaid(text)]
    assert not [text for text in found if "memtools {VERSION}" not in text]


def test_a_template_is_filled_with_the_fields_it_names():
    wrong = []
    for place, node in calls("say"):
        given = sorted(word.arg for word in node.keywords if word.arg)
        starred = any(word.arg is None for word in node.keywords)
        if not starred and literal(node) is not None and given != fields(literal(node)):
            wrong.append(f"{place}: {given} for {literal(node)!r}")
    assert not wrong


def test_every_sentence_has_a_japanese_twin():
    missing = [f"{place}: {text!r}" for text, place in templates().items() if text not in JA]
    assert not missing, "\n".join(missing)


def test_a_twin_has_the_same_fields():
    assert not {english: twin for english, twin in JA.items() if fields(english) != fields(twin)}


def test_no_twin_is_left_of_a_sentence_that_is_gone():
    assert not [english for english in JA if english not in templates()]


def test_a_twin_stands_in_one_topic():
    topics = [topic for topic in vars(japanese).values() if hasattr(topic, "JA")]
    assert sum(len(topic.JA) for topic in topics) == len(JA)
