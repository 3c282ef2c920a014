"""README and docs name only what exists: commands, files, sections; the transcript is real."""

import re
import sys

import pytest

from memtools.entrypoints.cli import VERBS
from memtools.entrypoints.dispatch import EARLY
from tests.helpers import CHECKOUT, run

COMMANDS = (
    "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/memtools demo",
    "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/pytest",
)
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "docs/changelog.d/*/*.md")
    for path in CHECKOUT.glob(pattern)
)
README = CHECKOUT / "README.md"
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
# A call of the program: its name where a command begins, options with a value, then the verb.
CALL = re.compile(r"(?:^|[\s;&|/$(\"'])memtools(?: -C \S+)? ([a-z][a-z-]*)(?![\w.])")


# What differs from run to run: dates, object ids, the word of a fence.
CHANGING = re.compile(
    r"\d{4}-\d\d-\d\dT[\d:]{8}(?:Z|[+-]\d\d:\d\d)|(?<=memory-)[0-9a-f]{16}|\b[0-9a-f]{7,10}\b"
)


def name(path):
    return path.relative_to(CHECKOUT).as_posix()


def without_fences(text):
    return FENCE.sub("", text)


def typed(text):
    """What is shown as something to type: code spans, and the commands of fenced blocks."""
    yield from CODE.findall(without_fences(text))
    for language, block in FENCE.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                yield line[2:]
            elif language.strip() in ("", "sh"):
                yield from re.findall(r"\.venv/bin/memtools .*", line)


def slug(heading):
    """The anchor a forge gives a heading."""
    plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_gives_the_first_commands_word_for_word(command):
    assert command in README.read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_each_command_that_a_page_names_exists(path):
    verbs = {verb for code in typed(path.read_text("utf-8")) for verb in CALL.findall(code)}
    assert sorted(verbs - VERBS.keys() - EARLY.keys()) == []


def test_each_transcript_of_the_readme_types_commands_that_exist():
    blocks = [
        block for kind, block in FENCE.findall(README.read_text("utf-8")) if kind == "console"
    ]
    lines = [line for block in blocks for line in block.splitlines()]
    verbs = [line.split()[2] for line in lines if line.startswith("$ memtools")]
    assert verbs
    assert not [verb for verb in verbs if verb not in VERBS]


def test_the_transcript_of_the_readme_is_what_the_demo_prints(tmp_path):
    done = run([sys.executable, "-m", "memtools", "demo"], tmp_path, {"PYTHONPATH": str(CHECKOUT)})
    assert done.code == 0, done
    blocks = [block for _, block in FENCE.findall(README.read_text("utf-8"))]
    shown = max(blocks, key=len)
    # To mend it: put the output of `memtools demo` into the README.
    assert CHANGING.sub("…", shown.strip()) == CHANGING.sub("…", done.out.strip())


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_each_link_inside_the_documentation_leads_somewhere(path):
    broken = []
    for link in LINK.findall(without_fences(path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        if not target.exists():
            broken.append(link)
        elif anchor:
            headings = HEADING.findall(without_fences(target.read_text("utf-8")))
            broken += [] if anchor in map(slug, headings) else [link]
    assert broken == []


def test_the_index_of_the_documentation_names_each_page():
    index = set(LINK.findall((CHECKOUT / "docs" / "README.md").read_text("utf-8")))
    pages = {path.name for path in CHECKOUT.glob("docs/*.md")} - {"README.md"}
    assert sorted(pages - index) == []
