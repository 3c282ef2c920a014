"""Every row of the retraction cases has its test: the table is read, so no new row is missed."""

import ast
import re
from pathlib import Path

from tests.helpers import CHECKOUT

CASES = CHECKOUT / "tests" / "fixtures" / "cases" / "retraction.md"
FILES = sorted(Path(__file__).parent.glob("test_retraction_*.py"))
# What pull requests and the gate do with a marker: tested with `check` and `propose`.
ELSEWHERE = {"77", "78"}


def rows():
    return re.findall(r"^\| (\d+[a-z]?) \|", CASES.read_text("utf-8"), re.MULTILINE)


def named():
    """Row id -> tests whose docstring names it ("Row 4", "Rows 1, 10 and 36")."""
    found = {}
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            for listed in re.findall(r"\b[Rr]ows? ((?:\d+[a-z]?(?:, | and )?)+)", _plain(node)):
                for row in re.findall(r"\d+[a-z]?", listed):
                    found.setdefault(row, []).append(node.name)
    return found


def _plain(node):
    """The docstring without what stands in parentheses."""
    return re.sub(r"\s*\([^)]*\)", "", ast.get_docstring(node) or "")


def test_every_row_is_named_by_a_test():
    tested = named().keys() | ELSEWHERE
    assert not [row for row in rows() if row not in tested]


def test_no_test_names_a_row_that_is_gone():
    assert not {row: names for row, names in named().items() if row not in rows()}


def test_the_table_is_the_whole_table():
    assert len(rows()) == len(set(rows())) > 85
