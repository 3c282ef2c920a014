"""Fixtures of all tests: nothing of the person's own git, home or settings is seen or touched."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import figures
from tests.helpers import CHECKOUT, Sandbox, cool_down, copied, isolated, new_repository
from tests.signed import Team, new_team

# Nothing is judged by the clock: a busy machine is no defect. The ordinary run tries the same
# examples each time; `--hypothesis-profile=new` looks for others.
_CALM = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, max_examples=30, **_CALM)
settings.register_profile("new", **_CALM)
settings.load_profile("same")

_MEMORY = "/dev/shm"  # where programs may be started too (hooks), with room for all that stays
_ROOM_BYTES = 2 << 30

REAL_HOME = Path("~").expanduser().resolve()
_FREE = tuple(
    str(Path(folder).resolve()) + os.sep
    for folder in (CHECKOUT, tempfile.gettempdir(), sys.prefix, sys.base_prefix, sys.exec_prefix)
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def pytest_configure(config: pytest.Config) -> None:
    """Keep the repositories of tests in memory, where a file costs half; `--basetemp` says else."""
    if not config.option.basetemp and _is_roomy(_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _MEMORY)


def _is_roomy(folder: str) -> bool:
    try:
        found = os.statvfs(folder)
    except (AttributeError, OSError):
        return False
    room = found.f_bavail * found.f_frsize
    return room >= _ROOM_BYTES and not found.f_flag & os.ST_NOEXEC and os.access(folder, os.W_OK)


def _guard_real_home(event: str, args: tuple[object, ...]) -> None:
    """Audit hook: explode when this process changes something below the person's real home."""
    if event == "open":
        flags = args[2] if len(args) > 2 else 0
        touched = args[:1] if isinstance(flags, int) and flags & _WRITES else ()
    elif event in ("os.mkdir", "os.remove", "os.rmdir"):
        touched = args[:1]
    elif event == "os.rename":
        touched = args[:2]
    else:
        return
    for path in touched:
        if isinstance(path, (str, bytes)):
            where = os.path.abspath(os.fsdecode(path))
            if where.startswith(f"{REAL_HOME}{os.sep}") and not where.startswith(_FREE):
                raise RuntimeError(f"a test changes the real home: {event} {where}")


@pytest.fixture(scope="session", autouse=True)
def _own_world(tmp_path_factory: pytest.TempPathFactory) -> object:
    """Every test of the session runs in an environment of its own (tests often run in a hook)."""
    base = tmp_path_factory.mktemp("world")
    home, templates = base / "home", base / "templates"
    home.mkdir()
    templates.mkdir()
    wanted = isolated(os.environ, home, templates)
    with pytest.MonkeyPatch.context() as patch:
        for name in set(os.environ) - set(wanted):
            patch.delenv(name)
        for name, value in wanted.items():
            patch.setenv(name, value)
        if str(REAL_HOME) != os.sep:
            sys.addaudithook(_guard_real_home)
        yield
        cool_down()


@pytest.fixture(scope="session")
def _plain_template(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return new_repository(tmp_path_factory.mktemp("plain") / "repo")


@pytest.fixture(scope="session")
def _installed_template(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    made = new_repository(tmp_path_factory.mktemp("installed") / "repo")
    made.init()
    if made.status():
        made.stage()
        made.commit("Start")
    return made


@pytest.fixture
def repo(_plain_template: Sandbox, tmp_path: Path) -> Sandbox:
    """A git repository without hooks and without commits."""
    return copied(_plain_template, tmp_path / "repo")


@pytest.fixture
def sandbox(_installed_template: Sandbox, tmp_path: Path) -> Sandbox:
    """A git repository after `memtools init`, what it wrote committed, status empty."""
    return copied(_installed_template, tmp_path / "repo")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--figures", action="store_true", help="print the table of reliability rows")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if terminalreporter.config.getoption("--figures"):
        ran = [r for kind in ("passed", "failed") for r in terminalreporter.getreports(kind)]
        calls = [report for report in ran if report.when == "call"]
        for line in figures.table(calls):
            terminalreporter.write_line(line)


@pytest.fixture
def tried(request: pytest.FixtureRequest) -> Callable[[str, int], None]:
    """Count cases of a reliability row: `tried("R3", 12)`, said before they are tried."""
    return figures.record(request)


@pytest.fixture(scope="session")
def _team_template(tmp_path_factory: pytest.TempPathFactory) -> Team:
    return new_team(tmp_path_factory.mktemp("team"))


@pytest.fixture
def team(_team_template: Team, tmp_path: Path) -> Team:
    """A repository in which only commits that Ann signed approve; see `signed.new_team`."""
    return Team(copied(_team_template.repo, tmp_path / "repo"), _team_template.keys)


@pytest.fixture(scope="session")
def _begun() -> dict[object, Sandbox]:
    return {}


@pytest.fixture
def begun(
    _installed_template: Sandbox,
    _begun: dict[object, Sandbox],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[..., Sandbox]:
    """`begun(FILES, …)`: like `sandbox`, after a commit of each FILES; committed once a session."""

    def begin(*commits: dict[str, str | bytes]) -> Sandbox:
        key = tuple(tuple(files.items()) for files in commits)
        if key not in _begun:
            made = copied(_installed_template, tmp_path_factory.mktemp("begun") / "repo")
            for files in commits:
                made.save(files)
            _begun[key] = made
        return copied(_begun[key], tmp_path / "repo")

    return begin
