"""Row R4: notes that nobody should have to read. None raises, costs much, or is exposed unread."""

import json
import sys

import pytest

from memtools.core.memory import Exposure, read_memory
from tests.helpers import CHECKOUT, longer, run
from tests.reliability.notes import MEGABYTES, note

ALL, STEP = 5000, 1250
PART = (0, 100, 6)  # first seed, how many, one of so many bombs
VERBS = (
    ("search", "root cause words"),
    ("recall", "--query", "root cause words"),
    ("check", "--all"),
    ("doctor",),
    ("export", "--to", "ndjson"),
    ("sweep", "--apply"),
    ("render", "--to", "AGENTS.md"),
)


@pytest.mark.parametrize("part", [PART, *longer(*((at, STEP, 1) for at in range(0, ALL, STEP)))])
def test_hostile_notes_raise_nothing_and_cost_little(tried, part):
    asked = ("-m", "tests.reliability.notes", *map(str, part))
    done = run([sys.executable, *asked], CHECKOUT, {"PYTHONPATH": str(CHECKOUT)})
    assert done.code == 0, done.err
    found = json.loads(done.out)
    tried("R4", found["tried"])
    assert found["failed"] == [], found["dearest"]
    assert found["tried"] >= part[1]
    assert found["peak_mb"] <= MEGABYTES


@pytest.mark.parametrize("count", [60, *longer(200)])
def test_a_repository_of_hostile_notes_is_read_without_a_crash_and_no_byte_is_changed(
    sandbox, tried, count
):
    """Committed without hooks: what a hook refuses comes in by other ways, too."""
    notes = {f"n/{at:04}.md": note(at) for at in range(count)}
    tried("R4", len(notes))
    for path, raw in notes.items():
        sandbox.write(path, raw)
    sandbox.stage()
    sandbox.commit("Notes", "--no-verify")
    unread = {p for p, raw in notes.items() if read_memory(p, raw).exposure is Exposure.NONE}
    assert unread
    for argv in VERBS:
        done = sandbox.memtools(*argv, code=None)
        assert done.code in (0, 1) and "Traceback" not in done.err, (argv, done.err)
        if argv[0] in ("search", "recall", "export"):
            assert [path for path in unread if f'{path}"' in done.out] == []
    for path, raw in notes.items():
        after = sandbox.read(path)
        assert after == raw or (path not in unread and b"retracted" in after), path
