"""Every sentence for a person exists in Japanese too, with the same fields."""

import ast
from string import Formatter

from memtools.entrypoints.japanese import JA
from tests.helpers import CHECKOUT


def calls():
    """(place, first argument) of each `say(...)` in the package."""
    for path in sorted((CHECKOUT / "memtools").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute))
            if named and getattr(node.func, "id", getattr(node.func, "attr", "")) == "say":
                yield f"{path.relative_to(CHECKOUT)}:{node.lineno}", node


def literal(node):
    first = node.args[0] if node.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return None


def fields(template):
    return sorted(
        {name.split(".")[0] for _, name, _, _ in Formatter().parse(template) if name is not None}
    )


TEMPLATES = {literal(node): place for place, node in calls() if literal(node) is not None}


def test_every_sentence_is_a_literal_template():
    assert not [place for place, node in calls() if literal(node) is None]


def test_a_template_is_filled_with_the_fields_it_names():
    wrong = []
    for place, node in calls():
        given = sorted(word.arg for word in node.keywords if word.arg)
        starred = any(word.arg is None for word in node.keywords)
        if not starred and literal(node) is not None and given != fields(literal(node)):
            wrong.append(f"{place}: {given} for {literal(node)!r}")
    assert not wrong


def test_every_sentence_has_a_japanese_twin():
    missing = [f"{place}: {text!r}" for text, place in TEMPLATES.items() if text not in JA]
    assert not missing, "\n".join(missing)


def test_a_twin_has_the_same_fields():
    assert not {english: twin for english, twin in JA.items() if fields(english) != fields(twin)}


def test_no_twin_is_left_of_a_sentence_that_is_gone():
    assert not [english for english in JA if english not in TEMPLATES]
