"""What staging takes away is remembered only when a change of staging would be seen."""

import os

from memtools.usecases.reading.view import read_view
from memtools.usecases.repository import open_repository
from memtools.usecases.state import STAGED_VIEW

CACHE = f".git/memtools/{STAGED_VIEW}"


def look(repo, written):
    """Read the view while git's index was last written at this time (seconds)."""
    os.utime(repo.path(".git/index"), (written, written))
    return read_view(open_repository(str(repo.top)))


def test_an_index_as_young_as_the_look_at_it_is_not_remembered(sandbox):
    """A second change within one tick of the clock may have its size, and its time."""
    sandbox.save({"a.md": "one\n"})
    sandbox.path(CACHE).unlink(missing_ok=True)
    look(sandbox, 4_000_000_000)
    assert not sandbox.path(CACHE).exists()
    look(sandbox, 1_000_000_000)
    assert sandbox.path(CACHE).exists()
