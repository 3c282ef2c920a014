"""SARIF 2.1.0, the form code scanning reads: one run with its rules and results.

Must not know any other form.
"""

from __future__ import annotations

import os
import re

from memtools.core.invisible import escape_for_terminal
from memtools.core.version import VERSION
from memtools.entrypoints.formats.gitlab import fingerprinted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtools.core.problem import Problem

_LINK = re.compile(r"\]\(")  # of `[text](place)`: viewers make a link of it in any message
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(problems: Sequence[Problem]) -> dict[str, object]:
    """The log as plain values; messages stay English, as in all JSON."""
    rules = sorted({problem.rule for problem in problems})
    results = [_result(one, rules, mark) for one, mark in fingerprinted(problems)]
    described = [{"id": rule, "shortDescription": {"text": rule}} for rule in rules]
    driver = {"name": "memtools", "version": VERSION, "rules": described}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(problem: Problem, rules: list[str], mark: str) -> dict[str, object]:
    text = f"{problem.message} — {problem.hint}" if problem.hint else problem.message
    found: dict[str, object] = {
        "ruleId": problem.rule,
        "ruleIndex": rules.index(problem.rule),
        "level": problem.severity,
        "message": {"text": _LINK.sub(r"]\\x28", escape_for_terminal(text))},
        "partialFingerprints": {"memtools/v1": mark},
    }
    if problem.path:
        place: dict[str, object] = {"artifactLocation": {"uri": _uri(problem.path)}}
        if problem.line:
            place["region"] = {"startLine": problem.line}
        found["locations"] = [{"physicalLocation": place}]
    return found


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(path))
