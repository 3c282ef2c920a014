"""Repositories in which the story of the commit tests has begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.story import STORY
from tests.helpers import Sandbox, copied


@pytest.fixture(scope="session")
def _story_template(_installed_template: Sandbox, tmp_path_factory: pytest.TempPathFactory):
    made = copied(_installed_template, tmp_path_factory.mktemp("story") / "repo")
    made.save(STORY, "Story")
    return made


@pytest.fixture
def notes(_story_template: Sandbox, tmp_path: Path) -> Sandbox:
    """After `memtools init` and a commit of `target.md` and `other.md`; status empty."""
    return copied(_story_template, tmp_path / "repo")
