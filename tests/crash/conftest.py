"""What the crash tests share: the program that kills, and the repository commands start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import killing, scene
from tests.helpers import Sandbox, copied


@pytest.fixture(scope="session")
def killpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of `killpoint.c`."""
    return killing.build(tmp_path_factory.mktemp("killpoint"))


@pytest.fixture(scope="session")
def start(_installed_template: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """The repository all commands start from."""
    made = copied(_installed_template, tmp_path_factory.mktemp("crash") / "repo")
    scene.build(made)
    return made
