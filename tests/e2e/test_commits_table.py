"""Every row of the table of commits is shown by a test, and no test names a row it lacks."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE.parent / "fixtures" / "cases" / "commits.md"
_ID = re.compile(r"\bC\d\d\b")
# Rows that tests written for another purpose show: row -> file and test.
ELSEWHERE = {
    "C49": ("test_worktrees.py", "test_a_partial_commit_in_a_linked_worktree_stays_there"),
    "C50": ("test_worktrees.py", "test_a_submodule_of_memories_retracts_by_its_own_hooks"),
    "C51": ("test_worktrees.py", "test_git_dir_and_work_tree_from_another_folder_retract"),
    "C79": (
        "test_chaining.py",
        "test_the_framework_installed_by_force_drops_ours_and_doctor_is_told",
    ),
    "C88": (
        "test_chaining.py",
        "test_a_hook_in_a_linked_worktree_reads_the_other_repository_it_opens",
    ),
}
# Signatures, approvers and the policy of a server: they come with approval.
LATER = {"C83", "C85", "C86", "C87"}


def rows():
    """The ids of the table, in its order."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [line[1:4] for line in lines if re.match(r"\|C\d\d\|", line)]


def docstrings():
    """File name -> test name -> docstring, of all tests beside this one."""
    found = {}
    for path in sorted(HERE.glob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[path.name] = {
            node.name: ast.get_docstring(node) or ""
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        }
    return found


def named_rows():
    """Row -> tests whose docstring names it."""
    named = {}
    for file, tests in docstrings().items():
        for name, text in tests.items():
            for row in _ID.findall(text):
                named.setdefault(row, []).append(f"{file}::{name}")
    return named


def test_every_row_has_a_test():
    covered = named_rows().keys() | ELSEWHERE.keys() | LATER
    assert len(rows()) == len(set(rows())) > 60
    assert [row for row in rows() if row not in covered] == []


def test_every_named_row_stands_in_the_table():
    assert (named_rows().keys() | ELSEWHERE.keys() | LATER) <= set(rows())


def test_tests_named_elsewhere_exist():
    known = docstrings()
    assert [where for where in ELSEWHERE.values() if where[1] not in known[where[0]]] == []
