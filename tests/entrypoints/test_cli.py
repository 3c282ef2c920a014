"""The table of verbs, the two ways of reading arguments, and the settings verb."""

import json
import os
import sys

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtools.core.version import VERSION
from memtools.entrypoints import cli, text
from memtools.entrypoints.clicks import to_click
from memtools.entrypoints.dispatch import EARLY
from memtools.entrypoints.main import main
from memtools.entrypoints.verb import (
    APPLY,
    FLAG,
    JSON,
    NUMBER,
    WHOLE,
    Argument,
    Option,
    Verb,
    read_plainly,
)
from tests.helpers import CHECKOUT, examples, run


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Not in this checkout, and without the language of another test."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    text.language.cache_clear()
    yield
    text.language.cache_clear()


SAMPLE = Verb(
    lambda **values: 0,
    summary="Try everything.",
    example="memtools try x",
    parameters=(
        Argument("QUERY"),
        Argument("REST", required=False),
        Option(("-n", "--limit"), "How many.", WHOLE, default=10, low=1),
        Option(("--scope",), "Which.", default=""),
        Option(("--tag",), "Which tags.", many=True),
        Option(("--share",), "How much.", NUMBER, default=None, low=0),
        Option(("--format",), "How.", default="text", choices=("text", "json")),
        Option(("--all-of-it",), "All.", FLAG),
        APPLY,
        JSON,
    ),
)
WORDS = ["x", "", "-", "--", "5", "0", "-5", "1.5", "-n", "-n5", "--limit", "--limit=7", "--scope"]
WORDS += ["--scope=", "--scope=a=b", "--tag", "--tag=t", "--share", "--share=0.5", "--format=json"]
WORDS += ["--format=xml", "--all-of-it", "--apply", "--json", "--json=1", "--nope", "--lim", "日本"]
WORDS += ["１２", "1_0", "99999999999999999999"]


def by_click(verb, args):
    """What click reads; None when it refuses."""
    seen = {}
    command = to_click("try", verb._replace(run=lambda **values: seen.update(values) or 0))
    try:
        command.main(list(args), standalone_mode=False)
    except click.ClickException:
        return None
    return seen


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(400))
@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_read_plainly_is_what_click_reads(args):
    plain = read_plainly(SAMPLE, args)
    if plain is not None:
        assert plain == by_click(SAMPLE, args)


def test_plain_arguments_need_no_click():
    assert read_plainly(SAMPLE, ["a", "-n", "3", "--tag", "x", "--tag=y", "--json"]) == {
        "query": "a",
        "rest": "",
        "limit": 3,
        "scope": "",
        "tag": ("x", "y"),
        "share": None,
        "format": "text",
        "all_of_it": False,
        "apply": False,
        "as_json": True,
    }


@pytest.mark.parametrize(
    "args", [[], ["a", "b", "c"], ["a", "--help"], ["a", "-n"], ["a", "-n", "0"], ["a", "-nx"]]
)
def test_help_and_mistakes_are_left_to_click(args):
    assert read_plainly(SAMPLE, args) is None


def test_a_missing_required_option_is_left_to_click():
    verb = SAMPLE._replace(parameters=(Option(("--why",), "Why.", required=True),))
    assert read_plainly(verb, []) is None
    assert by_click(verb, []) is None
    assert read_plainly(verb, ["--why", "x"]) == {"why": "x"} == by_click(verb, ["--why", "x"])


def test_many_arguments_are_taken_together():
    verb = SAMPLE._replace(parameters=(Argument("PATH", required=False, many=True),))
    for args in ([], ["a"], ["a", "b"]):
        assert read_plainly(verb, args) == {"path": tuple(args)} == by_click(verb, args)


@pytest.mark.parametrize("name", cli.VERBS)
def test_every_verb_loads_and_has_help_with_an_example(name, capsys):
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert "Example" in out and f"memtools {name}" in out


@pytest.mark.parametrize("name", EARLY)
def test_what_git_calls_has_help_too(name, capsys):
    assert callable(cli.load(EARLY[name]))
    assert main([name, "--help"]) == 0
    assert f"memtools {name}" in capsys.readouterr().out


def test_no_arguments_and_help_show_every_verb(capsys):
    for args in ([], ["--help"], ["help"]):
        assert main(args) == 0
        out = capsys.readouterr().out
        assert all(name in out for name in (*cli.VERBS, *EARLY))


def test_help_of_a_verb_can_be_asked_either_way(capsys):
    main(["config", "--help"])
    one = capsys.readouterr().out
    main(["help", "config"])
    assert capsys.readouterr().out == one


def test_the_version_is_printed(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"memtools {VERSION}\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["confg"], "did you mean: memtools config"),
        (["zzz"], "type: memtools --help"),
        (["config", "--nope"], "type: memtools config --help"),
        (["config", "too", "many"], "type: memtools config --help"),
        (["--nope"], "type: memtools --help"),
        (["-C"], "type: memtools --help"),
        (["-C", "/does/not/exist", "config"], "cannot go to /does/not/exist"),
        (["-C", "a\0b", "config"], "cannot go to"),
        (["hook"], "memtools init"),
        (["hook", "pre-auto-gc"], "memtools init"),
        (["merge-driver", "a"], "memtools init"),
    ],
)
def test_wrong_usage_is_2_and_says_what_to_type(args, said, capsys):
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and "Traceback" not in err


def test_c_goes_there_first_as_often_as_it_is_given(repo):
    repo.write("deep/er/x.txt", "x\n")
    repo.write(".memtools.toml", "read_ref = ''\n")
    shown = repo.memtools("-C", "deep", "-C", "er", "config", "--show-origin")
    assert '.memtools.toml:1\tread_ref = ""' in shown.out


def test_a_plain_verb_starts_without_click_and_other_heavy_modules(repo):
    argv = [sys.executable, "-X", "importtime", "-m", "memtools", "config"]
    done = run(argv, repo.top, {"PYTHONPATH": str(CHECKOUT)})
    assert done.code == 0
    found = {line.rpartition("|")[2].strip() for line in done.err.splitlines()}
    heavy = {"click", "rich", "git", "tantivy", "yaml", "markdown_it", "subprocess", "dataclasses"}
    assert "memtools.usecases.settings" in found
    assert not found & (heavy | {"pathlib", "logging", "argparse", "inspect", "tempfile"})


def test_config_shows_where_each_setting_comes_from(repo):
    repo.write(
        ".memtools.toml", "\n[gate]\ndelay_days = 9\n[vocabulary.status]\n'v1.0' = 'active'\n"
    )
    env = {"MEMTOOLS_ACTIVATION_BUDGET_BYTES": "99"}
    lines = repo.memtools("config", "--show-origin", env=env).out.splitlines()
    assert ".memtools.toml:3\tgate.delay_days = 9" in lines
    assert '.memtools.toml:5\tvocabulary.status.v1.0 = "active"' in lines
    assert "variable MEMTOOLS_ACTIVATION_BUDGET_BYTES\tactivation.budget_bytes = 99" in lines
    assert "default\tretraction.min_columns = 10" in lines
    assert "gate.delay_days = 9" in repo.memtools("config").out.splitlines()


def test_config_as_json_holds_values_and_origins(repo):
    found = json.loads(repo.memtools("config", "--json").out)
    assert found["schema_version"] == 1
    assert found["settings"]["approval.protected"] == ["main"]
    assert found["origins"]["approval.protected"] == "default"
    assert found["problems"] == []


def test_problems_of_the_settings_are_findings(repo):
    repo.write(".memtools.toml", "[retraction]\nmin_colums = 9\n")
    shown = repo.memtools("config", code=1)
    assert ".memtools.toml:2: config-unknown-key: there is no setting" in shown.err
    assert "did you mean retraction.min_columns?" in shown.err
    found = json.loads(repo.memtools("config", "--json", code=1).out)
    assert found["problems"][0]["rule"] == "config-unknown-key"


def test_config_without_a_repository_is_3(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.fspath(tmp_path.parent))
    assert main(["config"]) == 3
    assert "memtools init" in capsys.readouterr().err
