"""Each command, option, rule and setting is documented; each command helps with an example."""

import re

import click
import pytest

from memtools.core.problem import RULES
from memtools.core.settings import CHECKS
from memtools.entrypoints.cli import EARLY, VERBS
from memtools.entrypoints.clicks import group
from tests.helpers import CHECKOUT

DOCS = {path.name: path.read_text("utf-8") for path in sorted((CHECKOUT / "docs").glob("*.md"))}
GROUP = group()
# Tables whose keys are the person's own words.
FREE_TABLES = ("stores", "scopes", "vocabulary.status", "vocabulary.priority")


def command(verb):
    found = GROUP.get_command(click.Context(GROUP), verb)
    assert found, f"VERBS names {verb}, but there is no such command"
    return found


def sections(word):
    """The text below each heading that names the command."""
    heading = re.compile(rf"^#+ [^\n]*\b{re.escape(word)}\b[^\n]*\n", re.MULTILINE)
    for text in DOCS.values():
        for match in heading.finditer(text):
            level = len(match[0]) - len(match[0].lstrip("#"))
            end = re.compile(rf"^#{{1,{level}}} ", re.MULTILINE).search(text, match.end())
            yield text[match.start() : end.start() if end else len(text)]


@pytest.mark.parametrize("verb", [*VERBS, *EARLY])
def test_each_command_and_option_is_documented(verb):
    text = "\n".join(sections(verb))
    assert f"memtools {verb}" in text, f"no section of docs/*.md names memtools {verb}"
    options = [param for param in command(verb).params if isinstance(param, click.Option)]
    names = [max(option.opts, key=len) for option in options if not option.hidden]
    assert not [name for name in names if name != "--help" and name not in text]


@pytest.mark.parametrize("verb", VERBS)
def test_each_command_helps_with_an_example(verb):
    found = command(verb)
    context = click.Context(found, info_name=f"memtools {verb}")
    shown = found.get_help(context)
    assert found.get_short_help_str()
    rest = shown.partition("\n")[2]
    assert f"memtools {verb}" in rest, f"no example in: {shown}"
    assert not [
        param.name
        for param in found.params
        if isinstance(param, click.Option) and not (param.help or param.hidden)
    ]


@pytest.mark.parametrize("rule", RULES)
def test_each_rule_is_documented(rule):
    assert any(f"`{rule}`" in text for text in DOCS.values()), f"docs/rules.md lacks `{rule}`"


def test_no_documented_rule_is_gone():
    named = re.findall(r"^#+ `([a-z0-9-]+)`", DOCS.get("rules.md", ""), re.MULTILINE)
    assert not set(named) - set(RULES)


@pytest.mark.parametrize("key", [*CHECKS, *(f"[{table}]" for table in FREE_TABLES)])
def test_each_setting_is_documented(key):
    assert any(f"`{key}`" in text for text in DOCS.values()), f"docs/config.md lacks `{key}`"
