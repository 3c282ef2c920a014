"""The labelled candidates of the write gate: tests/fixtures/gate/README.md says what they mean."""

import json
from pathlib import Path

MARK = "<+>"  # stands inside values that look like credentials, so that scanners leave them alone
FOLDER = Path(__file__).parent / "fixtures" / "gate"


def gate_cases():
    """Each line of the set as a dict, without the marks in title, body and existing texts."""
    lines = (FOLDER / "dev.jsonl").read_text("utf-8").splitlines()
    return [_unmarked(json.loads(line)) for line in lines]


def labelled_lines():
    """{label: texts} of the lines for the screens, without the marks."""
    lines = (FOLDER / "lines.jsonl").read_text("utf-8").splitlines()
    found = {}
    for label, text in map(json.loads, lines):
        found.setdefault(label, []).append(text.replace(MARK, ""))
    return found


def _unmarked(case):
    case["title"] = case["title"] and case["title"].replace(MARK, "")
    case["body"] = case["body"].replace(MARK, "")
    for memory in case["existing"]:
        memory["text"] = memory["text"].replace(MARK, "")
    return case
