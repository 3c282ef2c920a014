"""Whatever happens, the program ends with an exit code and never with a traceback."""

import os
import signal
import stat
import subprocess
import sys

import pytest

from memtools.core.wording import say
from memtools.entrypoints import cli, dispatch, text
from memtools.entrypoints.main import main
from memtools.errors import PolicyError, SearchError
from tests.helpers import CHECKOUT, run


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Not in this checkout, and without the language of another test."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    text.language.cache_clear()
    yield
    text.language.cache_clear()


@pytest.fixture
def verb(monkeypatch):
    """Give the verb `try` a body."""

    def install(body):
        monkeypatch.setattr(cli, "load", lambda place: lambda args: body())
        monkeypatch.setitem(dispatch.EARLY, "try", "any:thing")

    return install


def raising(error):
    def body():
        raise error

    return body


@pytest.mark.parametrize(("error", "code"), [(PolicyError("no", "ask"), 4), (SearchError("x"), 3)])
def test_an_error_gives_its_exit_code_and_its_hint(verb, capsys, error, code):
    verb(raising(error))
    assert main(["try"]) == code
    err = capsys.readouterr().err
    assert err.startswith(f"memtools: {error.message}\n")
    assert err.count("\n") == 1 + bool(error.hint)


def test_an_interrupt_is_130_without_a_word(verb, capsys):
    verb(raising(KeyboardInterrupt()))
    assert main(["try"]) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("code", "expected"), [(5, 5), (None, 0), ("words", 70)])
def test_an_exit_from_below_keeps_its_code(verb, code, expected):
    verb(raising(SystemExit(code)))
    assert main(["try"]) == expected


class PanicError(BaseException):
    """Like the panic of a Rust library: no Exception."""


@pytest.mark.parametrize("error", [ValueError("boom"), RecursionError("deep"), PanicError("rust")])
def test_a_bug_is_one_line_and_a_log_beside_the_repository(verb, repo, monkeypatch, capsys, error):
    monkeypatch.chdir(repo.top)
    verb(raising(error))
    assert main(["try"]) == 70
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "Traceback" not in err
    path = err.split()[-1]
    assert path.startswith(os.path.realpath(repo.path(".git/memtools/log")))
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with open(path, encoding="utf-8") as file:
        assert str(error) in file.read()
    assert repo.status() == ""


def test_outside_a_repository_the_log_is_a_temporary_file(verb, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    verb(raising(ValueError("odd \udcff")))
    assert main(["try"]) == 70
    assert capsys.readouterr().err.split()[-1].startswith(str(tmp_path))


def test_a_bug_without_any_place_for_a_log_is_still_one_line(verb, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    verb(raising(ValueError("x")))
    assert main(["try"]) == 70
    assert "no log could be written" in capsys.readouterr().err


def test_a_log_that_is_a_file_does_not_stop_the_report(verb, repo, monkeypatch, capsys):
    repo.write(".git/memtools/log", "taken\n")
    monkeypatch.chdir(repo.top)
    verb(raising(ValueError("x")))
    assert main(["try"]) == 70
    assert capsys.readouterr().err.count("\n") == 1


def test_japanese_is_spoken_when_asked_for(repo):
    asked = repo.memtools("nonsense", code=2, env={"MEMTOOLS_LANG": "ja"})
    assert "nonsense" in asked.err and not asked.err.isascii()


def test_english_is_spoken_where_japanese_cannot_be_shown(repo):
    env = {"MEMTOOLS_LANG": "ja", "PYTHONIOENCODING": "ascii"}
    assert "there is no command" in repo.memtools("nonsense", code=2, env=env).err


def program(*args, cwd, **more):
    """Start `python -m memtools` with pipes of our own."""
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    argv = [sys.executable, "-m", "memtools", *args]
    return subprocess.Popen(argv, cwd=cwd, env=env, stderr=subprocess.PIPE, **more)


def test_a_reader_that_goes_away_ends_it_quietly(repo):
    read_end, write_end = os.pipe()
    os.close(read_end)
    started = program("config", cwd=repo.top, stdout=write_end)
    os.close(write_end)
    _, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (0, b"")


def test_a_full_disk_is_no_traceback(repo):
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "wb") as full:
        started = program("config", cwd=repo.top, stdout=full)
    _, err = started.communicate(timeout=60)
    assert started.returncode in (3, 70)
    assert b"Traceback" not in err


def test_an_interrupt_of_the_process_is_130(repo):
    code = (
        "import os, signal, sys; from memtools.entrypoints import cli, main; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "  # a background job ignores it
        "cli.run = main.run = lambda args: os.kill(os.getpid(), signal.SIGINT) or 0; "
        "sys.exit(main.main(['x']))"
    )
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"")
    assert signal.SIGINT == 2


@pytest.mark.parametrize("codec", ["ascii", "cp932"])
def test_an_odd_output_encoding_crashes_nothing(repo, codec):
    repo.write(".memtools.toml", "roots = ['日本\U0001f600']\n")
    shown = repo.memtools("config", env={"PYTHONIOENCODING": codec})
    assert "roots = " in shown.out


def test_a_sentence_with_hostile_text_is_escaped(verb, capsys):
    verb(raising(PolicyError(say("{name} is refused", name="\x1b[2Jx"))))
    assert main(["try"]) == 4
    assert "\x1b" not in capsys.readouterr().err


def test_python_m_memtools_loads_nothing_from_the_folder_one_stands_in(sandbox, tmp_path):
    """A repository may hold a `tantivy.py`; Python would look there first."""
    sandbox.save({"a.md": "The disk cache was the root cause.\n"})
    alarm = tmp_path / "alarm"
    for name in ("tantivy", "yaml", "json", "click"):
        sandbox.write(f"{name}.py", f"open({str(alarm)!r}, 'w')\n")
    argv = [sys.executable, "-m", "memtools", "search", "root cause"]
    found = run(argv, sandbox.top, {"PYTHONPATH": str(CHECKOUT)})
    assert (found.code, alarm.exists()) == (0, False), found.err
    assert "a.md" in found.out
